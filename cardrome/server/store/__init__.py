"""Where an event's results are kept."""
