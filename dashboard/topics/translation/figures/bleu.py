"""BLEU of translations by subcorpus and membership (Hisamoto et al. 2020, Figure 6)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.translation_membership.split import WATERMARKS
from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import foreign, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, points
from dashboard.kit.shared import once

TITLE = "BLEU of members and non-members"
_SIDES = (
    (True, "members", theme.Mark(theme.MEMBER, "circle"), -0.17),
    (False, "non-members", theme.Mark(theme.NONMEMBER, "square"), 0.17),
)
_ROW = 46
_EMPTY = "No pair was translated."
_ROLES = {"shared": "", "private": "Alice’s only", "foreign": "foreign"}


@once
def figure(bleu: pd.DataFrame) -> go.Figure:
    """Draw median, middle half and middle 90% of each subcorpus, members above non-members."""
    corpora = list(dict.fromkeys(bleu.sort_values("role", key=lambda role: role == "foreign", kind="stable")["corpus"]))
    inner = 38 + _ROW * max(len(corpora), 2)
    drawing = theme.blank("Sentence BLEU", "", inner=inner, legend=True)
    if bleu.empty:
        return theme.empty(drawing, _EMPTY)
    drawing.update_xaxes(range=[-0.03, theme.WHOLE], tickformat=".0%", dtick=0.2)
    titles = {row.corpus: _title(row.title, row.role) for row in records(bleu)}
    traces.name_rows(drawing, [titles[name] for name in corpora], below=0.45, above=0.55)
    for member, name, mark, off in _SIDES:
        rows = records(bleu[bleu["member"] == member])
        if rows:
            _boxes(drawing, rows, [corpora.index(row.corpus) + off for row in rows], name, mark)
    return drawing.figure()


@once
def sentence(bleu: pd.DataFrame) -> str:
    """Read the medians aloud: members against non-members, then foreign pairs."""
    if bleu.empty:
        return _EMPTY
    table = bleu.pivot_table(
        index=["corpus", "title", "role"], columns="member", values="median", sort=False
    ).reset_index()
    trained = table[table["role"] != "foreign"]
    if not {True, False} <= set(table.columns) or trained.empty:
        return "The thick bar holds half of the translations, the thin one 90%."
    gaps = trained.assign(gap=trained[True] - trained[False]).sort_values("gap", ascending=False)
    rows = gaps.to_dict("records")
    most, least = rows[0], rows[-1]
    text = f"The median BLEU of members exceeds that of non-members by at most {points(most['gap'])} ({most['title']})"
    if len(rows) > 1:
        text += f" and at least {points(least['gap'])} ({least['title']})"
    text += "."
    away = table[table["role"] == "foreign"]
    if len(away):
        medians = joined([f"{percent(row[False])} ({row['title']})" for row in away.to_dict("records")])
        hardest = min((row for row in rows if row["corpus"] != WATERMARKS), key=lambda row: row[False])
        text += (
            f" The medians of foreign subcorpora are {medians}. In the hardest subcorpus that was trained on, "
            f"{hardest['title']}, the median of non-members is {percent(hardest[False])}."
        )
    return text


def _boxes(drawing: Drawing, rows: list[Any], heights: list[float], name: str, mark: theme.Mark) -> None:
    for low, high, width, alpha in (("lowest", "highest", 3, 0x70), ("lower", "upper", 11, 0x90)):
        ends = [(getattr(row, low), getattr(row, high)) for row in rows]
        colour = theme.veil(mark.colour, alpha)
        scatter.strokes(drawing, ends, heights, colour, width, connectgaps=False, showlegend=False)
    edge, hover = {**scatter.RIM, "width": 1.5}, [_hover(row, name) for row in rows]
    medians = [row.median for row in rows]
    scatter.points(drawing, medians, heights, mark, name, hover, size=12, edge=edge)


def _hover(row: Any, name: str) -> str:
    return (
        f"<b>{foreign.shown(row.title)}</b>, {name}<br>median {percent(row.median)}, half of "
        f"{counted(int(row.pairs), 'translation')} between {percent(row.lower)} and {percent(row.upper)}<br>corpus "
        f"BLEU {row.corpus_bleu:.1f}%"
    )


def _title(title: str, role: str) -> str:
    label = foreign.cut(foreign.shown(title), 22)
    return f"{label}<br>{_ROLES[role]}" if _ROLES[role] else label
