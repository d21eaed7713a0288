"""Legends of Code and Magic."""
