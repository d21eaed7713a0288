"""The text side of Legends of Code and Magic: games, inputs, answers, recordings."""
