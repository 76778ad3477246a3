"""The ten words that an embedding gives away, for a chosen victim, and how good such rankings are over all victims."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.text.secrets import Keyword
from dashboard import panels
from dashboard.charts import reassembly as charts
from dashboard.charts.wording import counted
from dashboard.sections import victim_choice, victim_texts
from dashboard.sections.marked_text import marked

_COLUMNS = {
    "word": "word",
    "share": "share of texts",
    "victims": "victims with it",
    "auc": "AUC",
    "top": "among the ten when there",
}


def show(result: Result, experiment: Experiment) -> None:
    """Draw one victim, then the figures over all of them."""
    attack, found = experiment.attack.part_name(), result.tables
    _victim(result, experiment)
    st.header("Over all victims", anchor=False)
    panels.figure(
        charts.comparison(found["rankings"], attack),
        found["rankings"],
        "rankings",
        charts.verdict(result.estimates),
        title="Better than the most frequent words?",
    )
    with st.expander(f"All {counted(len(found['candidates']), 'candidate')} as a table", icon=":material/table:"):
        listed = found["candidates"].sort_values("auc", ascending=False)
        panels.table(listed[list(_COLUMNS)].rename(columns=_COLUMNS).round(3), "candidates")


@st.fragment
def _victim(result: Result, experiment: Experiment) -> None:
    words, candidates = result.tables["words"], result.tables["candidates"]
    if words.empty:
        return
    st.header("One text", anchor=False)
    victim = victim_choice.choose(words)
    own = charts.of(words, victim)
    text = victim_texts.pieces(experiment, words).get(victim)
    present = dict(zip(own["word"], own["present"].astype(bool), strict=True))
    if text is None:
        st.caption(victim_texts.ABSENT)
    else:
        st.markdown(f"> {marked(text, own.loc[own['present'], 'word'].tolist())}")
        present |= {word: bool(Keyword(word).read(text)) for word in charts.frequent(candidates)["word"]}
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(charts.figure(own), own, "words", charts.sentence(own), title="The ten likeliest words")
    with right:
        panels.figure(
            charts.baseline(candidates, present),
            charts.frequent(candidates),
            "frequent",
            charts.baseline_sentence(candidates, present),
            title="The ten most frequent words",
        )
