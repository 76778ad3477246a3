"""Sections of every attack that tells members from non-members by target."""
