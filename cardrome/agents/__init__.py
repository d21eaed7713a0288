"""Agents: decision makers inside the process. They are given views, never states."""
