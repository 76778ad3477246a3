"""Audits of a user's own vectors and models: their experiments, and the verdict of the results."""
