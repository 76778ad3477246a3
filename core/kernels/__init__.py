"""Compiled inner loops, each behind a plain function of arrays."""
