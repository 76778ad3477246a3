"""The words that are appended for a target, and how often each flips a label."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import telling_words

_COLUMNS = {
    "word": "word",
    "rank": "place",
    "flips_in": "labels changed with the target",
    "flips_out": "labels changed without it",
}


def show(result: Result, target: int) -> None:
    """Draw the words that tell most, and list them all."""
    words = result.tables["words"]
    own = telling_words.of(words, target)
    st.header("Words and the labels they change", anchor=False)
    panels.figure(
        telling_words.figure(words, target),
        own,
        "words",
        telling_words.sentence(words, target),
        title=f"The {min(len(own), telling_words.SHOWN)} of {len(own)} that differ most" if len(own) > 1 else "",
    )
    if len(own) > telling_words.SHOWN:
        with st.expander(f"All {len(own)} words as a table", icon=":material/table:"):
            panels.table(own[list(_COLUMNS)].rename(columns=_COLUMNS), "all-words")
