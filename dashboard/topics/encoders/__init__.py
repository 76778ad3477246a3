"""Encoders told apart and beside each other."""
