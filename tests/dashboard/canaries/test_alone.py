"""One secret a network: what stands side by side is of the same pattern and repetitions, and is said as it is."""

import pandas as pd
import pytest

from core.experiment import Experiment
from dashboard.topics.canaries import paper
from dashboard.topics.canaries.figures import alone
from tests.dashboard.canaries.samples import extracted
from tests.dashboard.samples import has_chance, validated

TOGETHER = extracted(repetitions=(10, 100))
ALONE = (extracted(repetitions=(100,), patterns=("pin",)), extracted(repetitions=(100,), patterns=("call",)))


def test_both_kinds_of_networks_stand_side_by_side():
    points = alone.points(TOGETHER, ALONE, "hamming")
    assert points.groupby("row")["series"].apply(set).to_dict() == {
        "PIN": {"alone", "together"},
        "Telephone number": {"alone", "together"},
    }
    assert set(points["repetitions"]) == {100}
    figure = validated(alone.figure(points, "hamming"))
    assert has_chance(figure)
    assert alone.points(TOGETHER, (), "hamming").empty
    assert "computed yet" in alone.sentence(alone.points(TOGETHER, (), "hamming"), "hamming")


@pytest.mark.parametrize("high", [0.5, 0.1])
def test_the_sentence_names_what_lies_apart(high):
    values = {"row": "PIN", "repetitions": 100, "chance": 0.9}
    sentence = alone.sentence(
        pd.DataFrame(
            [
                {**values, "series": "alone", "value": 0.05, "low": 0.0, "high": high},
                {**values, "series": "together", "value": 0.4, "low": 0.2, "high": 0.6},
            ]
        ),
        "hamming",
    )
    assert "Shown 100 times: PIN 5% (95% interval" in sentence and "alone, 40% (20–60%) together" in sentence
    assert ("The intervals of PIN lie apart" in sentence) == (high < 0.2)
    assert ("matter is not shown" in sentence) == (high > 0.2)


def test_networks_with_one_secret_do_not_stand_for_the_papers_tables():
    preset = Experiment.preset("canary_extraction", "paper")
    single = preset.replace(game=preset.game.replace(patterns=("pin",)))
    assert paper._comparable(preset) and not paper._comparable(single)
    assert paper._one_pattern(single) and not paper._one_pattern(preset)
    fuzzy = [each.replace(game=each.game.replace(changed=1)) for each in (preset, single)]
    assert not any(fits(each) for fits in (paper._comparable, paper._one_pattern) for each in fuzzy), "exact ones do"
