"""Scores a membership game: queries adversaries for answers, and turns them into estimates and tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.games.membership.contract import Adversary, Briefing
from core.games.membership.score.blind_baseline import BlindBaseline, Halves, Reads, by_lengths, by_words
from core.result import Column, Estimate, Schema, Tables, table
from core.runtime.seeding import generator
from core.statistics.decisions import Decisions
from core.statistics.digits import shortened
from core.statistics.intervals import Interval, with_interval
from core.statistics.jackknife import figures_over_targets
from core.statistics.measures import LOW_RATES, MEASURES, ROC, ROC_RATES, ROC_RESAMPLES, Measure
from core.statistics.privacy_audit import epsilon_at_least
from core.statistics.wording.variants import BLIND
from core.text.corpus import Corpus

_EPSILON = "epsilon_at_least"
"""The figure of an audit of differential privacy."""
_ALWAYS = ("accuracy", "auc", "advantage", *LOW_RATES)
"""What is reported of every attack's answer."""

SCHEMAS: dict[str, Schema] = {
    "curve": {
        "variant": Column("str", "The attack, or the baseline."),
        "size": Column("int32", "Documents a target; 0 for all sizes together."),
        "shadows": Column("int32", "Shadow pairs (k): models with each target, and as many without it."),
        "penalty": Column("float64", "Weight of the penalty, where it was varied."),
        **with_interval("accuracy", "Share of right guesses; chance is 0.5.", "the accuracy's", bare=True),
        **with_interval("auc", "Area under the ROC curve; chance is 0.5.", "the area's"),
    },
    "scores": {
        "target": Column("int32", "Number of the target."),
        "size": Column("int32", "Documents of the target."),
        "play": Column("int32", "Number of the target model."),
        "member": Column("bool", "Whether the model was trained on the target."),
        "score": Column(
            "float64", "The adversary's score, a member above 0; digits that change no order are left out."
        ),
        "guess": Column("bool", "What the adversary guessed."),
    },
    "rivals": {
        "variant": Column("str", "The baseline."),
        "target": Column("int32", "Number of the target."),
        "play": Column("int32", "Number of the target model."),
        "score": Column("float64", "The baseline's score, likewise; the table `scores` has the secret bits."),
        "guess": Column("bool", "Whether the baseline took the target for a member."),
    },
    "roc": {"size": Column("int32", "Documents a target; 0 for all sizes together."), **ROC},
}


