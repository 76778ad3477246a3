"""The LASSO path: penalties, weights as they enter, and what each penalty achieves."""

import numpy as np
import pytest

from core.result import table
from dashboard.topics.word_pairs.figures import path
from tests.dashboard import samples
from tests.dashboard.samples import ATTACK, PENALTIES, SCHEMAS, curve, point

FOUND = samples.make().tables


def test_penalties_fall():
    assert path.penalties(FOUND["curve"], FOUND["path"]) == sorted(PENALTIES, reverse=True)
    assert path.penalties(samples.nothing()["curve"], samples.nothing()["path"]) == []


def test_the_answer_is_one_over_root_k_or_has_the_weights_of_the_pairs():
    assert path.answer({"penalty": "inverse_root", "shadow_pairs": 100}, FOUND, 0).penalty == pytest.approx(0.1)
    weights = FOUND["path"][FOUND["path"]["target"] == 0]
    for penalty in PENALTIES:
        step = weights[weights["penalty"] == penalty]
        pairs = step.assign(weight=step["weight"] * 1.001).drop(columns="penalty")
        answer = path.answer({"penalty": "cross_validated"}, {**FOUND, "pairs": pairs}, 0)
        assert answer.penalty == pytest.approx(penalty) and "held-out" in answer.reason
    assert path.answer({"penalty": "cross_validated"}, FOUND, 0) is None, "no step of the path has these weights"
    assert path.answer({"penalty": "cross_validated"}, samples.nothing(), 0) is None
    assert path.answer({}, FOUND, 0) is None


def test_the_nearest_penalty_is_so_by_ratio():
    assert path.nearest([0.4, 0.2, 0.1], 0.13) == 0.1 and path.nearest([], 0.1) is None
    assert path.nearest([0.4, 0.2, 0.1], None) == 0.2


def test_pairs_enter_as_the_penalty_falls():
    assert [len(path.selected(FOUND["path"], 0, penalty)) for penalty in PENALTIES] == [1, 2, 3, 3]


def test_chosen_and_answer_are_marked_in_both_figures():
    figures = (path.weights(FOUND["path"], 0, 0.1, 0.14), path.quality(FOUND["curve"], ATTACK, 10, 0.1, 0.14))
    for figure in figures:
        assert {"chosen", "answer"} <= {shape.name for shape in figure.layout.shapes}
        assert {"chosen", "answer"} <= set(samples.texts(figure))
        assert len(samples.titles(figure)) == 2
    assert samples.has_chance(figures[1]) and "alpha · beta" in samples.texts(figures[0])


def test_the_sentences_say_the_figures():
    sentence = path.sentence(FOUND, ATTACK, 2, 0.2, path.Answer(0.1414, "as in the paper"))
    assert "At penalty 0.2 LASSO keeps 2 pairs of this target (2 on average over targets of its size)" in sentence
    assert (
        "right in 60% (50–70%) of 48 decisions, AUC 0.90, for 10 documents" in sentence
        and "uses 0.141, as in the paper" in sentence
    )
    sentence = path.weights_sentence(FOUND["path"], 0, 0.1)
    assert sentence.startswith("At penalty 0.1, 3 pairs have a weight, heaviest “alpha” with “beta”")
    assert "For 1 of them distance, not closeness" in sentence


def test_the_penalty_of_the_answer_is_a_step_with_the_pairs_and_the_accuracy_of_the_answer():
    answer = path.Answer(0.1414, "as in the paper")
    weights, figures = path.with_answer(FOUND, ATTACK, answer)
    assert path.penalties(figures, weights) == sorted([*PENALTIES, 0.1414], reverse=True)
    pairs = FOUND["pairs"]
    assert len(path.selected(weights, 0, 0.1414)) == int(((pairs["target"] == 0) & (pairs["weight"] != 0)).sum()) > 0
    sentence = path.sentence({**FOUND, "path": weights, "curve": figures}, ATTACK, 0, 0.1414, answer)
    assert "That is the penalty of the attack’s answer, as in the paper." in sentence and "right in" in sentence
    for same in (path.Answer(PENALTIES[0], ""), None):
        assert path.with_answer(FOUND, ATTACK, same)[0] is FOUND["path"]


def test_a_better_penalty_is_said_only_beyond_its_interval():
    better = curve([point(penalty=0.2, accuracy=0.6), point(penalty=0.1, accuracy=0.9, half=0.05)])
    assert "Penalty 0.1 is more accurate: 90%" in path.sentence({**FOUND, "curve": better}, ATTACK, 2, 0.2, None)
    assert "No other penalty" in path.sentence({**FOUND, "curve": better}, ATTACK, 2, 0.1, None)


@pytest.mark.parametrize("weight", [0.0, None])
def test_a_path_without_weights_is_said(weight):
    rows = [] if weight is None else [{"target": 0, "penalty": 0.1, "first": "a", "second": "b", "weight": weight}]
    frame = table(SCHEMAS["path"], rows)
    assert "No pair gets a weight" in samples.texts(path.weights(frame, 0, 0.1, None))[-1]
    assert "the attack is at chance" in path.weights_sentence(frame, 0, 0.1)
    assert "keeps no pair" in path.sentence({**FOUND, "path": frame}, ATTACK, 2, 0.1, None)
    assert path.quality(samples.nothing()["curve"], ATTACK, 10, 0.1, None).to_json()


def test_unknown_areas_leave_the_accuracy():
    frame = curve(
        [{**point(penalty=penalty), "auc": np.nan, "auc_low": np.nan, "auc_high": np.nan} for penalty in PENALTIES]
    )
    assert path.quality(frame, ATTACK, 10, 0.1, None).to_json()
    assert "AUC" not in path.sentence({**FOUND, "curve": frame}, ATTACK, 2, 0.1, None)
