"""Membership through a classifier."""
