"""Figures of lessons: predictions beside what was measured, on the same axes."""
