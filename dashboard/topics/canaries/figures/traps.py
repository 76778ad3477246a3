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
from core.statistics.wording import measured_in
from core.statistics.wording.naming import counted
from dashboard.kit.figures import intervals, theme, traces
from dashboard.kit.figures.tables import from_on, records, where
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
            ("request model", True),
            ("fine-tuned language model", False),
        ),
        theme.distinct(7),
        strict=True,
    )
)
_COLUMNS = ("kind", "fuzzy", "copies", "detected", "low", "high", "traps")
_Pair = tuple[Kind, pd.DataFrame, pd.DataFrame]
"""A kind of model, its rows of exact copies, and those of fuzzy ones."""
_APART = 0.1
"""Distance of two series at a number of copies, where that of two numbers is 1."""
_FUZZY_FROM = 2
"""Copies from which on one differs: of a single one, none does."""


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
    """Draw points with their intervals for each kind of model and of copies, the numbers of copies at equal distances.

    Those of one number of copies stand side by side, since most lie at or near 100%.
    """
    titles = "Copies of a trap in the training data", "Detection (probability)"
    drawing = theme.blank(*titles, height=theme.HEIGHT + 40, right=4, legend=True)
    if points.empty:
        return theme.empty(drawing, _EMPTY)
    positions, axis = canaries.positions(points["copies"].tolist())
    drawing.update_xaxes(**axis)
    drawing.update_yaxes(range=[min(0.2, float(points["low"].min()) - 0.03), theme.WHOLE], tickformat=".0%", dtick=0.1)
    theme.level(drawing, y=_CHANCE, left=True)
    series = _series(points)
    for number, ((kind, fuzzy), rows) in enumerate(series):
        name, mark = _named(kind, fuzzy), _LOOKS[kind, fuzzy]
        hover = [
            f"<b>{name}</b><br>{canaries.shown_times(row.copies).lower()}: {measured_in(row, 'detected')}<br>"
            f"{counted(row.traps, 'trap')}"
            for row in records(rows)
        ]
        x = rows["copies"].map(positions) + _APART * (number - (len(series) - 1) / 2)
        bars = intervals.bars(rows["detected"], rows["low"], rows["high"], theme.veil(mark.colour, 0x88))
        mode = "lines+markers" if len(rows) > 1 else "markers"
        traces.series(
            drawing, x, rows["detected"], mark, mode=mode, width=1.5, size=8, name=name, text=hover, error_y=bars
        )
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
    pairs = [
        (kind, by_key[kind, False], by_key[kind, True])
        for kind in dict.fromkeys(kind for kind, _ in by_key)
        if {(kind, False), (kind, True)} <= by_key.keys()
    ]
    exact = [(kind, rows) for (kind, fuzzy), rows in series if not fuzzy]
    return " ".join([text, *_more_copies(exact), *_compared(pairs), *_added(pairs)])


@once
def places(trapped: Iterable[Trapped]) -> str:
    """Return after a colon how many words of fuzzy copies are others in each kind of model; empty without any."""
    changed: dict[str, None] = {}
    for kind, fuzzy, result in trapped:
        if fuzzy:
            game = result.experiment["game"]
            words = watermarks.WORDS if kind == "translator" else game["length"]
            changed[f"{game['changed']} of {words} in the {kind}"] = None
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
            (low,), (high,) = intervals.of_shares(pd.Series([row.auc]), traps)
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
    first = from_on(planted, lambda row: row.low > _CHANCE)
    if first is None:
        return f"at none of the numbers tried, up to {planted[-1].copies:,}" if planted else "not tried"
    return f"from {counted(first.copies, 'copy', 'copies')} on, there {measured_in(first, 'detected')}"


def _more_copies(exact: Iterable[tuple[Kind, pd.DataFrame]]) -> Iterator[str]:
    """Say in each kind of model whether most exact copies are detected otherwise than one; undecided ones together."""
    undecided = []
    for kind, rows in exact:
        if 1 not in rows["copies"].tolist() or rows["copies"].max() == 1:
            continue
        one, most = _at(rows, 1), _at(rows, rows["copies"].max())
        if difference := _beyond(one, most):
            first, second = (measured_in(row, "detected") for row in (one, most))
            yield (
                f"In the {kind}, {most.copies:,} exact copies are detected in {second}, one in {first}: {difference}, "
                "beyond both intervals."
            )
        else:
            undecided.append(f"{most.copies:,} in the {kind}")
    if undecided:
        yield f"That more exact copies are detected more or less often than one is not shown of {joined(undecided)}."


def _compared(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Compare exact with fuzzy copies in each kind of model, where both are most; undecided ones in one sentence."""
    undecided = []
    for kind, exact, fuzzy in pairs:
        common = sorted(set(exact["copies"]) & set(fuzzy["copies"]))
        if not common or not common[-1]:
            continue
        one, other = (_at(rows, common[-1]) for rows in (exact, fuzzy))
        first, second = (measured_in(row, "detected") for row in (one, other))
        if difference := _beyond(one, other):
            yield (
                f"Of {counted(common[-1], 'copy', 'copies')} in the {kind}, exact ones are detected in {first}, fuzzy "
                f"ones in {second}: {difference}, beyond both intervals."
            )
        else:
            undecided.append(f"{first} and {second} at {common[-1]:,} in the {kind}")
    if undecided:
        each = "each time " if len(undecided) > 1 else ""
        yield f"Exact and as many fuzzy copies: {'; '.join(undecided)}: {each}{UNDECIDED}."


def _added(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Say in each kind of model whether fuzzy copies are detected otherwise than the exact one among them alone."""
    alike, whole = [], []
    for kind, exact, fuzzy in pairs:
        if 1 not in exact["copies"].tolist() or fuzzy["copies"].max() < _FUZZY_FROM:
            continue
        one, most = _at(exact, 1), _at(fuzzy, fuzzy["copies"].max())
        if difference := _beyond(one, most):
            first, second = (measured_in(row, "detected") for row in (one, most))
            yield (
                f"In the {kind}, {most.copies:,} fuzzy copies are detected in {second}, one exact copy in {first}: "
                f"{difference}, beyond both intervals."
            )
        else:
            alike.append(f"the {kind}")
            whole += [f"the {kind}"] if one.detected == 1 else []
    if alike:
        yield (
            f"Fuzzy copies include an exact one: nothing shows that the others add to its detection in {joined(alike)}."
        )
    if whole:
        yield f"In {joined(whole)} nothing could: one exact copy is already detected every time."


def _at(rows: pd.DataFrame, copies: int) -> Any:
    """Return the row of a number of copies."""
    [row] = records(where(rows, "copies", copies))
    return row


def _beyond(one: Any, other: Any) -> str:
    """Say whether more or fewer traps of the other are detected, beyond both intervals; empty where they overlap."""
    if one.low > other.high:
        return "fewer"
    return "more" if one.high < other.low else ""


@once
def nulls(points: pd.DataFrame) -> str:
    """Say what is detected of secrets that no model was shown."""
    never = records(where(points, "copies", 0))
    if not never:
        return ""
    shares = joined([f"{measured_in(row, 'detected')} ({_named(row.kind, row.fuzzy)})" for row in never])
    return f"Of secrets with no copy, {shares}."
