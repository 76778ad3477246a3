"""Exposure: how far true secrets stand out among all others by the network's loss alone, without any search."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import number
from dashboard.topics.canaries.figures import answer, canaries

TITLE = "Exposure of each secret"
_SIDES = (
    ("exposure", "true secrets", theme.MEMBER, "circle", -0.2),
    ("control", "decoys, never learnt", theme.NONMEMBER, "square-open", 0.2),
)
_SPREAD = 0.22


def points(told: pd.DataFrame) -> pd.DataFrame:
    """Return the exposure of each secret and of its decoy, bits.

    Args:
        told: The table ``canaries``, as the game declares it.
    """
    control = [answer.bits(row.control_rank, row) for row in records(told)]
    columns = ["model", "trial", "pattern", "repetitions", "exposure", "rank", "control_rank", "exact"]
    return told[columns].assign(control=control)


def figure(told: pd.DataFrame, exposures: pd.DataFrame) -> go.Figure:
    """Draw a point for each secret and each decoy, the means with intervals, the ceiling and what guessing gives.

    Args:
        told: The table ``canaries``.
        exposures: The table ``exposures``.
    """
    drawing = theme.blank("Times that each secret was put among the data", "Exposure (bits)", legend=True)
    if told.empty:
        return theme.empty(drawing, "No secret was scored.")
    found, means = points(told), canaries.over_all(exposures)
    places, axis = canaries.places(found["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    top = float(exposures["ceiling"].max())
    low = min(0.0, float(found[["exposure", "control"]].min().min()))
    drawing.update_yaxes(range=[low - 0.04 * top, 1.12 * top], nticks=8)
    theme.level(drawing, y=float(means["chance"].mean()), text="never learnt, on average")
    drawing.layout["annotations"][-1].update(yanchor="bottom", yshift=2)
    _ceilings(drawing, exposures)
    for column, name, colour, symbol, side in _SIDES:
        drawing.add_scatter(
            x=[places[at] + side + off for at, off in zip(found["repetitions"], _off(found), strict=True)],
            y=found[column],
            mode="markers",
            name=name,
            marker={"color": theme.veil(colour, 0xA0), "symbol": symbol, "size": 8},
            text=[_hover(row, column) for row in records(found)],
        )
        mean, ends = means[column], ("low", "high") if column == "exposure" else ("control_low", "control_high")
        drawing.add_scatter(
            x=[places[at] + side for at in means["repetitions"]],
            y=mean,
            mode="markers",
            showlegend=False,
            marker={"color": theme.INK, "symbol": "line-ew", "size": 30, "line": {"width": 3, "color": theme.INK}},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": (means[ends[1]] - mean).clip(lower=0),
                "arrayminus": (mean - means[ends[0]]).clip(lower=0),
                "thickness": 2.5,
                "width": 7,
                "color": theme.INK,
            },
            text=[
                f"<b>mean of {name}</b><br>{value:.1f} bits (95% interval {below:.1f}–{above:.1f})"
                for value, below, above in zip(mean, means[ends[0]], means[ends[1]], strict=True)
            ],
        )
    return drawing.figure()


def sentence(told: pd.DataFrame, exposures: pd.DataFrame) -> str:
    """Read exposure aloud where secrets were shown most often: mean, median rank, decoys, and what limits it."""
    if told.empty:
        return "No secret was scored."
    last = records(canaries.over_all(exposures).sort_values("repetitions"))[-1]
    own = told[told["repetitions"] == last.repetitions]
    text = (
        f"{canaries.shown(last.repetitions)}, a secret has {last.exposure:.1f} bits of exposure on average "
        f"{_interval(last)}of at most {last.ceiling:.1f}; a decoy has {last.control:.1f}, "
        f"and guessing gives {last.chance:.1f}. {_ranks(own, last)}"
    )
    if last.low > last.chance:
        text += " So the network’s loss alone gives secrets away."
    else:
        text += " That is not shown to be more than guessing."
    if not own["exact"].all():
        sampled = round(2 ** float(exposures["ceiling"].max())) - 1
        text += (
            f" Of so many secrets {number(sampled)} random ones were scored, not all: exposure cannot come out above "
            f"log2({sampled + 1:,}) = {np.log2(sampled + 1):.1f} bits, whatever the network holds."
        )
    return text


def _interval(row: Any) -> str:
    low, high = (f"{end:.1f}" for end in (row.low, row.high))
    return "" if low == high else f"(95% interval {low}–{high}) "


def _ranks(own: pd.DataFrame, row: Any) -> str:
    """Say in words how many secrets rank first, or what the median rank is."""
    if not own["exact"].all():
        return f"The median rank of the truth is about {number(float(f'{row.rank:.2g}'))}."
    first = int((own["rank"] == 1).sum())
    if first:
        return f"The truth ranks first of all in {first} of {counted(len(own), 'case')}."
    return f"The median rank of the truth is {row.rank:,.0f}, that of decoys {row.control_rank:,.0f}."


def _ceilings(drawing: Drawing, exposures: pd.DataFrame) -> None:
    levels = sorted({round(float(level), 6) for level in exposures.loc[exposures["pattern"] != "all", "ceiling"]})
    for level in levels:
        theme.rule(
            drawing, y=level, name="ceiling", line={"color": theme.veil(theme.INK, 0x90), "width": 2, "dash": "dot"}
        )
    theme.note(
        drawing,
        "ceiling: no scored secret fits better" if len(levels) == 1 else "ceilings, by number of secrets",
        xref="x domain",
        x=0,
        xanchor="left",
        y=levels[-1],
        yanchor="bottom",
        yshift=1,
    )


def _off(found: pd.DataFrame) -> list[float]:
    """Return by how much each point stands beside the middle of its column, so that equal ones can be counted."""
    place = found.groupby("repetitions").cumcount()
    count = found.groupby("repetitions")["model"].transform("size")
    return list(_SPREAD * (place - (count - 1) / 2) / count.clip(lower=4))


def _hover(row: Any, column: str) -> str:
    which = "the truth" if column == "exposure" else "a decoy"
    rank = row.rank if column == "exposure" else row.control_rank
    about = "" if row.exact else "about "
    return (
        f"<b>{canaries.called(row.pattern)}, {which}</b><br>{canaries.shown(row.repetitions).lower()}, trial "
        f"{row.trial + 1}<br>rank {about}{rank:,.0f}: {getattr(row, column):.1f} bits"
    )
