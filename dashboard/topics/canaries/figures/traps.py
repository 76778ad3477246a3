"""Traps: how well what was planted is told from what was not, by copies, in several kinds of models."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.games.translation_membership import watermarks
from core.games.translation_membership.split import WATERMARKS
from core.result import Result
from core.statistics.intervals import mean_of_few
from core.statistics.naming import counted
from core.statistics.wording import measured, measured_in
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.intervals import of_shares
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import UNDECIDED, joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries

TITLE = "Traps: detection by copies"
Kind = Literal["language model", "fine-tuned language model", "request model", "translator"]
_EMPTY = "No traps are computed yet."
_BY = ("calibrated_reference", "likelihood_ratio")
"""Features and rule by which traps of translators are scored: chosen without a look at the results."""
_CHANCE = 0.5
_LOOKS: dict[tuple[Kind, bool], theme.Mark] = dict(
    zip(
        (
            ("language model", False),
            ("language model", True),
            ("translator", False),
            ("translator", True),
            ("request model", False),
            ("fine-tuned language model", False),
        ),
        theme.distinct(6),
        strict=True,
    )
)
_COLUMNS = ("kind", "fuzzy", "copies", "detected", "low", "high", "traps")


class Trapped(NamedTuple):
    """A result of planted traps.

    Attributes:
        kind: What was trained on them.
        fuzzy: Whether all copies but the first differ.
        result: The result.
    """

    kind: Kind
    fuzzy: bool
    result: Result


@once
def points(trapped: Iterable[Trapped]) -> pd.DataFrame:
    """Return by kind of model, kind of copies and number of copies how well traps are detected, with the interval.

    Detection is the probability that a trap scores above one that was not planted; half counts where they are equal.
    Of secrets each is compared with its decoy in the same model; of watermarks it is the area under the ROC curve.
    """
    rows = [
        dict(zip(_COLUMNS, (kind, fuzzy, *row), strict=True))
        for kind, fuzzy, result in trapped
        for row in (_of_watermarks(result) if kind == "translator" else _of_secrets(result))
    ]
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype({"fuzzy": bool})
    order = [list(_LOOKS).index((row.kind, row.fuzzy)) for row in records(frame)]
    return frame.assign(order=order).sort_values(["order", "copies"]).drop(columns="order").reset_index(drop=True)


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a line with its band for each kind of model and of copies, the numbers of copies at equal distances."""
    titles = "Copies of a trap in the training data", "Detection: a trap scores above one not planted"
    drawing = theme.blank(*titles, height=theme.HEIGHT + 20, legend=True)
    if points.empty:
        return theme.empty(drawing, _EMPTY)
    positions, axis = canaries.positions(points["copies"].tolist())
    drawing.update_xaxes(**axis)
    drawing.update_yaxes(range=[min(0.2, float(points["low"].min()) - 0.03), theme.WHOLE], tickformat=".0%", dtick=0.1)
    theme.level(drawing, y=_CHANCE, left=True)
    for (kind, fuzzy), rows in _series(points):
        name = _named(kind, fuzzy)
        hover = [
            f"<b>{name}</b><br>{canaries.shown_times(row.copies).lower()}: {measured_in(row, 'detected')}<br>"
            f"{counted(row.traps, 'trap')}"
            for row in records(rows)
        ]
        drawn = rows.assign(x=rows["copies"].map(positions))
        traces.interval_line(drawing, drawn, ("x", "detected", "low", "high"), _LOOKS[kind, fuzzy], name, hover)
    return drawing.figure()


@once
def sentence(points: pd.DataFrame) -> str:
    """Read aloud from how many copies on traps are detected, and how much fuzzy copies differ from exact ones."""
    if points.empty:
        return _EMPTY
    series = _series(points)
    detected = [f"{_named(*key)} {_from(rows)}" for key, rows in series]
    text = f"Traps are shown to be detected beyond chance (50%): {'; '.join(detected)}."
    by_key = dict(series)
    compared = [
        _compared(kind, by_key[kind, False], by_key[kind, True])
        for kind in dict.fromkeys(kind for kind, _ in by_key)
        if {(kind, False), (kind, True)} <= by_key.keys()
    ]
    return " ".join([text, *filter(None, compared)])


