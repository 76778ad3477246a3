"""Author inference from sentence embeddings."""
