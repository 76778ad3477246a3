"""Pretrained encoders: their records, their files, how they are loaded and queried, and how ours are trained."""
