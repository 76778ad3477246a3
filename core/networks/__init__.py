"""Small networks that read secrets from embeddings, trained on the processor and kept as plain arrays."""
