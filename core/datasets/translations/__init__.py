"""Datasets of sentences and their translations."""
