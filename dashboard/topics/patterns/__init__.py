"""Sections and figures of pattern reconstruction from sentence embeddings."""
