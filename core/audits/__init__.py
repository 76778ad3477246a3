"""Audits of what a user holds: which experiments answer the question, and what their results say together."""
