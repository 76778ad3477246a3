"""The words a text is thought to be about, and how many of them stand in it (Pan et al. 2020, Table V)."""

from typing import TYPE_CHECKING

import pandas as pd

from core.result import Estimate
from dashboard.kit.figures import foreign, shares, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, measured, percent
from dashboard.kit.words import spoken

if TYPE_CHECKING:
    import plotly.graph_objects as go

MEASURES = {
    "recall_at_10": "Found among ten",
    "precision_at_10": "Right among ten",
    "average_precision": "Average precision",
}
_RANKINGS = {"naive": "Naive adversary", "frequency": "By frequency, the same for all", "random": "At random"}
_BAR = 34
_TOP = 10


def of(words: pd.DataFrame, victim: int) -> pd.DataFrame:
    """Return the likeliest words of one victim, the likeliest first."""
    return words[words["victim"] == victim].sort_values("place").reset_index(drop=True)


def figure(own: pd.DataFrame) -> "go.Figure":
    """Draw the likeliest words as bars; those that stand in the text are marked.

    Args:
        own: What `of` returns.
    """
    height = theme.TOP + theme.BOTTOM + _BAR * max(len(own), 5)
    drawing = theme.blank("Probability the adversary gives it", "", height=height)
    if own.empty:
        return theme.empty(drawing, "No word was ranked.")
    return _bars(drawing, own["word"].tolist(), own["probability"].tolist(), own["present"].tolist())


def frequent(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the ten candidates that stand in most of the adversary's texts, most frequent first."""
    return candidates.sort_values("share", ascending=False, kind="stable").head(_TOP).reset_index(drop=True)


def baseline(candidates: pd.DataFrame, present: dict[str, bool]) -> "go.Figure":
    """Draw the ten words that a ranking by frequency names for every text; those known to stand in it are marked.

    Args:
        candidates: As the game declares it.
        present: Whether a word stands in the text, for words of which that is known.
    """
    own = frequent(candidates)
    drawing = theme.blank(
        "Share of the adversary’s texts that have it", "", height=theme.TOP + theme.BOTTOM + _BAR * max(len(own), 5)
    )
    if own.empty:
        return theme.empty(drawing, "There is no candidate.")
    words = own["word"].tolist()
    return _bars(drawing, words, own["share"].tolist(), [present.get(word) for word in words])


def sentence(own: pd.DataFrame) -> str:
    """Read the ten words of one victim aloud."""
    if own.empty:
        return "No word was ranked."
    right = own.loc[own["present"], "word"].tolist()
    there = counted(int(own["findable"].iloc[0]), "candidate")
    if not right:
        return f"Of the {there} in this text, none is among the ten likeliest."
    are = "is" if len(right) == 1 else "are"
    return f"Of the {there} in this text, {len(right)} {are} among the ten: {joined(right)}."


def baseline_sentence(candidates: pd.DataFrame, present: dict[str, bool]) -> str:
    """Read the ranking by frequency aloud for one victim."""
    words = frequent(candidates)["word"].tolist()
    right = [word for word in words if present.get(word)]
    unknown = [word for word in words if word not in present]
    text = f"Without any embedding one names the same ten words for every text; here {len(right) or 'none'}"
    text += f" {'are' if len(right) > 1 else 'is'} right" + (f" ({joined(right)})" if right else "")
    if unknown:
        return f"{text}, as far as the result alone tells: of {len(unknown)} it does not."
    return f"{text}."


def rankings(table: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the bars of each measure: the attack, the ranking by frequency (the level to beat), and a random one."""
    level = {row.measure: row.value for row in records(table[table["variant"] == "frequency"])}
    return shares.table(
        [
            {
                "group": MEASURES.get(row.measure, spoken(row.measure)),
                "series": _ranking(row.variant, attack),
                "value": row.value,
                "low": row.low,
                "high": row.high,
                "chance": level.get(row.measure, float("nan")),
            }
            for row in records(table)
        ]
    )


def comparison(table: pd.DataFrame, attack: str) -> "go.Figure":
    """Draw each measure for the attack and both rankings that see no embedding."""
    looks = (
        (attack, theme.Mark(theme.MEMBER, "circle", "solid")),
        ("naive", theme.Mark(theme.AGAINST, "diamond", "dashdot")),
        ("frequency", theme.Mark(theme.CHANCE, "square", "dash")),
        ("random", theme.Mark(theme.THIRD, "triangle-up", "dot")),
    )
    there = set(table["variant"])
    marks = {_ranking(name, attack): mark for name, mark in looks if name in there}
    return shares.figure(rankings(table, attack), marks, "Mean over the victims")


def verdict(estimates: dict[str, Estimate]) -> str:
    """Read the comparison aloud."""
    said: list[str] = []
    for name, what in (
        ("recall_at_10", "of the candidates in a text are among the ten likeliest"),
        ("precision_at_10", "of the ten are in the text"),
    ):
        if name in estimates:
            figure = estimates[name]
            share = measured(figure.value, figure.low, figure.high, named=not said)
            said.append(f"{share} {what}, against {percent(figure.chance or 0)} by frequency alone")
    if not said:
        return "This result holds no figure of the attack."
    recall = estimates.get("recall_at_10")
    end = "" if recall is None or recall.above_chance() else " That is not shown to be more than frequency alone gives."
    if (naive := estimates.get("recall_at_10_naive")) is not None:
        end += f" Who does not know the defense finds {measured(naive.value, naive.low, naive.high)} of them."
    return f"{'; '.join(said)}.{end}"


def _ranking(variant: str, attack: str) -> str:
    return "The attack" if variant == attack else _RANKINGS.get(variant, spoken(variant))


def _bars(drawing: Drawing, words: list[str], values: list[float], right: list[bool | None]) -> "go.Figure":
    drawing.add_bar(
        x=values,
        y=list(range(len(words))),
        orientation="h",
        marker={
            "color": [theme.MEMBER if is_right else theme.veil(theme.NONMEMBER, 0x90) for is_right in right],
            "line": {"color": theme.INK, "width": [2 if is_right else 0 for is_right in right]},
        },
        text=[f"{percent(value)}{_mark(is_right)}" for value, is_right in zip(values, right, strict=True)],
        textposition="outside",
        textfont={"size": theme.SMALL, "color": theme.INK},
        cliponaxis=False,
        hovertext=[foreign.shown(word) for word in words],
        hovertemplate="%{hovertext}: %{x:.1%}<extra></extra>",
    )
    drawing.update_xaxes(range=[0, 1.75 * max([*values, 1e-3])], tickformat=".0%", nticks=5)
    drawing.update_yaxes(
        range=[max(len(words), 5) - 0.4, -0.6],
        tickmode="array",
        tickvals=list(range(len(words))),
        showgrid=False,
        ticktext=[
            f"<b>{foreign.shown(word)}</b>" if is_right else foreign.shown(word)
            for word, is_right in zip(words, right, strict=True)
        ],
    )
    return drawing.figure()


def _mark(right: bool | None) -> str:
    return " ✓ in the text" if right else " not known" if right is None else ""
