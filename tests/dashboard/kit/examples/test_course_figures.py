"""The figures of membership by sentences: the control and its range stand out, and what is said is what is drawn."""

import pandas as pd
import plotly.graph_objects as go

from core.attacks.sentence_similarity import SentenceSimilarity
from core.attacks.window_similarity import WindowSimilarity
from core.games.example_membership import named_groups
from core.games.example_membership.contract import COURSE
from core.result import Estimate, table
from dashboard.kit.examples.figures import course as example_course
from dashboard.kit.examples.figures import groups as example_groups
from dashboard.kit.examples.figures import kinds, roc, rules
from dashboard.kit.examples.figures.rules import Series
from dashboard.topics.overview.figures import measured
from dashboard.topics.sentence_membership.figures import meaning
from tests.dashboard import samples
from tests.dashboard.sentence_membership.samples import passages as made

EMPTY = table(COURSE["course"], [])
PASSAGES = SentenceSimilarity.wording


def point(passes: int, size: int, auc: float, chance: float = 0.05) -> dict[str, object]:
    return {
        "passes": passes,
        "statistic": "similarity",
        "rule": "likelihood_ratio",
        "place": size,
        "accuracy": auc,
        "group": f"{size} sentences",
        "accuracy_low": auc - 0.1,
        "accuracy_high": auc + 0.1,
        "auc": auc,
        "auc_low": auc - 0.1,
        "auc_high": auc + 0.1,
        "chance_low": 0.5 - chance,
        "chance_high": 0.5 + chance,
    }


def course(*points: tuple[int, int, float]) -> tuple[pd.DataFrame, Series]:
    frame = table(COURSE["course"], [point(*one) for one in points])
    return frame, rules.drawn(frame)[0]


def estimate(value: float, half: float = 0.01, chance: float = 0.5) -> Estimate:
    return Estimate(value=value, low=value - half, high=value + half, chance=chance, unit="probability")


def test_each_number_of_sentences_has_a_line_from_before_training_on() -> None:
    table = made().tables["course"]
    series = rules.drawn(table)
    assert [one.name for one in series] == [
        "Cosine, likelihood ratio",
        "Cosine, one threshold (the paper)",
        "Learned similarity, likelihood ratio",
        "Learned similarity, one threshold (the paper)",
    ]
    figure = go.Figure(example_course.figure(table, series[2]).to_dict())
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [trace.name for trace in lines] == ["2 sentences", "5 sentences", "20 sentences"]
    assert list(figure.layout.xaxis.ticktext) == ["never<br>trained", "1", "5"]
    assert all(abs(x - tick) < 0.5 for trace in lines for tick, x in enumerate(trace.x))
    of_rule = series[2].of(table)
    assert list(lines[-1].y) == of_rule[of_rule["group"] == "20 sentences"].sort_values("passes")["auc"].tolist()
    assert [shape.name for shape in figure.layout.shapes] == ["untrained"] and samples.has_chance(figure)
    ranges = [trace for trace in figure.data if trace.name == "95% by chance"]
    assert len(ranges) == 3 and sum(trace.showlegend for trace in ranges) == 1


def test_the_sentence_says_from_which_epoch_on_chance_is_left() -> None:
    sentence = example_course.sentence(
        *course((0, 20, 0.51), (1, 20, 0.6), (5, 20, 0.95), (0, 2, 0.58), (1, 2, 0.54), (5, 2, 0.7)), PASSAGES
    )
    assert sentence == (
        "Cosine, likelihood ratio: for passages of 20 sentences the AUC goes from 0.51 without training to 0.95 "
        "(95% interval 0.85–1.05) after 5 epochs, above the range by chance from epoch 1 on; for passages of 2 "
        "sentences from 0.58 without training to 0.70 (0.60–0.80) after 5 epochs, above the range by chance from "
        "epoch 5 on."
    )
    back = example_course.sentence(*course((0, 2, 0.5), (1, 2, 0.7), (2, 2, 0.55)), PASSAGES)
    assert back.endswith("after 2 epochs, within chance at the end.")


