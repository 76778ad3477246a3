"""The frontier of an audit: its sentence follows from its points, and the points from the results."""

from itertools import combinations

import pandas as pd
import pytest

from core.attacks.inversion.generative_inversion import GenerativeInversion
from core.audits.plan import Step
from core.catalog import vector_audit, vector_reading
from core.result import Estimate, Result
from core.runtime.store import Store
from core.statistics.wording.naming import capitalised
from dashboard.kit.figures import labels
from dashboard.topics.vector_audit.figures import frontier, named, reach


def figures(f1: float) -> dict[str, Estimate]:
    share = {"unit": "share", "decisions": 100}
    return {
        "f1": Estimate(value=f1, low=f1 - 0.02, high=f1 + 0.02, chance=0.2, **share),
        "retrieval_recall_at_10": Estimate(value=0.9, low=0.88, high=0.92, chance=0.01, **share),
    }


def found(*behind: float) -> tuple[tuple[Step, dict[str, Estimate]], ...]:
    steps = vector_audit.AUDITS["restaurants"].steps
    formats = [step for step in steps if step.name == "frontier"]
    return (steps[0], figures(0.5)), *((step, figures(f1)) for step, f1 in zip(formats, behind, strict=False))


def test_the_sentence_names_what_leaves_less_and_nothing_else() -> None:
    points = frontier.table(found(0.5, 0.3))
    assert points["setting"].tolist() == ["as stored", "float16", "int8"]
    assert "F1 is lower with int8 (30%, 90% of the nearest ten found); with 1 other it" in frontier.sentence(points)
    assert "With none of the 2 settings" in frontier.sentence(frontier.table(found(0.5, 0.49)))
    assert "F1 is lower with float16 (40%" in frontier.sentence(frontier.table(found(0.4, 0.4)))
    near = frontier.table(found(0.47))
    assert near["f1_high"].iloc[1] > near["f1_low"].iloc[0] and "F1 is lower with float16 (47%" in frontier.sentence(
        near
    )
    assert "No storage format was tried" in frontier.sentence(frontier.table(found()))


def test_each_setting_is_a_point_with_both_intervals_and_chance_is_drawn() -> None:
    drawn = frontier.figure(frontier.table(found(0.5, 0.3, 0.4)))
    assert sum(len(trace.x) for trace in drawn.data if trace.x is not None) >= 4
    assert all(trace.error_x.array is not None for trace in drawn.data if trace.error_x.type)
    assert any(shape.x0 == 0.2 for shape in drawn.layout.shapes)
    texts = {annotation.text for annotation in drawn.layout.annotations}
    assert {"as stored,<br>float16", "int8", "binary"} <= texts  # one name where marks touch
    crowded = frontier.figure(frontier.table(found(*[0.3] * 13)))
    lines = [line for annotation in crowded.layout.annotations for line in (annotation.text or "").split("<br>")]
    assert max(map(len, lines)) <= 23 and any("Laplace" in line for line in lines), "on a phone, more would be cut off"
    assert drawn.layout.xaxis.title.text.startswith("F1") and "ten" in drawn.layout.yaxis.title.text


@pytest.mark.parametrize("name", sorted(vector_audit.AUDITS))
def test_the_names_of_settings_are_apart_and_off_the_line_of_chance_on_a_phone(name: str) -> None:
    steps = vector_audit.AUDITS[name].steps
    known = ((step, Result.load(Store(), step.experiment.key)) for step in steps)
    points = frontier.table(tuple((step, result.estimates) for step, result in known if result is not None))
    drawn = frontier.figure(points)
    (left, right), (low, high) = drawn.layout.xaxis.range, drawn.layout.yaxis.range
    width, height = frontier._SCREENS[-1]
    chance = (points["f1_chance"].iloc[0] - left) / (right - left) * width
    boxes = []
    for note in drawn.layout.annotations:
        at = (note.x - left) / (right - left) * width, (note.y - low) / (high - low) * height
        boxes.append(labels._box(note.text, *at, note.ax, -note.ay, labels._DRAWN))
    assert len(boxes) > 3
    for box, other in combinations(boxes, 2):
        across, up = min(box[1], other[1]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[2], other[2])
        assert across <= 2 or up <= 2, "no name lies on another"
    assert all(box[0] > chance or box[1] < chance for box in boxes)
    assert all(box[0] >= 0 and box[2] >= -1 for box in boxes), "none lies on the numbers of an axis"


