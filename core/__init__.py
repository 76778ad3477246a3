"""Attacks on text models, the defenses against them, and the security games that score both."""
