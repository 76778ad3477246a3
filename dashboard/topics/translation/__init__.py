"""Membership of sentence pairs in a translator."""