@once
def places(trapped: Iterable[Trapped]) -> str:
    """Return how many words of fuzzy copies are others, after a colon; empty without fuzzy copies."""
    changed: dict[str, None] = {}
    for kind, fuzzy, result in trapped:
        if fuzzy:
            game = result.experiment["game"]
            name, words = ("watermarks", watermarks.WORDS) if kind == "translator" else ("secrets", game["length"])
            changed[f"{game['changed']} of {words} in {name}"] = None
    return f": {joined(list(changed))}" if changed else ""


def _of_secrets(result: Result) -> Iterator[tuple[int, float, float, float, int]]:
    """Yield detection by repetitions of a table of canaries; its interval is over trials, which share models."""
    secrets = result.tables["canaries"]
    for copies in sorted(secrets["repetitions"].unique().tolist()):
        rows = where(secrets, "repetitions", copies)
        above = (rows["rank"] < rows["control_rank"]) + (rows["rank"] == rows["control_rank"]) / 2
        mean = mean_of_few(np.array(above.groupby(rows["trial"]).mean(), np.float64))
        yield copies, float(above.mean()), mean.low, mean.high, len(rows)


def _of_watermarks(result: Result) -> Iterator[tuple[int, float, float, float, int]]:
    """Yield the detection of a translator's watermarks, with the interval of their area under the ROC curve.

    A bootstrap of few near the edge is too narrow: the interval is no narrower than Wilson's for as many decisions.
    """
    game = result.experiment["game"]
    traps = 2 * int(game["watermarks"])
    for row in records(where(result.tables["corpora"], "corpus", WATERMARKS)):
        if (row.features, row.rule) == _BY:
            (low,), (high,) = of_shares(pd.Series([row.auc]), traps)
            yield int(game["copies"]), row.auc, min(row.auc_low, low), max(row.auc_high, high), traps


def _series(points: pd.DataFrame) -> list[tuple[tuple[Kind, bool], pd.DataFrame]]:
    """Return the rows of each kind of model and of copies, in the order of the legend."""
    groups = dict(list(points.groupby(["kind", "fuzzy"], sort=False)))
    return [(key, groups[key]) for key in _LOOKS if key in groups]


def _named(kind: Kind, fuzzy: bool) -> str:
    return f"{kind}, {'fuzzy' if fuzzy else 'exact'} copies"


def _from(rows: pd.DataFrame) -> str:
    """Say from how many copies on every interval lies above chance."""
    planted: Sequence[Any] = records(rows[rows["copies"] > 0])
    first = None
    for row in reversed(planted):
        if not row.low > _CHANCE:
            break
        first = row
    if first is None:
        return f"at none of the numbers tried, up to {planted[-1].copies:,}" if planted else "not tried"
    return f"from {counted(first.copies, 'copy', 'copies')} on, there {measured_in(first, 'detected')}"


def _compared(kind: Kind, exact: pd.DataFrame, fuzzy: pd.DataFrame) -> str:
    """Compare fuzzy with exact copies where both are most."""
    common = sorted(set(exact["copies"]) & set(fuzzy["copies"]))
    if not common or not common[-1]:
        return ""
    [one], [other] = (records(where(rows, "copies", common[-1])) for rows in (exact, fuzzy))
    first, second = (measured(row.detected, row.low, row.high) for row in (one, other))
    text = (
        f"Of {counted(common[-1], 'copy', 'copies')} in the {kind}, exact ones are detected in {first}, fuzzy ones in "
    )
    if one.low > other.high or one.high < other.low:
        return f"{text}{second}: {'fewer' if one.low > other.high else 'more'}, beyond both intervals."
    return f"{text}{second}: {UNDECIDED}."


@once
def nulls(points: pd.DataFrame) -> str:
    """Say what is detected of secrets that no model was shown."""
    never = records(where(points, "copies", 0))
    if not never:
        return ""
    shares = joined([f"{measured_in(row, 'detected')} ({_named(row.kind, row.fuzzy)})" for row in never])
    return f"Of secrets with no copy, {shares}."