def test_the_control_is_said_to_lie_inside_or_outside() -> None:
    inside, one = (course((0, 2, 0.5), (0, 20, 0.53), (1, 20, 0.9)), course((0, 2, 0.55), (1, 2, 0.9)))
    assert "Control without training: all 2 areas lie inside." in example_course.untrained(*inside)
    assert "the area lies inside" in example_course.untrained(*one)
    outside = example_course.untrained(*course((0, 2, 0.5), (0, 5, 0.44), (0, 20, 0.56)))
    assert "2 areas of 3 outside, for 5 sentences (0.440, by chance 0.450–0.550) and 20 sentences (0.560" in outside
    assert example_course.untrained(*course((1, 2, 0.5))) == ""


def test_nothing_followed_is_said_to_be_nothing() -> None:
    series = course((0, 2, 0.5))[1]
    assert "before their last epoch" in example_course.sentence(EMPTY, series, PASSAGES)
    assert example_course.figure(EMPTY, series).to_json() and example_course.untrained(EMPTY, series) == ""


def test_the_answer_is_about_the_longest_passages_that_could_be_drawn() -> None:
    groups = made(sizes=(2, 20), each=4, statistics=("similarity",)).tables["groups"]
    assert named_groups.answered(SentenceSimilarity, groups) == "20 sentences"
    assert (
        named_groups.answered(WindowSimilarity, groups)
        == named_groups.answered(SentenceSimilarity, groups.head(0))
        == ""
    )
    labels = kinds.headline(SentenceSimilarity, groups)
    assert {"auc": "AUC, 20 sentences", "auc_2_sentences": "AUC, 2 sentences"}.items() <= labels.items()
    none_long = groups.assign(usable=groups["usable"].where(groups["group"] == "2 sentences", 0))
    assert kinds.headline(SentenceSimilarity, none_long)["auc"] == "AUC, 2 sentences"


def test_the_advantage_rises_with_the_sentences() -> None:
    tables = made().tables
    kept = tables["groups"]["statistic"].eq("similarity") & tables["groups"]["rule"].eq("likelihood_ratio")
    rising = tables["groups"][kept].assign(advantage=[0.1, 0.4, 0.9], low=[0.0, 0.3, 0.8], high=[0.2, 0.5, 1.0])
    sentence = example_groups.sentence(rising, PASSAGES)
    assert "10% (95% interval 0–20%) for passages of 2 sentences and 90% (80–100%) for those of 20" in sentence
    assert "it rises with every step" in sentence and "falls" not in sentence
    assert list(example_groups.figure(rising, PASSAGES).layout.xaxis.ticktext) == ["2", "5", "20"]
    drawn = example_groups.coverage(rising, PASSAGES, "")
    assert "Passages drawn, of the usable ones: 2 sentences: 6 of 200" in drawn
    assert "Members with 20 sentences found" in roc.sentence(tables["roc"], 24, "with 20 sentences")


def test_figures_are_explained_in_plain_words() -> None:
    neighbours = {"neighbours_train": estimate(0.6, chance=0.01), "neighbours_test": estimate(0.05, chance=0.01)}
    says = meaning.meaning(
        {"auc": estimate(0.9), "auc_2_sentences": estimate(0.7), **neighbours}, "20 sentences", "2 sentences"
    )
    assert (
        "Given 20 sentences of a person" in says
        and "with a probability of 0.90, the AUC" in says
        and "with 2 sentences it is 0.70." in says
    )
    assert "for 60% of its training pairs and 5% of held-out pairs; chance is 1%." in says
    assert says.endswith("memorisation, which the attack detects.")
    for missed in (estimate(0.45, 0.05), estimate(0.55, 0.1)):
        says = meaning.meaning({"auc": missed, **neighbours}, "20 sentences", "20 sentences")
        assert "that is not shown to exceed chance." in says
        assert says.endswith("memorisation, which the attack is not shown to detect.")
    weak = meaning.meaning({"auc": estimate(0.5, 0.1)}, "2 sentences", "2 sentences")
    assert weak.endswith("With 2 sentences that is not shown to exceed chance.") and "; with" not in weak
    sure = meaning.meaning({"auc": estimate(1.0, 0.4)}, "2 sentences", "2 sentences")
    assert "No comparison is wrong" in sure


def test_the_overview_draws_right_guesses_of_the_answer() -> None:
    estimates = made().estimates
    row = measured.row("Title", estimates, "Attack")
    assert row.measure == "Accuracy" and row.figures == {0: estimates["accuracy"]}
