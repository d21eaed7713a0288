"""Agents that play the editions of Legends of Code and Magic."""
