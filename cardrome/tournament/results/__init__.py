"""What the games of a tournament say: tables, ratings, summaries, exports."""
