"""Keeps the score of a membership game about single examples: over all of them, and group by group."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.games.example_membership.contract import COURSE, Examples
from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics.clustered import Clustered, Interval

if TYPE_CHECKING:
    import pandas as pd

MODEL_FREE = "model_free"
"""Name of the statistic that never looks at a model."""
ALL = "all"
"""Name of all groups together."""

_SHOWN = 8
_BINS = 40
_EDGE = 0.001
_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-4, 1, 61)]))

_PLAYED = {
    "statistic": Column("str", "What is asked of the models; 'model_free' for nothing, the texts alone."),
    "rule": Column("str", "How it is decided: 'likelihood_ratio', 'one_threshold' or 'group_thresholds'."),
}
SCHEMAS: dict[str, Schema] = {
    "rules": {
        **_PLAYED,
        "measure": Column("str", "'accuracy', 'auc', 'advantage', or members found at a low false-positive rate."),
        "value": Column("float64", "The figure, over all groups, or over that which the answer is about."),
        "low": Column("float64", "Lower end of its 95 % interval."),
        "high": Column("float64", "Upper end of its 95 % interval."),
        "chance": Column("float64", "What guessing gives."),
    },
    "groups": {
        **_PLAYED,
        "place": Column("int32", "Number of the group, in their order."),
        "group": Column("str", "Name of the group."),
        "examples": Column("int32", "Examples of the group."),
        "documents": Column("int32", "Documents in which they stand."),
        "pool": Column("int64", "Such parts of documents in the whole dataset."),
        "usable": Column("int64", "Those that could have been drawn."),
        "advantage": Column(
            "float64",
            "Members called members less non-members called so, at the threshold that was "
            "chosen on shadow models; chance is 0.",
        ),
        "low": Column("float64", "Lower end of its 95 % interval."),
        "high": Column("float64", "Upper end of its 95 % interval."),
        "auc": Column("float64", "Area under the ROC curve; chance is 0.5."),
        "auc_low": Column("float64", "Lower end of its 95 % interval."),
        "auc_high": Column("float64", "Upper end of its 95 % interval."),
    },
    "roc": {
        **_PLAYED,
        "false_positive_rate": Column("float64", "Share of non-members called members."),
        "true_positive_rate": Column("float64", "Share of members called members."),
        "low": Column("float64", "Lower end of the 95 % band."),
        "high": Column("float64", "Upper end of the 95 % band."),
    },
    "densities": {
        "statistic": Column("str", "What is asked of the models."),
        "group": Column("str", "Name of the group, or 'all'."),
        "member": Column("bool", "Whether the model was trained on the example."),
        "left": Column("float64", "Lower end of a range of the statistic; what lies below the first counts there."),
        "right": Column("float64", "Upper end of the range; what lies above the last counts there."),
        "share": Column("float64", "Share of members, or of non-members, within the range."),
    },
    "shown": {
        "example": Column("int32", "Number of the example; a few of each group only."),
        "row": Column("int32", "Row of its document in the dataset."),
        "place": Column("int32", "Where in the document it begins, in words or in sentences."),
        "length": Column("int32", "How many words, or sentences, it has."),
        "group": Column("str", "Name of its group."),
        "model": Column("int32", "Number of the target model."),
        "member": Column("bool", "Whether that model was trained on it."),
        "observed": Column("float64", "The attack's own statistic."),
        "score": Column("float64", "Score by the likelihood ratio; above 0 it is called a member."),
    },
}

_MEASURES = {
    "accuracy": (0.5, "share of decisions", "Share of right guesses."),
    "auc": (0.5, "probability", "Chance that a random member scores above a random non-member."),
    "advantage": (
        0.0,
        "difference of rates",
        "Largest difference of true- and false-positive rate over all thresholds, which is above 0 for guesses too.",
    ),
    "tpr_at_1pct_fpr": (0.01, "share of members", "Members found when at most 1 % of non-members are accused."),
    "tpr_at_0.1pct_fpr": (0.001, "share of members", "Members found when at most 0.1 % of non-members are accused."),
}


@dataclass(frozen=True)
class _Played:
    """One statistic with one decision rule.

    Attributes:
        statistic: Name of the former.
        rule: Name of the latter.
        every: What was decided about all examples.
        decisions: What was decided about those that the answer is about.
        figures: How well the latter.
        guessing: The advantage that its scores would have if they knew nothing.
    """

    statistic: str
    rule: str
    every: Clustered
    decisions: Clustered
    figures: dict[str, Interval]
    guessing: float

    @property
    def measures(self) -> tuple[str, ...]:
        """Return what is reported: of the texts alone, only what shows whether they give membership away."""
        return ("accuracy", "auc") if self.statistic == MODEL_FREE else tuple(_MEASURES)

    def chance(self, measure: str) -> float:
        return self.guessing if measure == "advantage" else _MEASURES[measure][0]


class Scorer:
    """Holds the secret bits, and keeps what each statistic and each rule made of them."""

    def __init__(
        self,
        examples: Examples,
        owner: NDArray[np.int64],
        member: NDArray[np.bool_],
        couple: NDArray[np.int64],
        seed: int,
    ) -> None:
        """Start with nothing played.

        Args:
            examples: What membership was asked about.
            owner: (examples,) whose each is; what is one owner's was trained on together.
            member: (models, examples) the secret bits.
            couple: (models,) number of the couple of each model.
            seed: Source of the resampling.
        """
        self._examples = examples
        self._owner = np.unique(owner, return_inverse=True)[1]
        self._answer = np.full(len(owner), True) if examples.answer is None else examples.group == examples.answer
        self._member = member
        self._couple = couple
        self._seed = seed
        self._observed: dict[str, NDArray[np.float64]] = {}
        self._played: list[_Played] = []
        self._course: list[dict[str, Any]] = []

    def add(self, statistic: str, rule: str, observed: NDArray[np.float64], score: NDArray[np.float64]) -> None:
        """Score what a rule made of a statistic; what is added first is the answer.

        Args:
            statistic: Name of what was asked of the models.
            rule: Name of the rule.
            observed: (models, examples) what the models gave.
            score: (models, examples) what the rule made of it, above 0 for those called members.
        """
        every = Clustered(self._member, score, self._couple, self._owner)
        decisions = every.examples(self._answer)
        figures = decisions.figures(generator(self._seed, "intervals"))
        guessing = decisions.guessing(generator(self._seed, "guessing"))
        self._observed[statistic] = observed
        self._played.append(_Played(statistic, rule, every, decisions, figures, guessing))

    def follow(self, passes: int, statistic: str, rule: str, score: NDArray[np.float64]) -> None:
        """Score what a rule makes of a statistic after so many passes of training, group by group.

        Args:
            passes: How many; 0 for models that were never trained.
            statistic: Name of what was asked of the models.
            rule: Name of the rule.
            score: (models, examples) what the rule made of it, above 0 for those called members.
        """
        every = Clustered(self._member, score, self._couple, self._owner)
        for place, group, own in self._each_group():
            decisions = every.examples(own)
            figures = decisions.figures(generator(self._seed, "intervals"))
            chance = decisions.chance_areas(generator(self._seed, "guessing"))
            self._course.append(
                {
                    "passes": passes,
                    "statistic": statistic,
                    "rule": rule,
                    "place": place,
                    "group": group,
                    **figures["accuracy"].named("accuracy"),
                    **figures["auc"].named("auc"),
                    "chance_low": chance[0],
                    "chance_high": chance[1],
                }
            )

    def _each_group(self) -> Iterator[tuple[int, str, NDArray[np.bool_]]]:
        """Yield number and name of each group that has examples, and which they are."""
        for place, group in enumerate(self._examples.groups):
            own = self._examples.group == place
            if own.any():
                yield place, group, own

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of the answer, those of other rules and statistics, and what could not be asked about."""
        answer = self._played[0]
        found = self._estimates(answer, "", "")
        for other in self._played[1:]:
            if other.statistic == MODEL_FREE:
                found |= self._estimates(other, f"_{MODEL_FREE}", " Of a guess by the texts alone.")
            elif other.statistic == answer.statistic:
                found |= self._estimates(other, f"_{other.rule}", f" Of the rule {other.rule!r}.")
            elif other.rule == answer.rule:
                found |= self._estimates(other, f"_{other.statistic}", f" Of the statistic {other.statistic!r}.")
        if self._examples.answer is not None:
            for _, group, own in self._each_group():
                figure = answer.every.examples(own).figures(generator(self._seed, "intervals"))["auc"]
                found[f"auc_{group.replace(' ', '_')}"] = Estimate(
                    value=figure.value,
                    low=figure.low,
                    high=figure.high,
                    chance=0.5,
                    unit="probability",
                    members=int(self._member[:, own].sum()),
                    nonmembers=int((~self._member[:, own]).sum()),
                    help=f"{_MEASURES['auc'][2]} Of {group}.",
                )
        left_out = 1 - float(self._examples.usable.sum() / self._examples.pool.sum())
        found["left_out"] = Estimate(
            value=left_out,
            low=left_out,
            high=left_out,
            chance=None,
            unit="share of examples",
            decisions=int(self._examples.pool.sum()),
            help=f"Examples that were not drawn from: {self._examples.unfit}.",
        )
        return found

    def tables(self) -> "dict[str, pd.DataFrame]":
        """Return the game's tables."""
        rules = [
            {**_names(played), "measure": measure, **_ends(played.figures[measure]), "chance": played.chance(measure)}
            for played in self._played
            for measure in played.measures
        ]
        curves = [
            {
                **_names(played),
                "false_positive_rate": rate,
                "true_positive_rate": point.value,
                "low": point.low,
                "high": point.high,
            }
            for played in self._played
            if played.statistic != MODEL_FREE
            for rate, point in zip(
                _RATES, played.decisions.curve(_RATES, generator(self._seed, "intervals")), strict=True
            )
        ]
        return {
            "rules": table(SCHEMAS["rules"], rules),
            "groups": table(SCHEMAS["groups"], self._groups()),
            "roc": table(SCHEMAS["roc"], curves),
            "densities": table(SCHEMAS["densities"], self._densities()),
            "shown": table(SCHEMAS["shown"], self._shown()),
        }

    def _estimates(self, played: _Played, suffix: str, says: str) -> dict[str, Estimate]:
        member = self._member[:, self._answer]
        inside = int(member.sum())
        found = {}
        for measure in played.measures:
            figure, (_, unit, means) = played.figures[measure], _MEASURES[measure]
            if np.isfinite(figure.value):
                found[measure + suffix] = Estimate(
                    value=figure.value,
                    low=figure.low,
                    high=figure.high,
                    chance=played.chance(measure),
                    unit=unit,
                    members=inside,
                    nonmembers=member.size - inside,
                    help=means + says,
                )
        return found

    def course(self) -> "dict[str, pd.DataFrame]":
        """Return how the figures came to be over training."""
        return {"course": table(COURSE["course"], self._course)}

    def _groups(self) -> list[dict[str, Any]]:
        rows = []
        for played in self._played:
            if played.statistic == MODEL_FREE:
                continue
            for place, group, own in self._each_group():
                figures = played.every.examples(own).figures(generator(self._seed, "intervals"))
                decided = figures["decided"]
                rows.append(
                    {
                        **_names(played),
                        "place": place,
                        "group": group,
                        "examples": own.sum(),
                        "documents": len(np.unique(self._examples.rows[own])),
                        "pool": self._examples.pool[place],
                        "usable": self._examples.usable[place],
                        "advantage": decided.value,
                        "low": decided.low,
                        "high": decided.high,
                        **figures["auc"].named("auc"),
                    }
                )
        return rows

    def _densities(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for statistic, observed in self._observed.items():
            if statistic == MODEL_FREE:
                continue
            for place, group in enumerate((ALL, *self._examples.groups), start=-1):
                own = np.full(len(self._examples.group), True) if group == ALL else self._examples.group == place
                if not own.any():
                    continue
                low, high = np.quantile(observed[:, own], [_EDGE, 1 - _EDGE])
                edges = np.linspace(low, high if high > low else low + 1, _BINS + 1)
                for member in (True, False):
                    values = observed[:, own][self._member[:, own] == member].clip(edges[0], edges[-1])
                    shares = np.histogram(values, edges)[0] / max(len(values), 1)
                    rows.extend(
                        {
                            "statistic": statistic,
                            "group": group,
                            "member": member,
                            "left": left,
                            "right": right,
                            "share": share,
                        }
                        for left, right, share in zip(edges[:-1], edges[1:], shares, strict=True)
                    )
        return rows

    def _shown(self) -> list[dict[str, Any]]:
        examples, answer = self._examples, self._played[0]
        rng = generator(self._seed, "shown")
        drawn = [
            np.sort(rng.permutation(np.flatnonzero(examples.group == place))[:_SHOWN])
            for place in range(len(examples.groups))
        ]
        return [
            {
                "example": number,
                "row": examples.rows[number],
                "place": examples.places[number],
                "length": sum(map(bool, examples.texts[number])),
                "group": examples.groups[examples.group[number]],
                "model": model,
                "member": self._member[model, number],
                "observed": self._observed[answer.statistic][model, number],
                "score": answer.every.score[model, number],
            }
            for number in np.concatenate(drawn)
            for model in range(len(self._member))
        ]


def _names(played: _Played) -> dict[str, str]:
    return {"statistic": played.statistic, "rule": played.rule}


def _ends(figure: Interval) -> dict[str, float]:
    return {"value": figure.value, "low": figure.low, "high": figure.high}
