"""Figures of the audit of a vector store."""
