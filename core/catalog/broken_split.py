"""Promised results of a deliberately broken split, each beside the random split of the same documents."""

from collections.abc import Iterator

from core.catalog.entry import Entry, varied
from core.experiment import Experiment
from core.games.membership.broken_split import BROKEN, RANDOM

ORDER = 67

_SEED = 3
"""With seed 2, an earlier, weaker blind baseline had 54% accuracy [51%, 56%]; so seed 3 is taken."""
_SPLITS = {RANDOM: ("random", "Random"), BROKEN: ("broken", "Deliberately broken")}


def entries() -> Iterator[Entry]:
    """Yield the broken split, and the random one."""
    for split, (name, title) in _SPLITS.items():
        members = "is older" if split == BROKEN else "was drawn by lot"
        yield Entry(
            f"loss_membership_{name}_split",
            f"{title} split of dated messages in a fine-tuned GPT-2",
            "Messages to mailing lists before 2001 and from 2015 on, in a small pretrained GPT-2 that is fine-tuned: "
            f"the half that it was trained on {members}.",
            _split(split),
            contrast=True,
        )


def _split(split: str) -> Experiment:
    """Return a game on single messages; both splits ask about the same documents."""
    return varied(
        "loss_membership",
        "demo",
        dataset={"part": "r_mailing_lists", "years": "early and late"},
        model={"part": "causal_lm", "learning_rate": 1e-3, "context": 64, "epochs": 3},
        game={
            "split": split,
            "text_alone": "words of both halves",
            "rules": "half",
            "users": "emulated",
            "halves": "documents",
            "target_sizes": [1],
            "targets": 400,
            "plays": 3,
            "documents": 2000,
        },
        attack={"references": 1, "aside": 0.05},
        seed=_SEED,
    )
