"""Where a tournament's games are kept."""
