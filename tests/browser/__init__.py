"""Tests in a real browser, which stays open from the first of them to the last."""
