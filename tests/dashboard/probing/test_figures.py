"""Charts of an attack through a classifier: probes, words, sizes, and the paper beside them."""

import numpy as np
import pandas as pd
import pytest

from core.attacks.classifier_probing import ClassifierProbing
from core.experiment import Experiment
from core.result import table
from dashboard.kit.figures import dumbbells
from dashboard.kit.membership.figures import curve, headline, sizes
from dashboard.topics.probing.figures import label_queries, paper, probes, telling_words
from dashboard.topics.probing.figures.paper import SETTINGS
from tests.dashboard.probing import samples
from tests.dashboard.samples import has_chance, point, texts, titles

ATTACK = samples.ATTACK


def usual():
    return samples.probing()


def usual_tables():
    return usual().tables


SAME, OTHER = SETTINGS


def probe(labels_in, labels_out, shares=((0.1, 0.1), (0.8, 0.3)), rank=0):
    rows = [
        {
            "target": 0,
            "rank": rank,
            "document": 36,
            "word": "gas",
            "repetitions": times,
            "share_in": shares[times][0],
            "share_out": shares[times][1],
            "one_in": labels_in[times],
            "one_out": labels_out[times],
        }
        for times in range(len(labels_in))
    ]
    return table(ClassifierProbing.tables["probes"], rows)


def word(name, flips_in, flips_out, rank=0):
    return {"target": 0, "rank": rank, "word": name, "flips_in": flips_in, "flips_out": flips_out}


def chosen(*rows):
    return table(ClassifierProbing.tables["words"], list(rows))


def test_a_probe_is_two_lines_with_intervals_above_two_rows_of_labels():
    figure = probes.figure(usual_tables()["probes"], 0, 0, "spam", 60)
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [trace.name for trace in lines] == ["with the target", "without it"]
    assert all(list(trace.x) == [0, 1, 2, 3, 4, 5] for trace in lines)
    assert sum(trace.fill == "toself" for trace in figure.data) == 2
    below = [trace for trace in figure.data if trace.yaxis == "y2"]
    assert [set(trace.y) for trace in below] == [{1}, {0}]
    rows = probes.of(usual_tables()["probes"], 0, 0)
    for trace, side in zip(below, ("one_in", "one_out"), strict=True):
        assert [symbol == "square" for symbol in trace.marker.symbol] == rows[side].tolist()
    assert len(titles(figure)) == 3 and "■ predicts “spam”   □ does not" in texts(figure)


def test_the_class_is_shown_as_it_is_written_and_not_as_markup():
    figure = probes.figure(usual_tables()["probes"], 0, 0, "<b>", 60)
    assert figure.layout.yaxis.title.text == "Shadow models that predict “&lt;b&gt;”"
    assert not any("“<b>”" in label for trace in figure.data for label in trace.text or ())


def test_a_probe_is_read_from_the_data():
    sentence = probes.sentence(probe([False, True], [False, False]), 0, 0, "spam", 100)
    assert sentence.startswith(
        "With “gas” appended 1 time to auxiliary document 37 of the 100, 80% of shadow models with "
        "the target predict “spam”, and 30% of those without it."
    )
    assert (
        "with the target the label goes from “not spam” to “spam” after 1 time, without it stays “not spam”" in sentence
    )


@pytest.mark.parametrize(
    ("labels_in", "labels_out", "ends"),
    [
        ([True, True], [True, True], "in both the label stays “spam”. So this pair of models gives no evidence."),
        ([False, False], [False, True], "This pair of models contradicts the shares: a single label is weak evidence."),
        ([False, True], [False, False], "The adversary sees only such labels of a target model."),
    ],
)
def test_one_pair_of_models_is_not_taken_for_all(labels_in, labels_out, ends):
    assert probes.sentence(probe(labels_in, labels_out), 0, 0, "spam", 100).endswith(ends)


