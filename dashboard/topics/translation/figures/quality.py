"""BLEU of translations by epoch: of members, non-members and foreign pairs."""

import pandas as pd
import plotly.graph_objects as go

from core.games.translation_membership.split import WATERMARKS
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

_EMPTY = "Translations were not recorded before the last epoch."
TITLE = "Quality of the translations"
_LINES = {
    "trained": ("members", theme.Mark(theme.MEMBER, "circle", "solid")),
    "new": ("non-members of the same subcorpora", theme.Mark(theme.NONMEMBER, "square", "dash")),
    "foreign": ("pairs of foreign subcorpora", theme.Mark(theme.THIRD, "triangle-up", "dot")),
}


@once
def means(quality: pd.DataFrame, bleu: pd.DataFrame) -> pd.DataFrame:
    """Return the mean BLEU over subcorpora by epoch and kind of pair, without watermarks; roles are from ``bleu``."""
    roles = dict(zip(bleu["corpus"], bleu["role"], strict=True))
    scored = quality[quality["corpus"] != WATERMARKS]
    kind = (
        scored["member"].map({True: "trained", False: "new"}).where(scored["corpus"].map(roles) != "foreign", "foreign")
    )
    groups = scored.assign(kind=kind).groupby(["passes", "kind"], sort=True)
    return groups["corpus_bleu"].agg(["mean", "min", "max", "size"]).reset_index()


@once
def figure(means: pd.DataFrame) -> go.Figure:
    """Draw a line for each kind of pair over the range of its subcorpora."""
    drawing = theme.blank("Epochs of training", "BLEU, 0 to 100", height=560, legend=True)
    if means.empty:
        return theme.empty(drawing, _EMPTY)
    axes.list_series(drawing, 24 * 4)
    positions = axes.epochs(drawing, means["passes"], "not<br>trained")
    drawing.update_yaxes(range=[-1.5, max(float(means["max"].max()) * 1.06, 5)])
    for kind, (name, mark) in _LINES.items():
        part = means[means["kind"] == kind].drop(columns="size").assign(x=lambda rows: rows["passes"].map(positions))
        if part.empty:
            continue
        hover = [
            f"<b>{name}</b>, {counted(int(row.passes), 'epoch')}<br>BLEU {row.mean:.1f}, subcorpora from {row.min:.1f} "
            f"to {row.max:.1f}"
            for row in records(part)
        ]
        traces.interval_line(drawing, part, ("x", "mean", "min", "max"), mark, name, hover)
    return drawing.figure()


@once
def sentence(means: pd.DataFrame) -> str:
    """Read the last BLEU of members and non-members aloud, and when that of non-members was best."""
    new = records(means[means["kind"] == "new"])
    trained = {int(row.passes): row.mean for row in records(means[means["kind"] == "trained"])}
    if not new or not trained:
        return _EMPTY
    last, best = new[-1], max(new, key=lambda row: row.mean)
    text = (
        f"After {counted(int(last.passes), 'epoch')} the mean BLEU over subcorpora is {last.mean:.1f} for non-members "
        f"(from {last.min:.1f} to {last.max:.1f} by subcorpus) and {trained[int(last.passes)]:.1f} for members."
    )
    if best.passes < last.passes:
        return (
            f"{text} Non-members were best after epoch {int(best.passes)}, with {best.mean:.1f}: later epochs do not "
            "improve the translator."
        )
    if len(new) == 1:
        return text
    return f"{text} Non-members were still improving at the last epoch."
