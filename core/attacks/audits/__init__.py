"""Audits of what somebody holds: which documents a model was trained on, by the model itself or by its answers."""