def test_the_curves_say_where_chance_is_beaten_and_draw_it() -> None:
    def f1(value: float) -> Estimate:
        return figures(value)["f1"]

    points = reach.table({"through X": {10: f1(0.21), 50: f1(0.3), 500: f1(0.6)}, "without an encoder": {50: f1(0.2)}})
    sentence = reach.of_pairs(points, "Y")
    assert "through X: above chance from 50 pairs on, 60% (58–62%) with 500" in sentence
    turned = reach.table({"through X": {10: f1(0.6), 50: f1(0.21), 500: f1(0.6)}})
    assert "above chance from 500 pairs on" in reach.of_pairs(turned, "Y")
    assert (
        "without an encoder: above chance at no number of pairs" in sentence
        and "Chance (the most frequent words) is 20%" in sentence
    )
    drawn = reach.figure(points, reach.PAIRS)
    assert drawn.layout.xaxis.ticktext == ("10", "50", "500")
    assert {"through X", "without an encoder", "chance (the most frequent words)"} <= {each.name for each in drawn.data}


def test_each_measure_of_texts_by_length_is_read_aloud_with_its_own_chance() -> None:
    def estimate(value: float, chance: float, decisions: int) -> Estimate:
        return Estimate(
            value=value, low=value - 0.02, high=value + 0.02, chance=chance, unit="share", decisions=decisions
        )

    classifier, nearest, generation = vector_reading.METHODS.values()
    by_method = {
        nearest: {6: estimate(0.7, 0.1, 40), 192: estimate(0.21, 0.2, 900)},
        generation: {6: estimate(0.5, 0.2, 40), 48: estimate(0.4, 0.3, 200)},
    }
    points = reach.table(by_method)
    sentence = reach.of_lengths(points, "recall_names")
    assert f"Names read {nearest}, 70% (68–72%) from 6 words (chance 10%) and 21% (19–23%) from 192 words" in sentence
    assert f"above chance at 1 of 2 lengths; {generation}, " in sentence and "and 40% (38–42%) from 48" in sentence
    assert "Chance is the better of" in sentence
    ahead = f"{capitalised(nearest)} this figure is higher than {generation} at 6 words."
    assert sentence.endswith(f". {ahead}")
    fallen = {**by_method, nearest: {6: estimate(0.7, 0.1, 40), 192: estimate(0.15, 0.2, 900)}}
    assert "above chance at 1 of 2 lengths and below it at 1;" in reach.of_lengths(reach.table(fallen), "recall_names")
    overlapping = {**by_method, generation: {6: estimate(0.73, 0.2, 40), 192: estimate(0.24, 0.2, 900)}}
    assert "is higher" not in reach.of_lengths(reach.table(overlapping), "recall_names")
    apart = {**by_method, generation: {6: estimate(0.75, 0.2, 40), 192: estimate(0.26, 0.2, 900)}}
    ahead = reach.of_lengths(reach.table(apart), "recall_names")
    assert ahead.endswith(f". {capitalised(generation)} this figure is higher than {nearest} at all 2 lengths.")
    untrusted = reach.of_lengths(reach.table(apart), "recall_names", [24, 192])
    assert "Of texts of 192 words, generation names the words by its own classifier alone" in untrusted
    assert untrusted.endswith(f"{capitalised(generation)} this figure is higher than {nearest} at 6 words.")
    assert "classifier alone" not in reach.of_lengths(reach.table(apart), "rouge_l", [192]), "texts are as written"
    partly = {**by_method, generation: {6: estimate(0.75, 0.2, 40), 192: estimate(0.24, 0.2, 900)}}
    ahead = reach.of_lengths(reach.table(partly), "recall_names")
    assert ahead.endswith(f"is higher than {nearest} at 6 words. Elsewhere, intervals overlap.")
    assert {"recall_names", "recall_names_low", "recall_names_chance", "names"} <= {
        *reach.named(points, "recall_names")
    }
    queries = {
        nearest: {6: Estimate.queries(1067, "encoder"), 192: Estimate.queries(1119, "encoder")},
        generation: {6: Estimate.queries(5, "encoder")},
    }
    short, long = GenerativeInversion(), GenerativeInversion(longest=300, epochs=2, written=3, rounds=0)
    setting = reach.setting(points, "recall_names", queries, {6: short, 48: long})
    assert f"n in names: 40 to 900 {nearest} and 40 to 200 {generation}." in setting and "192 about 245" in setting
    assert f"1,067 to 1,119 {nearest} and 5 {generation}." in setting
    assert "it writes at most 64 of its own subwords (6 words) and 300 (48 words)." in setting
    assert "trained for 7 epochs (6 words) and 2 (48 words)." in setting
    assert "it tries at most 248 texts (6 words) and 3 (48 words). Where it learns or tries less, a lower" in setting
    alike = reach.setting(points, "recall_names", queries, {6: short, 12: short})
    assert "at most 64 of its own subwords (6 and 12 words)." in alike and "tries less" not in alike
    fewer_epochs = GenerativeInversion(epochs=2)
    assert "tries less" in reach.setting(points, "recall_names", queries, {6: short, 12: fewer_epochs})
    assert "By generation" not in reach.setting(points, "recall_names", queries, {})
    alone = reach.setting(
        reach.table({generation: by_method[generation]}), "cosine", {generation: queries[generation]}, {6: short}
    )
    assert f"n in vectors: 40 to 200 {generation}." in alone and f"encoder: 5 {generation}." in alone
    assert "48 about 63;" in alone and "192 about 245" not in alone
    cosines = reach.of_lengths(reach.table(by_method), "cosine")
    assert f"Cosine {nearest}, 0.70 (0.68–0.72)" in cosines
    assert "this very cosine" in cosines and "above chance at" not in cosines
    single = reach.table({nearest: by_method[nearest], classifier: {6: estimate(0.4, 0.1, 40)}})
    assert f"{classifier}, 40% (38–42%) from 6 words (chance 10%), above chance at 1 of 1 length" in (
        reach.of_lengths(single)
    )
    assert "Too few" in reach.of_lengths(reach.table({nearest: {6: estimate(0.7, 0.1, 40)}}))


