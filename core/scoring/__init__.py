"""Keeps the score of the security games."""
