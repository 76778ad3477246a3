"""Keeps the score of a membership game: lets adversaries guess, and turns right and wrong into figures."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.games.membership.contract import Adversary, Briefing
from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics import decisions
from core.statistics.decisions import Trials
from core.statistics.privacy import epsilon_at_least

if TYPE_CHECKING:
    import pandas as pd

EPSILON = "epsilon_at_least"
"""The figure of an audit of differential privacy."""

_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-3, 1, 61)]))

SCHEMAS: dict[str, Schema] = {
    "curve": {
        "variant": Column("str", "The attack, or the baseline."),
        "size": Column("int32", "Documents a target; 0 for all sizes together."),
        "shadows": Column("int32", "Shadow pairs (k): models with each target, and as many without it."),
        "penalty": Column("float64", "Weight of the penalty, where it was varied."),
        "accuracy": Column("float64", "Share of right guesses; chance is 0.5."),
        "low": Column("float64", "Lower end of the accuracy's 95 % interval."),
        "high": Column("float64", "Upper end of the accuracy's 95 % interval."),
        "auc": Column("float64", "Area under the ROC curve; chance is 0.5."),
        "auc_low": Column("float64", "Lower end of the area's 95 % interval."),
        "auc_high": Column("float64", "Upper end of the area's 95 % interval."),
    },
    "scores": {
        "target": Column("int32", "Number of the target."),
        "size": Column("int32", "Documents of the target."),
        "play": Column("int32", "Number of the target model."),
        "member": Column("bool", "Whether the model was trained on the target."),
        "score": Column("float64", "The adversary's score; a member is guessed above 0."),
        "guess": Column("bool", "What the adversary guessed."),
    },
    "roc": {
        "size": Column("int32", "Documents a target; 0 for all sizes together."),
        "false_positive_rate": Column("float64", "Share of non-members called members."),
        "true_positive_rate": Column("float64", "Share of members called members."),
        "low": Column("float64", "Lower end of the 95 % band."),
        "high": Column("float64", "Upper end of the 95 % band."),
    },
}


class Scorer:
    """Holds the secret bits, lets adversaries guess, and keeps the score."""

    def __init__(
        self,
        members: NDArray[np.bool_],
        sizes: NDArray[np.int64],
        seed: int,
        compared: Sequence[str] = ("accuracy",),
        audited: float | None = None,
    ) -> None:
        """Start with no guesses.

        Args:
            members: (plays, targets) the secret bits.
            sizes: (targets,) documents of each target.
            seed: Source of the resampling.
            compared: Figures that are reported of baselines too, beyond what is reported of the answer.
            audited: The delta with which an audit of privacy is made; None where the bits are no coins of their own.
        """
        self._members = members
        self._sizes = sizes
        self._seed = seed
        self._compared = compared
        self._audited = audited if EPSILON in compared else None
        self._trials: dict[Adversary, Trials] = {}
        self._model_free: Trials | None = None
        self._queries: dict[Adversary, float] = {}
        self._asked = ""
        self.rows: list[dict[str, Any]] = []

    def add(self, adversary: Adversary, accesses: Sequence[Access]) -> None:
        """Let an adversary guess every target from every access, and score it."""
        before = sum(access.queries for access in accesses)
        guesses = [[adversary.guess(target, access) for target in range(self._members.shape[1])] for access in accesses]
        asked = sum(access.queries for access in accesses) - before
        self._asked = accesses[0].queried if accesses else ""
        trials = Trials(
            self._members,
            np.array([[guess.score for guess in row] for row in guesses], dtype=np.float64),
            np.array([[guess.member for guess in row] for row in guesses], dtype=np.bool_),
        )
        self._trials[adversary] = trials
        self._queries[adversary] = asked / self._members.size
        self._score(adversary.variant, adversary.shadows, adversary.penalty, trials)

    def add_model_free(self, briefing: Briefing, shadows: int) -> None:
        """Score the guess that never looks at a model.

        A logistic regression reads each target's texts and is told the true bits of all *other* targets: far more
        than any adversary knows. Only a split that gives itself away lifts it above chance.
        """
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        look = _text_features(briefing)
        plays, targets = self._members.shape
        score = np.zeros((plays, targets))
        for target in range(targets):
            others = np.delete(np.arange(targets), target)
            bits = self._members[:, others].ravel()
            if bits.all() or not bits.any():
                continue
            classifier = make_pipeline(StandardScaler(), LogisticRegression(C=1.0))
            classifier.fit(np.tile(look[others], (plays, 1)), bits)
            score[:, target] = classifier.decision_function(look[[target]])[0]
        self._model_free = Trials(self._members, score, score > 0)
        self._score("model_free", shadows, float("nan"), self._model_free)

    def estimates(self, answer: Adversary) -> dict[str, Estimate]:
        """Return the figures of the answer for all sizes together and each alone, and those of the baselines."""
        found: dict[str, Estimate] = {}
        shared = {name: _STATISTICS[name] for name in self._compared if name in _STATISTICS}
        for suffix, trials in self._by_size(self._trials[answer]):
            for name, (statistic, chance, unit, says) in {**_ALWAYS, **shared}.items():
                if np.isfinite(value := float(statistic(trials))):
                    found[name + suffix] = self._estimate(value, statistic, trials, chance, unit, says)
            self._audit(found, suffix, trials)
        others = {adversary: trials for adversary, trials in self._trials.items() if _is_baseline(adversary, answer)}
        named = [(adversary.variant, trials) for adversary, trials in others.items()]
        if self._model_free is not None:
            named.append(("model_free", self._model_free))
        for variant, all_trials in named:
            for suffix, trials in self._by_size(all_trials):
                for name, (statistic, chance, unit, says) in shared.items():
                    if np.isfinite(value := float(statistic(trials))):
                        found[f"{name}_{variant}{suffix}"] = self._estimate(
                            value, statistic, trials, chance, unit, f"{says} Of the variant {variant!r}."
                        )
        for adversary, all_trials in others.items():
            for suffix, trials in self._by_size(all_trials):
                self._audit(found, f"_{adversary.variant}{suffix}", trials)
        found["queries"] = self._asking(answer)
        for adversary in others if "queries" in self._compared else ():
            found[f"queries_{adversary.variant}"] = self._asking(adversary)
        return found

    def tables(self, answer: Adversary) -> "dict[str, pd.DataFrame]":
        """Return the game's tables other than the targets."""
        trials = self._trials[answer]
        plays, targets = np.indices(self._members.shape)
        scores = {
            "target": targets.ravel(),
            "size": self._sizes[targets.ravel()],
            "play": plays.ravel(),
            "member": trials.member.ravel(),
            "score": trials.score.ravel(),
            "guess": trials.decision.ravel(),
        }
        curves: list[dict[str, Any]] = []
        for suffix, part in self._by_size(trials):
            rate, low, high = decisions.roc_band(part, _RATES, self._resampling())
            size = int(suffix[1:]) if suffix else 0
            curves.extend(
                {"size": size, "false_positive_rate": x, "true_positive_rate": y, "low": a, "high": b}
                for x, y, a, b in zip(_RATES, rate, low, high, strict=True)
            )
        return {
            "curve": table(SCHEMAS["curve"], self.rows),
            "scores": table(SCHEMAS["scores"], scores),
            "roc": table(SCHEMAS["roc"], curves),
        }

    def _audit(self, found: dict[str, Estimate], suffix: str, trials: Trials) -> None:
        """Add what guesses disprove about the privacy of training; targets of several sizes have no common unit."""
        mixed = len(np.unique(self._sizes)) > 1 and trials.member.shape == self._members.shape
        if self._audited is None or mixed:
            return
        bound, most = epsilon_at_least(trials.member, trials.score, self._audited)
        found[EPSILON + suffix] = Estimate(
            value=bound,
            low=bound,
            high=most,
            chance=0.0,
            unit="epsilon",
            members=int(trials.member.sum()),
            nonmembers=int((~trials.member).sum()),
            help="What these guesses alone show of training’s epsilon for one target, at 95 % and a delta of "
            f"{self._audited:g}, 0 when nothing; the upper end is what guesses that are all right would show.",
        )

    def _asking(self, adversary: Adversary) -> Estimate:
        what = f"{self._asked} asked of a target model for one decision, on average."
        return Estimate.queries(self._queries[adversary], what)

    def _score(self, variant: str, shadows: int, penalty: float, trials: Trials) -> None:
        for suffix, part in self._by_size(trials):
            low, high = decisions.interval(part, decisions.accuracy, self._resampling())
            auc_low, auc_high = decisions.interval(part, decisions.auc, self._resampling())
            self.rows.append(
                {
                    "variant": variant,
                    "size": int(suffix[1:]) if suffix else 0,
                    "shadows": shadows,
                    "penalty": penalty,
                    "accuracy": float(decisions.accuracy(part)),
                    "low": low,
                    "high": high,
                    "auc": float(decisions.auc(part)),
                    "auc_low": auc_low,
                    "auc_high": auc_high,
                }
            )

    def _resampling(self) -> np.random.Generator:
        """Return the same draws each time, so that one figure has one interval wherever it is shown."""
        return generator(self._seed, "intervals")

    def _by_size(self, trials: Trials) -> Iterator[tuple[str, Trials]]:
        everyone = np.arange(len(self._members))
        yield "", trials
        for size in np.unique(self._sizes):
            yield f"_{size}", trials.take(everyone, np.flatnonzero(self._sizes == size))

    def _estimate(
        self, value: float, statistic: decisions.Statistic, trials: Trials, chance: float, unit: str, says: str
    ) -> Estimate:
        low, high = decisions.interval(trials, statistic, self._resampling())
        inside = int(trials.member.sum())
        return Estimate(
            value=value,
            low=low,
            high=high,
            chance=chance,
            unit=unit,
            help=says,
            members=inside,
            nonmembers=trials.member.size - inside,
        )


