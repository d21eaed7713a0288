"""Tapdeck."""