def test_a_label_that_goes_back_is_said():
    shares = ((0.5, 0.5), (0.9, 0.5), (0.6, 0.5))
    sentence = probes.sentence(probe([False, True, False], [False] * 3, shares), 0, 0, "spam", 9)
    assert "to “spam” after 1 time, and back later" in sentence


def test_a_document_may_differ_as_it_is():
    sentence = probes.sentence(probe([True, True], [False, True], ((0.9, 0.2), (0.9, 0.8))), 0, 0, "spam", 9)
    assert sentence.startswith("Before any word is appended to auxiliary document 37 of the 9")


def test_each_probe_is_listed_where_it_differs_most():
    listed = probes.listed(usual_tables()["probes"], 0)
    assert list(listed["rank"]) == list(range(10)) and list(listed.columns) == list(dumbbells.COLUMNS)
    gaps = (listed["inside"] - listed["outside"]).abs()
    assert gaps.is_monotonic_decreasing
    assert probes.listed(probe([False, True], [False, False]), 0)["label"].tolist() == ["gas ×1 · document 37"]


def test_a_gap_that_chance_could_make_is_called_no_evidence():
    few = probe([False, True], [False, False], ((0.5, 0.5), (0.6, 0.4)))
    assert probes.listed_sentence(few, 0, 4000, 25).endswith("so this is no evidence by itself.")
    sentence = probes.listed_sentence(usual_tables()["probes"], 0, 1200, 60)
    median = round(100 * probes.chance_gap(1200 * (usual_tables()["probes"]["repetitions"].max() + 1), 60))
    assert sentence.endswith(f"chance alone exceeds {median} points no more than half of the time.")


def test_the_bound_of_chance_holds_for_labels_that_say_nothing():
    rng = np.random.default_rng(0)
    widest = [np.abs(np.subtract(*rng.binomial(50, 0.5, (2, 2000)) / 50)).max() for _ in range(40)]
    assert np.median(widest) == pytest.approx(probes.chance_gap(2000, 50), abs=0.04)


def test_no_probe_is_said():
    none = table(ClassifierProbing.tables["probes"], [])
    assert texts(probes.figure(none, 0, 0, "spam", 60))[-1] == "No probe is stored for this target."
    assert probes.sentence(none, 0, 0, "spam", 9) == "No probe is stored for this target."
    assert "there is no query" in probes.listed_sentence(none, 0, 0, 60)


def test_dumbbells_carry_their_rank_for_a_click():
    listed = probes.listed(usual_tables()["probes"], 0)
    beside, above = (dumbbells.figure(listed, "Share", "", chosen=2, long=long) for long in (False, True))
    for figure in (beside, above):
        points = [trace for trace in figure.data if trace.mode == "markers"]
        assert [list(trace.customdata) for trace in points] == [list(range(10))] * 2
        assert points[0].marker.symbol != points[1].marker.symbol
    name = f"<b>{listed['label'].iloc[2]}</b>"
    assert name in beside.layout.yaxis.ticktext and name in texts(above) and name not in texts(beside)


def test_words_are_ordered_by_what_they_tell_and_only_some_are_drawn():
    figure = telling_words.figure(usual_tables()["words"], 0)
    assert len(figure.layout.yaxis.ticktext) == telling_words.MOST_WORDS and len(titles(figure)) == 2
    shown = telling_words.of(usual_tables()["words"], 0)
    assert len(shown) == 30 and (shown["flips_in"] - shown["flips_out"]).abs().is_monotonic_decreasing


def test_words_are_read_from_the_data():
    sentence = telling_words.sentence(chosen(word("gas", 0.3, 0.1), word("oil", 0.2, 0.25, 1)), 0)
    assert sentence.startswith(
        "Appending “gas” flips 30% of the labels of shadow models with the target, and 10% of those without it: the "
        "largest difference of 2 words. With the target, 1 of them flip more labels"
    )
    three = chosen(word("gas", 0.3, 0.1), word("oil", 0.3, 0.2, 1), word("rig", 0.2, 0.2, 2))
    assert "With the target, 2 of them flip more labels, 1 fewer or equally many." in telling_words.sentence(three, 0)
    fewer = chosen(word("gas", 0.1, 0.3), word("oil", 0.2, 0.3, 1), word("rig", 0.2, 0.2, 2))
    assert "With the target, 0 of them flip more labels, 3 fewer or equally many." in telling_words.sentence(fewer, 0)
    assert "the only word" in telling_words.sentence(chosen(word("gas", 0.3, 0.1)), 0)
    assert telling_words.sentence(chosen(), 0).startswith("No word was selected")
    assert "No word was selected" in texts(telling_words.figure(chosen(), 0))[-1]


