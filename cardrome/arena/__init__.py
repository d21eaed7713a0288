"""Who plays whom, how often, and what the results say."""
