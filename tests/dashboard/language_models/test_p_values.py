"""P-values: the shares that a test rejects follow from the scores, and the sentence from the shares."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dashboard.topics.language_models.figures import p_values
from tests.dashboard.kept_results import Open, figures
from tests.dashboard.language_models import samples
from tests.dashboard.samples import has_chance, validated

PLAYS, TARGETS = 8, 10


def tables(inside, outside):
    """Return scores and rivals of ten people in eight models, with the p-values of those in and of those out."""
    play, target = (numbers.ravel() for numbers in np.indices((PLAYS, TARGETS)))
    member = (play + target) % 2 == 0
    rank = (play // 2 + target // 2) % 4 / 4 + 0.1
    p = np.where(member, inside * rank, np.minimum(outside * rank, 1))
    scores = pd.DataFrame({"target": target, "play": play, "size": 20, "member": member})
    rivals = {"variant": p_values.VARIANT, "target": target, "play": play, "score": np.log10(0.05) - np.log10(p)}
    return scores, pd.DataFrame(rivals)


def test_each_decision_has_its_p_value_and_the_share_of_its_kind_up_to_it():
    points = p_values.points(*tables(inside=1e-3, outside=1.0), 20)
    members = points[points["member"]]
    assert len(points) == PLAYS * TARGETS and len(members) == len(points) / 2
    assert members["p_value"].max() == pytest.approx(1e-3 * 0.85)
    assert points.groupby("member")["share"].max().tolist() == [1, 1]
    assert p_values.points(*tables(1e-3, 1.0), 1).empty


def test_the_sentence_follows_from_the_shares():
    sentence = p_values.sentence(p_values.points(*tables(inside=1e-3, outside=1.0), 20))
    assert (
        "takes 100% (95% interval" in sentence
        and "0% (0–32%)" in sentence
        and "Half of the people in have a p-value of" in sentence
    )
    assert f"about the same {TARGETS} people, in {PLAYS} models" in sentence
    unfair = p_values.sentence(p_values.points(*tables(inside=1e-3, outside=1e-2), 20))
    assert "takes more people who are out for members than its p-values promise" in unfair and "Half of" not in unfair
    blind = p_values.sentence(p_values.points(*tables(inside=1.0, outside=1.0), 20))
    assert "That it tells people in from people out is not shown" in blind
    assert p_values.sentence(p_values.points(*tables(1.0, 1.0), 1)) == "No p-value was computed."


@pytest.mark.parametrize(
    ("false_alarms", "says"), [(1, False), (2, False), (3, True)], ids=["below", "at the level", "above"]
)
def test_more_false_alarms_than_the_level_whose_interval_holds_it_are_said_to_show_nothing(false_alarms, says):
    points = p_values.points(*tables(inside=1e-3, outside=1.0), 20)
    outside = points.index[~points["member"]]
    points.loc[outside, "p_value"] = [0.01] * false_alarms + [0.5] * (len(outside) - false_alarms)
    sentence = p_values.sentence(points)
    assert len(outside) == 40 and "promise" not in sentence
    assert ("That it takes more than that for members is not shown." in sentence) == says


def test_the_figure_has_both_curves_beside_a_fair_test():
    figure = validated(p_values.figure(p_values.points(*tables(inside=1e-9, outside=1.0), 20)))
    names = [trace.name for trace in figure.data]
    assert names[1:] == ["people in the training text", "people out of it"] and has_chance(figure)
    assert min(figure.data[1].x) == 1e-6, "smaller ones stand at the edge"


def test_a_page_draws_p_values_where_they_were_computed(open_result: Open):
    made = samples.made(more=(p_values.VARIANT,))
    unshipped = replace(made, experiment={**made.experiment, "seed": 77})
    assert "p-values" in figures(open_result(unshipped, unfolded=True))
