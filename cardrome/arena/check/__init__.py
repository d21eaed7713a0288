"""check-bot: what is wrong with a bot, explained."""
