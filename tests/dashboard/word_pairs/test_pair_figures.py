"""Bars of the selected pairs, and the distances of one."""

import numpy as np
import pytest

from core.result import table
from dashboard.topics.word_pairs.figures import distances
from dashboard.topics.word_pairs.figures import pairs as word_pairs
from tests.dashboard import samples
from tests.dashboard.samples import SCHEMAS, pair


def test_bars_carry_their_rank_for_a_click():
    figure = word_pairs.figure(samples.make().tables["pairs"], 0, chosen=1)
    bars = figure.data[0]
    assert list(bars.customdata) == [0, 1, 2] and bars.y[0] == "alpha · beta"
    assert len(set(bars.marker.color)) == 2 and list(bars.marker.line.width) == [0, 3, 0]
    assert len(samples.titles(figure)) == 2


@pytest.mark.parametrize("rows", [[], [pair(weight=0.0)]])
def test_no_pair_with_a_weight_is_said(rows):
    frame = table(SCHEMAS["pairs"], rows)
    assert "No pair was selected" in samples.texts(word_pairs.figure(frame, 0))[-1]
    assert word_pairs.sentence(frame, 0).startswith("LASSO kept no pair")


def test_only_the_heaviest_are_drawn_and_all_are_counted():
    frame = table(SCHEMAS["pairs"], [pair(rank=rank, first=f"w{rank}") for rank in range(30)])
    assert len(word_pairs.figure(frame, 0).data[0].y) == word_pairs.MOST_PAIRS
    sentence = word_pairs.sentence(frame, 0)
    assert (
        sentence.startswith("30 word pairs decide")
        and "The 12 heaviest are drawn; the table below holds all." in sentence
    )
    assert "drawn" not in word_pairs.sentence(frame.head(12), 0)


def test_the_sentence_says_how_much_closer():
    sentence = word_pairs.sentence(table(SCHEMAS["pairs"], [pair(mean_in=1.5, mean_out=2.0)]), 0)
    assert "“alpha” with “beta”: adjacent 3 times in this target and 25% closer" in sentence
    assert sentence.startswith("One word pair decides; being close speaks for membership.")


def test_pairs_further_apart_or_equally_far_are_called_so():
    apart = table(SCHEMAS["pairs"], [pair(mean_in=2.5, mean_out=2.0, weight=0.3)])
    sentence = word_pairs.sentence(apart, 0)
    assert sentence.startswith("One word pair decides; being far apart speaks for membership.")
    assert "in this target and 25% farther apart in shadow models trained on it (2.50 against 2)." in sentence
    assert "a member if farther apart" in word_pairs.figure(apart, 0).data[0].text[0]
    alike = table(SCHEMAS["pairs"], [pair(mean_in=2.0, mean_out=2.0)])
    assert word_pairs.sentence(alike, 0).endswith("adjacent 3 times in this target (2 against 2).")
    assert "a member if closer" in word_pairs.figure(alike, 0).data[0].text[0]


def test_unknown_means_are_left_out():
    assert "closer in" not in word_pairs.sentence(table(SCHEMAS["pairs"], [pair(mean_in=np.nan)]), 0)


def test_distances_show_both_distributions_and_every_target_model():
    frame = samples.make(plays=10).tables["distances"]
    figure = distances.figure(frame, 0, 0, "L2")
    below = [trace for trace in figure.data if trace.yaxis == "y2"]
    assert [len(trace.x) for trace in below] == [5, 5] and len(figure.data) == 4
    assert len(samples.titles(figure)) == 3
    sentence = distances.sentence(frame, 0, 0, "alpha", "beta")
    assert "in 100% of comparisons the model with it has them closer" in sentence and sentence.endswith(
        "In the target models it is 100%."
    )


@pytest.mark.parametrize("change", [{"distance": 1.0}, {"distance": np.nan}, {"member": True}])
def test_degenerate_distances_are_drawn(change):
    frame = samples.make().tables["distances"].assign(**change).astype({"distance": "float32"})
    assert distances.figure(frame, 0, 0).to_json() and distances.sentence(frame, 0, 0, "a", "b")


def test_a_pair_without_distances_is_said():
    assert "heaviest pairs only" in samples.texts(distances.figure(samples.nothing()["distances"], 0, 0))[-1]
