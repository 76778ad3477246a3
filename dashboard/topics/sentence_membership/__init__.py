"""Membership of people and their sentences in a sentence encoder."""
