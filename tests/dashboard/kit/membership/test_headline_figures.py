"""The headline: the attack beside weaker adversaries, and the guess that sees no model."""

import numpy as np
import pytest

from core.result import table
from dashboard.kit.figures.tables import records
from dashboard.kit.membership.figures import headline, leak
from tests.dashboard import samples
from tests.dashboard.samples import ATTACK, curve, point


@pytest.mark.parametrize("measure", ["accuracy", "auc"])
def test_every_adversary_is_drawn_with_interval_and_chance(measure):
    figure = headline.figure(samples.make().tables["curve"], ATTACK, measure)
    assert figure.data[0].name == "Word pairs (the attack)"
    assert figure.data[-1].name == "Blind baseline: text alone"
    assert all(len(trace.error_x.array) == 3 for trace in figure.data) and len(figure.data) == 5
    assert samples.has_chance(figure) and samples.titles(figure)
    named = [note for note in figure.layout.annotations if note.text in {trace.name for trace in figure.data}]
    assert named and all(note.bgcolor for note in named), "the line of chance would cross the names"


def test_an_unknown_adversary_is_named_by_its_own_name():
    figure = headline.figure(curve([point(), point("something_new")]), ATTACK)
    assert [trace.name for trace in figure.data] == ["Word pairs (the attack)", "Something new"]


@pytest.mark.parametrize("rows", [[], [{**point(), "auc": np.nan, "auc_low": np.nan, "auc_high": np.nan}]])
def test_what_is_not_measurable_is_said(rows):
    frame = curve(rows)
    assert "Not measurable" in headline.figure(frame, ATTACK, "auc").layout.annotations[-1].text
    assert headline.auc_sentence(frame, ATTACK).startswith("AUC is not measurable")
    assert headline.figure(frame, ATTACK).to_json() and headline.sentence(frame, ATTACK)


def test_a_leak_is_claimed_only_where_the_interval_shows_it():
    rows = [point(size=1, accuracy=0.55), point(size=10, accuracy=0.9, half=0.05)]
    assert "A leak is shown for 10 documents only." in headline.sentence(curve(rows), ATTACK)
    assert "show no leak, though the ranking does (AUC)" in headline.sentence(curve(rows[:1]), ATTACK)
    level = {**rows[0], "auc": 0.52, "auc_low": 0.45, "auc_high": 0.6}
    assert "no leak is shown" in headline.sentence(curve([level]), ATTACK)
    assert "the model leaks membership" in headline.sentence(curve(rows[1:]), ATTACK)


def _rival(name="min_k", accuracy=0.75, half=0.06, **other):
    return {**point(name, accuracy=accuracy, half=half, auc=0.8), **other}


UNSHOWN = point(accuracy=0.52, half=0.1, auc=0.52) | {"auc_low": 0.4}
ALIKE = {"auc": 0.52, "auc_low": 0.41, "auc_high": 0.62}


def _bits(share, size=10, count=160):
    members = np.arange(count) < round(share * count)
    columns = {"target": 0, "size": size, "play": np.arange(count), "member": members, "score": 0.0, "guess": False}
    return table(samples.SCHEMAS["scores"], columns)


def test_equal_scores_are_said_to_rank_nothing():
    level = {**UNSHOWN, "auc": 0.5, "auc_low": 0.5, "auc_high": 0.5}
    assert "nothing to decide on" in headline.sentence(curve([level]), ATTACK, scores=_bits(0.5))
    sentence = headline.auc_sentence(curve([level, point(size=20)]), ATTACK, (10,))
    assert "For 10 documents all scores of the attack are equal" in sentence and "0.50 (" not in sentence
    assert headline.auc_sentence(curve([level]), ATTACK, (10,)).endswith("0.50 by construction.")


def test_a_rival_shows_the_leak_only_if_it_ranks_exceeds_one_answer_and_is_not_one_of_many():
    sentence = headline.sentence(curve([UNSHOWN, _rival()]), ATTACK, scores=_bits(0.5))
    assert "The model leaks all the same: “Min-K%" in sentence
    assert "is right in 75% (69–81%) for 10 documents, above chance even when widened for all 2 intervals." in sentence
    for rival, bits, doubt in (
        (_rival(**ALIKE), 0.5, "its AUC, 0.52 (0.41–0.62), is not shown to be better than chance."),
        (_rival(), 0.7, "one and the same answer each time would be right in 70%."),
        (_rival(), 0.3, "one and the same answer each time would be right in 70%."),
        (_rival(accuracy=0.61, half=0.1), 0.5, "widened for all 2 intervals, it includes chance."),
        (_rival(), 0.685, "widened for all 2 intervals, it includes the 69% of one and the same answer each time."),
    ):
        sentence = headline.sentence(curve([UNSHOWN, rival]), ATTACK, scores=_bits(bits))
        assert "None of its intervals lies above chance: no leak is shown." in sentence, doubt
        assert (
            "leaks all the same" not in sentence and f"for 10 documents, which shows none either: {doubt}" in sentence
        )


