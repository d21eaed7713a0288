"""The searching agents: whole turns, the answers to them, and a learned worth of positions."""
