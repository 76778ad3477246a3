"""Ten most likely words for a chosen victim, and quality of the rankings over all victims."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording.naming import counted
from core.text.secrets import Keyword
from dashboard.kit import chart, panels, tabs
from dashboard.kit.texts import victim_choice, victim_texts
from dashboard.kit.texts.marked_text import marked
from dashboard.kit.words import literal
from dashboard.topics.reassembly.figures import reassembly as charts

_COLUMNS = {
    "word": "word",
    "share": "share of texts",
    "victims": "victims with it",
    "auc": "AUC",
    "top": "in the top ten when present",
}


def overall(result: Result, experiment: Experiment) -> None:
    """Draw the results over all victims."""
    attack = experiment.attack.part_name()
    rankings, candidates = result.tables["rankings"], result.tables["candidates"]
    st.header("Over all victims", anchor=False)
    drawn, sentence = charts.comparison(rankings, attack), charts.verdict(result.estimates)
    panels.figure(drawn, rankings, "rankings", sentence, title="Comparison with chance")
    panels.note(
        f"Candidate words are the {len(candidates):,} words among which the adversary chooses. It takes them from its "
        "auxiliary texts, or is given them."
    )
    listed = candidates.sort_values("auc", ascending=False).round(3)
    panels.folded_table(listed, "candidates", f"All {counted(len(candidates), 'candidate word')} as a table", _COLUMNS)


def example(result: Result, experiment: Experiment) -> None:
    """Show the text of a typical victim with the words found; nothing where the texts are not on this machine."""
    words = result.tables["words"]
    chosen = charts.typical(words)
    text = None if chosen is None else victim_texts.pieces(experiment, words).get(chosen)
    if chosen is None or text is None:
        return
    ranked = charts.of(words, chosen)
    st.header("For example", anchor=False)
    st.markdown(f"> {marked(text, ranked.loc[ranked['present'], 'word'].tolist())}")
    st.markdown(literal(charts.named(ranked)))
    kept = counted(words["victim"].nunique(), "victim")
    st.caption(
        f"Of the {kept} whose words are kept, the one whose share of words found is nearest to their average; "
        f"“{tabs.HOW}” has the others."
    )


@st.fragment
def victim(result: Result, experiment: Experiment) -> None:
    """Draw the words named for a chosen victim beside the most frequent ones."""
    words, candidates = result.tables["words"], result.tables["candidates"]
    if words.empty:
        return
    st.header("One text", anchor=False)
    chosen = victim_choice.choose(victim_choice.numbered(words))
    ranked = charts.of(words, chosen)
    text = victim_texts.pieces(experiment, words).get(chosen)
    present = dict(zip(ranked["word"], ranked["present"].astype(bool), strict=True))
    if text is None:
        st.caption(victim_texts.ABSENT)
    else:
        st.markdown(f"> {marked(text, ranked.loc[ranked['present'], 'word'].tolist())}")
        present |= {word: bool(Keyword(word).read(text)) for word in charts.frequent(candidates)["word"]}
    left, right = st.columns(2, gap="large")
    with left:
        chart.show(charts, ranked, "words", title="Ten most likely words")
    with right:
        drawn, sentence = charts.baseline(candidates, present), charts.baseline_sentence(candidates, present)
        panels.figure(drawn, charts.frequent(candidates), "frequent", sentence, title="Ten most frequent words")
