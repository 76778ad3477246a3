"""The share of passages that a language model recites behind each defense, by copies in the training text."""

from collections.abc import Iterable
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiment import Experiment
from core.result import Result
from core.statistics.intervals import difference
from core.statistics.wording import measured_in
from core.statistics.wording.naming import counted
from dashboard.kit.figures import theme
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined, number_in
from dashboard.kit.shared import once
from dashboard.topics.language_models.figures import cases, recited

TITLE = "Recited behind defenses"
PLAIN = "no defense"
_EMPTY = "Recitation behind a defense and without one is not computed yet."
_PERPLEXITY = ("perplexity", "perplexity_low", "perplexity_high")
_COLUMNS = (
    "defense",
    "copies",
    "prefix",
    "cases",
    "passages",
    "models",
    "recited",
    "low",
    "high",
    "chance",
    *_PERPLEXITY,
)


def name(experiment: Experiment) -> str:
    """Return the defenses of an experiment in words."""
    return joined([defense.title for defense in experiment.defenses]) or PLAIN


@once
def points(results: Iterable[Result]) -> pd.DataFrame:
    """Return the share recited after the longest prefix by defense and copies, no defense first, and the perplexity."""
    parts = []
    for result in results:
        quality = result.estimates["perplexity_test"]
        curve = cases.of(result.tables["curve"], result.tables["passages"])
        longest = where(curve, "prefix", curve["prefix"].max()).sort_values("copies")
        ends = dict(zip(_PERPLEXITY, (quality.value, quality.low, quality.high), strict=True))
        parts.append(longest.assign(defense=name(Experiment.parse(result.experiment)), **ends))
    if not parts:
        return pd.DataFrame(columns=list(_COLUMNS))
    table = pd.concat(parts, ignore_index=True)[list(_COLUMNS)]
    order = table["defense"].map(lambda defense: (defense != PLAIN, defense))
    return table.loc[order.sort_values(kind="stable").index].reset_index(drop=True)


@once
def figure(points: pd.DataFrame, unit: str = "word") -> go.Figure:
    """Draw a line with its interval for each defense; passages never shown are chance.

    Args:
        points: See `points`.
        unit: What prefixes are counted in.
    """
    if points.empty:
        return theme.empty(recited.blank(), _EMPTY)
    return recited.lines(points.rename(columns={"defense": "line"}), unit)


@once
def sentence(points: pd.DataFrame, unit: str = "word") -> str:
    """Say at the most copies behind which defenses less is shown to be recited, and what each costs."""
    most = where(points, "copies", points["copies"].max())
    plain, others = records(where(most, "defense", PLAIN)), records(most[most["defense"] != PLAIN])
    if not plain or not others:
        return _EMPTY
    (before,) = plain
    shares = joined([f"{measured_in(row, 'recited')} behind {row.defense}" for row in others])
    less = [
        row
        for row in others
        if difference(interval_of(before, "recited", "low", "high"), interval_of(row, "recited", "low", "high")).low > 0
    ]
    if len(less) == len(others):
        verdict = "less with each of them" if len(others) > 1 else "less with it"
    else:
        verdict = f"less with {joined([row.defense for row in less])} only" if less else "less with none"
    costs = [_cost(before, row) for row in others]
    return (
        f"Of {cases.written(before)} shown {recited.times(before.copies).lower()}, the model without a "
        f"defense recites {measured_in(before, 'recited', named=True)} after the {counted(before.prefix, unit)} "
        f"before each, {shares}: shown to be {verdict}. Perplexity in other documents is "
        f"{number_in(before, 'perplexity')} without a defense, and {joined(costs)}."
    )


def _cost(before: Any, row: Any) -> str:
    """Say how well a defended model predicts, compared with the one without a defense."""
    lower = difference(interval_of(before, "perplexity"), interval_of(row, "perplexity"))
    shown = "better" if lower.low > 0 else "worse" if lower.high < 0 else "not shown to differ"
    return f"{number_in(row, 'perplexity')} behind {row.defense} ({shown})"
