"""Labels of one document as a word is appended repeatedly."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, dumbbells, foreign, intervals, theme, traces
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import points as points_of
from dashboard.kit.shared import once

_SIDES = (
    ("in", "with the target", theme.Mark(theme.MEMBER, "circle", "solid")),
    ("out", "without it", theme.Mark(theme.NONMEMBER, "square", "dash")),
)
_FEW = 12
_EMPTY = "No probe is stored for this target."


@once
def of(probes: pd.DataFrame, target: int, rank: int) -> pd.DataFrame:
    """Return one probe of one target by repetitions of its word."""
    probe = probes[(probes["target"] == target) & (probes["rank"] == rank)]
    return probe.sort_values("repetitions").reset_index(drop=True)


@once
def widest(probes: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return each probe of a target at its largest difference between shadow models with and without it, by rank."""
    target_probes = probes[probes["target"] == target]
    apart = (target_probes["share_in"] - target_probes["share_out"]).abs()
    order = target_probes.assign(apart=apart).sort_values(["rank", "apart"], ascending=[True, False], kind="stable")
    return order.drop_duplicates("rank").drop(columns="apart").reset_index(drop=True)


def name(word: str, document: int) -> str:
    """Return the name of a probe; documents are counted from 1.

    >>> name("gas", 36)
    'gas · document 37'
    """
    return f"{word} · document {document + 1}"


