"""Headings and cells of tables on a page, in words; files keep the names, which each heading's help gives."""

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from pandas.api.types import is_float_dtype, is_numeric_dtype, is_string_dtype
from pandas.io.formats.style import Styler

from core.encoders.records import RECORDS
from core.registry import names as registered
from core.registry import parts
from core.statistics.wording.naming import SPELLED, spoken
from core.statistics.wording.variants import titles
from dashboard.kit import glossary
from dashboard.kit.figures.encoders import titled
from dashboard.kit.figures.wording import variant
from dashboard.kit.shared import once
from dashboard.kit.words import minus, uncapitalised

_ENDS = {
    "low": "95% interval, from",
    "high": "95% interval, to",
    "chance": "Chance",
    "in": "With the target",
    "out": "Without the target",
}
"""Headings of columns with these names, and of those whose names end in them."""

_HEADINGS = {
    "accuracy": "Accuracy (share right)",
    "at_least": "Audited epsilon",
    "auc": "AUC (0 to 1)",
    "control": "Exposure of decoys (bits)",
    "control_rank": "Rank of the decoy",
    "corpus_bleu": "BLEU of the corpus (0 to 100)",
    "deviation": "Standard deviation",
    "exposure": "Exposure (bits)",
    "false_positive_rate": "False-positive rate (share)",
    "group_auc": "AUC within the group (0 to 1)",
    "hamming": "Wrong words (share)",
    "left_out_f1": "F1 on texts left out",
    "loss": "Loss (nats)",
    "most": "Most",
    "pass": "Epoch",
    "passes": "Epochs",
    "perplexity": "Perplexity (words or tokens)",
    "said_out": "Suggested without the target",
    "shadows": "Shadow pairs",
    "size": "Documents of a target",
    "train_loss": "Training loss (nats)",
    "true_positive_rate": "True-positive rate (share)",
    "validation_loss": "Validation loss (nats)",
    "x": "Horizontal coordinate",
    "y": "Vertical coordinate",
}
"""Headings of columns whose names say too little."""

_VERBATIM = {"author", "corpus", "keyword", "label", "name", "owner", "text", "title", "user", "word", "words"}
_VERBATIM |= {"first", "second"}
"""Columns of words and names from data, which are shown unchanged."""
_OF_CHOICES = {
    "adversary",
    "encoder",
    "features",
    "leak",
    "measure",
    "method",
    "rule",
    "series",
    "statistic",
    "variant",
}
"""Columns of names from the code, short ones too."""
_GAMES = {
    "variant": ("membership", "inference", "reassembly"),
    "method": ("extraction",),
    "statistic": ("example_membership",),
    "rule": ("example_membership",),
    "features": ("translation_membership",),
}
"""Columns that name adversaries, and whose: the names of these games mean one thing in such a column."""
_SMALL = 1e-4
"""Numbers below it are shown with one digit, since four decimals would leave none."""
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9.]+)*")


@once
def heading(name: str) -> str:
    """Return the heading of a column.

    >>> heading("auc_low"), heading("high"), heading("slot_f1"), heading("mean_out")
    ('AUC: 95% interval, from', '95% interval, to', 'Slot F1', 'Mean, without the target')
    """
    if name in _HEADINGS or name in _ENDS:
        return _HEADINGS.get(name) or _ENDS[name]
    front, _, end = name.rpartition("_")
    if not front or end not in _ENDS:
        return spoken(name)
    ending, between = _ENDS[end], ": " if end in ("low", "high") else ", "
    base, _, _ = heading(front).partition(" (")
    return f"{base}{between}{ending if end in ('low', 'high') else uncapitalised(ending)}"


