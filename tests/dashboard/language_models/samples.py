"""Made-up results of attacks by the probability of texts; the game's own scorer makes their tables."""

from dataclasses import dataclass, field, replace

import numpy as np

from core.access import Access
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.experiment import Experiment
from core.games.membership.broken_split import RANDOM
from core.games.membership.contract import Adversary, Answer
from core.games.membership.score import Scorer
from core.result import Estimate, Result, table
from core.text.corpus import words_of
from tests.dashboard.samples import PROVENANCE, made_once

LOSS, RATIO = "loss_membership", "likelihood_ratio"
_VARIANTS = {LOSS: ("loss", "zlib_ratio", "min_k", "min_k_plus"), RATIO: ("loss", "rmia", "offline_ratio")}
_WORDS = (2.5, 0.9, -0.9, 0.1, np.nan)
"""Gains of the first words of each document; the others have none."""


@dataclass(eq=False)
class _Drawn(Adversary):
    """Scores that are higher for members by some number."""

    variant: str
    shadows: int
    apart: float
    member: np.ndarray
    penalty: float = float("nan")
    plays: dict[Access, int] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        play = self.plays.setdefault(access, len(self.plays))
        access.queries += 7
        noise = np.random.default_rng([target, play, len(self.variant)]).normal()
        return Answer(self.apart * (self.member[play, target] - 0.5) + noise)


def _access() -> Access:
    access = Access()
    access.queried = "Texts"
    return access


SINGLE = {"rules": "half", "users": "emulated", "halves": "documents", "target_sizes": [1], "text_alone": "words"}
"""Rules under which both splits can be played."""


def split(name, apart=3.0, free=0.0, attack=LOSS):
    """Return a result about single documents whose members were chosen by a split; by date they are the same always."""
    plays = np.arange(5)[:, None] * (name == RANDOM)
    made_up = made(attack, apart=apart, free=free, members=(plays + np.arange(8)) % 2 == 0, sizes=np.ones(8, int))
    experiment = {**made_up.experiment, "game": {**made_up.experiment["game"], **SINGLE, "split": name}}
    return replace(made_up, experiment=experiment)


@made_once
def made(
    attack=LOSS, apart=3.0, free=0.0, dataset="wikipedia_excerpt", members=None, more=(), sizes=None, fewer=(), top=0.0
):
    """Return a result in which members score higher.

    Args:
        attack: Name of the attack.
        apart: By how many deviations members score higher.
        free: The same of the adversary without a model.
        dataset: Whose documents.
        members: (plays, targets) the secret bits; half of them unless given.
        more: Further variants.
        sizes: (targets,) documents of each; half of them have one and half have five unless given.
        fewer: Numbers of shadow pairs with which the attack is played, too, and how far members score higher then.
        top: Top share, of loss membership.
    """
    settings = {"top_share": top} if top else {"fewer_pairs": [pairs for pairs, _ in fewer]} if fewer else {}
    experiment = Experiment.preset(attack, "demo", dataset={"part": dataset}, attack=settings)
    sizes, plays = np.repeat([1, 5], 4) if sizes is None else sizes, 5
    lengths = [len(words_of(text)) for text in WikipediaExcerpt().load().texts[: len(sizes)]]
    member = np.array([[(play + target) % 2 == 0 for target in range(8)] for play in range(plays)])
    member = member if members is None else members
    shadows = 0 if attack == LOSS else 4
    scorer = Scorer(member, sizes, 1, experiment.attack.compared)
    accesses = [_access() for _ in range(plays)]
    for variant in (*_VARIANTS[attack], *more):
        scorer.add(_Drawn(variant, shadows, 0.7 * apart, member), accesses)
    scorer.add(_Drawn("model_free", shadows, free, member), accesses)
    for pairs, further in fewer:
        scorer.add(_Drawn(attack, pairs, further, member), accesses)
    answer = _Drawn(attack, shadows, apart, member)
    scorer.add(answer, accesses)
    rows = {
        "targets": [
            {
                "target": number,
                "label": f"article {number}",
                "size": size,
                "documents": list(range(number, number + size)),
            }
            for number, size in enumerate(sizes.tolist())
        ],
        "words": [
            {"target": target, "document": 0, "place": position, "gain_in": gain, "gain_out": gain - 1}
            for target, length in enumerate(lengths)
            for position, gain in enumerate([*_WORDS, *[0.0] * (length - len(_WORDS))])
        ],
    }
    declared = {**experiment.game.tables, **experiment.attack.tables}
    tables = scorer.tables(answer) | {name: table(declared[name], rows[name]) for name in rows if name in declared}
    perplexity = {
        f"perplexity_{name}": Estimate(value=value, low=value - 3, high=value + 3, chance=6000.0, unit="words", help="")
        for name, value in (("test", 120.0), ("train", 80.0))
    }
    return Result(experiment.as_dict(), scorer.estimates(answer) | perplexity, PROVENANCE, tables)
