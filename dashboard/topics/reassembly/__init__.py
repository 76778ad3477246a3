"""Topic words from sentence embeddings."""
