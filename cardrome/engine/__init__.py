"""How rules are compiled and run: kernels, their cache, random numbers, games in bulk."""
