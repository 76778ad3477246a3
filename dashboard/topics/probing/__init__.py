"""Classifier probing: membership through a document classifier."""
