"""How far one word moves an embedding, which Laplace noise is scaled by: ours beside Table IV of Pan et al. 2020."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import encoders, foreign, intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, number_in
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "How far one word moves an embedding"
PAPER = "the paper, Table IV"
_TABLE_4 = {
    "bert": 81.82,
    "transformer_xl": 17.09,
    "xlnet": 601.5,
    "gpt": 73.19,
    "gpt2": 110.2,
    "roberta": 4.15,
    "xlm": 219.4,
    "ernie": 28.20,
}
"""Encoder to its estimated sensitivity, as printed."""
_SCALES = {"raw": "as they come", "unit": "length one"}
_FIGURES = ("sensitivity", "sensitivity_tenth", "moved", "size")
_ROW, _LABEL = 30, 30
_LEVEL = 0.95


@once
def table(results: Sequence[Result]) -> pd.DataFrame:
    """Return a row for each of our encoders at each length, and one for each of the paper's.

    Args:
        results: Results of the encoder fingerprint whose game measured it.
    """
    rows: list[dict[str, Any]] = []
    for result in results:
        scale = _SCALES[result.experiment["model"].get("length", "raw")]
        for candidate in records(result.tables["encoders"]):
            row = {"encoder": encoders.titled(candidate.encoder), "embeddings": scale, "dimension": candidate.dimension}
            for name in _FIGURES:
                figure = result.estimates[f"{name}_{candidate.encoder}"]
                row |= {name: figure.value}
                if name in ("sensitivity_tenth", "moved"):
                    row |= {f"{name}_low": figure.low, f"{name}_high": figure.high}
            rows.append({**row, "pairs": result.estimates[f"sensitivity_{candidate.encoder}"].n})
    rows += [
        {"encoder": encoders.titled(name), "embeddings": PAPER, "sensitivity": value, "pairs": 10_000}
        for name, value in _TABLE_4.items()
    ]
    return pd.DataFrame(rows)


@once
def figure(rows: pd.DataFrame) -> go.Figure:
    """Draw a row for each encoder: the largest distance, and the one that 99% of pairs stay below."""
    ours = rows[rows["embeddings"] != PAPER]
    names = list(dict.fromkeys(rows["encoder"]))
    drawing = theme.blank("l1 distance", "", inner=_ROW * len(names), legend=True)
    drawing.update_xaxes(type="log", dtick=1)
    traces.name_rows(drawing, [foreign.shown(name, _LABEL) for name in names])
    number_of = {name: number for number, name in enumerate(names)}
    looks = dict(
        zip((*_SCALES.values(), PAPER), (*theme.distinct(2), theme.Mark(theme.PAPER, "diamond-open")), strict=True)
    )
    for scale, mark in looks.items():
        some = rows[rows["embeddings"] == scale]
        at = [number_of[name] for name in some["encoder"]]
        if some.empty:
            continue
        if scale != PAPER:
            strokes = zip(some["moved"], some["sensitivity"], strict=True)
            scatter.strokes(drawing, strokes, at, theme.veil(mark.colour, 0x60), 4, showlegend=False)
        hover = [f"<b>{foreign.shown(row.encoder)}</b>, {scale}<br>{_read(row)}" for row in records(some)]
        scatter.points(drawing, some["sensitivity"], at, mark, f"largest, {scale}", hover, size=12, cliponaxis=False)
    if len(ours):
        error = intervals.bars(ours["moved"], ours["moved_low"], ours["moved_high"], theme.INK, 2)
        mark = theme.Mark(theme.INK, "line-ns-open")
        at = [number_of[name] for name in ours["encoder"]]
        scatter.points(drawing, ours["moved"], at, mark, "99% of pairs stay below", size=11, error_x=error)
    return drawing.figure()


@once
def sentence(rows: pd.DataFrame) -> str:
    """Read both ranges aloud, and how much further another pair may move an embedding."""
    printed = rows[rows["embeddings"] == PAPER].sort_values("sensitivity")
    least, most = records(printed)[0], records(printed)[-1]
    paper = (
        f"in the paper’s Table IV between {least.sensitivity:g} ({least.encoder}) and "
        f"{most.sensitivity:g} ({most.encoder})"
    )
    parts = []
    for scale in _SCALES.values():
        ours = rows[rows["embeddings"] == scale].sort_values("sensitivity")
        if len(ours):
            low, high = records(ours)[0], records(ours)[-1]
            parts.append(
                f"between {number(low.sensitivity)} ({low.encoder}) and {number(high.sensitivity)} ({high.encoder}) "
                f"for embeddings {'of ' if scale == _SCALES['unit'] else ''}{scale}"
            )
    if not parts:
        return f"The largest l1 distance of 10,000 pairs of texts one word apart is {paper}."
    ours = rows[rows["embeddings"] != PAPER]
    pairs = int(ours["pairs"].min())
    shares = ours["sensitivity"] / ours["size"]
    part = " to ".join(dict.fromkeys((percent(shares.min()), percent(shares.max()))))
    further = 1 - (1 - _LEVEL) ** (1 / pairs)
    return (
        f"Of {counted(pairs, 'pair')} of texts one word apart, the largest l1 distance is {'; '.join(parts)}; {paper}. "
        f"That is {part} of the mean l1 norm of these embeddings. It is a "
        f"lower bound of the sensitivity: with 95% confidence, at most {100 * further:.2f}% of further pairs move an "
        "embedding more."
    )


@once
def note(rows: pd.DataFrame) -> str:
    """Say why the distances differ between encoders, and from the paper's."""
    lengths = sorted({int(length) for length in rows["dimension"].dropna()})
    return (
        "Laplace noise is scaled by this distance divided by epsilon: the same epsilon is more noise for one encoder "
        "than for another. The l1 distance adds up the changes of all coordinates. It grows with their number, here "
        f"{joined([f'{length:,}' for length in lengths])}, in the paper 768 or 1,024, and with their size, which no "
        "two encoders share. Vectors of length one, as stores hold them, are at most 2 apart, and so at most twice the "
        "root of their dimension in l1. One word is more of a short text than of a long one, too; the paper does "
        "not say which texts it changed. It embeds by the last token."
    )


def _read(row: Any) -> str:
    """Return the largest distance of a row with the number of pairs, and for ours also what most stay below."""
    of = f"of {counted(int(row.pairs), 'pair')}"
    if row.embeddings == PAPER:
        return f"largest {row.sensitivity:g} {of}"
    text = f"largest {number(row.sensitivity)} {of}"
    tenth, moved = number_in(row, "sensitivity_tenth"), number_in(row, "moved")
    return f"{text}; in a tenth of them {tenth}<br>99% stay below {moved}; mean norm {number(row.size)}"
