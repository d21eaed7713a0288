"""The live Tapdeck event: a TCP server of one-second turns, its accounts, its store and its clients."""
