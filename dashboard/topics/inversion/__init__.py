"""Words read back from a sentence embedding."""
