"""What the attack achieves for each target size, beside weaker adversaries and one that sees no model."""

from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import decimal, documents, joined, measured, percent, variant
from dashboard.kit.membership.figures.curve import CONTROL, RIVAL, final

Measure = Literal["accuracy", "auc"]
FREE = "model_free"
"""The guess that never looks at a model."""
_CONTROLS = {CONTROL: "words", "other_pairs": "pairs"}
"""Adversaries that choose at random what the attack chooses with care, and what that is."""
_TITLES: dict[Measure, str] = {"accuracy": theme.ACCURACY, "auc": "AUC: area under the ROC curve"}
_ENDS: dict[Measure, tuple[str, str]] = {"accuracy": ("low", "high"), "auc": ("auc_low", "auc_high")}
_ROW = 37


def outcomes(curve: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the last point of every adversary for each target size, the attack first, the model-free one last."""
    answers = curve[curve["penalty"].isna()]
    apart = answers[answers["size"] > 0]
    answers = (apart if len(apart) else answers).sort_values("shadows", kind="stable")
    order = {attack: -2, RIVAL: -1, FREE: 1}
    last = answers.groupby(["variant", "size"], sort=False).tail(1)
    return (
        last.assign(order=last["variant"].map(lambda name: order.get(name, 0)))
        .sort_values(["order", "variant", "size"], kind="stable")
        .drop(columns="order")
        .reset_index(drop=True)
    )


def figure(curve: pd.DataFrame, attack: str, measure: Measure = "accuracy") -> go.Figure:
    """Draw one point with its interval for each adversary, in one group for each target size."""
    shown = outcomes(curve, attack)
    shown = shown[shown[measure].notna()]
    sizes = sorted(shown["size"].unique())
    names = list(dict.fromkeys(shown["variant"]))
    apart = len(names) + 0.6
    drawing = theme.blank(
        _TITLES[measure], "", height=theme.TOP + theme.BOTTOM + int(_ROW * max(apart * len(sizes), 4))
    )
    low, high = _ENDS[measure]
    drawing.update_xaxes(
        range=[theme.floor(shown[low]), 1.03], tickformat=".0%" if measure == "accuracy" else ".1f", dtick=0.1
    )
    theme.level(drawing, x=0.5)
    if shown.empty:
        return theme.empty(drawing, "Not measurable: members and non-members are both needed.")
    top = {size: apart * place for place, size in enumerate(sizes)}
    for number, (name, mark) in enumerate(zip(names, theme.distinct(len(names)), strict=True)):
        own = shown[shown["variant"] == name]
        rows = [top[size] + number for size in own["size"]]
        colour = theme.INK if name == FREE else mark.colour
        drawing.add_scatter(
            x=own[measure],
            y=rows,
            mode="markers",
            name=variant(name, attack),
            marker={"color": colour, "symbol": mark.symbol, "size": 15 if name == attack else 11},
            error_x=intervals.bars(own[measure], own[low], own[high], colour, 3 if name == attack else 2),
            text=[_hover(variant(name, attack), row, measure) for row in records(own)],
        )
        for row, size in zip(rows, own["size"], strict=True):
            of_size = f"<b>{documents(int(size))}: {variant(name, attack).lower()}</b>"
            _write(drawing, row, of_size if name == names[0] else variant(name, attack))
    drawing.update_yaxes(range=[apart * len(sizes) - 1, -0.7], showgrid=False, showticklabels=False)
    return drawing.figure()


def sentence(curve: pd.DataFrame, attack: str) -> str:
    """Read the headline aloud: the attack, and whether the split gives itself away."""
    last = final(curve, attack)
    if last.empty:
        return "This result holds no decision of the attack."
    said: list[str] = []
    for row in records(last):
        share = measured(row.accuracy, row.low, row.high, named=not said)
        said.append(f"{share} for {documents(row.size)}")
    text = f"The attack is right in {joined(said)}; guessing gives 50%."
    below = last[last["high"] < 0.5]
    shown = last[last["low"] > 0.5]
    if len(shown) == len(last):
        text += " Every interval lies above chance: the model gives membership away."
    elif len(shown):
        text += f" A leak is shown for {joined([documents(int(size)) for size in shown['size']])} only."
    elif len(below):
        text += " It is below chance: the adversary is misled."
    else:
        text += f" No interval of it lies above chance: {_others_tell(outcomes(curve, attack), attack)}."
    shown = outcomes(curve, attack)
    return " ".join(part for part in (text, _rival(shown), _control(shown, attack), _split(shown)) if part)


def auc_sentence(curve: pd.DataFrame, attack: str) -> str:
    """Read the ranking aloud, and say where it is better than the decision."""
    last = final(curve, attack)
    last = last[last["auc"].notna()]
    if last.empty:
        return "AUC is not measurable: it takes both members and non-members."
    said = [f"{decimal(row.auc)} for {documents(row.size)}" for row in records(last)]
    text = f"A member scores above a non-member with a probability of {joined(said)}; guessing gives 0.50."
    shifted = last[(last["auc"] > 0.85) & (last["auc"] - last["accuracy"] > 0.12)]
    if len(shifted):
        sizes = joined([documents(int(size)) for size in shifted["size"]])
        text += f" For {sizes} the ranking is far better than the guesses: the line at 0 lies in the wrong place."
    return " ".join(filter(None, (text, _outranked(outcomes(curve, attack), attack))))


def _others_tell(shown: pd.DataFrame, attack: str) -> str:
    """Say whether another adversary shows the leak that the attack does not."""
    telling = shown[(shown["low"] > 0.5) & ~shown["variant"].isin([attack, FREE])]
    if telling.empty:
        return "no leak is shown"
    best = records(telling.sort_values("accuracy", ascending=False, kind="stable"))[0]
    share = measured(best.accuracy, best.low, best.high)
    return f"the attack shows no leak, but there is one, for “{variant(best.variant)}” is right in {share}"


def _rival(shown: pd.DataFrame) -> str:
    rival = shown[shown["variant"] == RIVAL]
    if rival.empty:
        return ""
    said = [percent(row.accuracy) for row in records(rival)]
    return f"By plain l2 distance, as in the paper, it would be {joined(said)}."


def _outranked(shown: pd.DataFrame, attack: str) -> str:
    """Say which rivals rank better than the attack, beyond both intervals, where any does."""
    own = {row.size: row for row in records(shown[shown["variant"] == attack])}
    rivals = shown[~shown["variant"].isin([attack, FREE])].sort_values("auc", ascending=False, kind="stable")
    better = [row for row in records(rivals) if row.size in own and row.auc_low > own[row.size].auc_high]
    if not better:
        return ""
    said = [f"“{variant(row.variant)}” with {decimal(row.auc)} for {documents(row.size)}" for row in better]
    return f"What ranks better: {joined(said)}."


def _control(shown: pd.DataFrame, attack: str) -> str:
    """Say whether the choice of words or pairs matters, where the attack has that control."""
    control = records(shown[shown["variant"].isin(_CONTROLS)])
    if not control:
        return ""
    what = _CONTROLS[control[0].variant]
    text = f"With as many random other {what} it would be {joined([percent(row.accuracy) for row in control])}"
    own = {row.size: row for row in records(shown[shown["variant"] == attack])}
    better = [row.size for row in control if row.size in own and own[row.size].low > max(row.high, 0.5)]
    if len(better) == len(control):
        return f"{text}: it is the chosen {what} that tell."
    if better:
        return (
            f"{text}: the choice of {what} is shown to matter for {joined([documents(size) for size in better])} only."
        )
    return f"{text}: that the choice of {what} matters is not shown."


def _split(shown: pd.DataFrame) -> str:
    free = shown[shown["variant"] == FREE]
    if free.empty:
        return ""
    off = free[(free["low"] > 0.5) | (free["high"] < 0.5)]
    if len(off):
        sizes = joined([documents(int(size)) for size in off["size"]])
        return f"Beware: a guess that sees no model is off chance too ({sizes}), so the split itself may tell."
    return "A guess that sees no model stays at chance, as it must."


def _hover(name: str, row: Any, measure: Measure) -> str:
    low, high = (getattr(row, end) for end in _ENDS[measure])
    at = getattr(row, measure)
    value = measured(at, low, high) if measure == "accuracy" else f"{decimal(at)} ({decimal(low)}–{decimal(high)})"
    return f"<b>{name}</b>, {documents(row.size)}<br>{_TITLES[measure].split(':')[0]} {value}"


def _write(drawing: Drawing, row: float, text: str) -> None:
    theme.note(drawing, text, xref="x domain", x=0, xanchor="left", y=row, yshift=14, yanchor="middle")
