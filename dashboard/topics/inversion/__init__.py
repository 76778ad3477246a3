"""Inversion: words recovered from a sentence embedding."""