def test_a_decision_is_counted_in_documents():
    sentence = label_queries.queries(usual().estimates, usual().experiment["attack"], usual_tables()["words"])
    assert sentence.startswith("One decision takes 7,200 queries on average: 40 auxiliary documents")
    assert "about 30 words of the target appended 0 to 5 times" in sentence
    assert label_queries.queries(usual().estimates, usual().experiment["attack"], chosen()).endswith("on average.")
    assert label_queries.queries({}, {}, chosen()) == label_queries.quality({}, "spam") == ""


def test_a_classifier_that_does_not_beat_the_commoner_class_is_called_so():
    good = label_queries.quality(usual().estimates, "spam")
    assert "is 93% (95% interval 92–94%) on new documents and 96% on its training documents" in good
    poor = usual().estimates["classifier_test"].model_copy(update={"chance": 0.935})
    assert "is not shown to beat that" in label_queries.quality({"classifier_test": poor}, "spam")
    assert "is not shown to beat that" not in good


def test_accuracy_by_size_has_the_control_and_the_guess_without_a_model():
    lines = sizes.lines(usual_tables()["curve"], ATTACK)
    assert list(lines) == [
        "Classifier probing (the attack)",
        "Random other words appended",
        "Blind baseline: text alone",
    ]
    figure = sizes.figure(lines)
    assert [list(trace.x) for trace in figure.data if trace.mode == "lines+markers"] == [[10, 100, 1000]] * 3
    assert has_chance(figure) and len(titles(figure)) == 2 and len(sizes.table(lines)) == 9
    assert sizes.sentence(usual_tables()["curve"], ATTACK).endswith("larger targets are easier to find.")


@pytest.mark.parametrize(
    ("accuracy", "says"),
    [
        (0.81, "larger targets are easier to find."),
        (0.8, "the intervals overlap, which neither shows a difference nor excludes one."),
        (0.6, "the intervals overlap, which neither shows a difference nor excludes one."),
        (0.4, "the intervals overlap, which neither shows a difference nor excludes one."),
        (0.39, "larger targets are harder to find."),
    ],
)
def test_larger_targets_are_easier_or_harder_to_find_where_intervals_are_apart(accuracy, says):
    planted = pd.DataFrame([point(ATTACK, 10, accuracy=0.6), point(ATTACK, 100, accuracy=accuracy)])
    planted[["low", "high"]] = [[0.5, 0.7], [round(accuracy - 0.1, 2), round(accuracy + 0.1, 2)]]
    sentence = sizes.sentence(planted, ATTACK)
    assert sentence.startswith("From 10 documents to 100 documents the attack goes from 60% (95% interval 50–70%) to")
    assert sentence.endswith(f": {says}")


def test_one_size_or_none_is_drawn_too():
    alone = samples.probing(sizes=(50,)).tables["curve"]
    assert sizes.figure(sizes.lines(alone, ATTACK)).to_json()
    assert sizes.sentence(alone, ATTACK) == "Targets of one size only: nothing to compare."
    assert "Not computed yet" in texts(sizes.figure({}))[-1]
    assert sizes.table({}).empty


