"""Learning, in any game: what learners see and do, the episodes they play, and the networks that come of it."""
