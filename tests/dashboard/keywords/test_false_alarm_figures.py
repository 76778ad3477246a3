"""Words that no text has: accuracies told as false alarms, beside the paper's, and no leak claimed."""

import math

import pandas as pd
import pytest

from dashboard.kit.figures import adversaries
from dashboard.topics.keywords.figures import boundary, false_alarms, keywords
from tests.dashboard import inference_samples
from tests.dashboard.samples import has_chance, titles


@pytest.fixture(scope="module")
def absent():
    return inference_samples.words("black_box", classifier="dann", level=0.9, absent=4)


def mean(result):
    return adversaries.mean(false_alarms.alarms(result.tables["inferred"]), result.experiment)


def guesses(hits, wrong):
    """Of ten texts with a word and ten without, so many are said to have it."""
    return pd.DataFrame(
        [
            {"secret": word, "victim": victim, "truth": truth, "guess": "present" if number < named else "absent"}
            for word in ("knee", "chest")
            for start, truth, named in ((0, "present", hits), (10, "absent", wrong))
            for number, victim in enumerate(range(start, start + 10))
        ]
    )


def test_an_accuracy_turns_into_false_alarms_with_its_interval(absent):
    row = mean(absent)
    assert (row.accuracy, row.low, row.high) == pytest.approx((0.13, 0.09, 0.17))
    bars = false_alarms.bars(absent.tables["inferred"], absent.experiment)
    assert bars["group"].iloc[0] == keywords.MEAN and set(bars["chance"]) == {0.5}


def test_the_figure_has_a_coin_and_no_guessing(absent):
    figure = false_alarms.figure(absent.tables["inferred"], absent.experiment)
    assert titles(figure) and has_chance(figure)
    assert "chance" in [note.text for note in figure.layout.annotations]
    assert "guessing" not in figure.to_json()


def test_no_leak_and_no_chance_are_spoken_of(absent):
    sentence = false_alarms.sentence(absent.tables["inferred"], absent.experiment)
    assert "in 13% (95% interval 9–17%) of the cases" in sentence and "most often “eye” (16%)" in sentence
    assert "leak" not in sentence and "chance" not in sentence
    assert "none of which has it" in false_alarms.behind(absent.tables["inferred"])
    assert "half" not in false_alarms.behind(absent.tables["inferred"])
    one = absent.tables["inferred"].assign(victims=1)
    assert false_alarms.behind(one) == "1 victim per word, none of which has it."
    assert false_alarms.behind(one.head(0)) == ""
    together = one.assign(victims=one["victims"].where(one["values"] > 0, 4))
    assert false_alarms.behind(together).startswith("1 victim per word"), "not those of all words"
    even = absent.tables["inferred"].assign(accuracy=0.9)
    assert ", equally often each of the 4 words." in false_alarms.sentence(even, absent.experiment)


@pytest.mark.parametrize(
    ("hits", "wrong", "alarm", "says"),
    [
        (9, 1, 0.05, "not due to always answering “present”"),
        (10, 8, 0.7, "explains part of the hit rate"),
        (7, 6, 0.9, "the hit rate alone is no evidence"),
    ],
)
def test_hits_are_weighed_against_false_alarms(absent, hits, wrong, alarm, says):
    inferred = absent.tables["inferred"].assign(accuracy=1 - alarm, low=0.98 - alarm, high=1.02 - alarm)
    inferred_words = guesses(hits, wrong)
    shares = [false_alarms.predicted_share(inferred_words, truth, 1) for truth in ("present", "absent")]
    assert [share for share, _, _ in shares] == pytest.approx([hits / 10, wrong / 10])
    sentence = false_alarms.beside(inferred, absent.experiment, *shares)
    assert "That is no leak" in sentence and says in sentence and "Other classifiers: Linear SVM" in sentence
    assert false_alarms.predicted_share(inferred_words.head(0), "present", 1) is None
    assert says not in false_alarms.beside(inferred, absent.experiment, None, None)


@pytest.mark.parametrize(("dataset", "bert"), [("skytrax", 0.109), ("mtsamples", 0.14), ("cms_procedures", 0.14)])
def test_the_paper_stands_beside_it(absent, dataset, bert):
    table = false_alarms.paper(absent.tables, {**absent.experiment, "dataset": {"part": dataset}})
    bars = table.set_index("group")
    assert bars.loc["BERT", "value"] == pytest.approx(bert) and math.isnan(bars.loc["BERT", "low"])
    stated = table[table["series"] == false_alarms.PAPER]
    assert len(stated) == 8 and stated["value"].is_monotonic_increasing
    assert titles(false_alarms.paper_figure(table))


def test_each_classifier_has_a_bar_and_the_dann_its_mean_over_the_passes(absent):
    table = false_alarms.paper(absent.tables, {**absent.experiment, "dataset": {"part": "yelp"}})
    assert table["group"].tolist() == ["DANN", "DANN", "Linear SVM", "Perceptron"]
    assert set(table["series"]) == {false_alarms.HERE, false_alarms.EPOCHS_MEAN}
    curve = adversaries.attack_rows(absent.tables["curve"], absent.experiment)
    assert table["value"].iloc[:2].tolist() == pytest.approx(
        [0.13, 1 - curve.loc[curve["secret"] == "all", "accuracy"].mean()]
    )