def test_the_control_is_drawn_hollow_in_the_curve_and_read_with_the_headline():
    figure = curve.figure(usual_tables()["curve"], ATTACK)
    hollow = [trace for trace in figure.data if trace.name == "Random other words appended"]
    assert len(hollow) == 3 and all(trace.marker.symbol.endswith("-open") for trace in hollow)
    assert curve.sentence(usual_tables()["curve"], ATTACK).endswith("Hollow: as many random other words instead.")
    sentence = headline.sentence(usual_tables()["curve"], ATTACK)
    assert "that the choice of words matters is shown for 100 documents and 1,000 documents only" in sentence
    without = samples.probing(control=False).tables["curve"]
    assert "other words" not in headline.sentence(without, ATTACK) + curve.sentence(without, ATTACK)


@pytest.mark.parametrize(
    ("level", "words"), [(0.95, "the choice of words matters."), (0.56, "that the choice of words matters is not")]
)
def test_the_control_is_judged_by_its_interval(level, words):
    points = samples.probing(sizes=(50,), level=level).tables["curve"]
    assert words in headline.sentence(points, ATTACK)


@pytest.mark.parametrize(
    ("setting", "fits"),
    [
        (samples.SAME, {"same"}),
        (samples.OTHER, {"other"}),
        (samples.DEMO, set()),
        ({"dataset": {"part": "enron"}, "texts": {"part": "enron_spam", "label": "both"}}, {"other"}),
        ({"dataset": {"part": "wikipedia_excerpt"}, "texts": {"part": "wikipedia_people"}}, set()),
        (samples.SENDERS, set()),
    ],
)
def test_an_experiment_stands_in_the_papers_setting_or_in_none(setting, fits):
    experiment = Experiment.parse(
        {
            "attack": {"part": ATTACK},
            "dataset": setting["dataset"],
            "model": {"part": "spam_classifier", "texts": setting["texts"]},
            "game": setting.get("game", {}),
        }
    )
    assert {known.name for known in SETTINGS if known.fits(experiment)} == fits


def test_the_papers_figures_are_those_it_prints():
    assert {size: share for size, (share, _) in OTHER.accuracy.items()} == {10: 0.65, 100: 0.69, 1000: 0.79}
    assert {size: share for size, (share, _) in SAME.accuracy.items()} == {10: 0.77, 100: 0.84, 1000: 0.91}
    table3 = paper.quality({})
    assert list(table3["the paper"]) == ["94.3% ± 1.1", "95.2% ± 2.1", "93.3% ± 1.1", "94.0% ± 1.9"]


@pytest.mark.parametrize("computed", [False, True])
def test_ours_stands_beside_the_paper_or_is_missing(computed):
    result = usual() if computed else None
    figure = paper.figure(SAME, result)
    names = [trace.name for trace in figure.data if trace.mode == "lines+markers"]
    assert names == (["The paper"] if result is None else ["Here", "The paper"])
    assert has_chance(figure) and figure.layout.xaxis.title.text == "Documents of a target (the paper: sentences)"
    sentence = paper.sentence(SAME, result)
    assert sentence.startswith("Table 2 of the paper: 77% for 10, 84% for 100 and 91% for 1,000 sentences.")
    assert ("not computed yet" in sentence) == (result is None)


@pytest.mark.parametrize(
    ("level", "ends"),
    [
        (0.75, "Our interval is below the paper’s value for 10, 100 and 1,000."),
        (0.93, "Our interval is below the paper’s value for 10; it includes that for 100 and 1,000."),
        (0.99, "The paper’s ± overlaps it for 10."),
    ],
)
def test_ours_is_compared_by_its_interval(level, ends):
    assert paper.sentence(SAME, samples.probing(level=level)).endswith(ends)


def test_sizes_that_are_not_shared_are_not_compared():
    assert paper.sentence(SAME, samples.probing(sizes=(50,))).endswith("They have no size in common.")


def test_the_classifiers_own_accuracy_stands_beside_table_3():
    accuracies = paper.quality({"same": usual(), "other": None})
    assert list(accuracies["here"]) == ["93% (92–94%)", "96% (95–97%)", *["not computed yet"] * 2]
    assert "93% (92–94%) when trained on" in paper.quality_sentence({"same": usual()})
    assert paper.quality_sentence({}) == "None of our results is computed yet."
