"""Public lists of words."""
