"""Inversion: the words of a text from its embedding, one method each."""
