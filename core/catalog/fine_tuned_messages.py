"""Promised results of a language model fine-tuned on 2,000 e-mails: three lengths of training, three seeds."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry, varied
from core.experiment import Experiment

ORDER = 66

SEEDS = (2, 3, 4)
"""The likelihood ratio's statistic was chosen with figures of seed 1 in sight."""
EPOCHS = (3, 1, 10)
"""Epochs over the messages; what ships first is what the users are measured at."""

_USERS_AT = 3
_MODEL = {"part": "causal_lm", "learning_rate": 1e-3, "context": 64}
_MESSAGES = {"users": "emulated", "halves": "documents", "target_sizes": [1], "targets": 400, "plays": 3}
_USERS = {"users": "owners", "halves": "owners", "target_sizes": [20], "targets": 40, "plays": 10}


def entries() -> Iterator[Entry]:
    """Yield single messages and users, each by shadow models and by their losses."""
    for epochs in EPOCHS:
        for seed in SEEDS:
            trained = f"{epochs} epoch{'s' if epochs > 1 else ''}, seed {seed}"
            for attack in ("likelihood_ratio", "loss_membership"):
                yield Entry(
                    f"{attack}_messages_{epochs}_epochs_seed_{seed}",
                    f"2,000 messages in a fine-tuned GPT-2, {trained}",
                    "Single e-mails among 2,000, whose first 64 tokens a small pretrained GPT-2 is fine-tuned on.",
                    messages(attack, epochs, seed),
                    contrast=True,
                )
            if epochs == _USERS_AT:
                yield Entry(
                    f"likelihood_ratio_users_{epochs}_epochs_seed_{seed}",
                    f"Users of twenty messages in a fine-tuned GPT-2, {trained}",
                    "Twenty e-mails of one mailbox each, among 2,000 that the same GPT-2 is fine-tuned on.",
                    users(seed),
                    contrast=True,
                )

    yield Entry(
        "likelihood_ratio_fewer_pairs",
        "2,000 messages in a fine-tuned GPT-2, by 1, 2 and 4 shadow pairs",
        "Single e-mails among 2,000, whose first 64 tokens a small pretrained GPT-2 is fine-tuned on: how much each "
        "shadow model adds.",
        by_pairs(),
        contrast=True,
    )
    yield Entry(
        "loss_membership_users_together",
        "Users of twenty messages in a fine-tuned GPT-2: mean, top share, p-value",
        "Scores of twenty e-mails of one mailbox put together in three ways, among 2,000 that the GPT-2 is fine-tuned "
        "on.",
        together(),
        contrast=True,
    )


def by_pairs() -> Experiment:
    """Return a game on single messages, whose adversary is also played with fewer of its shadow models."""
    played = messages("likelihood_ratio", _USERS_AT, SEEDS[0])
    return played.replace(attack=played.attack.replace(shadow_pairs=4, fewer_pairs=(1, 2)))


def together() -> Experiment:
    """Return a game on users whose documents are put together by their mean, by a top share, and by a test.

    A test needs several owners who are known to be out, so more is set aside than elsewhere.
    """
    played = _played("loss_membership", _USERS_AT, SEEDS[0], _USERS)
    changes = {"aside": 0.2, "every_word": False, "dataset_inference": True, "top_share": 0.25}
    return played.replace(attack=played.attack.replace(**changes))


def messages(attack: str, epochs: int, seed: int, *defenses: dict[str, Any], **model: Any) -> Experiment:
    """Return a game on single messages; both attacks ask the same target models.

    Near copies are left out, since a model that was trained on a copy of a message takes the message for a member.
    """
    played = _played(attack, epochs, seed, _MESSAGES, near_copies="left out")
    return played.replace(model=played.model.replace(**model), defenses=defenses)


def users(seed: int) -> Experiment:
    """Return a game on users of twenty messages."""
    return _played("likelihood_ratio", _USERS_AT, seed, _USERS)


def _played(attack: str, epochs: int, seed: int, game: dict[str, Any], **dataset: Any) -> Experiment:
    adversary = {"shadow_pairs": 3} if attack == "likelihood_ratio" else {"references": 1}
    return varied(
        attack,
        "demo",
        dataset={"part": "enron_mailboxes", **dataset},
        model={**_MODEL, "epochs": epochs},
        game={**game, "documents": 2000},
        attack={**adversary, "aside": 0.05},
        seed=seed,
    )
