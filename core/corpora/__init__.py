"""Corpora on disk, for more documents than memory holds: tokenised once, and kept by the content of their files."""
