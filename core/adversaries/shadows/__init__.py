"""Models that adversaries train themselves, with a target and without it, and decisions by them."""