def test_a_boundary_among_victims_without_the_word_speaks_of_no_chance(absent):
    sentence = boundary.sentence(absent.tables["boundary_points"], absent.tables["boundary_grid"], "knee")
    assert "none of these has the keyword" in sentence and "chance is" not in sentence


def test_the_paper_is_quoted_for_its_tasks_only():
    black = inference_samples.words("black_box", classifier="dann", dataset="skytrax")
    white = inference_samples.words(source="minilm")
    assert "GPT and GPT-2: over 75%" in keywords.paper(black.experiment)
    assert "BERT: over 99%" in keywords.paper(white.experiment) and "9%" in keywords.paper(white.experiment)
    assert "all-MiniLM-L6-v2" in keywords.paper(white.experiment)
    assert not keywords.paper(inference_samples.words(dataset="wikipedia_excerpt").experiment)
    assert not keywords.paper(inference_samples.words(defended=True).experiment)


def test_the_number_of_victims_of_a_keyword_is_that_of_the_table(absent):
    inferred = absent.tables["inferred"]
    alike = inferred.assign(victims=40)
    assert keywords.behind(alike) == "40 victims per keyword, half of them with it."
    differing = alike.assign(victims=alike["victims"].where(alike["secret"] != "eye", 20))
    assert keywords.behind(differing) == "20 to 40 victims per keyword, half of them with it."
    assert keywords.behind(alike[alike["values"] == 0]) == ""


def test_other_classifiers_are_read_with_their_own_means(absent):
    inferred = absent.tables["inferred"]
    mean = (inferred["variant"] == "svm") & (inferred["values"] == 0)
    planted = inferred.assign(accuracy=inferred["accuracy"].mask(mean, 0.31))
    assert "Linear SVM 31%" in keywords.other_classifiers(planted, absent.experiment)
    assert "Linear SVM 31%" not in keywords.other_classifiers(inferred, absent.experiment)
    own = inferred[inferred["variant"] == absent.experiment["attack"]["part"]]
    assert keywords.other_classifiers(own, absent.experiment) == ""


def test_accuracies_of_a_page_are_told_apart():
    said = boundary.bridge("knee", 0.7, 0.6)
    assert said.startswith(
        "The attack is right for 70% of the victims asked about “knee”, and for 60% over all keywords"
    )
    assert "right for 60% of the victims asked about “eye”, and for 70% over" in boundary.bridge("eye", 0.6, 0.7)


@pytest.mark.parametrize(
    ("guess", "says"), [("present", "calls it present with a probability of 80%: right."), ("absent", ": wrong.")]
)
def test_an_answer_about_a_victim_is_right_where_it_is_the_truth(guess: str, says: str) -> None:
    row = pd.DataFrame([{"secret": "knee", "truth": "present", "guess": guess, "probability": 0.8}])
    said = boundary.decision(next(row.itertuples()))
    assert said.startswith("“knee” is present.") and f"calls it {guess}" in said and said.endswith(says)


@pytest.mark.parametrize(
    ("hits", "wrong", "right", "over_all"), [(10, 0, 2, "100%"), (10, 10, 2, "50%"), (0, 0, 0, "50%")]
)
def test_right_answers_are_counted_among_those_shown_and_among_all(
    hits: int, wrong: int, right: int, over_all: str
) -> None:
    about = guesses(hits, wrong).query("secret == 'knee'")
    said = boundary.decisions(about.head(2), about)
    assert f"correct for {right} of these 2 victims, drawn from 20" in said and said.endswith(
        f"over all is {over_all}."
    )


def test_the_other_knowledge_is_named_with_the_reason_why_it_is_not_shown() -> None:
    said = keywords.unpaired("white_box", missing=True)
    assert "with texts of the same kind is not computed yet" in said
    said = keywords.unpaired("black_box", missing=False)
    assert "with public texts only is not among the precomputed results" in said


def test_the_course_is_that_of_the_classifier_that_moves_else_that_of_the_attack() -> None:
    def line(first: float, last: float) -> pd.DataFrame:
        rows = [
            {"epochs": epochs, "accuracy": value, "low": value - 0.01, "high": value + 0.01, "chance": 0.5}
            for epochs, value in ((1, first), (9, last))
        ]
        return pd.DataFrame(rows)

    assert "stronger attack" in keywords.over_epochs(line(0.5, 0.9), None, absent=False)
    assert "makes the attack weaker" in keywords.over_epochs(line(0.9, 0.5), line(0.9, 0.5).head(1), absent=False)
    moving = keywords.over_epochs(line(0.5, 0.9), line(0.8, 0.6), absent=False)
    assert "80% at best (epoch 1), 60% at the last" in moving and "90%" not in moving
    assert "“absent” is always correct" not in moving
    assert "“absent” is always correct" in keywords.over_epochs(line(0.5, 0.9), line(0.8, 0.6), absent=True)
