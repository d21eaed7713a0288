"""Starter kits: small bots in several languages, to begin from. `kit` writes them; the folders hold their sources."""
