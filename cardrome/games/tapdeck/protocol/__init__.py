"""Tapdeck as text: the commands and answers of the wire, and replays. No sockets, no clocks."""
