"""Membership of windows of words in a word embedding."""
