"""The tables of inversion: their columns, and the likeliest words for one text."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.inversion.contract import Answer
from core.result import Column, Schema
from core.statistics.intervals import with_interval

_WORD_COLUMNS = {
    "place": Column("int32", "1 for the likeliest word."),
    "word": Column("str", "The word."),
    "score": Column("float32", "How likely the adversary thinks it, from 0 to 1."),
    "named": Column("bool", "Whether the adversary names it."),
    "present": Column("bool", "Whether it stands in the text."),
}

SCHEMAS: dict[str, Schema] = {
    "readings": {
        "variant": Column(
            "str",
            "The attack, 'naive' for one that does not know the defenses, or 'frequency' for the "
            "same most frequent words for all texts.",
        ),
        "words": Column("str", "'all' words, or 'content' words alone."),
        "measure": Column("str", "'precision', 'recall' or 'f1'."),
        **with_interval("value", "Precision and recall: mean over the victims; F1: their harmonic mean.", bare=True),
    },
    "rarity": {
        "fewest": Column("int32", "Fewest of the adversary's texts that have the word; 0 for words it never saw."),
        "most": Column("int32", "Most of the adversary's texts that have the word; -1 for no bound."),
        "occurrences": Column("int32", "Words of victims of that rarity."),
        "named": Column("int32", "Words of that rarity that were named, right or wrong."),
        **with_interval("recall", "Share of the occurrences that were named.", bare=True),
        "frequency": Column("float64", "Share of them that naming the same words for every text finds."),
    },
    "words": {
        "victim": Column("int32", "Number of the victim; the first 60 only."),
        "row": Column("int32", "Row of the victim's text in the dataset."),
        "sentence": Column("int32", "Which sentence of that text, from 0; -1 for the whole text."),
        **_WORD_COLUMNS,
        "there": Column("int32", "How many different words stand in the text."),
    },
    "yours": _WORD_COLUMNS,
}

_FEWEST_ROWS = 12


@dataclass(frozen=True)
class ScoredAnswer:
    """An answer beside the truth.

    Attributes:
        answer: The predicted words.
        present: (texts, words) whether each word stands in each text.
    """

    answer: Answer
    present: NDArray[np.bool_]


def likeliest_words(scored: ScoredAnswer, text: int, size: int) -> list[dict[str, Any]]:
    """Return the likeliest words for one text: all that are predicted, at least as many as it has, and at least 12."""
    scores, predicted, present = scored.answer.scores[text], scored.answer.predicted[text], scored.present[text]
    order = np.lexsort((-scores, ~predicted))[: max(_FEWEST_ROWS, size, int(predicted.sum()))]
    return [
        {
            "place": rank,
            "word": scored.answer.words[word],
            "score": scores[word],
            "named": predicted[word],
            "present": present[word],
        }
        for rank, word in enumerate(order, start=1)
    ]
