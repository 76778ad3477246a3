"""Private training of a language model: attack, audited epsilon and perplexity by guaranteed epsilon."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.privacy import DELTA
from core.statistics.privacy_audit import epsilon_at_least
from core.statistics.wording import area
from core.statistics.wording.naming import counted, documents
from core.statistics.wording.variants import BLIND
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, intervals, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Attack and perplexity by epsilon"
ATTACK = "full_text"
"""The drawn adversary, which reads every word."""

NOTE = (
    "Epsilon is guaranteed for one document; for a user with ten documents the guarantee is more than ten times "
    "weaker. Private training uses a short excerpt of each document about once per epoch, with a clipped gradient and "
    "noise. “None” is ordinary training, which uses all of each document in every epoch. The figure shows the attack "
    "on the whole text. The audit gives a lower bound of epsilon at 95% confidence."
)
"""Limits of the comparison."""

_LEAST = 0.05
"""Smallest epsilon that is written otherwise than as 0."""
_HIDES = "no adversary’s AUC on them"
_EMPTY = "No privately trained model is computed yet."
_PART = "dp_sgd"
_NONE = "none"
_AUDIT = ("at_least", "at_least_gaussian", "most")
_COLUMNS = (
    "promise",
    "epsilon",
    "size",
    "auc",
    "auc_low",
    "auc_high",
    "others_low",
    *_AUDIT,
    "perplexity",
    "low",
    "high",
)
_HEIGHT = 640


def promised(experiment: Mapping[str, Any]) -> float:
    """Return the epsilon guaranteed for each document, infinite for ordinary training."""
    return min((step["epsilon"] for step in experiment["defenses"] if step["part"] == _PART), default=math.inf)


def point_name(epsilon: float) -> str:
    """Return the name of a point for a link."""
    return "ordinary training" if math.isinf(epsilon) else f"epsilon {epsilon:,.10g}"


@once
def points(results: Iterable[Result]) -> pd.DataFrame:
    """Return a row for each epsilon and size of a target, the weakest guarantee first."""
    rows: list[dict[str, Any]] = []
    for result in results:
        epsilon, curve = promised(result.experiment), result.tables["curve"]
        quality = result.estimates.get("perplexity_test")
        utility = {"perplexity": quality.value, "low": quality.low, "high": quality.high} if quality else {}
        others_low = curve[~curve["variant"].isin([ATTACK, BLIND])].groupby("size")["auc_low"].max()
        for row in records(curve[(curve["variant"] == ATTACK) & (curve["size"] > 0)]):
            audit = result.estimates.get(f"epsilon_at_least_{ATTACK}_{row.size}")
            rows.append(
                {
                    "promise": f"{epsilon:,.10g}" if math.isfinite(epsilon) else _NONE,
                    "epsilon": epsilon,
                    "size": row.size,
                    **{name: getattr(row, name) for name in ("auc", "auc_low", "auc_high")},
                    "others_low": others_low.get(row.size, math.nan),
                    "at_least": math.nan if audit is None else audit.value,
                    "at_least_gaussian": _audited_as_gaussian(result, row.size),
                    "most": math.nan if audit is None else audit.high,
                    **utility,
                }
            )
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    frame = frame.astype({name: "float64" for name in _COLUMNS if name not in ("promise", "size")})
    return frame.sort_values(["epsilon", "size"], ascending=[False, True]).reset_index(drop=True)


@once
def figure(table: pd.DataFrame) -> go.Figure:
    """Draw the attack, the audited epsilon and the perplexity of `points` in three rows, by falling epsilon."""
    drawing = theme.blank("Guaranteed epsilon (lower: more private)", "", height=_HEIGHT, legend=True)
    attack, audit, quality = theme.rows(drawing, [1.3, 1, 1], gap=0.06)
    order = table["promise"].drop_duplicates().tolist()
    drawing.update_xaxes(type="category", categoryorder="array", categoryarray=order, range=[-0.4, len(order) - 0.6])
    if table.empty:
        return theme.empty(drawing, _EMPTY)
    axes.title_row(drawing, attack, "AUC of the attack", range=[theme.floor(table["auc_low"]), theme.WHOLE], dtick=0.1)
    axes.title_row(drawing, audit, "Audited epsilon", rangemode="tozero")
    axes.title_row(drawing, quality, "Perplexity,<br>new documents", rangemode="tozero")
    theme.level(drawing, y=0.5, row=attack, left=True)
    if table["most"].notna().any():
        name, line = "limit of the solid audit", {**theme.CHANCE_LINE, "dash": "dot"}
        theme.rule(drawing, y=float(table["most"].max()), row=audit, name=name, line=line, showlegend=True)
    for size, mark in theme.ordered(table["size"].tolist()).items():
        rows = table[table["size"] == size]
        for axis, value in ((attack, "auc"), (audit, "at_least")):
            _line(drawing, rows, axis, value, mark, f"a user of {documents(size)}")
        if rows["at_least_gaussian"].notna().any():
            hollow = theme.Mark(mark.colour, mark.symbol, "dash")
            _line(drawing, rows, audit, "at_least_gaussian", hollow, f"{documents(size)}, audit as of Gaussian noise")
    by_promise, mark = table.drop_duplicates("promise"), theme.Mark(theme.THIRD, "diamond", "dot")
    _line(drawing, by_promise, quality, "perplexity", mark, "perplexity")
    return drawing.figure()


@once
def sentence(table: pd.DataFrame) -> str:
    """Read attack and perplexity at the weakest and strongest guarantee aloud, then the audit."""
    private = table[np.isfinite(table["epsilon"])]
    if private.empty:
        return _EMPTY
    size = int(table["size"].max())
    sentences = []
    for end in (table["epsilon"].max(), private["epsilon"].min()):
        row = records(table[(table["epsilon"] == end) & (table["size"] == size)])[0]
        how = "With ordinary training" if math.isinf(row.epsilon) else f"With epsilon {row.promise}"
        auc = area(row.auc, row.auc_low, row.auc_high)
        sentences.append(f"{how}, the AUC of the attack on users of {documents(size)} is {auc}, and {_cost(row)}.")
    return " ".join([*dict.fromkeys(sentences), *_first_at_chance(private, size), _audited(private)])


@once
def note(table: pd.DataFrame) -> str:
    """Return the limits of the comparison, and how often the second audit finds more in the same guesses."""
    both = table[["at_least", "at_least_gaussian"]].dropna()
    if both.empty:
        return NOTE
    more = int((both["at_least_gaussian"] > both["at_least"]).sum())
    text = (
        f"{NOTE} A second audit takes training to be as private as one step of Gaussian noise: in the same guesses it "
        f"finds more at {more or 'none'} of {counted(len(both), 'point')}"
    )
    nothing = int((both <= 0).all(axis="columns").sum())
    return f"{text}, and at {nothing} both find nothing." if nothing else f"{text}."


def _first_at_chance(private: pd.DataFrame, size: int) -> list[str]:
    """Name the weakest guarantee at which none is shown to exceed chance on such users, unless it is the strongest.

    Stronger guarantees at which one is again are named too.
    """
    known = private[(private["size"] == size) & private["auc_low"].notna()]
    hides = known[["auc_low", "others_low"]].max(axis="columns") <= 0.5
    weakest = known.loc[hides, "epsilon"].max()
    if not hides.any() or weakest == private["epsilon"].min():
        return []
    row = records(known[known["epsilon"] == weakest])[0]
    cost = "" if math.isnan(row.perplexity) else f", at a perplexity of {number(row.perplexity)}"
    again = known.loc[~hides & (known["epsilon"] < weakest), "promise"].tolist()
    if again:
        return [f"At epsilon {row.promise} {_HIDES} is shown to exceed chance{cost}; at {joined(again)} one is."]
    return [f"Already at epsilon {row.promise} {_HIDES} is shown to exceed chance{cost}."]


def _audited(private: pd.DataFrame) -> str:
    """Say whether the audit of single documents, for which epsilon is guaranteed, contradicts it."""
    single = private[(private["size"] == 1) & private["at_least"].notna()]
    if single.empty:
        return "There is no audit of single documents, for which epsilon is guaranteed."
    broken = single[single["at_least"] > single["epsilon"]]
    if len(broken):
        names = ", ".join(broken["promise"])
        return f"The audit contradicts the guaranteed epsilon {names}: that is an error to report."
    most = float(single["most"].max())
    text = "The audit of single documents, for which epsilon is guaranteed, contradicts no guarantee"
    if most >= _LEAST:
        text += f"; with so few guesses it could show at most {most:.1f}, even if all were correct."
    else:
        text += "; it has too few guesses to contradict any, even if all were correct."
    beyond = single[single["at_least_gaussian"] > single["epsilon"]]
    if len(beyond):
        names = ", ".join(beyond["promise"])
        return f"{text} Were training as private as one step of Gaussian noise, it would contradict epsilon {names}."
    return text


def _audited_as_gaussian(result: Result, size: int) -> float:
    """Return the audited epsilon if training were one step of Gaussian noise; NaN without the drawn scores."""
    if "rivals" not in result.tables:
        return math.nan
    adversaries, scores = result.tables["rivals"], result.tables["scores"]
    drawn = adversaries[adversaries["variant"] == ATTACK].merge(
        scores.loc[scores["size"] == size, ["target", "play", "member"]], on=["target", "play"]
    )
    if drawn.empty:
        return math.nan
    wide = drawn.pivot(index="play", columns="target")
    delta = next((step["delta"] for step in result.experiment["defenses"] if step["part"] == _PART), DELTA)
    member, score = wide["member"].to_numpy(bool), wide["score"].to_numpy(float)
    return epsilon_at_least(member, score, delta, gaussian=True)[0]


def _cost(row: Any) -> str:
    if math.isnan(row.perplexity):
        return "the perplexity was not measured"
    return f"the perplexity in new documents is {number(row.perplexity)}"


def _line(drawing: Drawing, rows: pd.DataFrame, axis: str, value: str, mark: theme.Mark, name: str) -> None:
    ends = {"auc": ("auc_low", "auc_high"), "perplexity": ("low", "high")}.get(value)
    traces.series(
        drawing,
        rows["promise"],
        rows[value],
        mark,
        size=10,
        yaxis=axis,
        name=name,
        legendgroup=name,
        showlegend=value != "at_least",
        cliponaxis=False,
        error_y={} if ends is None else intervals.bars(rows[value], rows[ends[0]], rows[ends[1]], mark.colour),
        text=_hover(rows, value, name),
    )


def _hover(rows: pd.DataFrame, value: str, name: str) -> list[str]:
    texts = []
    for row in records(rows):
        text = {
            "auc": f"{name}: AUC {area(row.auc, row.auc_low, row.auc_high)}",
            "at_least": f"{name}: audited epsilon {row.at_least:.2f}",
            "at_least_gaussian": f"{name}: audited epsilon {row.at_least_gaussian:.2f}",
            "perplexity": f"perplexity {number(row.perplexity)} ({number(row.low)}–{number(row.high)})",
        }[value]
        texts.append(f"<b>guaranteed epsilon: {row.promise}</b><br>{text}")
    return texts
