"""Formats of stored vectors, one module each."""
