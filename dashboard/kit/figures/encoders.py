"""The same attack on the embeddings of different encoders, as one group of bars each."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.encoders.recipes import RECIPES
from core.encoders.records import RECORDS
from core.games.attack import Attack
from core.result import Result
from core.statistics.intervals import of_many
from core.statistics.wording import percent
from core.statistics.wording.naming import capitalised
from core.text.contents import Patterns
from dashboard.kit.figures import adversaries, paired, shares, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED, joined
from dashboard.kit.shared import once

TITLE = "Comparison of encoders"
_LENGTHS = {"unit": "length one"}
_POOLINGS = {"mean": "mean of tokens", "first": "first token", "last": "last token"}
_BODIES = {"lstm": "LSTM", "transformer": "Transformer"}

Labelled = Mapping[str, Result]
"""Name of each encoder, and its result."""


def name(model: Mapping[str, Any]) -> str:
    """Return the name of an encoder, with its pooling where that is not the mean, and whether it is scaled.

    >>> name({"source": "minilm", "pooling": "mean"}), name({"source": "/home/a/bert", "pooling": "last"})
    ('all-MiniLM-L6-v2', 'bert (last token)')
    >>> name({"source": "minilm", "pooling": "mean", "length": "unit"})
    'all-MiniLM-L6-v2 (length one)'
    >>> name({"part": "dual_encoder", "body": "lstm"}), name({"part": "dual_encoder", "body": "transformer"})
    ('LSTM trained here', 'Transformer trained here')
    """
    if (body := model.get("body")) in _BODIES:
        return f"{_BODIES[body]} trained here"
    source = str(model.get("source", "encoder"))
    title, _, variant = (RECORDS[source].title if source in RECORDS else PurePath(source).name).partition(", ")
    pooling = model.get("pooling", "mean")
    parts = (variant, "" if pooling == "mean" else f"{pooling} token", _LENGTHS.get(model.get("length", "raw"), ""))
    details = ", ".join(filter(None, parts))
    return f"{title} ({details})" if details else title


def titled(label: str) -> str:
    """Return the label of an encoder in a table of results, its source and perhaps its pooling, with its title.

    >>> titled("small_gpt2"), titled("small_bert, last"), titled("/home/a/bert, mean")
    ('Small GPT-2', 'Small BERT, last', '/home/a/bert, mean')
    """
    source, between, pooling = label.partition(", ")
    return f"{RECORDS[source].title}{between}{pooling}" if source in RECORDS else label


def candidate(written: str) -> str:
    """Return the name of an encoder that is written as a source, as a source and a pooling, or as a pooling alone.

    >>> candidate("untrained_bert@mean"), candidate("gpt2"), candidate("@first")
    ('Small BERT (untrained, mean of tokens)', 'GPT-2', 'the same encoder (first token)')
    """
    source, _, pooling = written.partition("@")
    title, _, variant = (titled(source) if source else "the same encoder").partition(", ")
    details = ", ".join(filter(None, (variant, _POOLINGS.get(pooling, pooling))))
    return f"{title} ({details})" if details else title


def scale(model: Mapping[str, Any]) -> str:
    """Return the scale of the embeddings of an encoder whose makers scale them; empty for any other encoder.

    >>> scale({"source": "minilm", "length": "unit"})
    'Embeddings are scaled to length one, as by the makers of all-MiniLM-L6-v2 and in most vector stores.'
    >>> scale({"source": "small_bert"})
    ''
    """
    record = RECORDS.get(str(model.get("source")))
    if record is None or not record.normalise:
        return ""
    if model.get("length") == "unit":
        return f"Embeddings are scaled to length one, as by the makers of {record.title} and in most vector stores."
    return (
        f"Embeddings are raw hidden states here; the makers of {record.title} scale them to length one. So the "
        "same rounding removes less information here."
    )


@once
def bars(results: Labelled) -> pd.DataFrame:
    """Return the bars of each encoder: one for each secret, or the mean of many."""
    return shares.table([row for label, result in results.items() for row in _rows(label, result)])


@once
def figure(results: Labelled) -> go.Figure:
    """Draw a group of bars for each encoder."""
    table = bars(results)
    series = list(dict.fromkeys(table["series"]))
    return shares.figure(table, dict(zip(series, theme.distinct(len(series)), strict=True)))


@once
def sentence(results: Labelled) -> str:
    """Read the comparison of means over all secrets aloud."""
    means = {label: adversaries.mean(result.tables["inferred"], result.experiment) for label, result in results.items()}
    known = {label: row for label, row in means.items() if row is not None}
    if len(known) < 2:
        return "There is no result of another encoder to compare with."
    order = sorted(known, key=lambda label: -known[label].accuracy)
    figures = [f"{label} {percent(known[label].accuracy)}" for label in order]
    best, worst = known[order[0]], known[order[-1]]
    difference = paired.difference(results[order[-1]], results[order[0]])
    if difference is not None:
        # The highest and the lowest were chosen among all: what two of many differ in by luck must not be told.
        compared = len(known) * (len(known) - 1) // 2
        gap = of_many(difference, compared)
        ends = (
            "95% interval of the difference, in pairs"
            f"{f' and widened for {compared} comparisons' if compared > 1 else ''}: "
            f"{paired.ends(gap)}"
        )
        shown = f"{order[0]} leaks more than {order[-1]}" if gap.low > 0 else "No difference between encoders is shown"
        conclusion = f"{shown} ({ends})."
    elif best.low > worst.high:
        conclusion = f"{order[0]} leaks more than {order[-1]} beyond both intervals."
    else:
        conclusion = f"{capitalised(UNDECIDED)}."
    return f"Mean over all secrets: {joined(figures)}; chance is {percent(best.chance)}. {conclusion}"


@once
def untrained(results: Labelled) -> str:
    """Say which untrained encoders leak, and why, and whether more than with training; empty if none does."""
    means = {label: adversaries.mean(result.tables["inferred"], result.experiment) for label, result in results.items()}
    leaking = [
        label
        for label, result in results.items()
        if (mean := means[label]) is not None and mean.low > mean.chance and _architecture(result, trained=False)
    ]
    if not leaking:
        return ""
    text = (
        f"{joined(leaking)} {'leaks' if len(leaking) == 1 else 'leak'} without any training: random weights, too, give "
        "each piece of a text a vector of its own, and what an embedding keeps of them is enough."
    )
    more, less = [], []
    for label in leaking:
        kind = _architecture(results[label], trained=False)
        twins = (other for other in results if _architecture(results[other], trained=True) == kind and means[other])
        if (twin := next(twins, None)) is None:
            continue
        raw, trained = means[label], means[twin]
        comparison = f"{twin} ({percent(raw.accuracy)} against {percent(trained.accuracy)})"
        if raw.low > trained.high:
            more.append(comparison)
        elif raw.high < trained.low:
            less.append(comparison)
    compared = [f"more than with training for {joined(more)}"] if more else []
    compared += [f"less for {joined(less)}" if more else f"less than with training for {joined(less)}"] if less else []
    return f"{text} That is {'; '.join(compared)}." if compared else text


@once
def pooled(results: Labelled) -> str:
    """Say what the last token's hidden state gives away beside the mean of all; empty without both of one encoder."""
    by_pooling: dict[tuple[str, str], dict[str, str]] = {}
    for label, result in results.items():
        model = result.experiment["model"]
        network = str(model.get("source", "")), str(model.get("length", "raw"))
        by_pooling.setdefault(network, {})[str(model.get("pooling", ""))] = label
    both = [labels for labels in by_pooling.values() if {"mean", "last"} <= set(labels)]
    clauses = []
    for labels in both:
        averaged, last = results[labels["mean"]], results[labels["last"]]
        before, after = (adversaries.mean(one.tables["inferred"], one.experiment) for one in (averaged, last))
        difference = paired.difference(averaged, last)
        if before is None or after is None or difference is None:
            continue
        gap = of_many(difference, len(both))
        shown = "more for" if gap.low > 0 else "less for" if gap.high < 0 else "no difference is shown for"
        shares = f"{percent(after.accuracy)} against {percent(before.accuracy)}"
        clauses.append(f"{shown} {labels['mean']} ({shares}; {paired.ends(gap)})")
    if not clauses:
        return ""
    widened = f" and widened for {len(both)} comparisons" if len(both) > 1 else ""
    return (
        "What the last token’s hidden state, the paper’s embedding, gives away beside the mean of all "
        f"tokens: {joined(clauses)}. Each 95% interval is of the difference, in pairs{widened}."
    )


def _architecture(result: Result, *, trained: bool) -> str:
    """Return architecture and pooling of an encoder of ours with or without training; empty for any other encoder."""
    model = result.experiment["model"]
    recipe = RECIPES.get(str(model.get("source")))
    if recipe is None or bool(recipe.steps) != trained:
        return ""
    return f"{recipe.architecture} {model.get('pooling', 'mean')}"


def _rows(label: str, result: Result) -> list[dict[str, Any]]:
    rows = adversaries.attack_rows(result.tables["inferred"], result.experiment)
    single, means = rows[rows["values"] > 0], rows[rows["values"] == 0]
    by_segment = Attack.by_name(result.experiment["attack"]["part"]).reads is Patterns
    if by_segment and len(single) <= adversaries.MOST_APART:
        return [shares.bar(label, adversaries.secret_name(row.secret), row) for row in records(single)]
    return [shares.bar(label, "Mean over all secrets", row) for row in records(means)]
