"""The answer in one line follows its estimates: above, at and below chance; shares, counts, F1 and several sizes."""

import pytest

from core import catalog
from core.report import answer
from core.result import Estimate, headline
from dashboard.kit import stored_results


def estimate(value=0.92, low=0.86, high=0.96, chance=0.5, unit="share of decisions", **counts):
    return Estimate(value=value, low=low, high=high, chance=chance, unit=unit, **counts)


def said(estimates, **game):
    read = answer.read(estimates, game)
    return f"{read.right}{read.gap}{read.detail}"


def test_targets_and_plays_are_named_where_they_make_the_decisions():
    accuracy = {"accuracy": estimate(members=50, nonmembers=50)}
    text = "right in 92% of {} (95% interval 86–96%), chance 50%."
    dealt = "right in 92% of 100 decisions on 20 targets"
    assert said(accuracy, targets=20, plays=5) == f"{dealt} (95% interval 86–96%), chance 50%; 5 plays."
    alike, game = estimate(1.0, 0.676, 1.0, members=80, nonmembers=80), {"targets": 8, "plays": 20}
    assert "Wilson" in answer.unvaried(alike, game)
    assert not answer.unvaried(alike, {}) and not answer.unvaried(estimate(members=80, nonmembers=80), game)
    by_size = answer.read({"accuracy_20": accuracy["accuracy"]}, {"targets": 20, "plays": 5})
    assert f"{by_size.right} {by_size.detail}".startswith(f"{dealt} of 20 documents (95% interval 86–96%)")
    assert said(accuracy, targets=20, plays=6) == text.format("100 decisions")
    assert said({"accuracy": estimate()}) == text.format("the decisions")


@pytest.mark.parametrize(
    ("value", "low", "high", "chance", "says"),
    [
        (0.5, 0.4, 0.6, 0.5, ", not shown to be better than chance, 50%."),
        (0.25, 0.24, 0.26, 0.34, ", worse than chance, 34%."),
        (0.99, 0.98, 1.0, 1.0, ". One answer is always right here, so that nothing can leak."),
        (0.9, 0.9, 0.9, None, "right in 90% of the decisions (the same in 95% of resamples)."),
    ],
)
def test_what_is_not_above_chance_is_called_so(value, low, high, chance, says):
    assert said({"accuracy": estimate(value, low, high, chance)}).endswith(says.lstrip())


def test_a_group_of_examples_is_named_and_a_narrow_interval_rounded_as_its_value():
    read = answer.read({"accuracy": estimate()}, {}, "passages of 20 sentences")
    assert f"{read.right} {read.detail}" == (
        "right in 92% of the decisions about passages of 20 sentences (95% interval 86–96%), chance 50%."
    )
    assert said({"accuracy": estimate(0.6105, 0.6081, 0.6128)}).startswith(
        "right in 61.1% of the decisions (95% interval 60.8"
    )


def test_what_the_adversary_is_given_of_each_passage_is_named():
    recited = estimate(0.39, 0.3, 0.49, 0.0, unit="share of passages", decisions=100)
    assert said({"accuracy": recited}, prefixes=(5, 20, 10)).startswith(
        "right in 39% of 100 cases of passages given the 20 words before each (95% interval 30–49%)"
    )
    assert said({"accuracy": recited}, prefixes=(20,), copies=(1, 5, 100)).startswith(
        "right in 39% of 100 cases of passages that stand in the training text 1 to 100 times, given the 20 words "
    )


def test_where_answers_were_dealt_to_others_the_paired_lead_decides():
    accuracy = estimate(0.258, 0.25, 0.266, 0.251)
    dealt = "chance (the same answers dealt to other victims)"
    for low, says in ((0.002, f", {dealt} 25%."), (-0.002, f", not shown to be better than {dealt}, 25%.")):
        text = said({"accuracy": accuracy, "lead": estimate(0.007, low, 0.012, 0.0)})
        assert text.endswith(says)


def test_secrets_are_counted():
    read = {"accuracy": estimate(50 / 180, 0.24, 0.32, 8e-5, "share of canaries", decisions=180)}
    assert said(read) == "50 of 180 secrets read whole (28%, 95% interval 24–32%), chance 0.008%."
    for repetitions, often in (((0, 1, 100), "1 to 100 times"), ((0, 10), "10 times"), ((0, 1), "once")):
        shown = said(read, repetitions=repetitions)
        assert shown.startswith(f"50 of 180 secrets read whole, shown {often} each (28%, 95% interval 24–32%), chance")
    none = {"accuracy": estimate(0.0, 0.0, 0.28, 7e-11, "share of canaries", decisions=120)}
    assert said(none).endswith("(0%, 95% interval 0–28%), not shown to be better than chance, below 0.0001%.")


