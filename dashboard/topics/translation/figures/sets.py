"""Who holds which pairs (Hisamoto et al. 2020, Figures 2 to 4 and Table 1, in one): subcorpora by holders."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted

TITLE = "Who holds which pairs"
_COLUMNS = {
    ("target", "training"): ("train", "Alice’s training data, among them her in-probes"),
    ("target", "in_probes"): ("in", "in-probes: they trained Alice, and Bob has to say so"),
    ("target", "out_probes"): ("out", "out-probes: they did not train Alice, but could have"),
    ("everyone", "foreign_probes"): ("out", "probes from elsewhere: nobody was trained on anything like them"),
    ("shadow", "training"): ("train", "what one of Bob’s shadow models is trained on"),
    ("shadow", "in_probes"): ("in", "in-probes of a shadow model: Bob knows that they trained it"),
    ("shadow", "out_probes"): ("out", "out-probes of a shadow model: Bob knows that they did not train it"),
}
_HOLDERS = (("<b>Alice</b>", 0, 2), ("<b>nobody</b>", 3, 3), ("<b>Bob</b>", 4, 6))
_IN, _OUT, _TRAINING = theme.MEMBER, theme.NONMEMBER, theme.INK
_FILLS = {
    "training": (theme.veil(_TRAINING, 0x18), ""),
    "in_probes": (theme.veil(_IN, 0x48), "/"),
    "out_probes": (theme.veil(_OUT, 0x48), ""),
    "foreign_probes": (theme.veil(_OUT, 0x48), ""),
}
_ROLES = {"shared": "shared", "private": "Alice’s alone", "foreign": "foreign"}
_ROW, _HEAD = 54, 62


def figure(sets: pd.DataFrame) -> go.Figure:
    """Draw a row for each subcorpus and a column for each use, with the number of pairs where there are any."""
    rows = corpora(sets)
    drawing = theme.blank("", "", height=_HEAD + theme.TOP + _ROW * len(rows) + 12)
    if rows.empty:
        return theme.empty(drawing, "Nobody holds anything.")
    drawing.update_layout(margin={"t": 8})
    top = _HEAD / _ROW
    drawing.update_xaxes(visible=False, range=[-0.55, len(_COLUMNS) - 0.45])
    drawing.update_yaxes(
        range=[len(rows) - 0.4, -0.5 - top],
        showgrid=False,
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[f"{foreign.shown(row.title, 16)}<br>{_ROLES[row.role]}" for row in records(rows)],
        tickfont={"size": theme.SMALL - 1},
    )
    for name, first, last in _HOLDERS:
        _write(drawing, (first + last) / 2, -0.5 - top, name, "top")
        drawing.add_shape(
            type="line",
            x0=first - 0.44,
            x1=last + 0.44,
            y0=-0.5 - 0.52 * top,
            y1=-0.5 - 0.52 * top,
            name="holder",
            line={"color": theme.veil(theme.INK, 0x80), "width": 2},
        )
    for place, ((holder, use), (head, means)) in enumerate(_COLUMNS.items()):
        _write(drawing, place, -0.5, head, "bottom")
        own = sets[(sets["holder"] == holder) & (sets["use"] == use)].set_index("corpus")
        held = [
            (at, row, int(own.loc[row.corpus, "pairs"]))
            for at, row in enumerate(records(rows))
            if row.corpus in own.index
        ]
        fill, _ = _FILLS[use]
        for at, _, _ in held:
            drawing.add_shape(
                type="rect",
                x0=place - 0.45,
                x1=place + 0.45,
                y0=at - 0.4,
                y1=at + 0.4,
                layer="below",
                name=use,
                fillcolor=fill,
                line={
                    "color": theme.veil(theme.INK, 0x60),
                    "width": 1,
                    "dash": "dash" if "out" in use or "foreign" in use else "solid",
                },
            )
        drawing.add_scatter(
            x=[place] * len(held),
            y=[at for at, _, _ in held],
            mode="text",
            text=[_short(pairs) for _, _, pairs in held],
            textfont={"size": theme.SMALL, "color": theme.INK},
            showlegend=False,
            customdata=[
                f"<b>{foreign.shown(row.title)}</b>, {counted(pairs, 'pair')}<br>{means}" for _, row, pairs in held
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    return drawing.figure()


def sentence(sets: pd.DataFrame) -> str:
    """Say who holds how much, and which of it is in question."""
    if sets.empty:
        return "Nobody holds anything."
    totals = sets.groupby(["holder", "use"])["pairs"].sum()

    def held(holder: str, use: str) -> int:
        return int(totals.get((holder, use), 0))

    probes = held("target", "in_probes"), held("target", "out_probes")
    text = (
        f"Alice trains on {held('target', 'training'):,} pairs. Carol asks Bob about {probes[0]:,} of them (in) and "
        f"about {probes[1]:,} of the same subcorpora that she held back (out): guessing is right about half. Bob has "
        f"the shared subcorpora only, without any of these; each of his shadow models learns "
        f"{held('shadow', 'training'):,} pairs, and of its probes he knows the answer."
    )
    if judging := held("everyone", "validation"):
        text += f" {judging:,} pairs more judge the training of all and train nobody."
    if foreign_pairs := held("everyone", "foreign_probes"):
        text += f" The {foreign_pairs:,} foreign pairs nobody has; they count for no overall figure."
    return text


def corpora(sets: pd.DataFrame) -> pd.DataFrame:
    """Return the subcorpora, those that Alice and Bob share first, foreign ones last."""
    order = {role: number for number, role in enumerate(_ROLES)}
    rows = sets.drop_duplicates("corpus")[["corpus", "title", "role"]]
    return rows.sort_values("role", key=lambda role: role.map(order), kind="stable").reset_index(drop=True)


LEGEND = (
    "**Alice** trains the translator; there are two of her, each with the other’s in-probes as out-probes, so that no "
    "guess from the sentences alone can win. **Bob** asks her service for translations, and trains shadow models to "
    "learn what the translation of a member looks like; his columns are those of one of them. **Carol** draws the "
    "pairs and keeps score. Solid boxes trained the model at the head of the column, dashed boxes did not."
)


def _short(pairs: int) -> str:
    """Return a count that fits a narrow cell.

    >>> _short(750), _short(10200)
    ('750', '10.2k')
    """
    return f"{pairs:,}" if pairs < 10_000 else f"{pairs / 1000:.3g}k"


def _write(drawing: Any, x: float, y: float, text: str, anchor: str) -> None:
    theme.note(drawing, text, x=x, y=y, yanchor=anchor)
