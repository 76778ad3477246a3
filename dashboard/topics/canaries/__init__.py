"""Canaries read out of a network."""