@once
def listed(probes: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the rows of a dumbbell figure: each probe at its largest difference."""
    probes_of = widest(probes, target)
    labels = [name(f"{row.word} ×{int(row.repetitions)}", row.document) for row in records(probes_of)]
    renamed = probes_of.rename(columns={"share_in": "inside", "share_out": "outside"}).assign(label=labels)
    return renamed[list(dumbbells.COLUMNS)]


@once
def listed_figure(probes: pd.DataFrame, target: int, chosen: int | None, positive: str) -> go.Figure:
    """Draw `listed`; a point's ``customdata`` is the rank of its probe, for a click."""
    title, empty = f"Models that predict “{foreign.shown(positive, 24)}”", "There is no query for this target."
    return dumbbells.figure(listed(probes, target), title, "", chosen=chosen, long=True, empty=empty)


@once
def listed_sentence(probes: pd.DataFrame, target: int, tried: int, pairs: int) -> str:
    """Say how these probes were selected, and whether chance explains the largest difference.

    Args:
        probes: The attack's table of probes.
        target: Number of the target.
        tried: Pairs of a document and a word in the queries.
        pairs: Shadow models with the target, and as many without it.
    """
    rows = listed(probes, target)
    if rows.empty:
        return "No word was selected for this target, so there is no query."
    gap = float((rows["inside"] - rows["outside"]).abs().max())
    by_chance = chance_gap(tried * (int(probes["repetitions"].max()) + 1), pairs)
    text = (
        f"The {len(rows)} of {counted(tried, 'probe')} with the largest difference between shadow models with and "
        f"without the target, {points_of(gap)} at most. The selection favours the attack: chance alone exceeds "
    )
    if gap > by_chance:
        return f"{text}{points_of(by_chance)} no more than half of the time."
    return f"{text}{points_of(by_chance)} up to half of the time, so this is no evidence by itself."


def chance_gap(labels: int, pairs: int) -> float:
    """Return the median of the largest difference between two shares under chance.

    An upper bound: it treats labels as independent, and every share as 1/2, where the variance is largest.

    >>> round(chance_gap(1, 200), 3), round(chance_gap(24_000, 200), 2)
    (0.034, 0.21)

    Args:
        labels: Number of differences, of which the largest counts.
        pairs: Models behind each of the two shares.
    """
    deviations = NormalDist().inv_cdf((1 + 0.5 ** (1 / max(labels, 1))) / 2)
    return min(deviations * math.sqrt(0.5 / pairs), 1.0)


@once
def figure(probes: pd.DataFrame, target: int, rank: int, positive: str, pairs: int) -> go.Figure:
    """Draw the share of shadow models that predict the class, and below it the labels of one model with and without.

    Args:
        probes: The attack's table of probes.
        target: Number of the target.
        rank: Number of the probe.
        positive: The positive class.
        pairs: Shadow models with the target, and as many without it.
    """
    probe = of(probes, target, rank)
    drawing = _frame(positive)
    if probe.empty:
        return theme.empty(drawing, _EMPTY)
    times = probe["repetitions"]
    for number, (side, label, mark) in enumerate(_SIDES):
        share = probe[f"share_{side}"]
        low, high = intervals.of_shares(share, pairs)
        line = pd.DataFrame({"times": times, "share": share, "low": low, "high": high})
        hover = [
            f"<b>{label}</b>, appended {counted(int(row.times), 'time')}<br>“{foreign.shown(positive)}” predicted by "
            f"{measured_in(row, 'share')} of {pairs:,}"
            for row in records(line)
        ]
        traces.interval_line(drawing, line, ("times", "share", "low", "high"), mark, label, hover, size=11)
        _labels(drawing, values(times), values(probe[f"one_{side}"]), mark, 1 - number, label, positive)
    last = int(times.max())
    drawing.update_xaxes(range=[-0.35, last + 0.35], **({"dtick": 1} if last <= _FEW else {"nticks": 8}))
    return drawing.figure()


@once
def sentence(probes: pd.DataFrame, target: int, rank: int, positive: str, documents: int) -> str:
    """Read one probe aloud: the largest difference of the shares, and the labels of one model of each kind.

    Args:
        probes: The attack's table of probes.
        target: Number of the target.
        rank: Number of the probe.
        positive: The positive class.
        documents: Auxiliary documents to which words are appended.
    """
    probe = of(probes, target, rank)
    if probe.empty:
        return _EMPTY
    strongest = records(widest(probe, target))[0]
    document = f"document {strongest.document + 1} of the {documents:,}"
    times = int(strongest.repetitions)
    begins = (
        f"With “{strongest.word}” appended {counted(times, 'time')} to auxiliary {document},"
        if times
        else f"Before any word is appended to auxiliary {document},"
    )
    one_in, one_out = (list(map(bool, probe[f"one_{side}"])) for side, _, _ in _SIDES)
    courses = f"with the target the label {_course(one_in, positive)}, without it {_course(one_out, positive)}."
    ends = "The adversary sees only such labels of a target model."
    if one_in == one_out:
        courses = f"in both the label {_course(one_in, positive)}."
        ends = "So this pair of models gives no evidence."
    elif one_in[times] != one_out[times] and one_in[times] != (strongest.share_in > strongest.share_out):
        ends = "This pair of models contradicts the shares: a single label is weak evidence."
    return (
        f"{begins} {percent(strongest.share_in)} of shadow models with the target predict “{positive}”, and "
        f"{percent(strongest.share_out)} of those without it. One model of each kind is drawn below: {courses} {ends}"
    )


def flip(labels: Sequence[bool]) -> int | None:
    """Return the number of repetitions at which the label first differs from the original; None if never.

    >>> flip([False, False, True]), flip([True, True])
    (2, None)
    """
    return next((times for times, label in enumerate(labels) if label != labels[0]), None)


def _course(labels: Sequence[bool], positive: str) -> str:
    """Describe a label as the word is appended."""
    first, other = (f"“{positive}”", f"“not {positive}”")[:: 1 if labels[0] else -1]
    after = flip(labels)
    if after is None:
        return f"stays {first}"
    back = "" if all(label != labels[0] for label in labels[after:]) else ", and back later"
    return f"goes from {first} to {other} after {counted(after, 'time')}{back}"


def _frame(positive: str) -> Drawing:
    drawing = theme.blank("Times the word is appended", "", height=500, legend=True)
    shares, models = theme.rows(drawing, [0.72, 0.28], gap=0.12)
    label = foreign.shown(positive, 24)
    title = f"Shadow models that predict “{label}”"
    axes.title_row(drawing, shares, title, tickformat=".0%", range=[1 - theme.WHOLE, theme.WHOLE])
    axes.with_and_without(drawing, models, "One of each", 0.6)
    corner: dict[str, Any] = {"xref": "paper", "x": 0, "xanchor": "left", "yref": "y2 domain", "y": 1}
    theme.note(drawing, f"■ predicts “{label}”   □ does not", yanchor="bottom", yshift=3, **corner)
    return drawing


def _labels(
    drawing: Drawing, times: Sequence[int], labels: Sequence[bool], mark: theme.Mark, row: int, name: str, positive: str
) -> None:
    """Draw the labels of one model by repetitions: filled for the class, hollow for the other."""
    class_name = foreign.shown(positive)
    drawing.add_scatter(
        x=list(times),
        y=[row] * len(times),
        mode="markers",
        yaxis="y2",
        name=name,
        showlegend=False,
        marker={
            "color": mark.colour,
            "symbol": ["square" if is_positive else "square-open" for is_positive in labels],
            "size": 20 if len(times) <= _FEW else 8,
            "line": {"color": mark.colour, "width": 2.5},
        },
        text=[
            f"one shadow model {name}<br>appended {counted(int(at), 'time')}: “{'' if yes else 'not '}{class_name}”"
            for at, yes in zip(times, labels, strict=True)
        ],
    )
