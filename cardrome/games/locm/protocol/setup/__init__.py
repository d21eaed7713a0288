"""Positions and deals set up by hand, from JSON."""
