"""The web page of a live event."""
