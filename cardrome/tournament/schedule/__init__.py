"""Who plays whom: round robin, gauntlet, Swiss, ladder."""
