"""Stored results that differ from this one in a single setting, drawn beside it."""

import streamlit as st

from core import catalog
from core.result import Result
from core.statistics.wording.naming import documents
from dashboard.kit import choices, glossary, panels, stored_results
from dashboard.topics.word_pairs.figures import comparison, fractions


def exist(result: Result) -> bool:
    """Tell whether there are results to compare with."""
    return bool(_topics(result))


@st.fragment
def show(result: Result) -> None:
    """Draw the comparisons for which results exist, for targets of a chosen size."""
    topics = _topics(result)
    st.header("Other settings", anchor=False)
    sizes = sorted({size for results in topics.values() for size in comparison.sizes(results)}, reverse=True)
    size = sizes[0]
    if len(sizes) > 1:
        size = choices.few("Documents of the target", sizes, "view.compared", called=documents)
    for topic, results in topics.items():
        if size not in comparison.sizes(results):
            continue
        if topic == "fraction":
            figure, table = fractions.figure(results, size), fractions.points(results, size)
            text = fractions.sentence(results, size)
        else:
            paper = topic == "mode" and is_paper(result)
            figure, table = comparison.growth(results, size, paper=paper), comparison.table(results, size)
            text = comparison.growth_sentence(results, size) + comparison.neighbours_sentence(results)
        panels.figure(figure, table, topic, text, title=comparison.TITLES[topic])
        if topic != "mode" or is_paper(result):
            st.caption(comparison.PAPER[topic], help=glossary.explained(comparison.PAPER[topic]))


def is_paper(result: Result) -> bool:
    """Tell whether data and adversary are those of the paper's Figure 3, so that its figures compare with ours."""
    attack, defenses = result.experiment["attack"], result.experiment["defenses"]
    plain = not defenses and not attack.get("shadow_data")
    return plain and str(result.experiment["dataset"]["part"]).startswith("enron")


def _topics(result: Result) -> dict[comparison.Topic, comparison.Labelled]:
    """Return the results of each comparison that has at least two."""
    labelled = {topic: {comparison.label(topic, result.experiment): result} for topic in comparison.TITLES}
    for entry in catalog.entries_of(result.experiment["attack"]["part"]):
        for topic in comparison.topics(result.experiment, entry.values):
            if (stored := stored_results.readable(entry.key)) is not None:
                labelled[topic].setdefault(comparison.label(topic, entry.values), stored)
    return {topic: list(results.items()) for topic, results in labelled.items() if len(results) > 1}
