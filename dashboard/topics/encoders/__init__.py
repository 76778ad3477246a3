"""Fingerprints and comparison of encoders."""
