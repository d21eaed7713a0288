"""Tournaments: many players by a schedule, into a store that loses nothing."""
