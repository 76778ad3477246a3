"""Networks that predict the next word or token of a text."""