def test_many_rivals_widen_the_interval_of_the_one_that_is_picked():
    others = [_rival(f"other_{number}", accuracy=0.5, **ALIKE) for number in range(10)]
    few = headline.sentence(curve([UNSHOWN, _rival(accuracy=0.64, half=0.1)]), ATTACK)
    many = headline.sentence(curve([UNSHOWN, _rival(accuracy=0.64, half=0.1), *others]), ATTACK)
    assert "leaks all the same" in few and "leaks all the same" not in many
    assert "widened for all 12 intervals, it includes chance." in many


def test_a_control_shows_no_leak():
    for control in ("other_words", "other_pairs"):
        sentence = headline.sentence(curve([UNSHOWN, _rival(control)]), ATTACK)
        assert (
            "no leak is shown." in sentence
            and "leaks all the same" not in sentence
            and "shows none either" not in sentence
        )
        assert "With as many random other" in sentence


def test_an_interval_of_the_attack_above_chance_is_held_to_one_answer_and_to_the_number_of_sizes():
    high = point(accuracy=0.65, half=0.05)
    assert "the model leaks membership" in headline.sentence(curve([high]), ATTACK, scores=_bits(0.5))
    sentence = headline.sentence(curve([high]), ATTACK, scores=_bits(0.625))
    assert "leaks" not in sentence and "show no leak, though the ranking does (AUC)." in sentence
    assert "For 10 documents the interval lies above chance, but one and the same answer each time would be" in sentence
    others = [UNSHOWN | {"size": size} for size in (1, 5)]
    near = point(accuracy=0.6, half=0.09, auc=0.52) | {"auc_low": 0.45}
    assert "A leak is shown for 10 documents only." in headline.sentence(curve([*others, high]), ATTACK)
    sentence = headline.sentence(curve([*others, near]), ATTACK)
    assert "A leak" not in sentence and "No leak is shown." in sentence and "widened for all 3 intervals" in sentence
    assert "the model leaks membership" in headline.sentence(curve([near]), ATTACK), "it was not picked among others"


def test_an_adversary_is_misled_only_where_an_interval_is_below_chance_among_all() -> None:
    rows = [UNSHOWN | {"size": size} for size in (1, 5)]
    far, near = (point(accuracy=0.3, half=half, auc=0.52) | {"auc_low": 0.4} for half in (0.1, 0.19))
    assert "For 10 documents it is below chance: the adversary is misled." in headline.sentence(
        curve([*rows, far]), ATTACK
    )
    assert "misled" not in headline.sentence(curve([*rows, near]), ATTACK)
    assert "It is below chance: the adversary is misled." in headline.sentence(curve([near]), ATTACK)


def test_a_ranking_that_is_picked_among_sizes_is_widened():
    rows = [UNSHOWN | {"size": size} for size in (1, 5)] + [UNSHOWN | {"auc": 0.6, "auc_low": 0.51}]
    assert "no leak is shown." in headline.sentence(curve(rows), ATTACK)
    assert "though the ranking does (AUC)" in headline.sentence(curve(rows[2:]), ATTACK)
    rows[2] |= {"auc": 0.7, "auc_low": 0.6}
    assert "though the ranking does (AUC)" in headline.sentence(curve(rows), ATTACK)


def test_a_split_that_tells_is_called_out():
    broken = curve([point(), point("model_free", accuracy=0.8)])
    sound = curve([point(), point("model_free", accuracy=0.5)])
    assert "Beware" in headline.sentence(broken, ATTACK) and "as it should" in headline.sentence(sound, ATTACK)
    assert "as it should" in headline.sentence(sound, ATTACK, (0.4, 0.6))
    assert "differs from chance too (all sizes together)" in headline.sentence(sound, ATTACK, (0.51, 0.74))


