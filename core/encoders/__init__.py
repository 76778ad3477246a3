"""Pretrained encoders and language models: records, files, loading and queries, and how ours are trained."""
