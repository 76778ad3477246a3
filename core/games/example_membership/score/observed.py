"""Tables of what target models give for examples, and of what is decided by it."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.example_membership.contract import Examples
from core.result import Column, Schema
from core.statistics.clustered import SCORES, Clustered
from core.statistics.decisions import Decisions

ALL = "all"
"""Name of all groups together."""

_PER_GROUP = 8
_BINS = 40
_EDGE = 0.001

METHOD = {
    "statistic": Column("str", "The statistic of the models' answers; 'model_free' reads the texts only."),
    "rule": Column("str", "How it is decided: 'likelihood_ratio', 'one_threshold' or 'group_thresholds'."),
}
SCHEMAS: dict[str, Schema] = {
    "scores": {
        **METHOD,
        "group": Column("str", "Name of the example's group."),
        "example": Column("int32", "Number of the example."),
        "document": Column("int32", "Number of its document, or of the owner whose documents are in or out together."),
        **SCORES,
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
        "score": Column("float64", "Score by the likelihood ratio; above 0 it is taken for a member."),
    },
}


def scores(examples: Examples, judged: Iterable[tuple[Mapping[str, str], Clustered]]) -> dict[str, NDArray[Any]]:
    """Return every decision about the examples, by column.

    Args:
        examples: What the decisions are about.
        judged: Of each method, its names by column of `METHOD` and its decisions.
    """
    group, example = np.array(examples.groups)[examples.group], np.arange(len(examples.group))
    parts = [
        decisions.columns(
            **{name: np.full(len(example), value) for name, value in names.items()},
            group=group,
            example=example,
            document=decisions.document,
        )
        for names, decisions in judged
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in SCHEMAS["scores"]}


def densities(
    examples: Examples, member: NDArray[np.bool_], statistics: Mapping[str, NDArray[np.float64]]
) -> list[dict[str, Any]]:
    """Return histograms of each statistic for members and non-members, over all examples and by group.

    Args:
        examples: What the statistics are about.
        member: (models, examples) the secret bits.
        statistics: By name, (models, examples).
    """
    rows: list[dict[str, Any]] = []
    groups = {ALL: np.full(len(examples.group), True)}
    groups |= {group: examples.group == number for number, group in enumerate(examples.groups)}
    for statistic, observed in statistics.items():
        for group, of_group in groups.items():
            if not of_group.any():
                continue
            low, high = np.quantile(observed[:, of_group], [_EDGE, 1 - _EDGE])
            edges = np.linspace(low, high if high > low else low + 1, _BINS + 1)
            for side in (True, False):
                values = observed[:, of_group][member[:, of_group] == side].clip(edges[0], edges[-1])
                shares = np.histogram(values, edges)[0] / max(len(values), 1)
                of_side = {"statistic": statistic, "group": group, "member": side}
                rows.extend(
                    {**of_side, "left": left, "right": right, "share": share}
                    for left, right, share in zip(edges[:-1], edges[1:], shares, strict=True)
                )
    return rows


def drawn_examples(
    examples: Examples, observed: NDArray[np.float64], decisions: Decisions, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Return a few examples of each group, drawn at random, with what every model gives and the decision.

    Args:
        examples: Those to draw from.
        observed: (models, examples) the attack's own statistic.
        decisions: About all examples.
        rng: Source of the drawing.
    """
    drawn = [
        np.sort(rng.permutation(np.flatnonzero(examples.group == group))[:_PER_GROUP])
        for group in range(len(examples.groups))
    ]
    return [
        {
            "example": number,
            "row": examples.rows[number],
            "place": examples.positions[number],
            "length": sum(map(bool, examples.texts[number])),
            "group": examples.groups[examples.group[number]],
            "model": model,
            "member": decisions.member[model, number],
            "observed": observed[model, number],
            "score": decisions.score[model, number],
        }
        for number in np.concatenate(drawn)
        for model in range(len(observed))
    ]
