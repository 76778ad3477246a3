"""Promised results of defenses of a fine-tuned language model, on articles of an encyclopedia, and of LoRA ranks."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry, varied
from core.experiment import Experiment

ORDER = 68

_ARTICLES = "Articles of the Wikipedia excerpt in a fine-tuned GPT-2, "
_MAILBOXES = "Twenty e-mails of one mailbox each, among 1,000 in a small pretrained GPT-2, "
_EPOCHS = (3, 2, 1)
"""Epochs of training undefended; the defenses are tried at the first."""
_RANKS = (1, 2, 4, 8)
_DROPPED = (0.5, 0.25)
"""Shares of units."""
_EVERY = (2, 4)
"""Of how many tokens one is dropped."""
_EPSILONS = (1000, 128, 8)
_PROMISES = (("document", 128), ("owner", 128), ("owner", 8))
"""Whom private training protects from those who look for users, and its epsilon."""
_ADAPTED: dict[str, Any] = {"rank": 8, "learning_rate": 1e-2}
"""What private training trains: adapters, since it clips the gradient of each document."""


def entries() -> Iterator[Entry]:
    """Yield the undefended models by epochs, adapters by rank, and each defense."""
    for epochs in _EPOCHS:
        trained = f"{epochs} epoch{'s' if epochs > 1 else ''}"
        yield Entry(
            f"fine_tuned_{trained.replace(' ', '_')}",
            f"Articles in a fine-tuned GPT-2, all weights, {trained}",
            f"{_ARTICLES}all of whose weights are trained for {trained}.",
            fine_tuned(epochs=epochs),
            contrast=epochs != _EPOCHS[0],
        )
    for rank in _RANKS:
        yield Entry(
            f"fine_tuned_rank_{rank}",
            f"Articles in adapters of a GPT-2 (LoRA), rank {rank}",
            f"{_ARTICLES}of which only adapters of rank {rank} are trained.",
            fine_tuned(**{**_ADAPTED, "rank": rank}),
            contrast=True,
        )
    for share in _DROPPED:
        dropout = {"part": "dropout", "inputs": share, "hidden": share}
        strength = "" if share == _DROPPED[0] else f"{share:.0%}"
        yield _defended(strength, f"{share:.0%} of all units are left out of each step", fine_tuned(dropout))
    for every in _EVERY:
        strength = "" if every == _EVERY[0] else f"1 of {every}"
        learnt = f"one of {every} tokens is left out of the loss"
        yield _defended(strength, learnt, fine_tuned({"part": "token_dropping", "every": every}))
    for epsilon in _EPSILONS:
        private = {"part": "dp_sgd", "epsilon": epsilon}
        bound = f"epsilon is {epsilon:,} for each article, and only adapters are trained"
        yield _defended(f"epsilon {epsilon}", bound, fine_tuned(private, **_ADAPTED))

    yield Entry(
        "users_in_all_weights",
        "Mailboxes in a fine-tuned GPT-2, all weights",
        f"{_MAILBOXES}all of whose weights are trained.",
        in_mailboxes(rank=0, learning_rate=1e-3),
        contrast=True,
    )
    yield Entry(
        "users_in_adapters",
        "Mailboxes in adapters of a GPT-2 (LoRA)",
        f"{_MAILBOXES}of which only adapters of rank 8 are trained.",
        in_mailboxes(),
        contrast=True,
    )
    for unit, epsilon in _PROMISES:
        private = {"part": "dp_sgd", "epsilon": epsilon, "unit": unit}
        yield Entry(
            f"users_in_adapters_epsilon_{epsilon}_{unit}",
            f"Mailboxes in private adapters, epsilon {epsilon:,} for each {unit}",
            f"{_MAILBOXES}of which only adapters are trained, privately for each {unit}. The adversary trains its "
            "shadow models alike.",
            in_mailboxes(private),
            contrast=True,
        )


def _defended(strength: str, how: str, experiment: Experiment) -> Entry:
    """Return the promise of a defense at one strength; of the first that was tried, the name says none."""
    (defense,) = experiment.defenses
    name = f"fine_tuned_{defense.part_name()}"
    return Entry(
        f"{name}_{strength.replace(' ', '_').replace('%', '_percent')}" if strength else name,
        f"Articles in a fine-tuned GPT-2 behind {defense.title}" + (f", {strength}" if strength else ""),
        f"{_ARTICLES}trained under {defense.title}: {how}. The adversary trains its shadow models alike.",
        experiment,
        contrast=True,
    )


def fine_tuned(*defenses: dict[str, Any], **model: Any) -> Experiment:
    """Return the attack's demo on the small language model, fine-tuned on the first 64 tokens of its articles."""
    model = {"part": "causal_lm", "learning_rate": 1e-3, "context": 64, "epochs": _EPOCHS[0], **model}
    return varied("likelihood_ratio", "demo", model=model, defenses=defenses)


def in_mailboxes(*defenses: dict[str, Any], **model: Any) -> Experiment:
    """Return a game on users of twenty e-mails each, with adapters under private training or without, or none."""
    return varied(
        "likelihood_ratio",
        "demo",
        dataset={"part": "enron_mailboxes"},
        model={"part": "causal_lm", "context": 64, "epochs": _EPOCHS[0], **_ADAPTED, **model},
        defenses=defenses,
        game={
            "users": "owners",
            "halves": "owners",
            "target_sizes": [20],
            "targets": 20,
            "plays": 6,
            "documents": 1000,
        },
        attack={"shadow_pairs": 3, "aside": 0.05},
    )
