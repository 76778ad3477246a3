"""Promised results of defenses of a language model fine-tuned on 2,000 e-mails, of LoRA ranks, and of audits of it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.catalog.entry import Entry, by_both_adversaries, varied
from core.catalog.fine_tuned_messages import SEEDS, messages
from core.experiment import Experiment

ORDER = 68

_MESSAGES = "Single e-mails among 2,000 in a small pretrained GPT-2, "
_MAILBOXES = "Twenty e-mails of one mailbox each, among 1,000 in a small pretrained GPT-2, "
_EPOCHS = 3
"""Epochs of training behind a defense."""
_RANKS = (8, 2)
_LONGEST = 20
"""Epochs after which training ends even if the validation loss still falls."""
_DEFENSES: dict[str, str] = {
    "token_dropping": "one of 4 tokens is left out of the loss (the goldfish loss)",
    "dropout": "a fifth of the inputs and a tenth of the hidden units are left out at random",
}
"""Defenses that promise nothing, and what they do.

De-duplication is none of them: where near copies are left out, it finds next to no message to leave out. Early stopping
has no naive twin: without it, models would train for as long as it allows.
"""
_AUDITED = (8, 1_000_000)
"""Epsilons of the audited trainings; a million guarantees almost nothing."""
_PROMISES = (("document", 128), ("owner", 128), ("owner", 8))
"""Whom private training protects from those who look for users, and its epsilon."""
_ADAPTED: dict[str, Any] = {"rank": 8, "learning_rate": 1e-2}
"""What private training trains: adapters, since it clips the gradient of each document."""
_PRIVATELY: dict[str, Any] = {"rank": 8, "learning_rate": 3e-3, "batch": 64}
"""How messages are trained on privately: noise is shared by the documents of a step, and fewer steps need less."""


def entries() -> Iterator[Entry]:
    """Yield the base as it is, adapters by rank, each defense, audits, and users."""
    yield Entry(
        "messages_untouched",
        "Messages that a GPT-2 was never fine-tuned on",
        f"{_MESSAGES}left as it is: what the attack finds where there is nothing to be found.",
        in_messages(0),
        contrast=True,
    )
    for rank in _RANKS:
        yield Entry(
            f"messages_rank_{rank}",
            f"Messages in adapters of a GPT-2 (LoRA), rank {rank}",
            f"{_MESSAGES}of which only adapters of rank {rank} are trained.",
            in_messages(_EPOCHS, **{**_ADAPTED, "rank": rank}),
            contrast=True,
        )
    yield from by_both_adversaries(
        Entry(
            "messages_epsilon_8",
            "Messages in private adapters of a GPT-2, epsilon 8",
            f"{_MESSAGES}of which only adapters are trained, privately for each message.",
            in_messages(_EPOCHS, {"part": "dp_sgd", "epsilon": 8}, **_PRIVATELY),
            contrast=True,
        )
    )
    for defense, how in _DEFENSES.items():
        yield from by_both_adversaries(_behind(defense, _EPOCHS, how))
    how = f"for up to {_LONGEST} epochs, as long as the loss of a tenth of the messages, set aside, falls"
    stopped = _behind("early_stopping", _LONGEST, how)
    yield replace(stopped, summary=f"{stopped.summary} The adversary trains its shadow models alike.")
    for epsilon in _AUDITED:
        yield Entry(
            f"loss_membership_adapters_epsilon_{epsilon}",
            f"A thousand messages audit private adapters, epsilon {epsilon:,}",
            "Single e-mails, each in or out by its own draw, that audit the private fine-tuning of a small GPT-2.",
            audited(epsilon),
            contrast=True,
        )

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
        yield from by_both_adversaries(
            Entry(
                f"users_in_adapters_epsilon_{epsilon}_{unit}",
                f"Mailboxes in private adapters, epsilon {epsilon:,} for each {unit}",
                f"{_MAILBOXES}of which only adapters are trained, privately for each {unit}.",
                in_mailboxes(private),
                contrast=True,
            )
        )


def _behind(defense: str, epochs: int, how: str) -> Entry:
    """Return the game on single messages behind a defense that promises nothing."""
    experiment = in_messages(epochs, {"part": defense})
    (part,) = experiment.defenses
    return Entry(
        f"messages_{defense}",
        f"Messages in a fine-tuned GPT-2 behind {part.title}",
        f"{_MESSAGES}trained under {part.title}: {how}.",
        experiment,
        contrast=True,
    )


def in_messages(epochs: int, *defenses: dict[str, Any], **model: Any) -> Experiment:
    """Return the game on single messages of the first seed, trained otherwise."""
    return messages("likelihood_ratio", epochs, SEEDS[0], *defenses, **model)


def audited(epsilon: float) -> Experiment:
    """Return an audit: a thousand messages in each of two models, in or out by a coin each."""
    played = messages("loss_membership", _EPOCHS, SEEDS[0], {"part": "dp_sgd", "epsilon": epsilon}, **_PRIVATELY)
    game = played.game.replace(rules="independent", targets=1000, plays=2)
    return played.replace(game=game, attack=played.attack.replace(every_word=False))


def in_mailboxes(*defenses: dict[str, Any], **model: Any) -> Experiment:
    """Return a game on users of twenty e-mails each, with adapters under private training or without, or none."""
    return varied(
        "likelihood_ratio",
        "demo",
        dataset={"part": "enron_mailboxes"},
        model={"part": "causal_lm", "context": 64, "epochs": _EPOCHS, **_ADAPTED, **model},
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
