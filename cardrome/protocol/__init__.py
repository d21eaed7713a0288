"""Text to rules and back, without sockets or processes."""
