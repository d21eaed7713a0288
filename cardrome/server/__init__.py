"""The live Tapdeck event: a TCP server with a clock, teams that log in, and a store for the results."""
