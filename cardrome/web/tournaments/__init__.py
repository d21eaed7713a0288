"""Tournaments: their pages on the site, live from a store, and the same pages as a folder to publish."""
