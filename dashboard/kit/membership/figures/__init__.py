"""Figures of membership by target."""
