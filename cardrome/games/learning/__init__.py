"""What all games share about learning: networks that rate positions, and how they are fitted to games."""
