"""Exposure: the rank of true secrets among all others by the network's loss alone, without a search."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.games.canaries.exposure import unlearnt_mean
from core.statistics.intervals import difference
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, scatter, theme
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records, where
from dashboard.kit.shared import once
from dashboard.kit.words import number
from dashboard.topics.canaries.figures import answer, canaries

TITLE = "Exposure of each secret"
_SIDES = (
    ("exposure", "", "true secrets", theme.Mark(theme.veil(theme.MEMBER, 0xA0), "circle"), -0.2),
    (
        "control",
        "control_",
        "decoys, not in the data",
        theme.Mark(theme.veil(theme.NONMEMBER, 0xA0), "square-open"),
        0.2,
    ),
)
"""Column of the exposure, prefix of the ends of its mean, name, look, and distance from the middle of a column."""
_MEAN = theme.Mark(theme.INK, "line-ew")
_SPREAD = 0.22


@once
def points(canaries_table: pd.DataFrame) -> pd.DataFrame:
    """Return the exposure of each secret of the table ``canaries`` and of its decoy, in bits."""
    control = [answer.bits(row.control_rank, row) for row in records(canaries_table)]
    columns = ["model", "trial", "pattern", "repetitions", "exposure", "rank", "control_rank", "exact"]
    return canaries_table[columns].assign(control=control)


@once
def figure(canaries_table: pd.DataFrame, exposures: pd.DataFrame) -> go.Figure:
    """Draw a point for each secret and each decoy, the means with intervals, the ceiling and the level of chance."""
    drawing = theme.blank("Repetitions of each secret in the data", "Exposure (bits)", legend=True)
    if canaries_table.empty:
        return theme.empty(drawing, "No secret was scored.")
    secrets, means = points(canaries_table), canaries.over_all(exposures)
    positions, axis = canaries.positions(secrets["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    top = float(exposures["ceiling"].max())
    lowest = min(0.0, float(secrets[["exposure", "control"]].min().min()))
    drawing.update_yaxes(range=[lowest - 0.04 * top, 1.12 * top], nticks=8)
    theme.level(drawing, y=float(means["chance"].mean()), text="chance: not in the data", listed=True)
    _ceilings(drawing, exposures)
    for column, prefix, name, mark, side in _SIDES:
        x = secrets["repetitions"].map(positions) + side
        hover = [_hover(row, column) for row in records(secrets)]
        scatter.points(drawing, x + _offsets(secrets), secrets[column], mark, name, hover, size=8)
        mean, low, high = means[column], means[f"{prefix}low"], means[f"{prefix}high"]
        hover = [
            f"<b>mean of {name}</b><br>{value:.1f} bits (95% interval {below:.1f}–{above:.1f})"
            for value, below, above in zip(mean, low, high, strict=True)
        ]
        look: dict[str, Any] = {"edge": {"width": 3, "color": theme.INK}, "showlegend": not prefix}
        error = intervals.bars(mean, low, high, theme.INK, 2.5)
        middle = means["repetitions"].map(positions) + side
        scatter.points(drawing, middle, mean, _MEAN, "mean, 95% interval", hover, size=30, error_y=error, **look)
    return drawing.figure()


@once
def sentence(canaries_table: pd.DataFrame, exposures: pd.DataFrame) -> str:
    """Read the exposure at the most repetitions aloud: mean, decoys, chance, ranks and the ceiling."""
    if canaries_table.empty:
        return "No secret was scored."
    last = records(canaries.over_all(exposures).sort_values("repetitions"))[-1]
    secrets = canaries_table[canaries_table["repetitions"] == last.repetitions]
    low, high = (f"{end:.1f}" for end in (last.low, last.high))
    interval = "" if low == high else f"(95% interval {low}–{high}) "
    text = (
        f"{canaries.shown_times(last.repetitions)}, a secret has a mean exposure of {last.exposure:.1f} bits "
        f"{interval}of at most {last.ceiling:.1f}; a decoy has {last.control:.1f} (chance: {last.chance:.1f}). "
        f"{_ranks(secrets, last)}"
    )
    text += f" {_revealed(last)}"
    if not secrets["exact"].all():
        sampled = round(2 ** float(exposures["ceiling"].max())) - 1
        text += (
            f" Only a random sample of {number(sampled)} secrets was scored, so the exposure cannot exceed "
            f"log2({sampled + 1:,}) = {np.log2(sampled + 1):.1f} bits."
        )
    return " ".join(filter(None, (text, _never_shown(exposures))))


def _revealed(row: Any) -> str:
    """Say whether the loss reveals secrets: more than by chance, and more than decoys if these exceed chance, too."""
    if not row.low > row.chance:
        return "That is not shown to be more than chance."
    usual = unlearnt_mean(row.chance, row.canaries)
    lead = difference(interval_of(row, "exposure", "low", "high"), interval_of(row, "control"))
    if row.control > usual.high and not lead.low > 0:
        return (
            f"But as many decoys have at most {usual.high:.1f} by chance in 97.5% of draws, and that secrets have more "
            "than decoys is not shown: what the loss favours need not have been in the data."
        )
    return "The network’s loss alone therefore reveals secrets."


def _never_shown(exposures: pd.DataFrame) -> str:
    """Say what secrets that were never shown have, and what as many have by chance; nothing where all were shown."""
    never = records(where(canaries.over_all(exposures), "repetitions", 0))
    if not never:
        return ""
    (row,) = never
    usual = unlearnt_mean(row.chance, row.canaries)
    return (
        f"{counted(row.canaries, 'secret')} never shown have a mean of {row.exposure:.2f} bits; chance alone gives as "
        f"many a mean between {usual.low:.2f} and {usual.high:.2f} in 95% of draws."
    )


def _ranks(secrets: pd.DataFrame, row: Any) -> str:
    """Say how many secrets rank first, or the median rank where none does."""
    if not secrets["exact"].all():
        return f"The median rank of the true secret is about {number(float(f'{row.rank:.2g}'))}."
    first = int((secrets["rank"] == 1).sum())
    if first:
        return f"The true secret ranks first in {first} of {counted(len(secrets), 'case')}."
    return f"The median rank of the true secret is {row.rank:,.0f}, that of decoys {row.control_rank:,.0f}."


def _ceilings(drawing: Drawing, exposures: pd.DataFrame) -> None:
    levels = sorted({round(float(level), 6) for level in exposures.loc[exposures["pattern"] != "all", "ceiling"]})
    text = "ceiling: rank 1 of all scored secrets" if len(levels) == 1 else "ceilings, by number of secrets"
    for level in levels:
        line = {"color": theme.veil(theme.INK, 0x90), "width": 2, "dash": "dot"}
        theme.rule(drawing, y=level, name=text, line=line, showlegend=level == levels[0])


def _offsets(secrets: pd.DataFrame) -> "pd.Series[Any]":
    """Return the horizontal offset of each point from the middle of its column, so that equal points stay visible."""
    index = secrets.groupby("repetitions").cumcount()
    count = secrets.groupby("repetitions")["model"].transform("size")
    return _SPREAD * (index - (count - 1) / 2) / count.clip(lower=4)


def _hover(row: Any, column: str) -> str:
    secret = "the true secret" if column == "exposure" else "a decoy"
    rank = row.rank if column == "exposure" else row.control_rank
    about = "" if row.exact else "about "
    times = canaries.shown_times(row.repetitions).lower()
    return (
        f"<b>{canaries.pattern_name(row.pattern)}, {secret}</b><br>{times}, trial {row.trial + 1}<br>"
        f"rank {about}{rank:,.0f}: {getattr(row, column):.1f} bits"
    )
