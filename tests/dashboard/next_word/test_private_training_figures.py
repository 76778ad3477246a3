"""The curve of private training: ordered by promise, read with its cost, and honest about what an audit finds."""

import math
from dataclasses import replace

import pandas as pd
import pytest

from dashboard.topics.next_word.figures import private_training
from tests.dashboard.next_word import samples
from tests.dashboard.samples import has_chance, texts

PLAIN = samples.completing(level=0.9)
WEAK, STRONG = (samples.completing(epsilon=epsilon, level=0.55) for epsilon in (1000.0, 2.0))


def single(result, bound):
    """Return a result about targets of one document."""
    curve = result.tables["curve"].replace({"size": {20: 1}})
    estimates = {**result.estimates, **samples.audited(2.0, size=1, bound=bound)}
    return replace(result, estimates=estimates, tables={**result.tables, "curve": curve})


def test_promises_are_ordered_the_weakest_first():
    table = private_training.points([STRONG, PLAIN, WEAK])
    assert table["promise"].tolist() == ["none", "1,000", "2"]
    assert table["epsilon"].tolist() == [math.inf, 1000, 2]
    assert table["at_least"].isna().tolist() == [True, False, False]
    assert table["perplexity"].tolist() == [120, 120, 120]


def test_attack_audit_and_cost_are_drawn_above_each_other():
    figure = private_training.figure(private_training.points([PLAIN, WEAK, STRONG]))
    assert has_chance(figure) and figure.layout.xaxis.categoryarray == ("none", "1,000", "2")
    assert {trace.yaxis for trace in figure.data} == {"y", "y2", "y3"}
    axes = (figure.layout.yaxis, figure.layout.yaxis2, figure.layout.yaxis3)
    assert [axis.title.text for axis in axes] == [
        "AUC of the attack",
        "Audited epsilon",
        "Perplexity,<br>new documents",
    ]
    assert [trace.name for trace in figure.data if trace.showlegend] == ["a user of 20 documents", "perplexity"]


def test_the_ends_of_the_curve_are_read_aloud():
    sentence = private_training.sentence(private_training.points([PLAIN, WEAK, STRONG]))
    assert sentence.startswith("With ordinary training, the AUC of the attack on users of 20 documents is")
    assert "With epsilon 2, the AUC of the attack on users of 20 documents" in sentence
    assert sentence.count("the perplexity in new documents is 120") == 2
    assert sentence.endswith("There is no audit of single documents, for which epsilon is guaranteed.")


def test_the_weakest_promise_that_hides_is_named():
    curve = WEAK.tables["curve"].assign(auc=0.5, auc_low=0.4, auc_high=0.6)
    hidden, stronger = (replace(each, tables={**each.tables, "curve": curve}) for each in (WEAK, STRONG))
    sentence = private_training.sentence(private_training.points([PLAIN, hidden, stronger]))
    assert (
        "Already at epsilon 1,000 no adversary’s AUC on them is shown to exceed chance, at a perplexity of 120."
        in sentence
    )
    assert "Already" not in private_training.sentence(private_training.points([PLAIN, STRONG]))
    sentence = private_training.sentence(private_training.points([PLAIN, hidden, STRONG]))
    expected = (
        "At epsilon 1,000 no adversary’s AUC on them is shown to exceed chance, at a perplexity of 120; at 2 one is."
    )
    assert expected in sentence
    other = curve[curve["variant"] == "full_text"].assign(variant="all_pairs", auc=0.6, auc_low=0.55, auc_high=0.65)
    beaten = replace(hidden, tables={**hidden.tables, "curve": pd.concat([curve, other], ignore_index=True)})
    sentence = private_training.sentence(private_training.points([PLAIN, beaten, stronger]))
    assert "exceed chance" not in sentence, "another adversary does at epsilon 1,000"


def test_an_audit_of_too_few_guesses_is_not_said_to_show_nothing_at_most():
    table = private_training.points([single(STRONG, 0.0)])
    assert "it could show at most 1.6, even if all were correct." in private_training.sentence(table)
    assert private_training.sentence(table.assign(most=0.0)).endswith(
        "contradicts no guarantee; it has too few guesses to contradict any, even if all were correct."
    )


@pytest.mark.parametrize(("bound", "words"), [(0.5, "contradicts no guarantee"), (2.5, "the guaranteed epsilon 2:")])
def test_an_audit_of_what_is_promised_is_judged(bound, words):
    assert words in private_training.sentence(private_training.points([single(STRONG, bound)]))


def knowing(result, knows):
    """Return a result whose drawn rival knows the bits, or nothing."""
    scores = result.tables["scores"].assign(size=1)
    known = scores["member"] if knows else ~scores["member"] & False
    rivals = scores.drop(columns="member").assign(variant=private_training.ATTACK, score=known.astype(float))
    return replace(result, tables={**result.tables, "scores": scores, "rivals": rivals})


def test_the_tighter_audit_is_computed_from_the_scores_and_contradicts_where_it_can():
    promised = single(samples.completing(epsilon=0.5, level=0.55), 0.3)
    right, guessing = (private_training.points([knowing(promised, knows)]) for knows in (True, False))
    assert right["at_least_gaussian"].item() > 0.5
    assert "it would contradict epsilon 0.5." in private_training.sentence(right)
    assert guessing["at_least_gaussian"].item() <= 0.5 and "would contradict" not in private_training.sentence(guessing)
    dashed = [trace for trace in private_training.figure(right).data if "audit as of Gaussian" in (trace.name or "")]
    assert dashed and dashed[0].showlegend


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ((0.0, 0.0, 0.5, 0.5), (0.0, 0.0, 0.9, 0.4), "finds more at 1 of 4 points, and at 2 both find nothing."),
        ((0.0, 0.2), (0.1, 0.3), "finds more at 2 of 2 points."),
        ((0.2,), (0.2,), "finds more at none of 1 point."),
        ((0.2, math.nan), (math.nan, 0.3), "The audit gives a lower bound of epsilon at 95% confidence."),
    ],
)
def test_it_is_counted_where_the_second_audit_finds_more(first, second, says):
    row = private_training.points([WEAK])
    table = pd.concat([row] * len(first), ignore_index=True).assign(at_least=first, at_least_gaussian=second)
    assert private_training.note(table).endswith(says)


@pytest.mark.parametrize("results", [[], [PLAIN]])
def test_without_a_promise_there_is_no_curve(results):
    table = private_training.points(results)
    assert private_training.sentence(table) == "No privately trained model is computed yet."
    assert private_training.figure(table).to_json()


def test_nothing_is_drawn_of_nothing():
    assert "No privately trained model" in texts(private_training.figure(private_training.points([])))[-1]


def test_a_point_has_a_name():
    assert private_training.point_name(math.inf) == "ordinary training"
    assert private_training.point_name(1000) == "epsilon 1,000"
    assert private_training.point_name(1_000_000) == "epsilon 1,000,000"
    assert private_training.point_name(0.5) != private_training.point_name(0.7), "close promises are told apart"
