"""Split of the pairs: subcorpora by holder (Hisamoto et al. 2020, Figures 2 to 4 and Table 1)."""

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import foreign, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

TITLE = "Split of the pairs"
_COLUMNS = {
    ("target", "training"): ("train", "Alice’s training data, including her in-probes"),
    ("target", "in_probes"): ("in", "in-probes: Alice was trained on them"),
    ("target", "out_probes"): ("out", "out-probes: from the same subcorpora, but Alice was not trained on them"),
    ("everyone", "foreign_probes"): ("out", "foreign probes: no model was trained on their subcorpora"),
    ("shadow", "training"): ("train", "training data of one of Bob’s shadow models"),
    ("shadow", "in_probes"): ("in", "in-probes of a shadow model: Bob trained it on them"),
    ("shadow", "out_probes"): ("out", "out-probes of a shadow model: Bob did not train it on them"),
}
_HOLDERS = (("<b>Alice</b>", 0, 2), ("<b>nobody</b>", 3, 3), ("<b>Bob</b>", 4, 6))
_FILLS = {
    "training": theme.veil(theme.INK, 0x18),
    "in_probes": theme.veil(theme.MEMBER, 0x48),
    "out_probes": theme.veil(theme.NONMEMBER, 0x48),
    "foreign_probes": theme.veil(theme.NONMEMBER, 0x48),
}
_DASHED = ("out_probes", "foreign_probes")
_EMPTY = "The result has no pairs."
_ROLES = {"shared": "shared", "private": "Alice’s only", "foreign": "foreign"}
_ROW, _HEAD = 54, 62


@once
def figure(sets: pd.DataFrame) -> go.Figure:
    """Draw a row for each subcorpus and a column for each use, with the numbers of pairs."""
    rows = corpora(sets)
    drawing = theme.blank("", "", height=_HEAD + theme.TOP + _ROW * len(rows) + 12)
    if rows.empty:
        return theme.empty(drawing, _EMPTY)
    drawing.update_layout(margin={"t": 8})
    top = _HEAD / _ROW
    drawing.update_xaxes(visible=False, range=[-0.55, len(_COLUMNS) - 0.45])
    titles = [f"{foreign.shown(row.title, 16)}<br>{_ROLES[row.role]}" for row in records(rows)]
    traces.name_rows(drawing, titles, above=0.5 + top, tickfont={"size": theme.SMALL - 1})
    for name, first, last in _HOLDERS:
        theme.note(drawing, name, x=(first + last) / 2, y=-0.5 - top, yanchor="top")
        height, line = -0.5 - 0.52 * top, {"color": theme.veil(theme.INK, 0x80), "width": 2}
        ends = {"x0": first - 0.44, "x1": last + 0.44, "y0": height, "y1": height}
        drawing.add_shape(type="line", name="holder", line=line, **ends)
    for column, (holder, use) in enumerate(_COLUMNS):
        _column(drawing, sets[(sets["holder"] == holder) & (sets["use"] == use)], rows, column)
    return drawing.figure()


@once
def sentence(sets: pd.DataFrame) -> str:
    """Say how many pairs each holder has, and which of them are probes."""
    if sets.empty:
        return _EMPTY
    totals = sets.groupby(["holder", "use"])["pairs"].sum()

    def count(holder: str, use: str) -> int:
        return int(totals.get((holder, use), 0))

    probes = count("target", "in_probes"), count("target", "out_probes")
    text = (
        f"Alice trains on {count('target', 'training'):,} pairs. Carol’s probes are {probes[0]:,} of them (in) and "
        f"{probes[1]:,} held-out pairs of the same subcorpora (out), so chance is about 50%. Bob has only the shared "
        f"subcorpora, without these probes; each of his shadow models is trained on {count('shadow', 'training'):,} "
        "pairs, and he knows the membership of its probes."
    )
    if judging := count("everyone", "validation"):
        text += f" Another {judging:,} pairs validate all models and train none."
    if foreign_pairs := count("everyone", "foreign_probes"):
        text += f" No model is trained on the {foreign_pairs:,} foreign pairs; overall estimates exclude them."
    return text


@once
def corpora(sets: pd.DataFrame) -> pd.DataFrame:
    """Return the subcorpora: shared ones first, foreign ones last."""
    order = {role: number for number, role in enumerate(_ROLES)}
    rows = sets.drop_duplicates("corpus")[["corpus", "title", "role"]]
    return rows.sort_values("role", key=lambda role: role.map(order), kind="stable").reset_index(drop=True)


LEGEND = (
    "**Alice** trains the translator. There are two Alices, each with the other’s in-probes as out-probes, so that the "
    "sentences alone cannot reveal membership. **Bob** queries her service, and trains shadow models "
    "to learn the translations of members; his columns show one shadow model. **Carol** draws the pairs and scores the "
    "answers. The model of a column was trained on pairs in solid boxes, not on those in dashed boxes."
)


def _short(pairs: int) -> str:
    """Return a count for a narrow cell.

    >>> _short(750), _short(10200)
    ('750', '10.2k')
    """
    return f"{pairs:,}" if pairs < 10_000 else f"{pairs / 1000:.3g}k"


def _column(drawing: Drawing, pairs: pd.DataFrame, rows: pd.DataFrame, column: int) -> None:
    """Draw the boxes of one use, with the number of pairs of each subcorpus."""
    (_, use), (head, meaning) = list(_COLUMNS.items())[column]
    theme.note(drawing, head, x=column, y=-0.5, yanchor="bottom")
    numbers = dict(zip(pairs["corpus"], pairs["pairs"].astype(int), strict=True))
    cells = [(at, row.title, numbers[row.corpus]) for at, row in enumerate(records(rows)) if row.corpus in numbers]
    line = {"color": theme.veil(theme.INK, 0x60), "width": 1, "dash": "dash" if use in _DASHED else "solid"}
    for at, _, _ in cells:
        look = {"layer": "below", "name": use, "fillcolor": _FILLS[use], "line": line}
        traces.rectangle(drawing, column, at, 0.9, 0.8, **look)
    traces.texts(
        drawing,
        [column] * len(cells),
        [at for at, _, _ in cells],
        [_short(number) for _, _, number in cells],
        customdata=[f"<b>{foreign.shown(title)}</b>, {counted(n, 'pair')}<br>{meaning}" for _, title, n in cells],
        hovertemplate="%{customdata}<extra></extra>",
    )
