"""Databases, locks and settings files."""
