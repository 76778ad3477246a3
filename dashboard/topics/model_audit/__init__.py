"""Which of the documents that a model was trained on give themselves away."""
