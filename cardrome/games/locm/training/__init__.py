"""How the searching agents of LOCM learn: games are played and noted, decks and positions fitted to how they ended."""
