"""Figures of the audit of a model."""
