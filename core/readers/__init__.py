"""Readers: adversaries of the bundled encoder, trained beforehand, that read a typed sentence from its embedding.

`recipe` says what they are trained on, `training` trains and measures them, `files` keeps them under ``precomputed/``.
`reading` applies them with NumPy alone, `process` does so in one warm process a user, and `client` asks it.
"""
