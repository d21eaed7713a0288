"""The searching agents: whole turns, the opponent's answers with imagined cards, and what was learned from games."""
