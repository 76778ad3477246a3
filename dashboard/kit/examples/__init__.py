"""Sections of every attack that infers the membership of single examples."""
