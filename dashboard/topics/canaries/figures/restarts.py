"""Where the random beginnings of the attack on one canary ended, and which of these ends it trusts."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import number

TITLE = "Where each beginning ended"
SHOWN = 10
_ROW = 44
_WIDTH = 28
_LOG = 20
"""From this ratio of losses on the axis is logarithmic."""
_LOOKS = {True: ("the true secret", theme.MEMBER, "circle"), False: ("with wrong words", theme.NONMEMBER, "x")}
_COLUMNS = {"guess": "str", "runs": "int64", "loss": "float64", "right": "int64", "words": "int64", "trusted": "bool"}


def ends(runs: pd.DataFrame, canary: Any) -> pd.DataFrame:
    """Return the different ends of the runs, the smallest loss first.

    Args:
        runs: As the game declares it.
        canary: Its row of the table ``canaries``.
    """
    own = runs[(runs["model"] == canary.model) & (runs["pattern"] == canary.pattern)]
    truth = canary.truth.split()
    rows = [
        {
            "trusted": False,
            "guess": guess,
            "runs": len(same),
            "loss": float(same["loss"].min()),
            "words": len(truth),
            "right": sum(word == true for word, true in zip(str(guess).split(), truth, strict=True)),
        }
        for guess, same in own.groupby("guess", sort=False)
    ]
    found = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)
    found = found.sort_values("loss", kind="stable").reset_index(drop=True)
    return found.assign(trusted=found.index == 0)


def figure(found: pd.DataFrame, truth: float, random: float) -> go.Figure:
    """Draw the loss at each end, beside those of the true secret and of a random guess.

    Args:
        found: What `ends` returns.
        truth: The network's loss with the true secret.
        random: The same with a random guess.
    """
    rows = found.head(SHOWN)
    height = theme.TOP + theme.BOTTOM + 36 + _ROW * max(len(rows), 2)
    drawing = theme.blank("Loss of the network (lower: it fits better)", "", height=height, legend=True)
    if rows.empty:
        return theme.empty(drawing, "The runs on this canary were not kept.")
    low, high = _axis(drawing, [*rows["loss"].tolist(), truth, random])
    drawing.update_yaxes(range=[len(rows) - 0.4, -0.6], showgrid=False, showticklabels=False)
    theme.level(drawing, x=random, text="a random guess")
    drawing.layout["annotations"][-1].update(x=_place(drawing, random), xanchor="right")
    drawing.add_scatter(
        x=[truth, truth],
        y=[-0.6, len(rows) - 0.4],
        mode="lines",
        name="loss with the true secret",
        line={"color": theme.THIRD, "width": 2.5},
        hovertemplate=f"the true secret: {number(truth)}<extra></extra>",
    )
    for whole, (name, colour, symbol) in _LOOKS.items():
        own = [(place, row) for place, row in enumerate(records(rows)) if (row.right == row.words) == whole]
        drawing.add_scatter(
            x=[row.loss for _, row in own],
            y=[place for place, _ in own],
            mode="markers",
            name=f"ends at {name}" if whole else f"ends {name}",
            marker={
                "color": colour,
                "symbol": symbol,
                "opacity": 1,
                "size": [17 if row.trusted else 11 for _, row in own],
            },
            text=[_hover(row) for _, row in own],
        )
    for place, row in enumerate(records(rows)):
        guess = foreign.cut(row.guess, _WIDTH)
        text = f"{f'<b>{guess}, trusted</b>' if row.trusted else guess}<br>{_reached(row)}"
        at = _place(drawing, row.loss)
        first = at < (low + high) / 2
        theme.note(
            drawing,
            text,
            x=at,
            xanchor="left" if first else "right",
            xshift=12 if first else -12,
            y=place,
            yanchor="middle",
            align="left" if first else "right",
            bgcolor=theme.veil(theme.BACKGROUND, 0xC0),
        )
    return drawing.figure()


def sentence(found: pd.DataFrame, truth: float) -> str:
    """Read the ends aloud: how many reach the truth, what is trusted, and whether the search or the memory failed."""
    if found.empty:
        return "The runs on this canary were not kept."
    best = records(found)[0]
    whole = int(found.loc[found["right"] == found["words"], "runs"].sum())
    runs = int(found["runs"].sum())
    beginnings = counted(runs, "random beginning")
    text = f"{f'Of {beginnings}, {whole}' if runs > 1 else f'Of one beginning, {whole}'} ended at the true secret."
    text += f" The smallest loss, {number(best.loss)}, is trusted: {best.right} of {best.words} words are right there."
    if best.right == best.words:
        return text
    if best.loss > truth:
        return (
            f"{text} The true secret has a smaller loss, {number(truth)}: the network tells more than was found, and a "
            "better search may read it."
        )
    return (
        f"{text} The true secret has no smaller loss, {number(truth)}: the network fits something else better, and no "
        "search by its loss would read it."
    )


def _axis(drawing: Drawing, losses: list[float]) -> tuple[float, float]:
    """Set the axis of losses, and return its ends as annotations count them."""
    low, high = min(losses), max(losses)
    if low > 0 and high / low >= _LOG:
        drawing.update_xaxes(**theme.logarithmic(low, high))
    else:
        room = 0.06 * (high - low or abs(high) or 1.0)
        drawing.update_xaxes(range=[low - room, high + room], nticks=6)
    first, last = drawing.layout["xaxis"]["range"]
    return first, last


def _place(drawing: Drawing, loss: float) -> float:
    """Return where an annotation at a loss stands: a logarithmic axis counts its logarithm."""
    return math.log10(loss) if drawing.layout["xaxis"].get("type") == "log" else loss


def _hover(row: Any) -> str:
    return f"<b>{row.guess}</b><br>loss {row.loss:.4g}, {_reached(row)}"


def _reached(row: Any) -> str:
    return f"{counted(row.runs, 'run')}, {row.right} of {row.words} right"
