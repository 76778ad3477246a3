"""The words of windows, the middle one bold; only where the dataset is on this machine."""

from collections.abc import Mapping

import pandas as pd

from core.experiment import Experiment
from core.text.corpus import words_of
from dashboard.kit.examples import shown_examples
from dashboard.kit.examples.shown_examples import Excerpt
from dashboard.kit.texts import excerpts, victim_texts
from dashboard.kit.words import literal

ABSENT = excerpts.absent("The words")


def read(experiment: Experiment, table: pd.DataFrame) -> Mapping[int, Excerpt]:
    """Return the words of each window of a table by its number; nothing where they cannot be read."""
    texts = victim_texts.of(experiment, table)
    windows = shown_examples.one_row_each(table)
    words_by_window = {
        int(row.example): words_of(texts[int(row.row)])[row.place : row.place + row.length]
        for row in windows
        if int(row.row) in texts
    }
    if any(len(words_by_window.get(int(row.example), ())) != row.length for row in windows):
        return {}
    return {example: Excerpt(words[len(words) // 2], _marked(words)) for example, words in words_by_window.items()}


def _marked(words: list[str]) -> str:
    """Return a window as Markdown with the word in its middle bold."""
    middle = len(words) // 2
    before, after = (literal(" ".join(part)) for part in (words[:middle], words[middle + 1 :]))
    return f"{before} **{literal(words[middle])}** {after}"
