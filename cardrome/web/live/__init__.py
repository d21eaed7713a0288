"""The page of a live event."""
