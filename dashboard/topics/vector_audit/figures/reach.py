"""What is read from vectors, by the length of the texts or by the number of leaked pairs."""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import Literal, get_args

import pandas as pd
import plotly.graph_objects as go

from core.attacks.inversion.generative_inversion import GenerativeInversion
from core.catalog.vector_reading import HELD, LONGEST, METHODS, TOKENS
from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import capitalised, counted, is_decimal, measured_as, valued
from dashboard.kit.figures import intervals, scatter, theme
from dashboard.kit.figures.tables import from_on, records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

LENGTHS, PAIRS = "Short and long texts", "A few leaked pairs"
_AXES = {LENGTHS: "Words of each text", PAIRS: "Leaked pairs of a text and its vector"}
Measure = Literal["f1", "recall_names", "recall_numbers", "exact_match", "bleu", "rouge_l", "cosine"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
_CALLED: dict[Measure, str] = {
    "f1": "F1 of words",
    "recall_names": "Names read",
    "recall_numbers": "Numbers read",
    "exact_match": "Whole texts",
    "bleu": "BLEU",
    "rouge_l": "ROUGE-L",
    "cosine": "Cosine",
}
_COUNTED: dict[Measure, str] = {"recall_names": "names", "recall_numbers": "numbers"}
"""What the decisions of a measure are; of the others, they are vectors."""
_GENERATION = METHODS[GenerativeInversion.part_name()]
_WRITTEN: tuple[Measure, ...] = ("exact_match", "bleu", "rouge_l", "cosine")
"""Measures of the texts that are written; the others are of words that an attack names."""
_GUESSED = "the better of the most frequent words and what is read from another vector"
_CHANCES: dict[Measure, str] = {"f1": "the most frequent words", "recall_names": _GUESSED, "recall_numbers": _GUESSED}
_DEALT = "what is read from another vector"
_SOUGHT = (
    " Texts are chosen or corrected by this very cosine, so that one above chance does not show that anything was read."
)

ByNumber = Mapping[str, Mapping[int, Estimate]]


def measure_name(measure: Measure) -> str:
    """Return what a figure measures, in words."""
    return _CALLED[measure]


@once
def table(by_series: ByNumber) -> pd.DataFrame:
    """Return one row for each series and number, in order: a measure with its interval and chance, and n."""
    rows = [
        (series, number, estimate.value, estimate.low, estimate.high, estimate.chance, estimate.n)
        for series, estimates in by_series.items()
        for number, estimate in sorted(estimates.items())
    ]
    return pd.DataFrame(rows, columns=["series", "at", "value", "low", "high", "chance", "n"])


@once
def named(scores: pd.DataFrame, measure: Measure = "f1") -> pd.DataFrame:
    """Return the same table with columns that say what is measured, and what is counted."""
    ends = {end: f"{measure}_{end}" for end in ("low", "high", "chance")}
    return scores.rename(columns={"value": measure, **ends, "n": _cases(measure)})


@once
def figure(scores: pd.DataFrame, title: str, measure: Measure = "f1") -> go.Figure:
    """Draw a line with its intervals for each series, and chance: that of F1 once where all share it, else in colour.

    Args:
        scores: See `table`.
        title: `LENGTHS` or `PAIRS`.
        measure: What is drawn.
    """
    drawing = theme.blank(_AXES[title], f"{_CALLED[measure]}<br>(95% intervals)", legend=True)
    if scores.empty:
        return theme.empty(drawing, "None of these results is on this machine.")
    ticks = sorted(set(scores["at"]))
    drawing.update_xaxes(**theme.categories([f"{number:,}" for number in ticks]), range=(-0.3, len(ticks) - 0.7))
    bottom, top = min(scores["low"].min(), scores["chance"].min(), 0), max(scores["high"].max(), scores["chance"].max())
    drawing.update_yaxes(range=(bottom, max(1.1 * top, 0.05)), tickformat=".2f" if is_decimal(measure) else ".0%")
    shared = scores.groupby("at", sort=True)["chance"].unique()
    is_shared = measure == "f1" and bool((shared.map(len) == 1).all())
    present = list(dict.fromkeys(scores["series"]))
    names = [*METHODS.values()] if title == LENGTHS else present
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        rows = scores[scores["series"] == name]
        if rows.empty:
            continue
        x = rows["at"].map(ticks.index)
        hover = [
            f"<b>{row.at:,}</b>: {_CALLED[measure]} {measured_as(measure, row)}, chance "
            f"{valued(measure, row.chance)}; n = {row.n:,}"
            for row in records(rows)
        ]
        intervals.band(drawing, x, rows["low"], rows["high"], mark.colour)
        scatter.points(drawing, x, rows["value"], mark, name, hover, size=9, line={"color": mark.colour, "width": 2})
        if not is_shared:
            line = {**theme.CHANCE_LINE, "color": mark.colour}
            drawing.add_scatter(x=x, y=rows["chance"], mode="lines", line=line, showlegend=False, hoverinfo="skip")
    drawing.add_scatter(
        x=list(range(len(ticks))),
        y=[chances[0] if is_shared else None for chances in shared],
        mode="lines",
        line=theme.CHANCE_LINE,
        name=f"chance ({_CHANCES[measure]})" if is_shared else "chance, in each colour",
        hoverinfo="skip",
    )
    return drawing.figure()


@once
def of_lengths(scores: pd.DataFrame, measure: Measure = "f1", untrusted: Collection[int] = ()) -> str:
    """Read the figure of lengths aloud: each series at its shortest and longest texts, and where it beats chance.

    Args:
        scores: See `table`.
        measure: What is drawn.
        untrusted: Numbers of words at which generation names the words of its classifier, and none for what it wrote.
    """
    if scores["at"].nunique() < 2:
        return "Too few of these results are on this machine."
    texts = []
    for series in dict.fromkeys(scores["series"]):
        rows = list(records(scores[scores["series"] == series]))
        ends = [
            f"{measured_as(measure, row)} from {row.at} words (chance {valued(measure, row.chance)})"
            for row in (rows[0], *rows[1:][-1:])
        ]
        above, below = sum(row.low > row.chance for row in rows), sum(row.high < row.chance for row in rows)
        lead = (
            f", above chance at {above} of {counted(len(rows), 'length')}{f' and below it at {below}' if below else ''}"
        )
        lead = "" if measure == "cosine" else lead
        texts.append(f"{series}, {joined(ends)}{lead}")
    generated = scores["series"] == _GENERATION
    alone = sorted({*untrusted} & {*scores["at"][generated]}) if measure not in _WRITTEN else []
    where = joined([f"{words:,}" for words in alone])
    unread = (
        f" Of texts of {where} words, generation names the words by its own classifier alone: what it wrote for texts "
        "of its own did not help it there, and it is compared with no other way."
    )
    compared = scores[~(generated & scores["at"].isin(alone))]
    return (
        f"Messages of Enron, cut: {_CALLED[measure]} {'; '.join(texts)}. Chance is {_CHANCES.get(measure, _DEALT)}."
        f"{unread if alone else ''}{_SOUGHT if measure == 'cosine' else _ahead(compared)}"
    )


def _ahead(scores: pd.DataFrame) -> str:
    """Say by which way more is read at which lengths, a sentence for two ways; nothing where intervals overlap."""
    rows = {(row.series, row.at): row for row in records(scores)}
    lengths = sorted(set(scores["at"]))
    leads, overlapping = [], 0
    for first, second in combinations(dict.fromkeys(scores["series"]), 2):
        shared = [length for length in lengths if (first, length) in rows and (second, length) in rows]
        overlapping += len(shared)
        for one, other in ((first, second), (second, first)):
            if above := [length for length in shared if rows[one, length].low > rows[other, length].high]:
                every = len(above) == len(lengths) > 1
                where = f"at all {len(lengths)} lengths" if every else f"at {joined([f'{at:,}' for at in above])} words"
                leads.append(f"{capitalised(one)} this figure is higher than {other} {where}.")
                overlapping -= len(above)
    return " ".join(["", *leads, *(["Elsewhere, intervals overlap."] if overlapping else [])]) if leads else ""


@once
def setting(
    scores: pd.DataFrame, measure: Measure, queries: ByNumber, writers: Mapping[int, GenerativeInversion]
) -> str:
    """Say what the figure of lengths was measured on, and what the ways to read do not have in common.

    Args:
        scores: See `table`; not empty.
        measure: What is drawn.
        queries: For each series, the queries of the encoder by number of words.
        writers: The attack by generation by number of words; none where it is not drawn.
    """
    shortest, longest = scores["at"].min(), scores["at"].max()
    asked = joined([f"{_range([each.value for each in by.values()])} {series}" for series, by in queries.items()])
    n = joined([f"{_range(rows['n'])} {series}" for series, rows in scores.groupby("series", sort=False)])
    return (
        f"Beginnings of messages of at least {LONGEST} words, as unit-length vectors of MiniLM; each length has its "
        f"own draw of messages, n in {_cases(measure)}: {n}. The adversary knows the encoder and has at most {HELD:,} "
        f"other texts of the same length. Its queries of the encoder: {asked}.{_writing(writers)} {shortest} words are "
        f"about {TOKENS[shortest]} tokens as the encoder reads them, {longest} about {TOKENS[longest]}; it reads 256 "
        "at most."
    )


def _writing(writers: Mapping[int, GenerativeInversion]) -> str:
    """Say how much generation writes, learns and tries at each length; nothing where it is not drawn."""
    if not writers:
        return ""
    tried = {words: how.written + how.rounds * (how.rewritten + how.asked) for words, how in writers.items()}
    subwords = _by_length("of its own subwords", {words: how.longest for words, how in writers.items()})
    epochs = _by_length("epochs", {words: how.epochs for words, how in writers.items()})
    alike = len({*tried.values()}) == len({how.epochs for how in writers.values()}) == 1
    apart = "" if alike else " Where it learns or tries less, a lower figure need not come from the length."
    return (
        f" By generation it writes at most {subwords}. Its decoder is trained for {epochs}. For each vector it tries "
        f"at most {_by_length('texts', tried)}.{apart}"
    )


def _by_length(unit: str, counts: Mapping[int, int]) -> str:
    """Return counts in words, each with the lengths that have it."""
    lengths = {count: [f"{words}" for words in counts if counts[words] == count] for count in counts.values()}
    first, *others = [(f"{count:,}", f"({joined(words)} words)") for count, words in lengths.items()]
    return joined([f"{first[0]} {unit} {first[1]}", *map(" ".join, others)])


@once
def of_pairs(scores: pd.DataFrame, target: str) -> str:
    """Read the figure of pairs aloud: for each series, from how many pairs on it beats chance, and F1 with the most.

    Args:
        scores: See `table`.
        target: Title of the unknown encoder.
    """
    if scores.empty:
        return "None of these results is on this machine."
    texts = []
    for series in dict.fromkeys(scores["series"]):
        rows = list(records(scores[scores["series"] == series]))
        above = from_on(rows, lambda row: row.low > row.chance)
        start = "at no number of pairs" if above is None else f"from {above.at:,} pairs on"
        texts.append(f"{series}: above chance {start}, {measured_in(rows[-1])} with {rows[-1].at:,}")
    chance, count = scores["chance"].iloc[0], scores["n"].iloc[0]
    return (
        f"Sentences of restaurant reviews as vectors of {target}, {count:,} read: {'; '.join(texts)}. "
        f"Chance (the most frequent words) is {percent(chance)}."
    )


def _cases(measure: Measure) -> str:
    return _COUNTED.get(measure, "vectors")


def _range(counts: Iterable[float]) -> str:
    ends = (min(counts := list(counts)), max(counts))
    return " to ".join(dict.fromkeys(f"{end:,.0f}" for end in ends))
