"""Environments: the games as learners and language models meet them."""
