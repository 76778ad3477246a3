"""Words appended for a target, and the share of labels that each flips."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart, panels
from dashboard.topics.probing.figures import telling_words

_COLUMNS = {
    "word": "word",
    "rank": "rank",
    "flips_in": "labels flipped with the target",
    "flips_out": "labels flipped without it",
}


def show(result: Result, target: int) -> None:
    """Draw the most informative words, and list all."""
    words = result.tables["words"]
    appended = telling_words.of(words, target)
    st.header("Words and flipped labels", anchor=False)
    title = (
        f"The {min(len(appended), telling_words.MOST_WORDS)} of {len(appended)} with the largest difference"
        if len(appended) > 1
        else ""
    )
    chart.show(telling_words, appended, "words", target, drawn=words, title=title)
    if len(appended) > telling_words.MOST_WORDS:
        panels.folded_table(appended, "all-words", f"All {len(appended)} words as a table", _COLUMNS)
