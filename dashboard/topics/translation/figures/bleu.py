"""How well translations repeat their references, by subcorpus and membership (Hisamoto et al. 2020, Figure 6)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.translation_membership.split import WATERMARKS
from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined

TITLE = "How well pairs are translated"
_SIDES = (
    (True, "trained on them", theme.Mark(theme.MEMBER, "circle", "solid"), -0.17),
    (False, "not trained on them", theme.Mark(theme.NONMEMBER, "square", "solid"), 0.17),
)
_ROW = 46
_ROLES = {"shared": "", "private": "Alice’s alone", "foreign": "foreign"}


def figure(bleu: pd.DataFrame) -> go.Figure:
    """Draw median, half and nine tenths of the translations of each subcorpus, members above others."""
    corpora = list(dict.fromkeys(bleu.sort_values("role", key=lambda role: role == "foreign", kind="stable")["corpus"]))
    drawing = theme.blank(
        "Sentence BLEU", "", height=theme.TOP + theme.BOTTOM + 38 + _ROW * max(len(corpora), 2), legend=True
    )
    if bleu.empty:
        return theme.empty(drawing, "Nothing was translated.")
    drawing.update_xaxes(range=[-0.03, 1.03], tickformat=".1f", dtick=0.2)
    titles = {row.corpus: _title(row.title, row.role) for row in records(bleu)}
    drawing.update_yaxes(
        range=[len(corpora) - 0.45, -0.55],
        showgrid=False,
        tickmode="array",
        tickvals=list(range(len(corpora))),
        ticktext=[titles[name] for name in corpora],
    )
    for member, name, mark, off in _SIDES:
        own = records(bleu[bleu["member"] == member])
        if own:
            _boxes(drawing, own, [corpora.index(row.corpus) + off for row in own], name, mark)
    return drawing.figure()


def sentence(bleu: pd.DataFrame) -> str:
    """Read the medians aloud: where members are translated better, and where foreign pairs lie."""
    if bleu.empty:
        return "Nothing was translated."
    both = bleu.pivot_table(
        index=["corpus", "title", "role"], columns="member", values="median", sort=False
    ).reset_index()
    own = both[both["role"] != "foreign"]
    if not {True, False} <= set(both.columns) or own.empty:
        return "The thick bar holds half of the translations, the thin one nine tenths."
    gaps = own.assign(gap=own[True] - own[False]).sort_values("gap", ascending=False)
    rows = gaps.to_dict("records")
    most, least = rows[0], rows[-1]
    text = (
        f"The median BLEU of pairs that were trained on lies above that of others by {most['gap']:z.2f} at most "
        f"({most['title']})"
    )
    if len(rows) > 1:
        text += f" and by {least['gap']:z.2f} at least ({least['title']})"
    text += "."
    away = both[(both["role"] == "foreign")]
    if len(away):
        said = joined([f"{row[False]:.2f} ({row['title']})" for row in away.to_dict("records")])
        hardest = min((row for row in rows if row["corpus"] != WATERMARKS), key=lambda row: row[False])
        text += (
            f" New pairs of foreign subcorpora have {said}; those of the hardest subcorpus at home, "
            f"{hardest['title']}, {hardest[False]:.2f}."
        )
    return text


def _boxes(drawing: Drawing, own: list[Any], at: list[float], name: str, mark: theme.Mark) -> None:
    for low, high, width, alpha in (("lowest", "highest", 3, 0x70), ("lower", "upper", 11, 0x90)):
        x: list[float | None] = []
        y: list[float | None] = []
        for row, place in zip(own, at, strict=True):
            x += [getattr(row, low), getattr(row, high), None]
            y += [place, place, None]
        drawing.add_scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": theme.veil(mark.colour, alpha), "width": width},
            connectgaps=False,
            hoverinfo="skip",
            showlegend=False,
        )
    drawing.add_scatter(
        x=[row.median for row in own],
        y=at,
        mode="markers",
        name=name,
        marker={
            "color": mark.colour,
            "symbol": mark.symbol,
            "size": 12,
            "line": {"color": theme.BACKGROUND, "width": 1.5},
        },
        text=[_said(row, name) for row in own],
    )


def _said(row: Any, name: str) -> str:
    return (
        f"<b>{foreign.shown(row.title)}</b>, {name}<br>median {row.median:.2f}, half of "
        f"{counted(int(row.pairs), 'translation')} between {row.lower:.2f} and {row.upper:.2f}<br>"
        f"BLEU of all together {row.corpus_bleu:.1f} of 100"
    )


def _title(title: str, role: str) -> str:
    shown = foreign.cut(foreign.shown(title), 22)
    return f"{shown}<br>{_ROLES[role]}" if _ROLES[role] else shown
