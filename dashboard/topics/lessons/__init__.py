"""Lessons: predict, lock, reveal; every figure and every number comes from a stored result."""
