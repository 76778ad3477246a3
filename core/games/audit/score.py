"""Scores the audit of one model: answers about its targets, as estimates and tables."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.games.blind import BlindScores
from core.games.membership.contract import Adversary
from core.result import Column, Estimate, Schema, Tables, table
from core.runtime.seeding import generator
from core.statistics.intervals import with_interval
from core.statistics.measures import LOW_RATES, MEASURES, ROC, ROC_RATES, ROC_RESAMPLES
from core.statistics.one_model import OfOneClassifier, OfOneModel
from core.statistics.wording.variants import BLIND

_FIGURES = ("accuracy", "auc", *LOW_RATES)
_OF_ONE = " It speaks of this one model: the interval resamples its {}, not its training."
_BLINDLY = (
    " Told from texts, their classes and how many documents an owner has, by a classifier that is given the marks of "
    "others; no model is asked. The interval also tells how its training varies."
)

SCHEMAS: dict[str, Schema] = {
    "scores": {
        "variant": Column("str", "The attack, a variant of it, or the blind baseline."),
        "target": Column("int32", "Number of the target."),
        "member": Column("bool", "Whether the target is marked in."),
        "score": Column("float64", "The adversary's score; a member is guessed above 0."),
        "guess": Column("bool", "What the adversary guessed."),
    },
    "figures": {
        "variant": Column("str", "The attack, a variant of it, or the blind baseline."),
        "measure": Column("str", "Name of the figure."),
        **with_interval("value", "The figure, of this one model.", bare=True),
        "chance": Column("float64", "What guessing gives."),
        "members": Column("int32", "Targets marked in."),
        "nonmembers": Column("int32", "Targets marked out."),
    },
    "roc": {"variant": Column("str", "The attack, or the blind baseline."), **ROC},
}


def names(variants: Iterable[str]) -> frozenset[str]:
    """Return the names of all figures, where an attack has these variants.

    >>> sorted(name for name in names(["loss"]) if name.startswith("auc"))
    ['auc', 'auc_loss', 'auc_model_free']
    """
    suffixes = ["", *(f"_{variant}" for variant in (*variants, BLIND))]
    return frozenset(f"{figure}{suffix}" for figure in _FIGURES for suffix in suffixes)


@dataclass
class Scorer:
    """Collects the answers about the targets, and scores them.

    Attributes:
        member: (targets,) the secret bits.
        cluster: (targets,) number of the owner of each target.
        seed: Source of the resampling.
        unit: What the targets are, documents or owners.
    """

    member: NDArray[np.bool_]
    cluster: NDArray[np.int64]
    seed: int
    unit: str = "documents"
    _decisions: dict[str, OfOneModel] = field(default_factory=dict, init=False)
    _figures: dict[str, dict[str, Estimate]] = field(default_factory=dict, init=False)
    _queries: dict[str, Estimate] = field(default_factory=dict, init=False)

    def add(self, adversary: Adversary, access: Access) -> None:
        """Let an adversary decide about every target."""
        before = access.queries
        scores = np.array([adversary.answer(target, access).score for target in range(len(self.member))])
        per_decision = (access.queries - before) / len(self.member)
        text = f"{access.queried} asked of the model for one decision, on average."
        self._queries[adversary.variant] = Estimate.queries(per_decision, text)
        self.add_scores(adversary.variant, scores)

    def add_scores(self, variant: str, scores: NDArray[np.float64]) -> None:
        """Score decisions about every target, (targets,)."""
        decisions = OfOneModel(self.member[None], scores[None], np.zeros(1, np.int64), self.cluster)
        self._add(variant, decisions, _OF_ONE.format(self.unit))

    def add_blind(self, blind: BlindScores) -> None:
        """Score the blind baseline."""
        decisions = OfOneClassifier(
            *(self.member[None], blind.score[None], np.zeros(1, np.int64), self.cluster),
            random_member=blind.random_member,
            random_score=blind.random_score,
        )
        self._add(BLIND, decisions, _BLINDLY)

    def _add(self, variant: str, decisions: OfOneModel, remark: str) -> None:
        figures = decisions.figures(_FIGURES, generator(self.seed, "intervals"))
        self._decisions[variant] = decisions
        self._figures[variant] = decisions.estimates(figures, MEASURES, "", remark)

    def estimates(self, answer: str) -> dict[str, Estimate]:
        """Return the figures of the attack under their own names, and those of the others with theirs."""
        estimates = {"queries": self._queries[answer]}
        for variant, figures in self._figures.items():
            suffix = "" if variant == answer else f"_{variant}"
            estimates |= {f"{name}{suffix}": figure for name, figure in figures.items()}
        return estimates

    def tables(self) -> Tables:
        """Return the game's tables other than the targets."""
        scores: list[dict[str, Any]] = []
        figures: list[dict[str, Any]] = []
        roc: list[dict[str, Any]] = []
        for variant, decisions in self._decisions.items():
            for target, score in enumerate(decisions.score[0].tolist()):
                bits = {"member": self.member[target], "score": score, "guess": score > 0}
                scores.append({"variant": variant, "target": target, **bits})
            for name, figure in self._figures[variant].items():
                columns = figure.model_dump(include={"value", "low", "high", "chance", "members", "nonmembers"})
                figures.append({"variant": variant, "measure": name, **columns})
            rows = decisions.roc(ROC_RATES, generator(self.seed, "intervals"), ROC_RESAMPLES)
            roc += [{"variant": variant, **row} for row in rows]
        by_table = {"scores": scores, "figures": figures, "roc": roc}
        return {name: table(SCHEMAS[name], rows) for name, rows in by_table.items()}
