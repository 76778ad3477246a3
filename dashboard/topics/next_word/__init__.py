"""Next-word completion: membership through a language model."""
