"""Promised results of recitation and of the secret sharer."""

from collections.abc import Iterator

from core.catalog.entry import Entry, demo

ORDER = 67


def entries() -> Iterator[Entry]:
    """Yield the demos."""
    yield demo("recitation", "Passages recited, small and offline", ", on articles of an encyclopedia in an LSTM")
    yield demo("secret_sharer", "Planted secrets, small and offline", ", among the same articles")
