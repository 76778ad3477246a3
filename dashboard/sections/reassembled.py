"""The ten words that an embedding gives away, for a chosen victim, and how good such rankings are over all victims."""

import re
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.datasets import Documents
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.reassembly import Reassembly
from core.pieces import cut
from core.result import Result
from core.secret import Keyword
from dashboard import panels
from dashboard.charts import reassembly as charts
from dashboard.charts.tables import records
from dashboard.charts.wording import counted
from dashboard.sections import excerpts, victim_texts
from dashboard.words import literal

_VICTIM = "view.victim"
_COLUMNS = {
    "word": "word", "share": "share of texts", "victims": "victims with it", "auc": "AUC",
    "top": "among the ten when there",
}  # fmt: skip


def show(result: Result, experiment: Experiment) -> None:
    """Draw one victim, then the figures over all of them."""
    attack, found = experiment.attack.part_name(), result.findings
    _victim(result, experiment)
    st.header("Over all victims", anchor=False)
    panels.figure(
        charts.comparison(found["rankings"], attack), found["rankings"], "rankings", charts.verdict(result.estimates),
        title="Better than the most frequent words?",
    )  # fmt: skip
    with st.expander(f"All {counted(len(found['candidates']), 'candidate')} as a table", icon=":material/table:"):
        listed = found["candidates"].sort_values("auc", ascending=False)
        panels.table(listed[list(_COLUMNS)].rename(columns=_COLUMNS).round(3), "candidates")


@st.fragment
def _victim(result: Result, experiment: Experiment) -> None:
    words, candidates = result.findings["words"], result.findings["candidates"]
    victims = sorted({int(victim) for victim in words["victim"]})
    if not victims:
        return
    if st.session_state.get(_VICTIM) not in victims:
        st.session_state.pop(_VICTIM, None)
    st.header("One text", anchor=False)
    victim = st.selectbox(
        "Victim", victims, format_func=lambda number: f"Victim {number + 1}", key=_VICTIM, bind="query-params",
        width=280,
    )  # fmt: skip
    own = charts.of(words, victim)
    text = _texts_of(experiment, words).get(victim)
    present = dict(zip(own["word"], own["present"].astype(bool), strict=True))
    if text is None:
        st.caption(victim_texts.ABSENT)
    else:
        st.markdown(f"> {_marked(text, own)}")
        present |= {word: bool(Keyword(word).read(text)) for word in charts.frequent(candidates)["word"]}
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(charts.figure(own), own, "words", charts.sentence(own), title="The ten likeliest words")
    with right:
        panels.figure(
            charts.baseline(candidates, present), charts.frequent(candidates), "frequent",
            charts.baseline_sentence(candidates, present), title="The ten most frequent words",
        )  # fmt: skip


def _marked(text: str, own: pd.DataFrame) -> str:
    """Return a text with the words that were found in it set in bold."""
    right = own.loc[own["present"], "word"].tolist()
    if not right:
        return literal(text)
    found = re.split(rf"(?<!\w)({'|'.join(map(re.escape, right))})(?!\w)", text, flags=re.IGNORECASE)
    return " ".join(f"**{literal(part)}**" if place % 2 else literal(part) for place, part in enumerate(found))


def _texts_of(experiment: Experiment, words: pd.DataFrame) -> Mapping[int, str]:
    """Return what each victim wrote; nothing where the dataset is not on this machine."""
    if isinstance(experiment.game, Reassembly) and excerpts.is_present(experiment.dataset):
        try:
            return _pieces(experiment, words, experiment.key)
        except TelltaleError:
            pass
    return {}


@st.cache_data(max_entries=16, show_spinner="Reading the victims’ texts")
def _pieces(_experiment: Experiment, _words: pd.DataFrame, key: str) -> Mapping[int, str]:
    """Return the piece of text of every victim of an experiment, by its key: the dataset is read once for all."""
    documents: Documents = _experiment.dataset.load()
    pieces, places = cut(documents, _experiment.game.pieces)  # type: ignore[attr-defined]
    at = {(int(row), int(sentence)): number for number, (row, sentence) in enumerate(places)}
    victims = records(_words.drop_duplicates("victim"))
    numbers = {int(one.victim): at.get((int(one.row), int(one.sentence))) for one in victims}
    return {victim: pieces[number] for victim, number in numbers.items() if number is not None}
