"""One passage word by word: the truth, and the model's continuation after each prefix."""

from collections.abc import Sequence

import pandas as pd

from core.statistics.wording.naming import counted
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.language_models.figures import recited


@once
def choices(passages: pd.DataFrame, *, trained: bool) -> dict[str, str]:
    """Return the names of passages by model and number, the most copies first.

    Args:
        passages: Table of the game.
        trained: Whether to return passages of the training text, or the control.
    """
    first = passages.drop_duplicates(["model", "passage"])
    rows = first[(first["copies"] > 0) == trained].sort_values(
        ["copies", "model", "passage"], ascending=[False, True, True], kind="stable"
    )
    return {
        f"{row.model}.{row.passage}": f"{recited.times(row.copies)}: passage {row.passage + 1}, model {row.model + 1}"
        for row in records(rows)
    }


@once
def of(passages: pd.DataFrame, chosen: str) -> pd.DataFrame:
    """Return the rows of a chosen passage, the shortest prefix first."""
    model, passage = map(int, chosen.split("."))
    rows = passages[(passages["model"] == model) & (passages["passage"] == passage)]
    return rows.sort_values("prefix").reset_index(drop=True)


@once
def words(rows: pd.DataFrame, truth: Sequence[str], unit: str = "word") -> pd.DataFrame:
    """Return a row for each word: the truth, and the continuation after each prefix, right words marked.

    Args:
        rows: Rows of one passage.
        truth: The words to recite.
        unit: What prefixes are counted in.
    """
    continuations = {
        f"after {counted(row.prefix, unit)}": [
            f"✓ {true}" if word == "=" else f"✗ {word}"
            for word, true in zip(row.continuation.split(), truth, strict=True)
        ]
        for row in records(rows)
    }
    return pd.DataFrame({"true text": list(truth), **continuations})


@once
def sentence(rows: pd.DataFrame, unit: str = "word") -> str:
    """Say how many words are right after each prefix."""
    if rows.empty:
        return "No passage was queried."
    first = records(rows)[0]
    counts = [
        f"{row.right.count('1')} of {counted(len(row.right), 'word')} after {row.prefix}" for row in records(rows)
    ]
    copies = f"shown {recited.times(first.copies).lower()}" if first.copies else "never shown"
    text = f"This passage was {copies}. The model puts the right word in its place in {joined(counts)} known {unit}s."
    if first.common:
        text += " What follows stands in another document, too, so it is counted apart."
    return text
