"""Where an event keeps its accounts and results."""
