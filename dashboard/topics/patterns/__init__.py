"""Pattern reconstruction from sentence embeddings."""
