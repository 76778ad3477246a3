"""Suspected texts ranked against stored vectors."""
