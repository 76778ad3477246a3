"""Target models: what they are trained on, how each family is trained, and what they give access to."""
