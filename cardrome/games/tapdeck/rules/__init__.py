"""Tapdeck: two players, one visible deck, creatures tapped for mana."""
