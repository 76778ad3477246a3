"""Membership in a language model by the probability of texts."""
