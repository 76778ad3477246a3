"""Membership through a language model."""
