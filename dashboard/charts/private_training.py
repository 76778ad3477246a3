"""What a promise of privacy costs a language model, what it spares its users, and what an audit disproves of it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate, Result
from dashboard.charts import intervals, theme
from dashboard.charts.drawing import Drawing
from dashboard.charts.tables import records
from dashboard.charts.wording import documents
from dashboard.words import number

TITLE = "Private training: what a promise costs and what it spares"
ATTACK = "full_text"
"""The adversary that is drawn: the one that learns most."""

SAYS = (
    "The promise is made to one document; to a user of ten it is more than ten times weaker. Private training counts "
    "each document about once a pass, by a short stretch of it and with a gradient that is cut; even at an epsilon of "
    "a million the noise in a step is longer than what is left of the gradients. “None” is ordinary training, which "
    "reads all of each document in every pass. Of the public words it knows those alone that its documents have, so "
    "that perplexities are not measured over quite the same words. The attack drawn is the one on the whole text, "
    "which learns most. Epsilon is at least what its guesses disprove at 95%."
)
"""What has to be known before the points are compared."""

_PART = "dp_sgd"
_NONE = "none"
_COLUMNS = ("promise", "epsilon", "size", "auc", "auc_low", "auc_high", "at_least", "most", "perplexity", "low", "high")
_HEIGHT = 640


def promised(experiment: Mapping[str, Any]) -> float:
    """Return the epsilon that training promises to each document; infinite where it promises nothing."""
    return min((step["epsilon"] for step in experiment["defenses"] if step["part"] == _PART), default=math.inf)


def named(epsilon: float) -> str:
    """Return what a point is called in a link."""
    return "ordinary training" if math.isinf(epsilon) else f"epsilon {epsilon:,.10g}"


def points(results: Iterable[Result]) -> pd.DataFrame:
    """Return a row for each promise and size of a target, the weakest promise first."""
    rows: list[dict[str, Any]] = []
    for result in results:
        epsilon, curve = promised(result.experiment), result.tables["curve"]
        quality = result.estimates.get("perplexity_test")
        for row in records(curve[(curve["variant"] == ATTACK) & (curve["size"] > 0)]):
            audit = result.estimates.get(f"epsilon_at_least_{ATTACK}_{row.size}")
            rows.append(
                {
                    "promise": f"{epsilon:,.10g}" if math.isfinite(epsilon) else _NONE,
                    "epsilon": epsilon,
                    "size": row.size,
                    "auc": row.auc,
                    "auc_low": row.auc_low,
                    "auc_high": row.auc_high,
                    "at_least": math.nan if audit is None else audit.value,
                    "most": math.nan if audit is None else audit.high,
                    **_ends(quality),
                }
            )
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    frame = frame.astype({name: "float64" for name in _COLUMNS if name not in ("promise", "size")})
    return frame.sort_values(["epsilon", "size"], ascending=[False, True]).reset_index(drop=True)


def figure(table: pd.DataFrame) -> go.Figure:
    """Draw the attack, what an audit disproves and the perplexity above each other, by falling epsilon.

    Args:
        table: As `points` returned it.
    """
    drawing = theme.blank("Promised epsilon (less hides more)", "", height=_HEIGHT, legend=True)
    attack, audit, quality = theme.rows(drawing, [1.3, 1, 1], gap=0.06)
    order = table["promise"].drop_duplicates().tolist()
    drawing.update_xaxes(type="category", categoryorder="array", categoryarray=order, range=[-0.4, len(order) - 0.6])
    if table.empty:
        return theme.empty(drawing, "No privately trained model is computed here yet.")
    drawing.update_layout(
        **{
            theme.axis(attack): {
                "title": {"text": "AUC of the attack"},
                "range": [theme.floor(table["auc_low"]), 1.03],
                "dtick": 0.1,
            },
            theme.axis(audit): {"title": {"text": "Epsilon is at least"}, "rangemode": "tozero"},
            theme.axis(quality): {"title": {"text": "Perplexity,<br>new documents"}, "rangemode": "tozero"},
        }
    )
    theme.level(drawing, y=0.5, row=attack, left=True)
    if table["most"].notna().any():
        theme.level(drawing, y=float(table["most"].max()), text="if every guess were right", row=audit)
    for size, mark in theme.ordered(table["size"].tolist()).items():
        own = table[table["size"] == size]
        for axis, value in ((attack, "auc"), (audit, "at_least")):
            _line(drawing, own, axis, value, mark, f"a user of {documents(size)}")
    once, mark = table.drop_duplicates("promise"), theme.Mark(theme.THIRD, "diamond", "dot")
    _line(drawing, once, quality, "perplexity", mark, "perplexity")
    return drawing.figure()


def sentence(table: pd.DataFrame) -> str:
    """Say what the strongest promise costs and spares, and whether an audit contradicts any."""
    if table.empty:
        return "No privately trained model is computed here yet."
    private = table[np.isfinite(table["epsilon"])]
    if private.empty:
        return "No privately trained model is computed here yet."
    size = int(table["size"].max())
    said = []
    for end in (table["epsilon"].max(), private["epsilon"].min()):
        row = records(table[(table["epsilon"] == end) & (table["size"] == size)])[0]
        how = "Without a promise" if math.isinf(row.epsilon) else f"With epsilon {row.promise}"
        auc = f"{row.auc:.2f} ({row.auc_low:.2f}–{row.auc_high:.2f})"
        said.append(f"{how} the attack ranks users of {documents(size)} with an AUC of {auc}, and {_cost(row)}.")
    return " ".join([*dict.fromkeys(said), *_first_at_chance(private, size), _audited(private)])


def _first_at_chance(private: pd.DataFrame, size: int) -> list[str]:
    """Name the weakest promise under which the attack is not told from guessing, where a stronger one is drawn too."""
    hidden = private[(private["size"] == size) & (private["auc_low"] <= 0.5) & (private["auc_high"] >= 0.5)]
    if hidden.empty or hidden["epsilon"].max() == private["epsilon"].min():
        return []
    row = records(hidden[hidden["epsilon"] == hidden["epsilon"].max()])[0]
    cost = "" if math.isnan(row.perplexity) else f", at a perplexity of {number(row.perplexity)}"
    return [f"At epsilon {row.promise} its interval holds what guessing gives already{cost}."]


def _audited(private: pd.DataFrame) -> str:
    """Say whether guesses about single documents, to which the promise is made, contradict it."""
    single = private[(private["size"] == 1) & private["at_least"].notna()]
    if single.empty:
        return "No audit was made of single documents, to which the promise is made."
    broken = single[single["at_least"] > single["epsilon"]]
    if len(broken):
        names = ", ".join(broken["promise"])
        return f"The audit contradicts the promise of epsilon {names}: that is an error to report."
    most = float(single["most"].max())
    return (
        "The audit of single documents, to which the promise is made, contradicts no promise; with so few guesses it "
        f"could show {most:.1f} at most, even if all were right."
    )


def _cost(row: Any) -> str:
    if math.isnan(row.perplexity):
        return "the model’s perplexity was not measured"
    return f"the model wavers among {number(row.perplexity)} words in new documents"


def _ends(quality: Estimate | None) -> dict[str, float]:
    if quality is None:
        return {}
    return {"perplexity": quality.value, "low": quality.low, "high": quality.high}


def _line(drawing: Drawing, own: pd.DataFrame, axis: str, value: str, mark: theme.Mark, name: str) -> None:
    ends = {"auc": ("auc_low", "auc_high"), "perplexity": ("low", "high")}.get(value)
    drawing.add_scatter(
        x=own["promise"],
        y=own[value],
        yaxis=axis,
        mode="lines+markers",
        name=name,
        legendgroup=name,
        showlegend=value == "auc",
        line={"color": mark.colour, "width": 3, "dash": mark.dash},
        marker={"color": mark.colour, "symbol": mark.symbol, "size": 10},
        cliponaxis=False,
        error_y={} if ends is None else intervals.bars(own[value], own[ends[0]], own[ends[1]], mark.colour),
        text=_said(own, value, name),
        hovertemplate="%{text}<extra></extra>",
    )


def _said(own: pd.DataFrame, value: str, name: str) -> Sequence[str]:
    said = []
    for row in records(own):
        what = {
            "auc": f"{name}: AUC {row.auc:.2f} ({row.auc_low:.2f}–{row.auc_high:.2f})",
            "at_least": f"{name}: epsilon is at least {row.at_least:.2f}",
            "perplexity": f"perplexity {number(row.perplexity)} ({number(row.low)}–{number(row.high)})",
        }[value]
        said.append(f"<b>promised epsilon: {row.promise}</b><br>{what}")
    return said
