"""How the searching agents of Tapdeck learn: games are played and noted, and a network is fitted to how they ended."""
