"""The word-pair attack: which pairs, which shadow models, what is measured in them and what is learnt from it."""
