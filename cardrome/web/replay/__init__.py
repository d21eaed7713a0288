"""Replays as pages."""
