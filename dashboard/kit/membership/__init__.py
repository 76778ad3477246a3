"""Sections of every attack that infers the membership of targets."""