def test_each_way_to_read_keeps_its_colour_whichever_others_are_there() -> None:
    estimate = figures(0.6)["f1"]
    _, nearest, generation = vector_reading.METHODS.values()
    both, one = (
        reach.figure(reach.table({method: {6: estimate, 12: estimate} for method in methods}), reach.LENGTHS, "bleu")
        for methods in ((nearest, generation), (generation,))
    )
    colours = [
        {each.name: each.marker.color for each in drawn.data if each.name in vector_reading.METHODS.values()}
        for drawn in (both, one)
    ]
    assert colours[0][generation] == colours[1][generation] != colours[0][nearest]
    assert [0.2, 0.2] in [list(each.y) for each in both.data], "chance"
    assert "chance, in each colour" in {each.name for each in both.data}
    f1 = reach.figure(reach.table({nearest: {6: estimate, 12: estimate}}), reach.LENGTHS)
    assert "chance (the most frequent words)" in {each.name for each in f1.data}


def test_chances_of_f1_that_differ_are_drawn_each_in_its_colour() -> None:
    estimate = figures(0.6)["f1"]
    other = estimate.model_copy(update={"chance": 0.3})
    _, nearest, generation = vector_reading.METHODS.values()
    drawn = reach.figure(reach.table({nearest: {6: estimate, 48: estimate}, generation: {48: other}}), reach.LENGTHS)
    colours = {each.name: each.marker.color for each in drawn.data if each.name in (nearest, generation)}
    chances = {
        each.line.color: list(each.y) for each in drawn.data if each.mode == "lines" and each.showlegend is False
    }
    assert chances[colours[nearest]] == [0.2, 0.2] and chances[colours[generation]] == [0.3]
    assert "chance, in each colour" in {each.name for each in drawn.data}


def test_the_words_that_are_read_are_counted_and_those_in_error_named() -> None:
    words = pd.DataFrame([("knee", True), ("hand", True), ("eye", False)], columns=["word", "present"])
    assert named.sentence(words) == "Marked: the 2 words that are read. Named in error: eye."
    assert named.sentence(words.head(1)) == "Marked: the 1 word that is read. Named in error: none."
