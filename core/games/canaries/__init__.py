"""Canaries: secrets that games plant in training data, and what these games share."""
