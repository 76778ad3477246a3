"""Pretrained encoders: what is known of them, where they lie, how they are read and asked, and how ours are made."""
