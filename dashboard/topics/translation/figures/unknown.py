"""Accuracy on pairs with unknown words, with the paper's values (Hisamoto et al. 2020, Table 5)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import printed
from dashboard.topics.translation.figures.methods import accuracy

TITLE = "Accuracy by place of the unknown word"
_SIDES = {"source": "in the source", "reference": "in the reference", "both": "in both", "neither": "in neither"}
_LOOKS: lanes.Looks = {
    "test": Look("Bob’s probes: all are out", theme.Mark(theme.NONMEMBER, "square"), 0),
    "paper": Look("the paper, Bob’s probes", theme.Mark(theme.PAPER, "diamond", "dot"), 0, hollow=True),
    "target": Look("Alice’s probes: half are in", theme.Mark(theme.MEMBER, "circle"), 1),
}
REMARK = (
    "A probe of Bob’s with a word unknown to his shadow model is out by construction, so predicting out for bad "
    "translations is correct. Of Alice’s probes with a word unknown to Bob, half are in. Only the orange points "
    "measure membership inference."
)


@once
def points(unknown: pd.DataFrame, features: str, rule: str) -> pd.DataFrame:
    """Return a row for each side of the pair that has an unknown word, for one method."""
    ours = unknown[(unknown["features"] == features) & (unknown["rule"] == rule)]
    rows: list[dict[str, Any]] = []
    paper = dict(zip(_SIDES, printed.UNKNOWN_WORDS.get(rule, ()), strict=False))
    for side, name in _SIDES.items():
        rows += [
            {"row": name, "series": row.asked, **accuracy(row), "share": row.share, "members": row.members}
            for row in records(ours[ours["side"] == side])
            if row.accuracy == row.accuracy
        ]
        if side in paper:
            rows.append({"row": name, "series": "paper", "value": paper[side]})
    frame = pd.DataFrame(rows, columns=[*lanes.COLUMNS, "share", "members"])
    return frame.astype(dict.fromkeys(frame.columns[2:], "float64"))


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw Bob's probes above Alice's for each side; the paper's values are hollow."""
    named = points.assign(row="Unknown word " + points["row"])
    empty = "No probe has an unknown word."
    return lanes.by_chance(named, _LOOKS, "Accuracy", _hover, ticks=(".0%", 0.2), empty=empty)


@once
def sentence(points: pd.DataFrame) -> str:
    """Compare the accuracy on Bob's probes with that on Alice's."""
    by_key = {(row.series, row.row): row for row in records(points)}
    bob = next((by_key[key] for key in by_key if key[0] == "test"), None)
    if bob is None or bob.row == _SIDES["neither"]:
        return "None of Bob’s probes has an unknown word."
    text = (
        f"On Bob’s probes with an unknown word {bob.row} ({percent(bob.share)} of his probes, all out), accuracy is "
        f"{measured_in(bob, named=True)}."
    )
    alice = by_key.get(("target", bob.row))
    if alice is None:
        return f"{text} None of Alice’s probes has one."
    over = alice.low > 0.5
    return (
        f"{text} On Alice’s, {percent(alice.members)} of which are in, it is "
        f"{measured_in(alice)}{'' if over else ', not shown to be better than chance'}."
    )


def _hover(row: Any) -> str:
    name = _LOOKS[row.series].name
    if row.series == "paper":
        return f"<b>{row.row}</b>, the paper (Table 5)<br>accuracy {100 * row.value:.1f}%"
    return (
        f"<b>{row.row}</b><br>{name}<br>accuracy {measured_in(row)}<br>{percent(row.share)} of "
        f"the probes, {percent(row.members)} of these in"
    )
