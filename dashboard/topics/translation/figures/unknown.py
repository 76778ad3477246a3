"""How right a method is about pairs with unknown words, beside the paper's (Hisamoto et al. 2020, Table 5)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import measured, percent
from dashboard.topics.translation.figures import printed

TITLE = "Pairs with unknown words"
_SIDES = {"source": "in the source", "reference": "in the reference", "both": "in both", "neither": "in neither"}
_LOOKS: lanes.Looks = {
    "test": Look("Bob’s probes: all with one are out", theme.Mark(theme.NONMEMBER, "square", "solid"), 0),
    "paper": Look("the paper, Bob’s probes", theme.Mark(theme.PAPER, "diamond", "dot"), 0, hollow=True),
    "target": Look("Alice’s probes: half are in", theme.Mark(theme.MEMBER, "circle", "solid"), 1),
}
REMARK = (
    "A probe of Bob’s with a word that his shadow model never saw cannot have trained it: it is out by construction, "
    "and who calls badly translated pairs out is right. Of Alice’s probes with a word that Bob never saw, half did "
    "train her. The orange points show what the blue ones are worth."
)


def points(unknown: pd.DataFrame, features: str, rule: str) -> pd.DataFrame:
    """Return a row for each side of the pair on which an unknown word stands, for one method."""
    own = unknown[(unknown["features"] == features) & (unknown["rule"] == rule)]
    rows: list[dict[str, Any]] = []
    for place, (side, name) in enumerate(_SIDES.items()):
        rows += [
            {
                "row": name,
                "series": row.asked,
                "value": row.accuracy,
                "low": row.accuracy_low,
                "high": row.accuracy_high,
                "share": row.share,
                "members": row.members,
            }
            for row in records(own[own["side"] == side])
            if row.accuracy == row.accuracy
        ]
        known = printed.UNKNOWN_WORDS.get(rule, ())
        if place < len(known):
            rows.append({"row": name, "series": "paper", "value": known[place]})
    frame = pd.DataFrame(rows, columns=[*lanes.COLUMNS, "share", "members"])
    return frame.astype(dict.fromkeys(frame.columns[2:], "float64"))


def figure(points: pd.DataFrame) -> go.Figure:
    """Draw Bob's probes above Alice's for each side; the paper's values are hollow."""
    looks = {key: look for key, look in _LOOKS.items() if key in set(points["series"])}
    drawing = lanes.blank("Share of right guesses", points["row"].nunique(), looks, listed=True)
    if points.empty:
        return theme.empty(drawing, "No probe has an unknown word.")
    drawing.update_xaxes(range=[theme.floor(points["low"], points["value"]), 1.03], tickformat=".0%", dtick=0.2)
    drawing.update_yaxes(title={"text": "Unknown word"})
    lanes.draw(drawing, points, looks, [_said(row) for row in records(points)])
    lanes.chance(drawing, 0.5)
    return drawing.figure()


def sentence(points: pd.DataFrame) -> str:
    """Set what Bob sees of his own probes against what is true of Alice's."""
    found = {(row.series, row.row): row for row in records(points)}
    bob = next((found[key] for key in found if key[0] == "test"), None)
    if bob is None or bob.row == _SIDES["neither"]:
        return "None of Bob’s probes has an unknown word."
    text = (
        f"Of Bob’s own probes with an unknown word {bob.row} ({percent(bob.share)} of them), all of them out, "
        f"{measured(bob.value, bob.low, bob.high, named=True)} are told."
    )
    alice = found.get(("target", bob.row))
    if alice is None:
        return f"{text} None of Alice’s has one."
    over = alice.low > 0.5
    return (
        f"{text} Of Alice’s, of which {percent(alice.members)} are in, {measured(alice.value, alice.low, alice.high)}"
        f"{'' if over else ', which is not shown to be more than guessing'}."
    )


def _said(row: Any) -> str:
    who = _LOOKS[row.series].name
    if row.series == "paper":
        return f"<b>{row.row}</b>, the paper (Table 5)<br>{100 * row.value:.1f}% right"
    return (
        f"<b>{row.row}</b><br>{who}<br>{measured(row.value, row.low, row.high)} right<br>{percent(row.share)} of the "
        f"probes, {percent(row.members)} of those in"
    )
