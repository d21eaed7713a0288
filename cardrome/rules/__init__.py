"""Rules: kernels over NumPy records, compiled by Numba. No input or output happens here."""
