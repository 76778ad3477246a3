"""Attacks, one file each."""