_STATISTICS: dict[str, tuple[decisions.Statistic, float, str, str]] = {
    "accuracy": (decisions.accuracy, 0.5, "share of decisions", "Share of right guesses."),
    "auc": (decisions.auc, 0.5, "probability", "Chance that a random member scores above a random non-member."),
    "advantage": (
        decisions.advantage,
        0.0,
        "difference of rates",
        "Largest difference of true- and false-positive rate; slightly above 0 even for guesses, being a maximum.",
    ),
    "tpr_at_1pct_fpr": (
        lambda trials: decisions.tpr_at(trials, 0.01),
        0.01,
        "share of members",
        "Members found when at most 1 % of non-members are accused.",
    ),
    "tpr_at_0.1pct_fpr": (
        lambda trials: decisions.tpr_at(trials, 0.001),
        0.001,
        "share of members",
        "Members found when at most 0.1 % of non-members are accused.",
    ),
    "precision": (decisions.precision, 0.5, "share of accusations", "Members among those called members."),
    "recall": (decisions.recall, 0.5, "share of members", "Members called members; a coin finds half of them."),
}

_ALWAYS = {name: _STATISTICS[name] for name in ("accuracy", "auc", "advantage", "tpr_at_1pct_fpr", "tpr_at_0.1pct_fpr")}
"""What is reported of every attack's answer."""


def _is_baseline(adversary: Adversary, answer: Adversary) -> bool:
    same_strength = adversary.shadows == answer.shadows and np.isnan(adversary.penalty)
    return same_strength and adversary.variant != answer.variant


def _text_features(briefing: Briefing) -> NDArray[np.float64]:
    corpus = briefing.corpus
    frequency = np.log(corpus.counts() + 1.0)
    features = []
    for target in briefing.targets:
        tokens = np.concatenate([corpus.document(row) for row in target.documents] or [np.empty(0, np.int32)])
        rare = frequency[tokens]
        features.append(
            [
                target.size,
                len(tokens) / target.size,
                len(np.unique(tokens)) / max(len(tokens), 1),
                rare.mean() if len(rare) else 0.0,
                rare.std() if len(rare) else 0.0,
            ]
        )
    return np.array(features, dtype=np.float64)
