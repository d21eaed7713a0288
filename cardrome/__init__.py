"""Cardrome: an arena for strategy card-game AI."""
