"""Promised results of loss membership and likelihood ratios in language models."""

from collections.abc import Iterator

from core.catalog.entry import Entry, demo

ORDER = 65


def entries() -> Iterator[Entry]:
    """Yield the promised results of both attacks, which one page shows."""
    yield demo("loss_membership", "Losses of texts, small and offline", ": articles of an encyclopedia in an LSTM")
    yield demo(
        "likelihood_ratio", "Shadow language models, small and offline", ": the same articles, with shadow models"
    )
