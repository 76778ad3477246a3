"""Keyword inference from sentence embeddings."""
