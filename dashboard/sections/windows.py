"""A few windows with what the attack says of them; their words only where the dataset lies on this machine."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.experiment import Experiment
from core.result import Result
from core.text.corpus import words_of
from dashboard.sections import shown_examples, victim_texts
from dashboard.sections.shown_examples import Said
from dashboard.words import literal

if TYPE_CHECKING:
    import pandas as pd

ABSENT = "The words appear only where the dataset lies on this machine; a page never downloads one."


def show(result: Result, experiment: Experiment) -> None:
    """Draw the windows of a chosen band."""
    shown_examples.show(result, experiment, _read, ABSENT)


def _read(experiment: Experiment, shown: "pd.DataFrame") -> Mapping[int, Said]:
    texts = victim_texts.of(experiment, shown)
    windows = shown_examples.each(shown)
    found = {
        int(row.example): words_of(texts[int(row.row)])[row.place : row.place + row.length]
        for row in windows
        if int(row.row) in texts
    }
    if any(len(found.get(int(row.example), ())) != row.length for row in windows):
        return {}
    return {example: Said(words[len(words) // 2], _marked(words)) for example, words in found.items()}


def _marked(words: list[str]) -> str:
    """Return a window as Markdown with the word in its middle bold."""
    middle = len(words) // 2
    before, after = (literal(" ".join(part)) for part in (words[:middle], words[middle + 1 :]))
    return f"{before} **{literal(words[middle])}** {after}"
