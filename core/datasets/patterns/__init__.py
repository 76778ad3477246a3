"""Datasets of texts that follow a public rule."""