@dataclass
class Scorer:
    """Holds the secret bits, collects the answers of adversaries, and scores them.

    Attributes:
        members: (plays, targets) the secret bits.
        sizes: (targets,) documents of each target.
        seed: Source of the resampling.
        compared: Figures that are reported of baselines too, beyond what is reported of the answer.
        audited: The delta of an audit of differential privacy; None where the bits are not independent.
        by_text: Whether chance is what the text alone gives, as where the split gives members away.
        rows: The accuracies so far, as rows of the table ``curve``.
    """

    members: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    seed: int
    compared: Sequence[str] = ("accuracy",)
    audited: float | None = None
    by_text: bool = False
    rows: list[dict[str, Any]] = field(default_factory=list, init=False)
    _decisions: dict[Adversary, Decisions] = field(default_factory=dict, init=False)
    _alone: BlindBaseline | None = field(default=None, init=False)
    _queries: dict[Adversary, float] = field(default_factory=dict, init=False)
    _query_unit: str = field(default="", init=False)

    def add(self, adversary: Adversary, accesses: Sequence[Access]) -> None:
        """Let an adversary decide about every target with every access, and score it."""
        before = sum(access.queries for access in accesses)
        answers = [[adversary.answer(target, access) for target in range(self.members.shape[1])] for access in accesses]
        queries = sum(access.queries for access in accesses) - before
        self._query_unit = accesses[0].queried if accesses else ""
        decisions = Decisions(
            self.members,
            np.array([[answer.score for answer in row] for row in answers], dtype=np.float64),
            guess=np.array([[answer.member for answer in row] for row in answers], dtype=np.bool_),
        )
        self._decisions[adversary] = decisions
        self._queries[adversary] = queries / self.members.size
        self._add_to_curve(adversary.variant, adversary.shadows, adversary.penalty, decisions)

    def add_model_free(
        self, briefing: Briefing, shadows: int, reads: Reads, halves: Callable[[], tuple[Corpus, Corpus]]
    ) -> None:
        """Score the baseline that never queries a model; it may also read the trainer's half, and the other."""
        if reads == "lengths":
            self._alone = by_lengths(briefing, self.members, self.seed)
        elif reads == "words":
            self._alone = by_words(briefing, self.members, self.seed)
        else:
            self._alone = by_words(briefing, self.members, self.seed, Halves.of(*halves(), self.seed))
        self._add_to_curve(BLIND, shadows, float("nan"), self._alone.decisions)

    @property
    def variants(self) -> list[str]:
        """The variants of the adversaries so far."""
        return [adversary.variant for adversary in self._decisions]

    def estimates(self, answer: Adversary) -> dict[str, Estimate]:
        """Return the figures of the answer for all sizes together and each alone, and those of the baselines."""
        shared = [name for name in self.compared if name in MEASURES]
        names = dict.fromkeys([*_ALWAYS, *shared])
        estimates: dict[str, Estimate] = {}
        alone = self._by_blind_baseline(names)
        for sizes, decisions in self._by_size(self._decisions[answer]):
            figures = figures_over_targets(decisions, names, self._rng())
            measures = self._measures(decisions, alone.get(sizes[0]))
            for suffix in map(_suffix, sizes):
                estimates |= decisions.estimates(figures, measures, suffix)
                estimates |= self._audit(suffix, decisions)
        baselines = {
            adversary: decisions for adversary, decisions in self._decisions.items() if _is_baseline(adversary, answer)
        }
        for variant, everything in self._baselines(answer):
            for sizes, decisions in self._by_size(everything):
                figures = self._figures(everything, sizes[0], decisions, shared)
                remark = f" Of the variant {variant!r}."
                chance = None if self._is_alone(everything) else alone.get(sizes[0])
                measures = self._measures(decisions, chance)
                for suffix in map(_suffix, sizes):
                    estimates |= decisions.estimates(figures, measures, f"_{variant}{suffix}", remark)
        for adversary, everything in baselines.items():
            for sizes, decisions in self._by_size(everything):
                for suffix in map(_suffix, sizes):
                    estimates |= self._audit(f"_{adversary.variant}{suffix}", decisions)
        estimates["queries"] = self._queries_a_decision(answer)
        for adversary in baselines if "queries" in self.compared else ():
            estimates[f"queries_{adversary.variant}"] = self._queries_a_decision(adversary)
        return estimates

    def tables(self, answer: Adversary) -> Tables:
        """Return the game's tables other than the targets."""
        decisions, baselines = self._decisions[answer], dict(self._baselines(answer))
        play, target = (numbers.ravel() for numbers in np.indices(self.members.shape))
        numbered = {"target": target, "play": play}
        scores = {
            **numbered,
            "size": self.sizes[target],
            "member": decisions.member.ravel(),
            "score": shortened(decisions.score).ravel(),
            "guess": decisions.positive.ravel(),
        }
        baseline_scores = {
            **{name: np.tile(numbers, len(baselines)) for name, numbers in numbered.items()},
            "variant": np.repeat(list(baselines), play.size),
            "score": np.ravel([shortened(decided.score) for decided in baselines.values()]),
            "guess": np.ravel([decided.positive for decided in baselines.values()]),
        }
        curves = [
            (sizes, list(part.roc(ROC_RATES, self._rng(), ROC_RESAMPLES))) for sizes, part in self._by_size(decisions)
        ]
        roc = [{"size": size, **row} for sizes, rows in curves for size in sizes for row in rows]
        return {
            "curve": table(SCHEMAS["curve"], self.rows),
            "scores": table(SCHEMAS["scores"], scores),
            "rivals": table(SCHEMAS["rivals"], baseline_scores),
            "roc": table(SCHEMAS["roc"], roc),
        }

    def _baselines(self, answer: Adversary) -> Iterator[tuple[str, Decisions]]:
        """Yield the decisions of each baseline that is as strong as the answer, then of the one without a model."""
        for adversary, decisions in self._decisions.items():
            if _is_baseline(adversary, answer):
                yield adversary.variant, decisions
        if self._alone is not None:
            yield BLIND, self._alone.decisions

    def _audit(self, suffix: str, decisions: Decisions) -> dict[str, Estimate]:
        """Return the audit of differential privacy; none of targets of several sizes, which have no common unit."""
        mixed = len(np.unique(self.sizes)) > 1 and decisions.member.shape == self.members.shape
        if self.audited is None or _EPSILON not in self.compared or mixed:
            return {}
        bound, most = epsilon_at_least(decisions.member, decisions.score, self.audited)
        estimate = Estimate(
            value=bound,
            low=bound,
            high=most,
            chance=0.0,
            unit="epsilon",
            members=int(decisions.member.sum()),
            nonmembers=int((~decisions.member).sum()),
            help="What these guesses alone show of training’s epsilon for one target, at 95 % and a delta of "
            f"{self.audited:g}, 0 when nothing; the upper end is what guesses that are all right would show.",
        )
        return {_EPSILON + suffix: estimate}

    def _queries_a_decision(self, adversary: Adversary) -> Estimate:
        text = f"{self._query_unit} asked of a target model for one decision, on average."
        return Estimate.queries(self._queries[adversary], text)

    def _add_to_curve(self, variant: str, shadows: int, penalty: float, decisions: Decisions) -> None:
        for sizes, part in self._by_size(decisions):
            figures = self._figures(decisions, sizes[0], part, ("accuracy", "auc"))
            shown = figures["accuracy"].columns("accuracy", bare=True) | figures["auc"].columns("auc")
            self.rows += [
                {"variant": variant, "size": size, "shadows": shadows, "penalty": penalty, **shown} for size in sizes
            ]

    def _rng(self) -> np.random.Generator:
        """Return the same draws each time, so that one figure has one interval wherever it is shown."""
        return generator(self.seed, "intervals")

    def _by_blind_baseline(self, names: Iterable[str]) -> dict[int, dict[str, Interval]]:
        """Return the figures of the blind baseline by size, where these are chance; else none."""
        if not self.by_text or self._alone is None:
            return {}
        alone = self._alone
        parts = self._by_size(alone.decisions)
        return {sizes[0]: alone.figures(sizes[0], names, self._rng()) for sizes, _ in parts}

    def _measures(self, decisions: Decisions, alone: Mapping[str, Interval] | None = None) -> dict[str, Measure]:
        """Return what is reported; chance of the advantage, a maximum, is that of these scores."""
        chance = decisions.chance_advantage(generator(self.seed, "guessing"))
        measures = {**MEASURES, "advantage": replace(MEASURES["advantage"], chance=chance)}
        return measures | {
            name: replace(
                measures[name], chance=figure.value, help=f"{measures[name].help} Chance is what the text alone gives."
            )
            for name, figure in (alone or {}).items()
            if np.isfinite(figure.value)
        }

    def _by_size(self, decisions: Decisions) -> Iterator[tuple[Sequence[int], Decisions]]:
        """Yield the decisions about all targets as size 0, then those about each size; of one size, both at once."""
        sizes = np.unique(self.sizes).tolist()
        if len(sizes) == 1:
            yield (0, *sizes), decisions
            return
        yield (0,), decisions
        for size in sizes:
            yield (size,), decisions.about(self.sizes == size)

    def _figures(self, everything: Decisions, size: int, part: Decisions, names: Iterable[str]) -> dict[str, Interval]:
        """Return figures of the part of some decisions that is about targets of a size."""
        if self._alone is not None and self._is_alone(everything):
            return self._alone.figures(size, names, self._rng())
        return figures_over_targets(part, names, self._rng())

    def _is_alone(self, decisions: Decisions) -> bool:
        return self._alone is not None and decisions is self._alone.decisions


def _is_baseline(adversary: Adversary, answer: Adversary) -> bool:
    same_strength = adversary.shadows == answer.shadows and np.isnan(adversary.penalty)
    return same_strength and adversary.variant != answer.variant


def _suffix(size: int) -> str:
    """Return the end of the names of figures about targets of a size; of all (0), none."""
    return f"_{size}" if size else ""
