"""Membership by telltale word pairs."""
