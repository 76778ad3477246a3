"""Scores a membership game about single examples: over all of them, and group by group."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.example_membership.contract import COURSE, Examples
from core.games.example_membership.score import observed as tables
from core.result import Column, Estimate, Schema, Tables, table
from core.runtime.seeding import generator
from core.statistics.clustered import Clustered
from core.statistics.intervals import Interval, with_interval
from core.statistics.measures import AUC, LOW_RATES, LOWEST_ROC_RATES, MEASURES, ROC, Measure
from core.statistics.wording.variants import BLIND

SCHEMAS: dict[str, Schema] = {
    "rules": {
        **tables.METHOD,
        "measure": Column("str", "'accuracy', 'auc', 'advantage', or members found at a low false-positive rate."),
        **with_interval("value", "The figure, over all groups, or over that which the answer is about.", bare=True),
        "chance": Column("float64", "What guessing gives."),
    },
    "groups": {
        **tables.METHOD,
        "place": Column("int32", "Number of the group, in their order."),
        "group": Column("str", "Name of the group."),
        "examples": Column("int32", "Examples of the group."),
        "documents": Column("int32", "Documents in which they stand."),
        "pool": Column("int64", "Such parts of documents in the whole dataset."),
        "usable": Column("int64", "Those that could have been drawn."),
        **with_interval(
            "advantage",
            "Members less non-members that are taken for members, at the threshold that was "
            "chosen on shadow models; chance is 0.",
            bare=True,
        ),
        **AUC,
    },
    "roc": {**tables.METHOD, **ROC},
    **tables.SCHEMAS,
}

_ADVANTAGE = (
    "Largest difference of true- and false-positive rate over all thresholds, which is above 0 for guesses too."
)
_OF_BLIND = ("accuracy", "auc")
"""All that is reported of the texts alone: whether they give membership away."""


@dataclass(frozen=True)
class _Judged:
    """One statistic, decided by one rule.

    Attributes:
        statistic: Its name.
        rule: Name of the rule.
        decisions: About all examples.
        answers: About the examples of the group that the answer is about.
        figures: Of the latter.
        chance: The advantage of their scores by chance alone.
    """

    statistic: str
    rule: str
    decisions: Clustered
    answers: Clustered
    figures: dict[str, Interval]
    chance: float

    @property
    def measures(self) -> dict[str, Measure]:
        """What is reported, in this order."""
        advantage = replace(MEASURES["advantage"], help=_ADVANTAGE, chance=self.chance)
        return {name: advantage if name == "advantage" else MEASURES[name] for name in self.figures}

    @property
    def names(self) -> dict[str, str]:
        return {"statistic": self.statistic, "rule": self.rule}


@dataclass
class Scorer:
    """Holds the secret bits, and collects what each rule decides by each statistic.

    Attributes:
        examples: Those whose membership is the question.
        owner: (examples,) number of the owner of each; a model is trained on all of an owner's texts or on none.
        member: (models, examples) the secret bits.
        couple: (models,) number of the couple of each model.
        seed: Source of the resampling.
    """

    examples: Examples
    owner: NDArray[np.int64]
    member: NDArray[np.bool_]
    couple: NDArray[np.int64]
    seed: int
    _observed: dict[str, NDArray[np.float64]] = field(default_factory=dict, init=False)
    _judged: list[_Judged] = field(default_factory=list, init=False)
    _course: list[dict[str, Any]] = field(default_factory=list, init=False)

    def add(self, statistic: str, rule: str, observed: NDArray[np.float64], score: NDArray[np.float64]) -> None:
        """Score a rule with a statistic; the first one added is the answer.

        Args:
            statistic: Name of the statistic.
            rule: Name of the rule.
            observed: (models, examples) the statistic of each model.
            score: (models, examples) the rule's score, above 0 for those taken for members.
        """
        decisions = self._decisions(score)
        answer = self.examples.answer
        answers = decisions if answer is None else decisions.about(self.examples.group == answer)
        names = _OF_BLIND if statistic == BLIND else ("accuracy", "auc", "advantage", *LOW_RATES)
        chance = answers.chance_advantage(generator(self.seed, "guessing"))
        self._observed[statistic] = observed
        self._judged.append(_Judged(statistic, rule, decisions, answers, answers.figures(names, self._rng()), chance))

    def follow(self, epoch: int, statistic: str, rule: str, score: NDArray[np.float64]) -> None:
        """Score a rule with a statistic of models after some epochs, group by group.

        Args:
            epoch: Epochs of training by then; 0 for models that were never trained.
            statistic: Name of the statistic.
            rule: Name of the rule.
            score: (models, examples) the rule's score, above 0 for those taken for members.
        """
        decisions = self._decisions(score)
        for number, group, of_group in self._each_group():
            part = decisions.about(of_group)
            figures = part.figures(("accuracy", "auc"), self._rng())
            low, high = part.chance_areas(generator(self.seed, "guessing"))
            self._course.append(
                {"passes": epoch, "statistic": statistic, "rule": rule, "place": number, "group": group}
                | figures["accuracy"].columns("accuracy")
                | figures["auc"].columns("auc")
                | {"chance_low": low, "chance_high": high}
            )

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of the answer, those of other rules and statistics, and the share of unusable examples."""
        answer = self._judged[0]
        estimates = self._estimates(answer, "", "")
        for other in self._judged[1:]:
            if other.statistic == BLIND:
                estimates |= self._estimates(other, f"_{BLIND}", " Of a guess by the texts alone.")
            elif other.statistic == answer.statistic:
                estimates |= self._estimates(other, f"_{other.rule}", f" Of the rule {other.rule!r}.")
            elif other.rule == answer.rule:
                estimates |= self._estimates(other, f"_{other.statistic}", f" Of the statistic {other.statistic!r}.")
        if self.examples.answer is not None:
            for _, group, of_group in self._each_group():
                part = answer.decisions.about(of_group)
                suffix, remark = f"_{group.replace(' ', '_')}", f" Of {group}."
                estimates |= part.estimates(part.figures(["auc"], self._rng()), suffix=suffix, remark=remark)
        pool, text = int(self.examples.pool.sum()), f"Examples that were not drawn from: {self.examples.unfit}."
        left_out = 1 - float(self.examples.usable.sum() / pool)
        estimates["left_out"] = Estimate.counted(left_out, "share of examples", text, of=pool)
        return estimates

    def tables(self, advance: Callable[[], object] = lambda: None) -> Tables:
        """Return the game's tables.

        Args:
            advance: Called twice for each rule with a statistic, as their figures are resampled.
        """

        def followed(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
            drawn = list(rows)
            advance()
            return drawn

        answer = self._judged[0]
        by_models = [judged for judged in self._judged if judged.statistic != BLIND]
        statistics = {name: observed for name, observed in self._observed.items() if name != BLIND}
        rows: dict[str, list[dict[str, Any]] | dict[str, NDArray[Any]]] = {
            "rules": [
                {**judged.names, "measure": name, **judged.figures[name]._asdict(), "chance": measure.chance}
                for judged in self._judged
                for name, measure in judged.measures.items()
            ],
            "groups": [row for judged in by_models for row in followed(self._groups(judged))],
            "roc": [
                {**judged.names, **row}
                for judged in by_models
                for row in followed(judged.answers.roc(LOWEST_ROC_RATES, self._rng()))
            ],
            "scores": tables.scores(self.examples, [(judged.names, judged.decisions) for judged in self._judged]),
            "densities": tables.densities(self.examples, self.member, statistics),
            "shown": tables.drawn_examples(
                self.examples, statistics[answer.statistic], answer.decisions, generator(self.seed, "shown")
            ),
        }
        return {name: table(SCHEMAS[name], of_table) for name, of_table in rows.items()}

    def course(self) -> Tables:
        """Return the figures over training."""
        return {"course": table(COURSE["course"], self._course)}

    def _estimates(self, judged: _Judged, suffix: str, remark: str) -> dict[str, Estimate]:
        return judged.answers.estimates(judged.figures, judged.measures, suffix, remark)

    def _groups(self, judged: _Judged) -> Iterator[dict[str, Any]]:
        for number, group, of_group in self._each_group():
            figures = judged.decisions.about(of_group).figures(("decided", "auc"), self._rng())
            yield {
                **judged.names,
                "place": number,
                "group": group,
                "examples": of_group.sum(),
                "documents": len(np.unique(self.examples.rows[of_group])),
                "pool": self.examples.pool[number],
                "usable": self.examples.usable[number],
                **figures["decided"].columns("advantage", bare=True),
                **figures["auc"].columns("auc"),
            }

    def _each_group(self) -> Iterator[tuple[int, str, NDArray[np.bool_]]]:
        """Yield number and name of each group that has examples, and which they are, (examples,)."""
        for number, group in enumerate(self.examples.groups):
            of_group = self.examples.group == number
            if of_group.any():
                yield number, group, of_group

    def _decisions(self, score: NDArray[np.float64]) -> Clustered:
        return Clustered(self.member, score, self.couple, np.unique(self.owner, return_inverse=True)[1])

    def _rng(self) -> np.random.Generator:
        """Return the same draws each time, so that one figure has one interval wherever it is shown."""
        return generator(self.seed, "intervals")
