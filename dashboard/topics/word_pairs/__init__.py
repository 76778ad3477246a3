"""Sections and figures of membership inference by word pairs."""
