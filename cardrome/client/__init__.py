"""A Tapdeck client, and a team that plays with an agent."""
