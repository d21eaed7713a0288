"""Legends of Code and Magic, every edition."""
