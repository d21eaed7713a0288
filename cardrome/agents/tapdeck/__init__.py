"""Agents that play Tapdeck."""
