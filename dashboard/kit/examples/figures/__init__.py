"""Figures of membership by single examples."""
