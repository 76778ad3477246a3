"""What the blind baseline of an audit of one model reads, in words."""

from collections.abc import Mapping
from typing import Any


def blind_reads(experiment: Mapping[str, Any]) -> str:
    """Return what the blind baseline reads of the documents of an audit, as plain values of its experiment say.

    >>> blind_reads({"dataset": {"label_column": "topic"}, "game": {"users": "owners"}})
    'texts, classes and numbers of documents'
    >>> blind_reads({"dataset": {"part": "marked_excerpt"}, "game": {}})
    'texts'
    """
    dataset, game = experiment.get("dataset", {}), experiment.get("game", {})
    read = ["texts"]
    read += ["translations"] * bool(dataset.get("translation_column"))
    read += ["classes"] * bool(dataset.get("label_column"))
    read += ["numbers of documents"] * (game.get("users") == "owners")
    *first, last = read
    return f"{', '.join(first)} and {last}" if first else last
