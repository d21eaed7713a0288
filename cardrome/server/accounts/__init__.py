"""Teams' accounts and their passwords."""
