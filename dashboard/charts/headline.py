"""What the attack achieves for each target size, beside weaker adversaries and one that sees no model."""

from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.charts import theme
from dashboard.charts.curve import final
from dashboard.charts.wording import decimal, documents, joined, measured, short, variant

Measure = Literal["accuracy", "auc"]
_TITLES: dict[Measure, str] = {
    "accuracy": "Accuracy: share of right guesses",
    "auc": "AUC: chance that a member scores above a non-member",
}
_ENDS: dict[Measure, tuple[str, str]] = {"accuracy": ("low", "high"), "auc": ("auc_low", "auc_high")}
_FREE = "model_free"


def outcomes(curve: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the last point of every adversary for each target size, the attack first, the model-free one last."""
    answers = curve[curve["penalty"].isna()]
    apart = answers[answers["size"] > 0]
    answers = (apart if len(apart) else answers).sort_values("shadows", kind="stable")
    order = {attack: -1, _FREE: 1}
    last = answers.groupby(["variant", "size"], sort=False).tail(1)
    return (
        last.assign(order=last["variant"].map(lambda name: order.get(name, 0)))
        .sort_values(["order", "variant", "size"], kind="stable")
        .drop(columns="order")
        .reset_index(drop=True)
    )


def figure(curve: pd.DataFrame, attack: str, measure: Measure = "accuracy") -> go.Figure:
    """Draw one row for each target size, and in it a point with its interval for each adversary."""
    shown = outcomes(curve, attack)
    shown = shown[shown[measure].notna()]
    sizes = sorted(shown["size"].unique(), reverse=True)
    names = list(dict.fromkeys(shown["variant"]))
    drawing = theme.blank(_TITLES[measure], "Documents of the target", height=_height(len(sizes), len(names)), legend=True)
    low, high = _ENDS[measure]
    start = min(0.4, float(np.nanmin(shown[low])) - 0.02) if shown[low].notna().any() else 0.4
    drawing.update_xaxes(range=[start, 1.02], tickformat=".0%" if measure == "accuracy" else ".1f")
    theme.level(drawing, x=0.5, text="")
    if shown.empty:
        return theme.empty(drawing, "Not measurable: members and non-members are both needed.")
    place = {size: row for row, size in enumerate(sizes)}
    step = 0.7 / max(len(names), 2)
    for number, (name, mark) in enumerate(zip(names, theme.distinct(len(names)), strict=True)):
        own = shown[shown["variant"] == name]
        offset = (len(names) - 1) / 2 * step - number * step
        rows = [place[size] + offset for size in own["size"]]
        colour = theme.CHANCE if name == _FREE else mark.colour
        drawing.add_scatter(
            x=own[measure],
            y=rows,
            mode="markers",
            name=variant(name),
            marker={"color": colour, "symbol": mark.symbol, "size": 14 if name == attack else 11},
            error_x={
                "type": "data", "symmetric": False, "array": (own[high] - own[measure]).clip(lower=0),
                "arrayminus": (own[measure] - own[low]).clip(lower=0), "thickness": 2.5, "width": 5, "color": colour,
            },
            text=[_hover(name, row, measure) for _, row in own.iterrows()],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    drawing.update_yaxes(
        tickvals=list(range(len(sizes))), ticktext=[short(size).removesuffix("s") if size == 1 else short(size) for size in sizes],
        range=[-0.5, len(sizes) - 0.5], showgrid=False,
    )  # fmt: skip
    return drawing


def sentence(curve: pd.DataFrame, attack: str) -> str:
    """Read the headline aloud: the attack, and whether the split gives itself away."""
    last = final(curve, attack)
    if last.empty:
        return "This result holds no decision of the attack."
    said = []
    for _, row in last.iterrows():
        auc = f", AUC {decimal(row['auc'])}" if np.isfinite(row["auc"]) else ""
        said.append(f"{measured(row['accuracy'], row['low'], row['high'])}{auc}, for {documents(int(row['size']))}")
    text = f"The attack is right in {'; in '.join(said)}. Guessing gives 50\xa0%."
    below = last[last["high"] < 0.5]
    shown = last[last["low"] > 0.5]
    if len(shown) == len(last):
        text += " Every interval lies above chance: the model gives membership away."
    elif len(shown):
        text += f" A leak is shown for {joined([documents(int(size)) for size in shown['size']])} only."
    elif len(below):
        text += " It is below chance: the adversary is misled."
    else:
        text += " No interval lies above chance: no leak is shown."
    return f"{text} {_split(outcomes(curve, attack))}".strip()


def auc_sentence(curve: pd.DataFrame, attack: str) -> str:
    """Read the ranking aloud, and say where it is better than the decision."""
    last = final(curve, attack)
    last = last[last["auc"].notna()]
    if last.empty:
        return "AUC is not measurable: it takes both members and non-members."
    said = [f"{decimal(row['auc'])} for {documents(int(row['size']))}" for _, row in last.iterrows()]
    text = f"A member scores above a non-member with a probability of {joined(said)}; guessing gives 0.50."
    shifted = last[(last["auc"] > 0.85) & (last["auc"] - last["accuracy"] > 0.12)]
    if len(shifted):
        sizes = joined([documents(int(size)) for size in shifted["size"]])
        text += f" For {sizes} the ranking is far better than the guesses: the line at 0 lies in the wrong place."
    return text


def _split(shown: pd.DataFrame) -> str:
    free = shown[shown["variant"] == _FREE]
    if free.empty:
        return ""
    off = free[(free["low"] > 0.5) | (free["high"] < 0.5)]
    if len(off):
        sizes = joined([documents(int(size)) for size in off["size"]])
        return f"Beware: a guess that sees no model is off chance too ({sizes}), so the split itself may tell."
    return "A guess that sees no model stays at chance, as it must."


def _hover(name: str, row: "pd.Series", measure: Measure) -> str:
    low, high = _ENDS[measure]
    value = (
        measured(row[measure], row[low], row[high])
        if measure == "accuracy"
        else f"{decimal(row[measure])} ({decimal(row[low])}–{decimal(row[high])})"
    )
    return f"<b>{variant(name)}</b>, {documents(int(row['size']))}<br>{_TITLES[measure].split(':')[0]} {value}"


def _height(sizes: int, variants: int) -> int:
    return theme.TOP + theme.BOTTOM + 60 + max(sizes, 1) * max(30 * variants, 60)
