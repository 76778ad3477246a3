"""Two maps of the same words with the same axes."""

from itertools import pairwise

import numpy as np
import pytest

from core.result import table
from dashboard.kit.figures import labels, planes
from dashboard.topics.word_pairs.figures import word_map
from tests.dashboard import drawn, samples
from tests.dashboard.samples import SCHEMAS, pair

FOUND = samples.make().tables


@pytest.mark.parametrize("method", ["pca", "umap"])
def test_both_maps_have_the_same_axes_and_join_the_pairs(method):
    maps = [word_map.figure(FOUND["word_map"], FOUND["pairs"], 0, method, member) for member in (False, True)]
    assert maps[0].layout.xaxis.range == maps[1].layout.xaxis.range
    assert maps[0].layout.yaxis.range == maps[1].layout.yaxis.range and maps[0].layout.height == maps[1].layout.height
    for figure in maps:
        assert len(figure.layout.shapes) == 3 and len(figure.data[0].x) == 4 and len(samples.titles(figure)) == 2


def test_the_heaviest_pair_has_the_widest_line():
    figure = word_map.figure(FOUND["word_map"], FOUND["pairs"], 0, "pca", True)
    widths = [shape.line.width for shape in figure.layout.shapes]
    assert widths[-1] == max(widths) > min(widths)


def test_a_word_that_a_model_does_not_know_is_left_out():
    coordinates = FOUND["word_map"].copy()
    coordinates.loc[(coordinates["word"] == "beta") & coordinates["member"], ["x", "y"]] = np.nan
    assert len(word_map.figure(coordinates, FOUND["pairs"], 0, "pca", True).layout.shapes) == 2
    assert "of 2 pairs" in word_map.sentence(coordinates, FOUND["pairs"], 0, "pca")


def test_the_sentence_says_how_many_moved_together():
    rows = [
        {"target": 0, "member": member, "method": "pca", "word": word, "x": x, "y": 0.0}
        for member, far in ((False, 4.0), (True, 1.0))
        for word, x in (("alpha", 0.0), ("beta", far))
    ]
    sentence = word_map.sentence(table(SCHEMAS["word_map"], rows), table(SCHEMAS["pairs"], [pair()]), 0, "pca")
    assert sentence.startswith(
        "In the plane of PCA, 1 of 1 pair lies closer in the model with the target, lines being 75% shorter"
    )


def test_nothing_to_draw_is_said():
    empty = samples.nothing()
    assert "has no word" in samples.texts(word_map.figure(empty["word_map"], empty["pairs"], 0, "pca", True))[-1]
    assert word_map.sentence(empty["word_map"], empty["pairs"], 0, "pca").startswith("No pair")
    assert planes.methods(empty["word_map"]) == [] and planes.methods(FOUND["word_map"]) == ["pca", "umap"]


def test_words_in_one_place_are_drawn():
    coordinates = FOUND["word_map"].assign(x=np.float32(1), y=np.float32(1))
    assert word_map.figure(coordinates, FOUND["pairs"], 0, "pca", False).to_json()
    assert word_map.sentence(coordinates, FOUND["pairs"], 0, "pca")


def crowded(seed):
    draw = np.random.default_rng(seed)
    words = [f"word{number}" for number in range(24)]
    rows = [
        {"target": 0, "member": side, "method": "pca", "word": word, "x": x, "y": y}
        for side in (False, True)
        for word, (x, y) in zip(words, draw.normal(size=(24, 2)), strict=True)
    ]
    pairs = [{**pair(), "first": first, "second": second} for first, second in pairwise(words)]
    tables = table(SCHEMAS["word_map"], rows), table(SCHEMAS["pairs"], pairs)
    return [word_map.figure(*tables, 0, "pca", member) for member in (False, True)]


@pytest.mark.parametrize("seed", range(8))
def test_names_lie_on_no_point_of_a_crowded_map_on_any_screen(seed):
    for figure in (each.to_dict() for each in crowded(seed)):
        assert not [*drawn.covering(figure), *drawn.overlapping(figure)]


@pytest.mark.parametrize("seed", range(8))
def test_both_maps_name_the_same_words_within_the_plot(seed):
    figures = crowded(seed)
    named = [[note.text for note in figure.layout.annotations] for figure in figures]
    assert named[0] and set(named[0]) == set(named[1])
    for figure in figures:
        (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
        scale = min(word_map._WIDTHS[0] / (right - left), 250 / (high - low))
        for note in figure.layout.annotations:
            at = (note.x - left) * scale, (note.y - low) * scale
            box = labels._box(note.text, *at, note.ax, -note.ay, labels._DRAWN)
            assert box[0] >= -2 and box[2] >= -2, "it does not run into the numbers of an axis"
