"""Audit of private training by many canaries in each model: the epsilon that it disproves, and the most it could."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.privacy_audit import epsilon_at_least, guesses
from core.statistics.wording import ends, fixed
from core.statistics.wording.naming import adversary_name, lowered
from core.statistics.wording.variants import BLIND
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, variant
from dashboard.kit.membership.figures import above_chance
from dashboard.kit.shared import once

TITLE = "Audited epsilon by guaranteed epsilon"

NOTE = (
    "A canary is a document that is in the training data of each model with probability one half, by its own draw. "
    "The audit guesses that the quarter of canaries with the highest scores is in and the lowest quarter out, and "
    "abstains on the rest; chance is half of the guesses. Every adversary that asks the model guesses, and the one "
    "that disproves most is drawn: all their lower bounds hold together at 95% confidence and the guaranteed delta. "
    "An epsilon of a million guarantees next to nothing: there the audit must find a large epsilon, or it "
    "could not find one anywhere. An audit that disproves nothing does not prove the guarantee."
)
"""How the audit works, and its limits."""

_PART = "dp_sgd"
_EMPTY = "No training is audited with many canaries yet."
_LEAST = 0.01
"""Smallest epsilon that is written otherwise than as 0."""
_EMPTY_PROMISE = 1e5
"""An epsilon above which next to nothing is guaranteed."""
_KINDS = {
    "any": ("audit", theme.Mark(theme.MEMBER, "circle")),
    "gaussian": ("as of Gaussian noise", theme.Mark(theme.AGAINST, "square-open")),
}
_COLUMNS = (
    *("epsilon", "canaries", "models", "adversary", "right", "guessed"),
    *("any", "most_any", "gaussian", "most_gaussian"),
    *("above", "auc", "auc_low", "auc_high"),
)


def promised(experiment: Mapping[str, Any]) -> tuple[float, float]:
    """Return the epsilon and the delta that private training guarantees for each document.

    Raises:
        ValueError: The experiment has no private training.
    """
    for step in experiment["defenses"]:
        if step["part"] == _PART:
            return step["epsilon"], step["delta"]
    raise ValueError("an audit tests a guarantee, and this experiment has no private training")


@once
def points(results: Iterable[Result]) -> pd.DataFrame:
    """Return a row for each guaranteed epsilon, the weakest guarantee first."""
    rows = [_strongest(result) for result in results]
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    return table.sort_values("epsilon", ascending=False).reset_index(drop=True)


def _strongest(result: Result) -> dict[str, Any]:
    """Return the row of the adversary that disproves most, of two alike that which is right more often.

    Beside it stands the adversary with the highest AUC whose interval lies above chance; empty and NaN where none does.
    """
    epsilon, delta = promised(result.experiment)
    adversaries, above = _scores(result), above_chance.highest(result, 0)
    ranking = ("", *[math.nan] * 3) if above is None else (above.variant, above.auc, above.auc_low, above.auc_high)
    rows = []
    for name, table in adversaries.items():
        member, score = table["member"].to_numpy(bool), table["score"].to_numpy(float)
        right, guessed = guesses(member, score)
        row: dict[str, Any] = {
            "epsilon": epsilon,
            "canaries": member.size,
            "models": len(member),
            "adversary": name,
            "right": right,
            "guessed": guessed,
            **dict(zip(("above", "auc", "auc_low", "auc_high"), ranking, strict=True)),
        }
        for kind in _KINDS:
            row[kind], row[f"most_{kind}"] = epsilon_at_least(
                member, score, delta, gaussian=kind == "gaussian", among=len(adversaries)
            )
        rows.append(row)
    return max(rows, key=lambda row: (row["any"], row["right"]))


def _scores(result: Result) -> dict[str, pd.DataFrame]:
    """Return bits and scores, by play and target, of the attack and of each variant that asks the model."""
    attack, bits = result.experiment["attack"]["part"], result.tables["scores"]
    variants = result.tables.get("rivals", bits.head(0).assign(variant=""))
    variants = variants[variants["variant"] != BLIND].drop(columns=["member"], errors="ignore")
    with_bits = variants.merge(bits[["target", "play", "member"]], on=["target", "play"])
    everyone = pd.concat([bits.assign(variant=attack), with_bits])
    return {
        str(name): scores.pivot(index="play", columns="target", values=["member", "score"])
        for name, scores in everyone.groupby("variant", sort=False)
    }


@once
def figure(table: pd.DataFrame) -> go.Figure:
    """Draw both lower bounds and their limits over the guaranteed epsilon, and the guarantee where it fits."""
    drawing = theme.blank("Guaranteed epsilon (lower: more private)", "Epsilon disproved, at 95%", legend=True)
    if table.empty:
        return theme.empty(drawing, _EMPTY)
    names = [_epsilon_name(epsilon) for epsilon in table["epsilon"]]
    most = float(table[["most_any", "most_gaussian"]].to_numpy().max())
    drawing.update_xaxes(type="category", categoryarray=names, range=[-0.4, len(names) - 0.6])
    drawing.update_yaxes(range=[-0.03 * most, 1.05 * most])
    for kind, (name, mark) in _KINDS.items():
        line = {"color": mark.colour, "width": 2, "dash": "dot"}
        theme.rule(drawing, y=float(table[f"most_{kind}"].max()), name=f"limit, {name}", line=line, showlegend=True)
        hover = [
            f"<b>guaranteed epsilon: {at}</b><br>{name}: at least {value:.2f}, of at most {limit:.2f}"
            for at, value, limit in zip(names, table[kind], table[f"most_{kind}"], strict=True)
        ]
        traces.series(
            drawing, names, table[kind], mark, mode="markers", size=12, name=name, text=hover, cliponaxis=False
        )
    inside = table["epsilon"] <= most
    _promises(drawing, [name for name, fits in zip(names, inside, strict=True) if fits], table.loc[inside, "epsilon"])
    axes.list_series(drawing, theme.LINE * (2 * len(_KINDS) + int(inside.any())))
    return drawing.figure()


@once
def sentence(table: pd.DataFrame) -> str:
    """Say what the audit could disprove, what it finds where nothing is guaranteed, and what follows for guarantees.

    What adversaries find with next to no noise is the control: where a guarantee is larger than that, finding less
    says nothing of it.
    """
    if table.empty:
        return _EMPTY
    first = table.iloc[0]
    limits = table[["most_any", "most_gaussian"]].max()
    sentences = [
        f"With {first['canaries'] / first['models']:,.0f} canaries in each of {first['models']:.0f} models, the audit "
        f"could disprove an epsilon of up to {limits['most_any']:.1f}, or of {limits['most_gaussian']:.1f} were "
        "training as private as one step of Gaussian noise, if every guess were right."
    ]
    controls = records(table[table["epsilon"] >= _EMPTY_PROMISE])
    sentences += [_not_guaranteed(row) for row in controls]
    most = max((row.any for row in controls), default=None)
    return " ".join([*sentences, *_judged(records(table[table["epsilon"] < _EMPTY_PROMISE]), most)])


def _not_guaranteed(row: Any) -> str:
    right = f"At epsilon {_epsilon_name(row.epsilon)}, which guarantees next to nothing, {_right(row)}"
    if row.any < _LEAST:
        return f"{right}, which disproves no epsilon: this audit could fail nothing."
    return (
        f"{right}, which disproves every epsilon below {row.any:.2f} ({row.gaussian:.2f} as of Gaussian noise): the "
        "most that any adversary finds here."
    )


def _judged(rows: list[Any], most: float | None) -> list[str]:
    """Say of each guarantee whether it is contradicted, and if not, whether that says anything.

    Args:
        rows: Of the table, those that guarantee something.
        most: The epsilon that is disproved with next to no noise; None where that was not audited.
    """
    broken = [row for row in rows if row.any > row.epsilon]
    beyond = [row for row in rows if row.epsilon >= row.most_any]
    others = [row for row in rows if row not in broken and row not in beyond]
    sentences = []
    if broken:
        sentences.append(f"The audit contradicts the guaranteed epsilon {_list(broken)}: that is an error to report.")
    sentences += [_withstood(row, most) for row in others]
    if beyond:
        right = joined([f"{_right(row)} at {_epsilon_name(row.epsilon)}" for row in beyond])
        sentences.append(
            f"{right}, but no number of right guesses would contradict epsilon {_list(beyond)} here: by itself the "
            "audit says nothing about that guarantee, neither for nor against."
        )
    as_gaussian = [row for row in rows if row.any <= row.epsilon < row.gaussian]
    if as_gaussian:
        sentences.append(
            f"Were training as private as one step of Gaussian noise, it would contradict {_list(as_gaussian)}."
        )
    return sentences


def _withstood(row: Any, most: float | None) -> str:
    """Say of a guarantee that is not contradicted, though it could be, what follows by the control."""
    sentence = (
        f"It could contradict the guaranteed epsilon {_epsilon_name(row.epsilon)} and does not: {_right(row)}, "
        f"{_disproved(row.any)}."
    )
    if most is None:
        return f"{sentence} What adversaries find without noise was not audited, so nothing follows for the guarantee."
    if most <= row.epsilon:
        return f"{sentence} Nor would next to no noise be contradicted, so nothing follows for the guarantee."
    sentence += " With next to no noise an adversary would have contradicted it"
    if not row.above:
        return f"{sentence}, so the noise hides members from this audit: in favour of the guarantee, and no proof."
    auc, low, high = (fixed(end, 3) for end in (row.auc, row.auc_low, row.auc_high))
    return (
        f"{sentence}: in favour of the guarantee, and no proof. But the noise does not hide members from every "
        f"adversary: {lowered(adversary_name(row.above))} has an AUC of {auc} ({ends(low, high)}), above chance, 0.5."
    )


def _right(row: Any) -> str:
    return f"{row.right:,} of {row.guessed:,} guesses by {lowered(variant(row.adversary))} are right"


def _disproved(bound: float) -> str:
    return f"which disproves every epsilon below {bound:.2f}" if bound >= _LEAST else "which disproves none"


def _list(rows: list[Any]) -> str:
    return joined([_epsilon_name(row.epsilon) for row in rows])


def _epsilon_name(epsilon: float) -> str:
    return f"{epsilon:,.10g}"


def _promises(drawing: Drawing, names: list[str], epsilons: "pd.Series[float]") -> None:
    """Mark the guarantees that the vertical axis reaches."""
    if names:
        mark = theme.Mark(theme.PAPER, "line-ew-open")
        hover = [f"<b>guaranteed epsilon: {name}</b>" for name in names]
        traces.series(drawing, names, epsilons, mark, mode="markers", size=30, name="guaranteed", text=hover)