def test_a_rival_that_is_right_more_often_is_named_unless_it_is_named_already():
    rows = [point(accuracy=0.75, half=0.05), point("min_k", accuracy=0.92, half=0.05)]
    sentence = headline.sentence(curve(rows), ATTACK)
    assert "These are right more often, with an interval of the difference above 0: “Min-K%" in sentence
    assert "with 92% for 10 documents" in sentence
    rows = [point(accuracy=0.75, half=0.2), point("l2_distance", accuracy=0.8), point("min_k", accuracy=0.78)]
    sentence = headline.sentence(curve(rows), ATTACK)
    assert "“Min-K%: the least likely words” reaches 78% for 10 documents; the interval of the difference" in sentence
    assert sentence.count("80%") == 1, "plain distance has a sentence of its own"


_REACHED = (("min_k", 1, 0.72), ("min_k", 5, 0.8), ("loss", 1, 0.74), ("loss", 5, 0.78))


def test_what_others_reach_is_said_of_each_size():
    rows = [point(size=size, accuracy=0.7, half=0.15) for size in (1, 5)]
    rows += [point(name, size=size, accuracy=accuracy) for name, size, accuracy in _REACHED]
    sentence = headline.sentence(curve(rows), ATTACK)
    assert "reach up to 74% for 1 document and 80% for 5 documents; the interval of the difference" in sentence


def test_a_ranking_has_its_interval_and_says_where_it_is_not_shown_to_be_better_than_chance():
    rows = [point(size=1, auc=0.52), point(size=10, auc=0.9)]
    rows[0] |= {"auc_low": 0.4, "auc_high": 0.64}
    rows[1] |= {"auc_low": 0.8, "auc_high": 0.97}
    sentence = headline.auc_sentence(curve(rows), ATTACK)
    assert "0.52 (95% interval 0.40–0.64) for 1 document and 0.90 (0.80–0.97) for 10 documents" in sentence
    assert "For 1 document the ranking is not shown to be better than chance." in sentence
    assert "not shown" not in headline.auc_sentence(curve(rows[1:]), ATTACK)


def test_a_rival_that_ranks_as_well_is_named():
    rows = [point(auc=0.90), point("l2_distance", auc=0.93), point("all_vectors", auc=0.80)]
    sentence = headline.auc_sentence(curve(rows), ATTACK)
    assert sentence.endswith(
        "“Word pairs by L2 distance: as in the paper” reaches 0.93 for 10 documents; the interval of the difference "
        "includes 0."
    )
    rows[0] |= {"auc": 0.7, "auc_low": 0.5, "auc_high": 0.87}
    rows[1] |= {"auc": 0.97, "auc_low": 0.88, "auc_high": 1.0}
    rows[2] |= {"auc": 1.0, "auc_low": 0.57, "auc_high": 1.0}
    sentence = headline.auc_sentence(curve(rows), ATTACK)
    assert "These rank better, with an interval of the difference above 0: “Word pairs by L2" in sentence
    assert (
        "“Vectors of any words” reaches 1.00 for 10 documents; the interval of the difference includes 0." in sentence
    ), "its interval is wide"
    rows[1] |= {"auc": 0.5, "auc_low": 0.5, "auc_high": 0.5}
    assert "plain" not in headline.auc_sentence(curve(rows), ATTACK)
    rows = [point(auc=0.99), *(point(name, auc=1.0) for name in ("all_pairs", "uncommon_pairs", "unseen_pairs"))]
    sentence = headline.auc_sentence(curve(rows), ATTACK)
    assert "3 adversaries reach up to 1.00 for 10 documents; the interval of the difference includes 0." in sentence
    assert sentence.endswith(
        "the interval is Wilson’s bound for as few cases as there are plays or targets, which is wide."
    )


@pytest.mark.parametrize(
    ("row", "constants", "intervals", "doubt"),
    [
        ({"low": 0.7}, {}, 1, ""),
        ({"low": 0.5}, {}, 1, "one and the same answer each time would be right in 50%"),
        ({"low": 0.7}, {10: 0.7}, 1, "one and the same answer each time would be right in 70%"),
        ({"low": 0.7}, {20: 0.7}, 1, ""),
        ({"low": 0.51}, {}, 20, "widened for all 20 intervals, it includes chance"),
        ({"low": 0.7, "auc_low": 0.5}, {}, 1, "its AUC, 0.90 (0.50–0.95), is not shown to be better than chance"),
    ],
)
def test_why_an_interval_shows_no_leak(row, constants, intervals, doubt):
    (shown,) = records(curve([{**point(), **row}]))
    assert leak.doubt(shown, constants, intervals, ranks=True) == doubt
    assert leak.doubt(shown, constants, intervals) == ("" if "AUC" in doubt else doubt)
