"""Ten words a text, those that stand in it marked, beside the most frequent ones."""

import pandas as pd
import pytest

from dashboard.kit.figures import theme
from dashboard.topics.reassembly.figures import reassembly
from tests.dashboard import samples
from tests.dashboard.embedding_results import reassembly as made


@pytest.fixture(scope="module")
def result():
    return made()[1]


def test_the_words_of_the_text_are_marked(result):
    candidates = reassembly.of(result.tables["words"], 0)
    bars = reassembly.figure(candidates).data[0]
    assert len(bars.y) == 10
    marked = [colour == theme.MEMBER for colour in bars.marker.color]
    assert marked == candidates["present"].tolist()
    assert [text.endswith("in the text") for text in bars.text] == marked
    assert f"{int(candidates['present'].sum())} are among the ten" in reassembly.sentence(candidates)


def test_the_example_is_a_victim_of_whom_as_much_is_found_as_on_average():
    rows = [(0, True, 2), (0, True, 2), (1, True, 2), (1, False, 2), (2, False, 1), (3, False, 0), (4, True, 4)]
    words = pd.DataFrame(rows, columns=["victim", "present", "findable"])
    assert reassembly.typical(words) == 1, "shares of 1, 1/2, 0 and 1/4 are 0.44 on average"
    assert reassembly.typical(words[words["findable"] == 0]) is None


def test_the_axis_reaches_the_largest_value(result):
    candidates = reassembly.of(result.tables["words"], 0).assign(probability=0.3)
    for value, end in ((0.98, 1.0), (0.69, 0.8), (0.31, 0.4), (0.03, 0.03)):
        axis = reassembly.figure(candidates.assign(probability=value)).layout.xaxis
        assert axis.range[1] == pytest.approx(1.02 * end) and end / axis.dtick == pytest.approx(round(end / axis.dtick))


def test_one_candidate_is_read_as_one(result):
    candidates = reassembly.of(result.tables["words"], 0).assign(findable=1, present=False)
    assert reassembly.sentence(candidates) == "The only candidate in this text is not among the ten."
    candidates.loc[0, "present"] = True
    assert (
        reassembly.sentence(candidates)
        == f"The only candidate in this text is among the ten: {candidates.loc[0, 'word']}."
    )


def test_the_baseline_says_what_it_does_not_know(result):
    candidates = result.tables["candidates"]
    figure = reassembly.baseline(candidates, {"removal": True, "repair": False})
    assert [text.split("% ")[-1] for text in figure.data[0].text[:3]] == ["✓ in the text", "19%", "unknown"]
    sentence = reassembly.baseline_sentence(candidates, {"removal": True})
    assert "here 1 is correct (removal); without the text, 9 of them" in sentence
    known = reassembly.baseline_sentence(candidates, dict.fromkeys(candidates["word"], False))
    assert known.endswith("here none is correct.")


def test_the_attack_stands_beside_two_rankings_that_see_nothing(result):
    figure = reassembly.comparison(result.tables["rankings"], "semantic_reassembly")
    listed = [trace.name.lower() for trace in figure.data if trace.name and trace.showlegend is not False]
    assert sorted(listed) == ["chance (the most frequent words)", "random ranking", "the attack"], "each once"
    verdict_text = reassembly.verdict(result.estimates)
    assert (
        "81% (95% interval 78–84%) of the candidate words" in verdict_text
        and "chance (the most frequent words) 60%" in verdict_text
    )
    assert "not shown to be better" not in verdict_text
    assert "has no estimate" in reassembly.verdict({})


def test_behind_a_defense_the_naive_adversary_stands_beside(result):
    table = result.tables["rankings"]
    naive = table[table["variant"] == "semantic_reassembly"].assign(variant="naive")
    figure = reassembly.comparison(pd.concat([table, naive]), "semantic_reassembly")
    assert "Naive adversary" in {trace.name for trace in figure.data}
    recall = result.estimates["recall_at_10"]
    verdict_text = reassembly.verdict({"recall_at_10": recall, "recall_at_10_naive": recall})
    assert "who ignores the defense, finds 81%" in verdict_text


def test_no_word_is_said(result):
    nothing = reassembly.of(result.tables["words"], 4711)
    assert "No word was ranked." in samples.texts(reassembly.figure(nothing))[-1]
    assert reassembly.sentence(nothing) == "No word was ranked."


def test_the_words_that_are_named_are_those_of_the_table():
    rows = [("knee", True, 2), ("hand", False, 2)]
    ranked = pd.DataFrame(rows, columns=["word", "present", "findable"])
    assert "names knee and hand. Of the 2 candidates in this text, 1 is among the ten: knee." in reassembly.named(
        ranked
    )
    other = pd.DataFrame([("eye", False, 3)], columns=["word", "present", "findable"])
    assert "names eye. Of the 3 candidates in this text, none" in reassembly.named(other)
