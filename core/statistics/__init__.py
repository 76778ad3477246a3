"""Figures of decisions with their intervals, and the accounting of privacy."""
