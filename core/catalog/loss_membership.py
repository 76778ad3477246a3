"""Promised results of loss membership and likelihood ratios in language models."""

from collections.abc import Iterator
from typing import Any

from core.catalog import seeds
from core.catalog.entry import Entry, by_both_adversaries, demo, varied, without_near_copies
from core.experiment import Experiment

ORDER = 65

_ACCESSES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "likeliest_words": (
        "by its likeliest words",
        "The adversary sees the probabilities of the 20 likeliest tokens at each position, and no other.",
        {"told": "top", "every_word": False},
    ),
    "weights": (
        "by its weights",
        "The adversary has the weights, so that the lengths of gradients stand beside the losses.",
        {"gradients": True},
    ),
}
"""What is said of a weaker and of a stronger access, and the attack that has it."""

_TUNED: dict[str, Any] = {"part": "causal_lm", "learning_rate": 1e-3, "context": 128}
"""A pretrained model that is fine-tuned; docs/models.md shows its step size beside others."""

_EPSILONS = (1, 1_000_000)
"""Epsilons of the audited trainings; a million guarantees almost nothing."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of both attacks."""
    losses = demo(
        "loss_membership", "Losses of texts, small and offline", ", on articles of an encyclopedia in an LSTM"
    )
    shadows = demo("likelihood_ratio", "Shadow language models, small and offline", ", on the same articles")
    yield from seeds.over(losses)
    yield from seeds.over(shadows)
    yield Entry(
        "loss_membership_articles",
        "Losses of texts in a fine-tuned GPT-2",
        "The same articles in a small pretrained GPT-2, fine-tuned for three epochs: each word can be looked at.",
        varied("loss_membership", "demo", model={**_TUNED, "epochs": 3}),
        contrast=True,
    )
    yield Entry(
        "loss_membership_news",
        "Losses of news items in a fine-tuned GPT-2",
        "A hundred of 289 news items that come with gensim, for three epochs; nobody owns one, so users are emulated.",
        varied(
            "loss_membership",
            "demo",
            dataset={"part": "lee_news", "near_copies": "left out"},
            model={**_TUNED, "epochs": 3},
            game={"users": "emulated", "halves": "documents"},
        ),
        contrast=True,
    )
    fine_tuned = Entry(
        "likelihood_ratio_fine_tuned",
        "Mailboxes in a fine-tuned GPT-2, three epochs",
        "Single e-mails and twenty of one mailbox, in a small pretrained GPT-2, all of whose weights are fine-tuned.",
        _fine_tuned(),
    )
    yield fine_tuned
    yield without_near_copies(fine_tuned)
    yield Entry(
        "likelihood_ratio_adapters",
        "Mailboxes in adapters of a GPT-2 (LoRA), three epochs",
        "Only adapters of rank 8 are trained, a fifteenth as many weights.",
        _fine_tuned(rank=8, learning_rate=1e-2),
        contrast=True,
    )
    private = {"part": "dp_sgd", "epsilon": 8, "vocabulary": {"part": "common_words", "size": 3000}}
    yield from by_both_adversaries(
        Entry(
            "likelihood_ratio_adapters_epsilon_8",
            "Mailboxes in private adapters of a GPT-2, epsilon 8",
            "Adapters of rank 8 again, trained with differential privacy for each document.",
            _fine_tuned(private, rank=8, learning_rate=3e-3),
            contrast=True,
        )
    )
    tested = Entry(
        "loss_membership_mailboxes",
        "Mailboxes in an LSTM, a p-value for each",
        "Whether twenty e-mails of a person are likelier to a small LSTM than those of people who are out, by a test.",
        _tested(),
    )
    yield tested
    yield without_near_copies(tested)
    for name, (held, summary, attack) in _ACCESSES.items():
        yield Entry(
            f"loss_membership_{name}",
            f"Mailboxes in a fine-tuned GPT-2, {held}",
            summary,
            _on_mailboxes("loss_membership", model=_TUNED, attack={"references": 2, "aside": 0.2, **attack}),
            contrast=True,
        )
    for epsilon in _EPSILONS:
        yield Entry(
            f"loss_membership_canaries_epsilon_{epsilon}",
            f"A thousand canaries, private training, epsilon {epsilon:,}",
            "Single sentences, each in or out by its own draw, that audit private training of a small transformer.",
            _canaries(epsilon),
            contrast=True,
        )


def _canaries(epsilon: int) -> Experiment:
    """Return an audit: a thousand sentences in each of two models, in or out by a coin each."""
    words = {"part": "common_words", "size": 2000}
    return varied(
        "loss_membership",
        "demo",
        dataset={"part": "yelp"},
        model={
            "part": "transformer_lm",
            "dictionary": words,
            "minimum_count": 0,
            "dimension": 32,
            "heads": 2,
            "layers": 1,
            "context": 16,
            "epochs": 30,
            "batch": 40,
            "learning_rate": 1e-2,
        },
        defenses=[{"part": "dp_sgd", "epsilon": epsilon, "delta": 1e-6, "vocabulary": words}],
        game={
            "rules": "independent",
            "users": "emulated",
            "halves": "documents",
            "target_sizes": [1],
            "targets": 1000,
            "plays": 2,
            "documents": 640,
        },
        attack={"references": 1, "aside": 0.05, "every_word": False},
    )


def _tested() -> Experiment:
    """Return a game with p-values; a test needs several owners who are known to be out."""
    return varied(
        "loss_membership",
        "demo",
        dataset={"part": "enron_mailboxes"},
        model={"dictionary": {"part": "common_words", "size": 3000}, "epochs": 3},
        game={"target_sizes": [1, 20], "plays": 6, "documents": 1000},
        attack={"references": 2, "aside": 0.2, "every_word": False, "dataset_inference": True},
    )


def _fine_tuned(*defenses: dict[str, Any], **model: Any) -> Experiment:
    """Return the game with a pretrained model."""
    return _on_mailboxes(model={**_TUNED, **model}, defenses=defenses)


def _on_mailboxes(name: str = "likelihood_ratio", /, **changes: Any) -> Experiment:
    return varied(
        name,
        "demo",
        dataset={"part": "enron_mailboxes"},
        game={"target_sizes": [1, 20], "plays": 4, "documents": 1000},
        seed=2,  # the statistic was chosen with the figures of seed 1 in sight
        **{"attack": {"shadow_pairs": 3, "aside": 0.05}, **changes},
    )
