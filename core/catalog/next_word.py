"""Promised results of next-word completion (Mahloujifar et al. 2021, Tables 4 and 5, and more)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from core.catalog import seeds
from core.catalog.entry import Entry, demo, varied, without_near_copies
from core.experiment import Experiment

ORDER = 60

_PUBLIC = {"part": "common_words", "size": 2000}
_TRANSFORMER = {
    "part": "transformer_lm",
    "epochs": 7,
    "dropout": 0.1,
    "dictionary": {"part": "common_words", "size": 10_000},
    "minimum_count": 0,
}
_SMALLER = {"dimension": 128, "epochs": 12, "batch": 16, "learning_rate": 2e-3}
_FOURTEEN = {"targets": 14, "documents": 800}
_THIRTY_EIGHT = {"targets": 38, "documents": 1900}
"""Of the people with a hundred e-mails, 39 have as many that are no near copies; half of 38 are in."""
_EPSILONS = (8, 100, 1000, 1_000_000)


def entries() -> Iterator[Entry]:
    """Yield the promised results of next-word completion."""
    mailboxes = Entry(
        "next_word_lstm",
        "Through an LSTM’s next word",
        "Fifty mailboxes, half of them used to train an LSTM that gives its likeliest next word (Tables 4 and 5).",
        Experiment.preset("next_word", "paper"),
    )
    yield mailboxes
    yield without_near_copies(
        replace(
            mailboxes,
            summary="Thirty-eight mailboxes, half of them used to train the same LSTM.",
            experiment=varied("next_word", game=_THIRTY_EIGHT),
        )
    )
    yield Entry(
        "next_word_transformer",
        "Through a transformer’s next word",
        "The same mailboxes with a small transformer, which the paper leaves to future work.",
        varied("next_word", model=_TRANSFORMER),
    )
    yield from seeds.over(
        Entry(
            "next_word_r_senders",
            "Senders to the R mailing lists, through an LSTM’s next word",
            "Fourteen of the fifteen people with a hundred messages, half of them in the training data of the LSTM.",
            varied("next_word", dataset={"part": "r_mailing_lists"}, model=_SMALLER, game=_FOURTEEN),
        )
    )
    yield Entry(
        "next_word_random_emails",
        "Random e-mails, through an LSTM’s next word",
        "A user is one random e-mail or ten; the LSTM is small and has a public vocabulary.",
        _random_emails({"epochs": 30, "learning_rate": 5e-3}),
    )
    for epsilon in _EPSILONS:
        yield Entry(
            f"next_word_epsilon_{epsilon}",
            f"Private training, epsilon {epsilon:,}",
            "Random e-mails; the small LSTM is trained with differential privacy for each e-mail.",
            _random_emails(
                {"epochs": 60, "learning_rate": 1e-2},
                defenses=[{"part": "dp_sgd", "epsilon": epsilon, "vocabulary": _PUBLIC}],
            ),
            contrast=True,
        )
    yield from seeds.over(
        demo("next_word", "Next-word completion, small and offline", ", on articles of an encyclopedia")
    )
    yield Entry(
        "demo_next_word_per_target",
        "Next-word completion, shadow embeddings for each target apart",
        "The same targets, each with shadow embeddings of its own, which hold no other target, as in the paper.",
        varied("next_word", "demo", attack={"scheme": "per_target"}),
        contrast=True,
    )


def _random_emails(model: dict[str, Any], defenses: Sequence[dict[str, Any]] = ()) -> Experiment:
    return varied(
        "next_word",
        defenses=list(defenses),
        model={"dictionary": _PUBLIC, "dimension": 64, "minimum_count": 0, "batch": 16, **model},
        game={
            "rules": "independent",
            "users": "emulated",
            "target_sizes": [1, 10],
            "targets": 40,
            "plays": 4,
            "documents": 500,
        },
        attack={"shadow_pairs": 20, "dictionary": None, "controls": True},
    )
