"""Victims' embeddings in a plane, with the correct and wrong answers about one author."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import foreign, planes, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import is_or_are, joined
from dashboard.kit.shared import once
from dashboard.topics.authors.figures import authors

TITLE = "Map of the embeddings"
_HEIGHT = 500
_MOST_NAMED = 3
_MUTED = 0x70
_SHORT = 60


@once
def of(coordinates: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the points of one layout."""
    return coordinates[coordinates["method"] == method].reset_index(drop=True)


@once
def figure(
    points: pd.DataFrame, author: str, names: Mapping[str, str], method: str, texts: Mapping[int, str] | None = None
) -> go.Figure:
    """Draw one layout: texts of the chosen author, and texts assigned to that author, in colour; all others muted.

    Args:
        points: See `of`.
        author: The chosen author.
        names: Name of each author.
        method: The layout.
        texts: Texts by row, if available; the hover text shows how they begin.
    """
    drawing = theme.blank(*planes.AXES[method], height=_HEIGHT, legend=True)
    if points.empty:
        return theme.empty(drawing, "The result has no map.")
    name = foreign.shown(names[author])
    written, assigned, right = (
        points["author"] == author,
        points["guess"] == author,
        points["author"] == points["guess"],
    )
    grey, accent, rim = theme.veil(theme.CHANCE, _MUTED), theme.MEMBER, theme.BACKGROUND
    for part, label, colour, symbol, size, edge in (
        (points[~written & ~assigned & right], "others, correct", grey, "circle", 7, 0.0),
        (points[~written & ~assigned & ~right], "others, confused with each other", grey, "x-thin", 8, 1.5),
        (points[written & right], f"{name}, correct", accent, "circle", 11, 0.5),
        (points[written & ~right], f"{name}, assigned to another", accent, "circle-x-open", 13, 2.5),
        (points[~written & assigned], f"others, assigned to {name}", theme.NONMEMBER, "square-open", 12, 2.5),
    ):
        if len(part):
            line = {"color": rim if symbol == "circle" else colour, "width": edge}
            mark, hover = theme.Mark(colour, symbol), [_hover(row, names, texts or {}) for row in records(part)]
            scatter.points(drawing, part["x"], part["y"], mark, label, hover, size=size, edge=line)
    drawing.update_layout(legend={"itemwidth": 30})
    planes.hide_numbers(drawing)
    return drawing.figure()


@once
def sentence(points: pd.DataFrame, confusion: pd.DataFrame, author: str, names: Mapping[str, str], method: str) -> str:
    """Read the answers about one author aloud, and how well the plane separates the author."""
    name = names[author]
    counts = records(authors.recognised(confusion[confusion["author"] == author]))
    if not counts:
        return f"No text of {name} is a victim."
    row = counts[0]
    text = f"Of {counted(int(row.texts), 'text')} of {name}, {row.named:,} {is_or_are(row.named)} assigned correctly"
    wrong = authors.mistakes(confusion)
    confusions = records(wrong[wrong["author"] == author])
    if confusions:
        mistaken = joined([f"{names[mistake.guess]} ({mistake.victims:,})" for mistake in confusions[:_MOST_NAMED]])
        missed = row.texts - row.named
        often = ", most often" if len(confusions) > _MOST_NAMED else ""
        text += f", {missed:,} {is_or_are(missed)} assigned to another author{often}: {mistaken}"
    wrongly_assigned = int(wrong.loc[wrong["guess"] == author, "victims"].sum())
    text += f". {counted(wrongly_assigned, 'text')} of others {is_or_are(wrongly_assigned)} assigned to {name}."
    total = int(confusion["victims"].sum())
    if len(points) < total:
        text += f" The map shows {len(points):,} of {counted(total, 'text')}."
    mapped = int((points["author"] == author).sum())
    if mapped < 2:
        return text
    share, chance = planes.alike(points, "author", author), (mapped - 1) / (len(points) - 1)
    return (
        f"{text} In the {planes.NAMES[method]} plane, the nearest neighbour of a text of {name} is by the same author "
        f"in {percent(share)} of the cases (chance: {percent(chance)}). The attack uses all dimensions."
    )


def _hover(row: Any, names: Mapping[str, str], texts: Mapping[int, str]) -> str:
    author = foreign.shown(names[row.author])
    guess = "correct" if row.author == row.guess else f"assigned to <b>{foreign.shown(names[row.guess])}</b>"
    text = texts.get(int(row.row), "")
    more = f"<br>{foreign.shown(foreign.cut(' '.join(text.split()), 3 * _SHORT), _SHORT)}" if text else ""
    return f"of <b>{author}</b>, {guess}{more}"