def test_an_f1_is_compared_with_the_most_frequent_words():
    f1 = {"f1": estimate(0.74, 0.72, 0.75, 0.2, "mean over victims", decisions=1000)}
    assert said(f1) == "F1 of words 74% (95% interval 72–75%), chance (the most frequent words) 20%; 1,000 victims."
    recall = {"recall_at_10": estimate(0.68, 0.63, 0.73, 0.31, "mean over victims", decisions=300)}
    assert said(recall).startswith(
        "68% of the candidate words in the text are among them (95% interval 63–73%), chance (the most frequent words) "
        "31%"
    )


def test_the_size_farthest_above_chance_is_told_first_and_the_others_after_it():
    read = answer.read(
        {
            "accuracy_1": estimate(0.5, 0.4, 0.6, members=5, nonmembers=5),
            "accuracy_100": estimate(members=5, nonmembers=5),
        },
        {},
    )
    assert read.detail.startswith("about targets of 100 documents (95%")
    assert read.other_sizes == "Targets of 1 document: 50% (40–60%), not shown to be better than chance."


def test_an_estimate_without_an_interval_says_why():
    right = {"accuracy": estimate(1.0, 1.0, 1.0, decisions=100)}
    assert said(right) == "right in 100% of 100 decisions (no interval: all decisions came out alike), chance 50%."


@pytest.mark.parametrize("end", ["value", "low"])
def test_what_was_not_measured_is_called_so(end):
    text = said({"accuracy": estimate(**{end: float("nan")}, decisions=1)})
    assert text.startswith("not measurable" if end == "value" else "right in 92% of 1 decision, chance 50%.")
    two = {
        "accuracy_1": estimate(float("nan"), members=5, nonmembers=5),
        "accuracy_9": estimate(members=5, nonmembers=5),
    }
    assert said(two).startswith("right in 92% of 10 decisions about targets of 9 documents")
    secrets = {"accuracy": estimate(float("nan"), unit="share of canaries", decisions=9)}
    assert said(secrets).startswith("not measurable")


def test_only_an_accuracy_is_right_in_so_many_cases():
    auc = {"auc": estimate(0.87, 0.8, 0.91, unit="probability", decisions=40)}
    assert said(auc) == "AUC 0.87 (95% interval 0.80–0.91), chance 0.50; 40 decisions."
    assert said({"advantage": estimate(0.4, 0.3, 0.5, 0.0)}) == "Advantage 40% (95% interval 30–50%), chance 0%."


def test_only_decisions_on_membership_are_targets_times_plays():
    assert said({"accuracy": estimate(decisions=100)}, targets=20, plays=5).startswith(
        "right in 92% of 100 decisions ("
    )


def test_without_an_estimate_there_is_no_answer():
    assert answer.read({}, {}) is None


def test_every_stored_result_has_an_answer_that_agrees_with_its_headline():
    answered = 0
    for entry in catalog.entries():
        estimates = stored_results.estimates(entry.key)
        if not estimates:
            continue
        read = answer.read(estimates, entry.values["game"])
        shown = [estimates[name] for name in headline(estimates).values()]
        notes = "not shown to be better than", "worse than", "nothing can leak"
        below = any(note in read.detail for note in notes)
        assert below is not any(each.above_chance() for each in shown), entry.title
        answered += 1
    assert answered > 100


def test_the_spread_over_seeds_follows_their_values_and_says_what_it_speaks_of():
    apart = answer.over_seeds("accuracy_20", [estimate(value) for value in (0.79, 0.88, 0.84, 0.82, 0.87)], among=True)
    assert "Over 5 seeds" in apart and ": 79% to 88%, on average 84% (95% interval 79–88%)." in apart
    assert apart.endswith("The interval above is of this split.")
    alike = answer.over_seeds("auc", [estimate(1.0)] * 3, among=False)
    assert "Over 3 other seeds" in alike
    assert ": 1.00 each time, on average 1.00 (95% interval 0.44–1.00)." in alike
