"""One word appended to one document again and again, and when the classifier's label flips."""

import math
from collections.abc import Sequence
from statistics import NormalDist

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import dumbbells, foreign, intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted, measured, percent

_SIDES = (
    ("in", "with the target", theme.Mark(theme.MEMBER, "circle", "solid")),
    ("out", "without it", theme.Mark(theme.NONMEMBER, "square", "dash")),
)
_FEW = 12


def of(probes: pd.DataFrame, target: int, rank: int) -> pd.DataFrame:
    """Return one probe of one target, by the number of times its word is appended."""
    own = probes[(probes["target"] == target) & (probes["rank"] == rank)]
    return own.sort_values("repetitions").reset_index(drop=True)


def widest(probes: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return each probe of a target where shadow models with and without it differ most, the most telling first."""
    own = probes[probes["target"] == target]
    apart = (own["share_in"] - own["share_out"]).abs()
    order = own.assign(apart=apart).sort_values(["rank", "apart"], ascending=[True, False], kind="stable")
    return order.drop_duplicates("rank").drop(columns="apart").reset_index(drop=True)


def name(word: str, document: int) -> str:
    """Return what a probe is called; documents are counted from 1.

    >>> name("gas", 36)
    'gas · document 37'
    """
    return f"{word} · document {document + 1}"


def listed(probes: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the rows of a dumbbell figure: each probe where it tells most."""
    own = widest(probes, target)
    labels = [name(f"{row.word} ×{int(row.repetitions)}", row.document) for row in records(own)]
    renamed = own.rename(columns={"share_in": "inside", "share_out": "outside"}).assign(label=labels)
    return renamed[list(dumbbells.COLUMNS)]


def listed_sentence(probes: pd.DataFrame, target: int, tried: int, pairs: int) -> str:
    """Say which probes these are, of how many, and whether chance alone could part as many as far.

    Args:
        probes: As the attack declares it.
        target: Number of the target.
        tried: Pairs of a document and a word that the adversary asks about.
        pairs: Shadow models with the target, and as many without it.
    """
    own = listed(probes, target)
    if own.empty:
        return "No word was chosen for this target, so nothing is asked about it."
    gap = float((own["inside"] - own["outside"]).abs().max())
    by_chance = chance_gap(tried * (int(probes["repetitions"].max()) + 1), pairs)
    text = (
        f"The {len(own)} of {counted(tried, 'probe')} on which shadow models with and without the target differ most, "
        f"by {_points(gap)} at best. They are picked for it and flatter: "
    )
    if gap > by_chance:
        return f"{text}still, chance alone would hardly part any of them by more than {_points(by_chance)}."
    return (
        f"{text}among so many, chance alone may part one by up to {_points(by_chance)}, so this is no evidence by "
        "itself."
    )


def chance_gap(labels: int, pairs: int) -> float:
    """Return how far apart two shares lie at most if only chance parts them, by the median of many such maxima.

    An upper bound: it takes the labels for independent and every share for one half, where it varies most.

    >>> round(chance_gap(1, 200), 3), round(chance_gap(24_000, 200), 2)
    (0.034, 0.21)

    Args:
        labels: Of how many differences the largest is meant.
        pairs: Models behind each of the two shares.
    """
    deviations = NormalDist().inv_cdf((1 + 0.5 ** (1 / max(labels, 1))) / 2)
    return min(deviations * math.sqrt(0.5 / pairs), 1.0)


def _points(share: float) -> str:
    return counted(round(100 * share), "point")


def figure(probes: pd.DataFrame, target: int, rank: int, positive: str, pairs: int) -> go.Figure:
    """Draw the share of shadow models that say the class, and below it what one of each says.

    Args:
        probes: As the attack declares it.
        target: Number of the target.
        rank: Which of its probes.
        positive: The class that is looked for.
        pairs: Shadow models with the target, and as many without it.
    """
    shown = of(probes, target, rank)
    drawing = _frame(positive)
    if shown.empty:
        return theme.empty(drawing, "No probe is kept for this target.")
    times = shown["repetitions"]
    for number, (side, label, mark) in enumerate(_SIDES):
        share = shown[f"share_{side}"]
        low, high = intervals.of_shares(share, pairs)
        intervals.line(
            drawing,
            times,
            share,
            low,
            high,
            mark,
            name=label,
            size=11,
            said=[
                f"<b>{label}</b>, appended {counted(int(at), 'time')}<br>“{foreign.shown(positive)}” say "
                f"{measured(value, least, most)} of {pairs:,}"
                for at, value, least, most in zip(times, share, low, high, strict=True)
            ],
        )
        _labels(drawing, values(times), values(shown[f"one_{side}"]), mark, 1 - number, label, positive)
    last = int(times.max())
    drawing.update_xaxes(range=[-0.35, last + 0.35], **({"dtick": 1} if last <= _FEW else {"nticks": 8}))
    return drawing.figure()


def sentence(probes: pd.DataFrame, target: int, rank: int, positive: str, asked: int) -> str:
    """Read one probe aloud: where the shares differ most, and what one model of each kind says.

    Args:
        probes: As the attack declares it.
        target: Number of the target.
        rank: Which of its probes.
        positive: The class that is looked for.
        asked: Documents that the adversary appends words to.
    """
    shown = of(probes, target, rank)
    if shown.empty:
        return "No probe is kept for this target."
    at = records(widest(shown, target))[0]
    document = f"document {at.document + 1} of the {asked:,}"
    times = int(at.repetitions)
    begins = (
        f"With “{at.word}” appended {counted(times, 'time')} to {document}, which is the adversary’s own,"
        if times
        else f"Before anything is appended to {document}, which is the adversary’s own,"
    )
    one_in, one_out = (list(map(bool, shown[f"one_{side}"])) for side, _, _ in _SIDES)
    ends = "Such labels are all that the adversary sees of a target model."
    if one_in == one_out:
        ends = "Both alike: this pair tells nothing."
    elif one_in[times] != one_out[times] and one_in[times] != (at.share_in > at.share_out):
        ends = "This pair goes against the many: a single label tells little."
    return (
        f"{begins} {percent(at.share_in)} of shadow models with the target say “{positive}”, and "
        f"{percent(at.share_out)} of those without it. One of each, below: with the target the label "
        f"{_course(one_in, positive)}, without it {_course(one_out, positive)}. {ends}"
    )


def flip(labels: Sequence[bool]) -> int | None:
    """Return after how many times the label first differs from that of the document as it is; None where never.

    >>> flip([False, False, True]), flip([True, True])
    (2, None)
    """
    return next((times for times, label in enumerate(labels) if label != labels[0]), None)


def _course(labels: Sequence[bool], positive: str) -> str:
    """Return what a label does as the word is appended."""
    first, other = (f"“{positive}”", f"“not {positive}”")[:: 1 if labels[0] else -1]
    after = flip(labels)
    if after is None:
        return f"stays {first}"
    back = "" if all(label != labels[0] for label in labels[after:]) else ", and back later"
    return f"goes from {first} to {other} after {counted(after, 'time')}{back}"


def _frame(positive: str) -> Drawing:
    drawing = theme.blank("Times the word is appended", "", height=500, legend=True)
    theme.rows(drawing, [0.72, 0.28], gap=0.12)
    said = foreign.shown(positive, 24)
    drawing.update_layout(
        yaxis={"title": {"text": f"Shadow models that say “{said}”"}, "tickformat": ".0%", "range": [-0.04, 1.04]},
        yaxis2={
            "title": {"text": "One of each"},
            "tickvals": [0, 1],
            "ticktext": ["without", "with"],
            "range": [-0.6, 1.6],
            "showgrid": False,
        },
    )
    theme.note(
        drawing,
        f"■ says “{said}”   □ does not",
        xref="paper",
        x=0,
        xanchor="left",
        yref="y2 domain",
        y=1,
        yanchor="bottom",
        yshift=3,
    )
    return drawing


def _labels(
    drawing: Drawing, times: Sequence[int], says: Sequence[bool], mark: theme.Mark, row: int, label: str, positive: str
) -> None:
    """Draw what one model says at each number of times: filled for the class, hollow for the other."""
    said = foreign.shown(positive)
    drawing.add_scatter(
        x=list(times),
        y=[row] * len(times),
        mode="markers",
        yaxis="y2",
        name=label,
        showlegend=False,
        marker={
            "color": mark.colour,
            "symbol": ["square" if positive else "square-open" for positive in says],
            "size": 20 if len(times) <= _FEW else 8,
            "line": {"color": mark.colour, "width": 2.5},
        },
        text=[
            f"one shadow model {label}<br>appended {counted(int(at), 'time')}: “{'' if yes else 'not '}{said}”"
            for at, yes in zip(times, says, strict=True)
        ],
    )