def in_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the code's names in its cells put into words; without such names, the table itself.

    >>> in_words(pd.DataFrame({"rule": ["naive_bayes", "mlp", "perceptron"], "word": ["as_is", "so", "it"]}))
              rule   word
    0  Naive Bayes  as_is
    1          MLP     so
    2   Perceptron     it
    >>> in_words(pd.DataFrame({"variant": ["model_free", "svm"], "method": ["annealed_descent", "beam"]}))
                          variant                  method
    0  Blind baseline: text alone  Annealed, then descent
    1                  Linear SVM             Beam search
    """
    columns: dict[str, pd.Series] = {}
    for name in frame.columns:
        if str(name).lower() in _VERBATIM or is_numeric_dtype(frame[name]):
            continue
        texts = {cell for cell in frame[name] if isinstance(cell, str)}
        names = {text: _in_words(text, str(name)) for text in texts if _NAME.fullmatch(text) or titled(text) != text}
        choices = name in _OF_CHOICES or texts <= {*SPELLED, *RECORDS}
        if names and (choices or any("_" in text for text in names)):
            columns[name] = frame[name].map(lambda cell, names=names: names.get(cell, cell))
    return frame.assign(**columns) if columns else frame


def shown(frame: pd.DataFrame, custom: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> pd.DataFrame | Styler:
    """Return a table as a page shows it: names in words, numbers with the digits that are seen, a minus sign.

    A screen reader reads each number as it is given, not as it is drawn; files keep every digit.

    >>> shown(pd.DataFrame({"gap": [-0.0739]})).to_string().split()
    ['gap', '0', '−0.0739']
    >>> shown(pd.DataFrame({"gap": [-3.55], "high": [1.37]})).to_string().split()
    ['gap', 'high', '0', '−3.55', '1.37']

    Args:
        frame: The table.
        custom: A page's own configuration of some columns; those of format ``percent`` hold shares.
    """
    frame, shares = in_words(frame).copy(deep=False), _shares(custom)
    for name in frame:
        if is_float_dtype(frame[name]):
            frame[name] = _as_seen(frame[name], in_percent=name in shares)
    numbers = frame.select_dtypes("number")
    negative = numbers.columns[(numbers < 0).any()].difference(list(shares))
    if not len(negative):
        return frame
    fractions = [name for name in numbers if is_float_dtype(numbers[name]) and name not in shares]
    return frame.style.format(dict.fromkeys([*negative, *fractions], _signed))  # else a styled table pads to six digits


def order(frame: pd.DataFrame) -> list[str]:
    """Return the columns as a narrow screen should meet them: the first, further names, what was measured, the rest.

    >>> order(pd.DataFrame({"size": [1], "documents": [20], "variant": ["x"], "auc": [0.5]}))
    ['size', 'variant', 'auc', 'documents']
    """

    def rank(name: Any) -> int:
        if is_string_dtype(frame[name]):
            return 1
        return 2 if is_float_dtype(frame[name]) else 3

    return [*map(str, frame.columns[:1]), *map(str, sorted(frame.columns[1:], key=rank))]


def _as_seen(numbers: pd.Series, *, in_percent: bool) -> pd.Series:
    """Return numbers with four decimals, smaller ones with a digit, and shares in percent with a decimal.

    Shares that a decimal would make 0 or the whole have as many as tell them from it.
    """
    exact = numbers.astype(float)
    if in_percent:
        return exact.map(_percent)
    seen, small = exact.round(4).to_numpy(copy=True), ((exact.abs() < _SMALL) & (exact != 0)).to_numpy()
    seen[small] = [float(f"{value:.0e}") for value in exact[small]]
    return pd.Series(seen, exact.index)


def _percent(share: float) -> float:
    """Return a share in percent.

    >>> [_percent(share) for share in (0.8374, 0.9997, 0.00008, 1.0, 0.0)]
    [83.7, 99.97, 0.008, 100.0, 0.0]
    """
    if share != share or share in (0, 1):
        return 100 * share
    in_percent = 100 * share
    told_apart = -math.floor(math.log10(min(abs(in_percent), abs(100 - in_percent))))
    return round(in_percent, max(told_apart, 1))


def _shares(custom: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the columns that a page shows in percent."""
    return {name for name, options in custom.items() if (options.get("type_config") or {}).get("format") == "percent"}


def _signed(value: Any) -> str:
    return "" if value != value else minus(np.format_float_positional(value, trim="-"))


def _in_words(name: str, column: str) -> str:
    """Return a name of the code in words; that of an adversary or a method as figures call it."""
    if column == "variant" and name in registered("attack"):
        return variant(name, name)
    for game in _GAMES.get(column, ()):
        if title := titles(game).get(name):
            return title
    return title if (title := titled(name)) != name else spoken(name)


def configured(names: Iterable[str], custom: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> dict[str, Any]:
    """Return Streamlit's configuration of the columns of a table: heading, meaning, and the name in its files.

    Args:
        names: Of the columns.
        custom: A page's own configuration of some columns, which takes precedence.
    """
    columns: dict[str, dict[str, Any]] = {}
    shares = _shares(custom)
    for name in map(str, names):
        options = {key: value for key, value in custom.get(name, {}).items() if value is not None}
        if name in shares:
            options["label"] = f"{(options.get('label') or heading(name)).partition(' (')[0]} (%)"
            options["type_config"] = {**options["type_config"], "format": "%g%%"}
        columns[name] = {**st.column_config.Column(heading(name), help=_help(name)), **options}
    return columns


def _help(name: str) -> str | None:
    """Return what a column holds, the terms in its heading, and its name in the files where that differs."""
    lines = [_declared()[name]] if name in _declared() else []
    lines += [f"In the files: `{name}`."] if name.lower() != heading(name).lower() else []
    return glossary.explained(heading(name), "\n\n".join(lines) or None)


@cache
def _declared() -> Mapping[str, str]:
    """Return the sentence of help of each column that means the same in every table of attacks and games."""
    helps: dict[str, set[str]] = {}
    for part in (*parts("attack"), *parts("game")):
        for schema in getattr(part, "tables", {}).values():
            for name, column in schema.items():
                helps.setdefault(name, set()).add(column.help)
    return {name: next(iter(texts)) for name, texts in helps.items() if len(texts) == 1}
