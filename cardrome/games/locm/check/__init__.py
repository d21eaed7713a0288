"""What `check-bot` knows of LOCM: which answers are wrong and why, and which positions are hard on bots."""
