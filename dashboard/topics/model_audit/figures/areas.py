"""How well each adversary tells documents in from documents out of one model, the blind baseline first."""

import pandas as pd
import plotly.graph_objects as go

from core.audits.model_verdict import STATISTICS
from core.statistics.intervals import low_of_many
from core.statistics.wording import area
from core.statistics.wording.naming import adversary_name, capitalised
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures import intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

_OWN = {
    "word_pair_audit": "Word pairs, calibrated",
    "classifier_audit": "Likelihood ratio of confidence",
    "log_probability_audit": "Log-probability less what difficulty explains",
}
"""Answers of audits that are by no single statistic of others."""
_OTHERS = ("uncalibrated", "l2_distance", "confidence", "one_round", *STATISTICS)
"""Variants in their order, after the blind baseline and the attack."""
_AUDIT = "_audit"
"""How names of attacks end that audit one model."""
_ATTACK = "(the attack)"
_ROW = 62


def title(unit: str) -> str:
    """Return the title of the figure; ``unit`` is what a target is."""
    return f"{capitalised(unit)}s in against {unit}s out, of this one model"


@once
def table(figures: pd.DataFrame, answer: str, reads: str = "texts") -> pd.DataFrame:
    """Return the AUC of each adversary, the blind baseline first, then the attack.

    Args:
        figures: Table of the game.
        answer: Name of the statistic that gave the answer about a language model.
        reads: What the blind baseline reads, in words.
    """

    def named(variant: str) -> str:
        if variant == BLIND:
            return f"{adversary_name(BLIND)}: {reads} alone"
        if variant.endswith(_AUDIT):
            return f"{_OWN.get(variant) or adversary_name(answer)} {_ATTACK}"
        return adversary_name(variant)

    def order(variant: str) -> int:
        if variant in _OTHERS:
            return 2 + _OTHERS.index(variant)
        return 0 if variant == BLIND else 1

    aucs = figures[figures["measure"] == "auc"].assign(adversary=lambda rows: rows["variant"].map(named))
    aucs = aucs.sort_values("variant", key=lambda names: names.map(order), kind="stable")
    return aucs[["adversary", "variant", "value", "low", "high", "chance", "members", "nonmembers"]].reset_index(
        drop=True
    )


@once
def figure(aucs: pd.DataFrame, unit: str = "document") -> go.Figure:
    """Draw a point with its interval for each adversary, and chance as a line.

    The blind baseline is largest and has no colour; the attack has the accent.
    """
    drawing = theme.blank(f"AUC (bars: 95% intervals over {unit}s)", "", inner=_ROW * max(len(aucs), 2))
    if aucs.empty:
        return theme.empty(drawing, "No adversary has answered.")
    theme.level(drawing, x=0.5)
    querying = [name for name in aucs["variant"] if name != BLIND]
    marks = dict(zip(querying, theme.distinct(len(querying)), strict=True)) | {BLIND: theme.Mark(theme.INK, "x")}
    for position, row in enumerate(records(aucs)):
        mark = marks[row.variant]
        error = intervals.bars([row.value], [row.low], [row.high], mark.colour, 3)
        count = f"{row.members:,} in, {row.nonmembers:,} out"
        hover = [f"<b>{row.adversary}</b><br>AUC {area(row.value, row.low, row.high)}<br>{count}"]
        size = 19 if row.variant == BLIND else 13
        scatter.points(
            drawing, [row.value], [position], mark, row.adversary, hover, size=size, error_x=error, cliponaxis=False
        )
        traces.left_label(drawing, row.adversary, position, yshift=22)
    drawing.update_xaxes(range=[min(0.35, aucs["low"].min() - 0.03), 1.02], dtick=0.1)
    drawing.update_yaxes(range=[len(aucs) - 0.5, -0.75], showgrid=False, showticklabels=False)
    return drawing.figure()


@once
def sentence(aucs: pd.DataFrame) -> str:
    """Read the figure aloud, the blind baseline first."""
    if aucs.empty:
        return "No adversary has answered."
    rows = records(aucs)
    figures = [f"{row.adversary} {area(row.value, row.low, row.high, named=row is rows[0])}" for row in rows]
    planned = [row.variant == BLIND or _ATTACK in row.adversary for row in rows]
    looked_at = [1 if alone else planned.count(False) + 1 for alone in planned]
    lows = [low_of_many(row.value, row.low, count) for row, count in zip(rows, looked_at, strict=True)]
    above = [row.adversary for row, low in zip(rows, lows, strict=True) if low > row.chance]
    found = f"above chance: {joined(above)}" if above else "none is above chance"
    found = (
        capitalised(found)
        if all(planned)
        else f"After correction for several tests, {'still ' if above else ''}{found}"
    )
    return f"AUC of {rows[0].members:,} in and {rows[0].nonmembers:,} out: {'; '.join(figures)}. {found}."
