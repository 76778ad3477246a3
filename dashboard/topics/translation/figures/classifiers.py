"""Accuracy of classifiers on Alice's probes and on Bob's (Hisamoto et al. 2020, Tables 2 and 3)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import lowered
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import methods, printed
from dashboard.topics.translation.figures.methods import accuracy

TITLE = "By classifier"
_PAPER = "_paper"
_EMPTY = "No classifier was trained."
_NAMES = {"target": "Alice", "train": "Bob: training", "validation": "Bob: validation", "test": "Bob: test"}
_MARKS = dict(zip(_NAMES, theme.distinct(len(_NAMES)), strict=True))


@once
def points(classifiers: pd.DataFrame, features: str) -> pd.DataFrame:
    """Return a row for each classifier and set of probes, and one for each value that the paper prints."""
    paper_values = printed.CLASSIFIERS.get(features, {})
    chosen = classifiers[classifiers["features"] == features]
    rows: list[dict[str, Any]] = []
    for rule, name in methods.CLASSIFIERS.items():
        ours = records(chosen[chosen["rule"] == rule])
        for column, on in enumerate(printed.ON):
            keys = {"features": features, "classifier": rule, "on": on}
            rows += [
                {"row": _label(name, row.answer), "series": on, **accuracy(row), **keys, "answer": row.answer}
                for row in ours
                if row.on == on
            ]
            if rule in paper_values and ours:
                label = _label(name, ours[0].answer)
                rows.append({"row": label, "series": f"{on}{_PAPER}", "value": paper_values[rule][column], **keys})
    frame = pd.DataFrame(rows, columns=[*lanes.COLUMNS, "features", "classifier", "on", "answer"])
    return frame.astype(dict.fromkeys(("value", "low", "high"), "float64"))


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a row for each classifier and a lane for each set of probes; the paper's values are hollow."""
    paper = theme.Mark(theme.PAPER, "diamond", "dot")
    looks = {on: Look(_NAMES[on], _MARKS[on], lane) for lane, on in enumerate(printed.ON)}
    for lane, on in enumerate(printed.ON):
        looks[f"{on}{_PAPER}"] = Look("the paper" if not lane else "", paper, lane, hollow=True)
    highest = max(0.7, float(points[["high", "value"]].max().max()) + 0.03)
    ticks = ".0%", 0.1
    return lanes.by_chance(points, looks, "Accuracy", _hover, ticks=ticks, empty=_EMPTY, highest=highest, listed=False)


@once
def sentence(points: pd.DataFrame) -> str:
    """Read the accuracy with these features on Alice's probes aloud, then Bob's choice, then who overfits."""
    ours = points[points["series"].isin(printed.ON)]
    alice = ours[ours["on"] == "target"]
    if alice.empty:
        return _EMPTY
    best = max(records(alice), key=lambda row: row.value)
    above = [row for row in records(alice) if row.low > 0.5]
    text = (
        f"From {methods.spoken_features(best.features)}, {len(above)} of {len(alice)} classifiers are better than "
        f"chance (50%) on Alice’s probes. The best from these features is "
        f"{lowered(methods.CLASSIFIERS[best.classifier])} with {measured_in(best, named=True)}."
    )
    trusted = [row for row in records(alice) if row.answer is True]
    if trusted:
        row = trusted[0]
        name = lowered(methods.CLASSIFIERS[row.classifier])
        text += (
            f" Bob uses {name} (✓), the best on his validation probes; on Alice’s it is right in {measured_in(row)}."
        )
    else:
        text += " Bob’s classifier uses other features."
    values = ours.pivot_table(index="classifier", columns="on", values="value", sort=False)
    overfitted = [
        f"{lowered(methods.CLASSIFIERS[str(name)])} ({percent(row['train'])} against {percent(row['test'])})"
        for name, row in values.iterrows()
        if {"train", "test"} <= set(values.columns) and row["train"] - row["test"] > 0.1
    ]
    if overfitted:
        text += f" Overfitted, with far better accuracy on training probes than on test probes: {joined(overfitted)}."
    return text


def _label(name: str, answer: bool) -> str:
    """Return the name of a row, with the adversary's choice marked."""
    return f"<b>{name} ✓</b>" if answer else name


def _hover(row: Any) -> str:
    name = methods.CLASSIFIERS[row.classifier]
    probes = _NAMES[row.on]
    if row.series.endswith(_PAPER):
        return f"<b>{name}</b>, the paper<br>{probes}: {100 * row.value:.1f}%"
    return f"<b>{name}</b><br>{probes}: accuracy {measured_in(row)}"
