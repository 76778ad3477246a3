"""How right classifiers are on Alice's probes and on Bob's own (Hisamoto et al. 2020, Tables 2 and 3)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, lowered, measured, percent
from dashboard.topics.translation.figures import methods, printed

TITLE = "By classifier"
_PAPER = "_paper"
_NAMES = {
    "target": "Alice: the answer",
    "train": "Bob: learnt from",
    "validation": "Bob: chosen by",
    "test": "Bob: test",
}
_WIDE = 14
"""Characters of a name that stand in one line."""
_MARKS = dict(zip(_NAMES, theme.distinct(len(_NAMES)), strict=True))


def points(classifiers: pd.DataFrame, features: str) -> pd.DataFrame:
    """Return a row for each classifier and set of probes, and one for each value that the paper prints of it."""
    known = printed.CLASSIFIERS.get(features, {})
    own = classifiers[classifiers["features"] == features]
    rows: list[dict[str, Any]] = []
    for rule, name in methods.CLASSIFIERS.items():
        mine = records(own[own["rule"] == rule])
        for place, on in enumerate(printed.ON):
            rows += [
                {
                    "row": _label(name, row.answer),
                    "series": on,
                    "value": row.accuracy,
                    "low": row.accuracy_low,
                    "high": row.accuracy_high,
                    "classifier": rule,
                    "on": on,
                    "answer": row.answer,
                }
                for row in mine
                if row.on == on
            ]
            if rule in known and mine:
                label = _label(name, mine[0].answer)
                rows.append(
                    {"row": label, "series": f"{on}{_PAPER}", "value": known[rule][place], "classifier": rule, "on": on}
                )
    columns = [*lanes.COLUMNS, "classifier", "on", "answer"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype(dict.fromkeys(("value", "low", "high"), "float64"))


def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a row for each classifier, a lane for each set of probes; the paper's values are hollow."""
    looks: dict[str, Look] = {}
    held = set(points["series"])
    for lane, on in enumerate(printed.ON):
        looks[on] = Look(_NAMES[on], _MARKS[on], lane)
    if any(one.endswith(_PAPER) for one in held):
        for lane, on in enumerate(printed.ON):
            mark = theme.Mark(theme.PAPER, "diamond", "dot")
            looks[f"{on}{_PAPER}"] = Look("the paper" if not lane else "", mark, lane, hollow=True)
    drawing = lanes.blank("Share of right guesses", points["row"].nunique(), looks)
    if points.empty:
        return theme.empty(drawing, "No classifier was trained.")
    top = max(0.7, float(points[["high", "value"]].max().max()) + 0.03)
    drawing.update_xaxes(range=[theme.floor(points["low"], points["value"]), top], tickformat=".0%", dtick=0.1)
    lanes.draw(drawing, points, looks, [_said(row) for row in records(points)])
    lanes.chance(drawing, 0.5)
    return drawing.figure()


def sentence(points: pd.DataFrame) -> str:
    """Read aloud what is right about Alice, whether Bob could know it beforehand, and who only learnt by heart."""
    own = points[points["series"].isin(printed.ON)]
    alice = own[own["on"] == "target"]
    if alice.empty:
        return "No classifier was trained."
    best = max(records(alice), key=lambda row: row.value)
    above = [row for row in records(alice) if row.low > 0.5]
    text = (
        f"On Alice’s probes {len(above)} of {len(alice)} classifiers are better than guessing; the most right is "
        f"{lowered(methods.CLASSIFIERS[best.classifier])} with {measured(best.value, best.low, best.high, named=True)}."
    )
    chosen = [row for row in records(alice) if row.answer is True]
    if chosen:
        row = chosen[0]
        name = lowered(methods.CLASSIFIERS[row.classifier])
        text += f" Bob trusts {name} (✓), the best where he chooses: {measured(row.value, row.low, row.high)}."
    values = own.pivot_table(index="classifier", columns="on", values="value", sort=False)
    hearts = [
        f"{lowered(methods.CLASSIFIERS[str(name)])} ({percent(row['train'])} against {percent(row['test'])})"
        for name, row in values.iterrows()
        if {"train", "test"} <= set(values.columns) and row["train"] - row["test"] > 0.1
    ]
    if hearts:
        text += f" Far better on what they learnt from than on new probes, and so learnt by heart: {joined(hearts)}."
    return text


def _label(name: str, answer: bool) -> str:
    """Return the name of a row in short lines, that of the adversary's choice marked."""
    shown = name.replace(" ", "<br>") if len(name) > _WIDE else name
    return f"<b>{shown} ✓</b>" if answer else shown


def _said(row: Any) -> str:
    name = methods.CLASSIFIERS[row.classifier]
    who = _NAMES[row.on]
    if row.series.endswith(_PAPER):
        return f"<b>{name}</b>, the paper<br>{who}: {100 * row.value:.1f}%"
    return f"<b>{name}</b><br>{who}: {measured(row.value, row.low, row.high)} right"
