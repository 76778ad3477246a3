"""Promised results of loss membership and likelihood ratios in language models."""

from collections.abc import Iterator

from core.catalog.entry import Entry, demo, varied
from core.experiment import Experiment

ORDER = 65


def entries() -> Iterator[Entry]:
    """Yield the promised results of both attacks."""
    yield demo("loss_membership", "Losses of texts, small and offline", ", on articles of an encyclopedia in an LSTM")
    yield demo("likelihood_ratio", "Shadow language models, small and offline", ", on the same articles")
    yield Entry(
        "likelihood_ratio_mailboxes",
        "Mailboxes in an LSTM, three epochs",
        "Single e-mails and twenty of one mailbox, in a small LSTM that sees its 1,000 messages three times.",
        _mailboxes(3),
    )
    yield Entry(
        "likelihood_ratio_mailboxes_1_epoch",
        "Mailboxes in an LSTM, one epoch",
        "The same messages, each of which the LSTM sees once.",
        _mailboxes(1),
        contrast=True,
    )


def _mailboxes(epochs: int) -> Experiment:
    return varied(
        "likelihood_ratio",
        "demo",
        dataset={"part": "enron_mailboxes"},
        model={"dictionary": {"part": "common_words", "size": 3000}, "epochs": epochs},
        game={"target_sizes": [1, 20], "plays": 4, "documents": 1000},
        attack={"shadow_pairs": 3, "aside": 0.05},
        seed=2,  # the statistic was chosen with the figures of seed 1 in sight
    )
