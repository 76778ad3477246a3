"""Ranked topic words of a text, and those that are in it (Pan et al. 2020, Table V)."""

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import adversary_name, counted, spoken
from dashboard.kit.figures import axes, foreign, shares, theme, traces
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

MEASURES = {
    "recall_at_10": "Recall at 10",
    "precision_at_10": "Precision at 10",
    "average_precision": "Average precision",
}
_UNRANKED = "No word was ranked."
_BAR = 34
_TOP = 10


@once
def of(words: pd.DataFrame, victim: int) -> pd.DataFrame:
    """Return the most likely words of one victim, the most likely first."""
    return words[words["victim"] == victim].sort_values("place").reset_index(drop=True)


@once
def typical(words: pd.DataFrame) -> int | None:
    """Return the victim whose share of words found is nearest to the average, of equals that with most to find.

    None where no text has a candidate.
    """
    by_victim = words.groupby("victim").agg(found=("present", "sum"), findable=("findable", "first"))
    known = by_victim[by_victim["findable"] > 0]
    if known.empty:
        return None
    recall = known["found"] / known["findable"]
    ordered = known.assign(away=(recall - recall.mean()).abs().round(3)).sort_values(
        ["away", "findable"], ascending=[True, False], kind="stable"
    )
    return int(ordered.index[0])


@once
def figure(ranked: pd.DataFrame) -> go.Figure:
    """Draw the words of `of` as bars, with those in the text marked."""
    columns = (ranked[name].tolist() for name in ("word", "probability", "present"))
    return _bars("Probability by the adversary", *columns, empty=_UNRANKED)


@once
def frequent(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the ten candidates in most of the adversary's texts, the most frequent first."""
    return candidates.sort_values("share", ascending=False, kind="stable").head(_TOP).reset_index(drop=True)


@once
def baseline(candidates: pd.DataFrame, present: dict[str, bool]) -> go.Figure:
    """Draw the ten words of the frequency baseline, with those in the text marked.

    Args:
        candidates: The game's table of candidates.
        present: Whether a word is in the text, for words where that is known.
    """
    most_frequent = frequent(candidates)
    words, frequencies = most_frequent["word"].tolist(), most_frequent["share"].tolist()
    title, right = "Share of the adversary’s texts with the word", [present.get(word) for word in words]
    return _bars(title, words, frequencies, right, empty="The result has no candidate.")


@once
def sentence(ranked: pd.DataFrame) -> str:
    """Read the ten words of one victim aloud."""
    if ranked.empty:
        return _UNRANKED
    right = ranked.loc[ranked["present"], "word"].tolist()
    findable = counted(int(ranked["findable"].iloc[0]), "candidate")
    if findable == "1 candidate":
        return f"The only candidate in this text is {f'among the ten: {right[0]}' if right else 'not among the ten'}."
    if not right:
        return f"Of the {findable} in this text, none is among the ten most likely."
    are = "is" if len(right) == 1 else "are"
    return f"Of the {findable} in this text, {len(right)} {are} among the ten: {joined(right)}."


@once
def named(ranked: pd.DataFrame) -> str:
    """Read aloud which words the adversary names for one victim, and how many of those in the text these are."""
    return f"From the embedding alone, the adversary names {joined(ranked['word'].tolist())}. {sentence(ranked)}"


@once
def baseline_sentence(candidates: pd.DataFrame, present: dict[str, bool]) -> str:
    """Read the frequency baseline aloud for one victim."""
    words = frequent(candidates)["word"].tolist()
    right = [word for word in words if present.get(word)]
    unknown = [word for word in words if word not in present]
    text = f"Chance names the same ten words for every text; here {len(right) or 'none'}"
    text += f" {'are' if len(right) > 1 else 'is'} correct" + (f" ({joined(right)})" if right else "")
    if unknown:
        return f"{text}; without the text, {len(unknown)} of them are unknown."
    return f"{text}."


@once
def rankings(table: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the bars of each measure: the attack, the frequency baseline and a random ranking."""
    bars = [
        {
            "group": MEASURES.get(row.measure, spoken(row.measure)),
            "series": _ranking(row.variant, attack),
            **interval(row),
            "chance": float("nan"),
        }
        for row in records(table)
    ]
    return shares.table(bars)


@once
def comparison(table: pd.DataFrame, attack: str) -> go.Figure:
    """Draw each measure for the attack and for both rankings without an embedding."""
    looks = {
        attack: theme.Mark(theme.MEMBER, "circle"),
        "naive": theme.Mark(theme.AGAINST, "diamond", "dashdot"),
        "frequency": theme.Mark(theme.CHANCE, "square", "dash"),
        "random": theme.Mark(theme.THIRD, "triangle-up", "dot"),
    }
    marks = {_ranking(name, attack): mark for name, mark in looks.items() if name in set(table["variant"])}
    return shares.figure(rankings(table, attack), marks, "Mean over the victims", share="mean over the victims")


def verdict(estimates: dict[str, Estimate]) -> str:
    """Read the comparison aloud."""
    shares_read: list[str] = []
    for name, meaning in (
        ("recall_at_10", "of the candidate words in a text are among the ten most likely"),
        ("precision_at_10", "of the ten are in the text"),
    ):
        if name in estimates:
            figure = estimates[name]
            share = measured_in(figure, named=not shares_read)
            chance = "chance" if shares_read else "chance (the most frequent words)"
            shares_read.append(f"{share} {meaning}, {chance} {percent(figure.chance or 0)}")
    if not shares_read:
        return "The result has no estimate of the attack."
    recall, end = estimates.get("recall_at_10"), ""
    if recall is not None and not recall.above_chance():
        end = " That is not shown to be better than chance."
    if (naive := estimates.get("recall_at_10_naive")) is not None:
        share = measured_in(naive)
        end += f" The naive adversary, who ignores the defense, finds {share} of them."
    return f"{'; '.join(shares_read)}.{end}"


def _ranking(variant: str, attack: str) -> str:
    return "The attack" if variant == attack else adversary_name(variant, "reassembly")


def _bars(title: str, words: list[str], values: list[float], right: list[bool | None], *, empty: str) -> go.Figure:
    written = [f"{percent(value)}{_mark(is_right)}" for value, is_right in zip(values, right, strict=True)]
    drawing = theme.blank(title, "", inner=_BAR * max(len(words), 5))
    if not words:
        return theme.empty(drawing, empty)
    traces.written_bars(
        drawing,
        written,
        x=values,
        y=list(range(len(words))),
        orientation="h",
        marker={
            "color": [theme.MEMBER if is_right else theme.veil(theme.NONMEMBER, 0x90) for is_right in right],
            "line": {"color": theme.INK, "width": [2 if is_right else 0 for is_right in right]},
        },
        hovertext=[foreign.shown(word) for word in words],
        hovertemplate="%{hovertext}: %{x:.1%}<extra></extra>",
    )
    axes.written_shares(drawing, max([*values, 1e-3]), written)
    names = [
        f"<b>{foreign.shown(word)}</b>" if is_right else foreign.shown(word)
        for word, is_right in zip(words, right, strict=True)
    ]
    traces.name_rows(drawing, names, range=[max(len(words), 5) - 0.4, -0.6])
    return drawing.figure()


def _mark(right: bool | None) -> str:
    return " ✓ in the text" if right else " unknown" if right is None else ""
