"""Datasets of requests to assistants."""
