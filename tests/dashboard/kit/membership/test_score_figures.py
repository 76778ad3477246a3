"""Scores of members and non-members with the decision line."""

import numpy as np
import pandas as pd
import pytest

from dashboard.kit.membership.figures import scores
from tests.dashboard import samples
from tests.dashboard.samples import SCHEMAS
from tests.made_up import filled


def frame(members, others, size=10):
    rows = [
        {"size": size, "member": member, "score": score, "guess": score > 0}
        for member, values in ((True, members), (False, others))
        for score in values
    ]
    return filled(SCHEMAS["scores"], rows)


def test_one_row_a_size_with_the_decision_line_in_each():
    figure = scores.figure(samples.make().tables["scores"])
    assert sum(shape.name == "decision" for shape in figure.layout.shapes) == 3
    assert len(figure.data) == 6 and {trace.yaxis for trace in figure.data} == {"y", "y2", "y3"}
    for member, other in zip(figure.data[::2], figure.data[1::2], strict=True):
        assert np.sum(member.y) == pytest.approx(1) and np.sum(other.y) == pytest.approx(-1)
    assert len(samples.titles(figure)) == 2


def test_no_bar_straddles_the_decision():
    figure = scores.figure(frame([0.01, 0.02, 3], [-0.01, -7]))
    centres = np.asarray(figure.data[0].x)
    width = centres[1] - centres[0]
    assert np.abs(centres).min() == pytest.approx(width / 2)


@pytest.mark.parametrize(
    "table", [frame([], []), frame([0, 0], [0]), frame([1.0], []), frame([np.nan], [np.inf, 1]), frame([1e-12], [0])]
)
def test_degenerate_scores_are_drawn(table):
    assert scores.figure(table).to_json() and scores.sentence(table, ranking=(10,))


def test_equal_scores_lie_on_the_side_of_their_decision_and_are_called_equal():
    tied = frame([5e-324] * 3, [5e-324])
    members, *_ = scores.figure(tied).data
    assert np.asarray(members.x)[np.asarray(members.y) > 0] > 0
    assert "nothing to decide on" in scores.sentence(tied, ranking=())


def test_the_sentence_counts_each_side():
    sentence = scores.sentence(frame([1, 1, 1, -1], [-1, -1, -1, -1]), ranking=(10,))
    assert sentence.startswith("For 10 documents, 75% of members score above 0 and 100% of non-members do not.")
    assert "No other threshold is notably better than 0, which is right in 88% for 10 documents." in sentence


def test_a_shifted_line_is_found():
    sentence = scores.sentence(frame([3, 4, 5, 6], [1, 1.5, 2, 2]), ranking=(10,))
    assert "A threshold of +2.50 would have been right in 100% instead of 50% for 10 documents: the scores" in sentence


def test_a_line_shifted_for_one_size_is_named_for_that_size_though_all_together_hide_it():
    fitting = frame([1, 1, 1, 1], [-1, -1, -1, -1])
    shifted = frame([3, 4, 5, 6], [1, 1.5, 2, 2]).assign(size=20)
    sentence = scores.sentence(pd.concat([*[fitting] * 9, shifted]), ranking=(10, 20))
    assert "A threshold of +2.50 would have been right in 100% instead of 50% for 20 documents" in sentence
    assert "No other threshold" not in sentence and "for 10 documents:" not in sentence


def test_a_score_of_zero_is_a_guess_of_out():
    assert "0% of members score above 0 and 100% of non-members do not" in scores.sentence(
        frame([0], [0, -1]), ranking=(10,)
    )


def test_no_better_threshold_is_told_of_scores_that_do_not_rank():
    sentence = scores.sentence(frame([3, 4, 5, 6], [1, 1.5, 2, 2]), ranking=())
    assert sentence.endswith("The threshold 0 is right in 50% overall; no ranking better than chance is shown.")
    assert "hindsight" not in sentence and "rank better" not in sentence


@pytest.mark.parametrize("ranking", [(10,), (20,)])
def test_a_threshold_is_better_only_for_the_sizes_that_rank(ranking):
    fitting, shifted = frame([1, 1, 1, 1], [-1, -1, -1, -1]), frame([3, 4, 5, 6], [1, 1.5, 2, 2]).assign(size=20)
    sentence = scores.sentence(pd.concat([fitting, shifted]), ranking=ranking)
    named = "A threshold of +2.50 would have been right in 100% instead of 50% for 20 documents" in sentence
    assert named == ("the scores rank better than 0 decides" in sentence) == (20 in ranking)
    fits = "No other threshold is notably better than 0, which is right in 100% for 10 documents."
    assert (fits in sentence) == (20 not in ranking)
    unranked = "20 documents" if ranking == (10,) else "10 documents"
    assert sentence.endswith(f"For {unranked} no ranking better than chance is shown.")
