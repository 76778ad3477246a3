"""Victims' embeddings in a plane, one author's among the others', and what was taken for whom."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dashboard.kit.figures import foreign, planes, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, percent
from dashboard.topics.authors.figures import authors

if TYPE_CHECKING:
    import plotly.graph_objects as go

TITLE = "Map of the embeddings"
_HEIGHT = 500
_NAMED = 3
_MUTED = 0x70
_SHORT = 60


def of(places: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the points of one layout."""
    return places[places["method"] == method].reset_index(drop=True)


def figure(
    own: pd.DataFrame, author: str, names: Mapping[str, str], method: str, texts: Mapping[int, str] | None = None
) -> "go.Figure":
    """Draw one layout: the chosen author's texts and what was taken for them in colour, all others muted.

    Args:
        own: What `of` returns.
        author: The chosen one.
        names: What each author is called.
        method: Which layout it is.
        texts: The texts by row, where they are here: a pointer shows how they begin.
    """
    drawing = theme.blank(*planes.AXES[method], height=_HEIGHT, legend=True)
    if own.empty:
        return theme.empty(drawing, "No embedding was laid out.")
    name = foreign.shown(names[author])
    mine, named, right = own["author"] == author, own["guess"] == author, own["author"] == own["guess"]
    grey, accent = theme.veil(theme.CHANCE, _MUTED), theme.MEMBER
    for part, label, colour, symbol, size, edge in (
        (own[~mine & ~named & right], "others, named rightly", grey, "circle", 7, 0.0),
        (own[~mine & ~named & ~right], "others, taken for one another", grey, "x-thin", 8, 1.5),
        (own[mine & right], f"{name}, named rightly", accent, "circle", 11, 0.5),
        (own[mine & ~right], f"{name}, taken for another", accent, "circle-x-open", 13, 2.5),
        (own[~mine & named], f"others, taken for {name}", theme.NONMEMBER, "square-open", 12, 2.5),
    ):
        if len(part):
            line = theme.BACKGROUND if symbol == "circle" else colour
            drawing.add_scatter(
                x=part["x"],
                y=part["y"],
                mode="markers",
                name=label,
                marker={"color": colour, "symbol": symbol, "size": size, "line": {"color": line, "width": edge}},
                text=[_hover(row, names, texts or {}) for row in records(part)],
            )
    drawing.update_layout(legend={"itemwidth": 30})
    drawing.update_xaxes(showticklabels=False)
    drawing.update_yaxes(showticklabels=False)
    return drawing.figure()


def sentence(own: pd.DataFrame, confusion: pd.DataFrame, author: str, names: Mapping[str, str], method: str) -> str:
    """Read aloud how one author was recognised, and how much of that the plane shows."""
    name = names[author]
    told = records(authors.recognised(confusion[confusion["author"] == author]))
    if not told:
        return f"No text of {name} was asked about."
    row = told[0]
    text = f"Of {counted(int(row.texts), 'text')} of {name}, {row.named:,} {_is(row.named)} named rightly"
    wrong = authors.mistakes(confusion)
    mine = records(wrong[wrong["author"] == author])
    if mine:
        said = joined([f"{names[one.guess]} ({one.victims:,})" for one in mine[:_NAMED]])
        missed = row.texts - row.named
        often = ", most often" if len(mine) > _NAMED else ""
        text += f", {missed:,} {_is(missed)} taken for another{often}: {said}"
    taken = int(wrong.loc[wrong["guess"] == author, "victims"].sum())
    text += f". {counted(taken, 'text')} of others {_is(taken)} taken for {name}."
    asked = int(confusion["victims"].sum())
    if len(own) < asked:
        text += f" The map shows {len(own):,} of all {counted(asked, 'text')}."
    alike = _alike(own, author)
    if alike is None:
        return text
    share, usual = alike
    return (
        f"{text} In the plane of {planes.NAMES[method]}, the nearest neighbour of a text of {name} is another of "
        f"theirs in {percent(share)}; by chance it would be in {percent(usual)}. The attack sees more than a plane."
    )


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _alike(own: pd.DataFrame, author: str) -> tuple[float, float] | None:
    """Return how often the nearest neighbour of the author's points is the author's, and how often by chance."""
    mine = (own["author"] == author).to_numpy()
    if mine.sum() < 2:
        return None
    places = own[["x", "y"]].to_numpy(dtype=np.float64)
    distances = ((places[mine][:, None] - places[None]) ** 2).sum(axis=2)
    distances[np.arange(mine.sum()), np.flatnonzero(mine)] = np.inf
    return float(mine[distances.argmin(axis=1)].mean()), float((mine.sum() - 1) / (len(own) - 1))


def _hover(row: Any, names: Mapping[str, str], texts: Mapping[int, str]) -> str:
    written = foreign.shown(names[row.author])
    guess = "named rightly" if row.author == row.guess else f"taken for <b>{foreign.shown(names[row.guess])}</b>"
    begins = texts.get(int(row.row), "")
    more = f"<br>{foreign.shown(foreign.cut(' '.join(begins.split()), 3 * _SHORT), _SHORT)}" if begins else ""
    return f"of <b>{written}</b>, {guess}{more}"
