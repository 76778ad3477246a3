"""Headings and cells of tables on a page, in words; files keep the names, which each heading's help gives."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st
from pandas.api.types import is_numeric_dtype

from core.encoders.records import RECORDS
from core.registry import parts
from dashboard.kit import glossary
from dashboard.kit.figures.encoders import titled
from dashboard.kit.shared import once
from dashboard.kit.words import SPELLED, spoken, uncapitalised

_ENDS = {
    "low": "95% interval, from",
    "high": "95% interval, to",
    "chance": "Chance",
    "in": "With the target",
    "out": "Without the target",
}
"""What a column holds, or one whose name ends so."""

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
    "perplexity": "Perplexity (words)",
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

_GIVEN = {"author", "corpus", "keyword", "label", "name", "owner", "text", "title", "user", "word", "words"}
_GIVEN |= {"first", "second"}
"""Columns of words and names that somebody gave; they are shown as they are."""
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
"""Columns of names that the code gives, short ones too."""
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
    said, between = _ENDS[end], ": " if end in ("low", "high") else ", "
    whole, _, _ = heading(front).partition(" (")
    return f"{whole}{between}{said if end in ('low', 'high') else uncapitalised(said)}"


def in_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose cells say in words what the code names; a table without such names is returned itself.

    >>> in_words(pd.DataFrame({"rule": ["naive_bayes", "mlp", "perceptron"], "word": ["as_is", "so", "it"]}))
              rule   word
    0  Naive Bayes  as_is
    1          MLP     so
    2   Perceptron     it
    """
    said: dict[str, pd.Series] = {}
    for name in frame.columns:
        if str(name).lower() in _GIVEN or is_numeric_dtype(frame[name]):
            continue
        texts = {cell for cell in frame[name] if isinstance(cell, str)}
        names = {text: _in_words(text) for text in texts if _NAME.fullmatch(text) or titled(text) != text}
        choices = name in _OF_CHOICES or texts <= {*SPELLED, *RECORDS}
        if names and (choices or any("_" in text for text in names)):
            said[name] = frame[name].map(lambda cell, names=names: names.get(cell, cell))
    return frame.assign(**said) if said else frame


def _in_words(name: str) -> str:
    return title if (title := titled(name)) != name else spoken(name)


def configured(names: Iterable[str], given: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> dict[str, Any]:
    """Return Streamlit's configuration of the columns of a table: heading, meaning, and the name in its files.

    Args:
        names: Of the columns.
        given: What a page says of some columns itself, which goes before.
    """
    columns: dict[str, dict[str, Any]] = {}
    for name in map(str, names):
        own = {key: value for key, value in given.get(name, {}).items() if value is not None}
        columns[name] = {**st.column_config.Column(heading(name), help=_help(name)), **own}
    return columns


def _help(name: str) -> str | None:
    """Return what a column holds, the terms in its heading, and its name in the files where that differs."""
    said = [_declared()[name]] if name in _declared() else []
    said += [f"In the files: `{name}`."] if name.lower() != heading(name).lower() else []
    return glossary.explained(heading(name), "\n\n".join(said) or None)


@cache
def _declared() -> Mapping[str, str]:
    """Return the sentence of help of each column that means the same in every table of attacks and games."""
    helps: dict[str, set[str]] = {}
    for part in (*parts("attack"), *parts("game")):
        for schema in getattr(part, "tables", {}).values():
            for name, column in schema.items():
                helps.setdefault(name, set()).add(column.help)
    return {name: next(iter(texts)) for name, texts in helps.items() if len(texts) == 1}
