"""Exposure under private training: drawn by epsilon, and the sentence follows from the intervals."""

import pandas as pd
import pytest

from core import catalog
from core.catalog.entry import varied
from core.experiment import Experiment
from dashboard.topics.canaries import private as section
from dashboard.topics.canaries.figures import private
from tests.dashboard.canaries.samples import extracted
from tests.dashboard.samples import has_chance, validated

WITHOUT = float("inf")


def drawn(*rows):
    """Return points of (epsilon, copies, exposure, low, high)."""
    frame = pd.DataFrame(rows, columns=["epsilon", "repetitions", "exposure", "low", "high"])
    perplexity = frame["epsilon"].map({WITHOUT: 380.0, 1000: 900.0, 8: 2000.0, 1_000_000: 400.0})
    ends = {"perplexity_low": perplexity - 10, "perplexity_high": perplexity + 20}
    return frame.assign(chance=1.4, words=2024.0, perplexity=perplexity, **ends)


def test_the_sentence_names_the_epsilons_that_hide_secrets_and_what_they_cost():
    rows = [(WITHOUT, 1, 7.0, 6.0, 8.0), (1000, 1, 6.5, 5.0, 7.5), (8, 1, 2.0, 1.0, 3.0)]
    sentence = private.sentence(drawn(*rows))
    assert (
        "a secret has 7.0 bits (95% interval 6.0–8.0) without private training; it has fewer at epsilon 8: 2.0"
        in sentence
    )
    assert "epsilon 8: 2.0 bits (1.0–3.0), not shown to be more than chance. Chance is 1.4 bits." in sentence
    assert "The perplexity of new documents is 380 (370–400) without, and 900 (890–920) at 1,000 and 2,000" in sentence
    assert sentence.endswith("among the whole vocabulary has 2,024.")
    assert "It has more" not in sentence
    more = private.sentence(drawn(*rows, (1_000_000, 1, 9.5, 9.0, 10.0)))
    assert "It has more, 9.5 bits (9.0–10.0) at epsilon 1,000,000." in more, more
    weaker = private.sentence(drawn(*rows[:2], (8, 1, 6.0, 4.0, 6.5)))
    assert "is not shown to have fewer at any epsilon" in weaker
    both = private.sentence(drawn(rows[0], (1000, 1, 4.0, 3.0, 5.0), (8, 1, 3.0, 2.0, 4.0)))
    assert "at epsilon 1,000 and 8: 3.0 bits (2.0–4.0) at 8. Chance" in both


def test_where_secrets_are_at_chance_without_private_training_there_is_nothing_to_hide():
    sentence = private.sentence(drawn((WITHOUT, 1, 2.1, 1.3, 3.0), (8, 1, 0.9, 0.7, 1.1)))
    assert (
        "2.1 bits (95% interval 1.3–3.0) without private training, not shown to be more than chance: there" in sentence
    )
    assert "nothing to hide" in sentence and "fewer" not in sentence


@pytest.mark.parametrize("rows", [[], [(8, 1, 2.0, 1.0, 3.0)], [(WITHOUT, 1, 2.0, 1.0, 3.0)]])
def test_without_both_sides_nothing_is_compared(rows):
    assert private.sentence(drawn(*rows)) == "No private training of planted secrets is computed yet."


def test_the_figure_has_a_line_for_each_epsilon_and_the_level_of_chance():
    result = extracted(repetitions=(0, 1, 100))
    result.estimates["perplexity_test"] = result.estimates["accuracy"]
    points = private.points({8.0: result, WITHOUT: result})
    assert points["epsilon"].drop_duplicates().tolist() == [WITHOUT, 8.0]
    figure = validated(private.figure(points))
    assert {"without", "epsilon 8"} <= {trace.name for trace in figure.data}
    assert has_chance(figure)
    assert validated(private.figure(drawn())).layout.annotations[0].text.startswith("No private training")


def test_the_promised_results_of_one_game_are_compared_whatever_their_trials(monkeypatch):
    monkeypatch.setattr(section.stored_results, "readable", lambda key: key)
    results = section._results(Experiment.preset("secret_sharer", "demo"))
    assert set(results) == {WITHOUT, 8, 1000, 1_000_000}
    ten = varied("secret_sharer", "demo", game={"trials": 10})
    assert results[WITHOUT] == ten.key, "of two, the one with more trials"
    assert section.tab(Experiment.preset("secret_sharer", "demo", seed=9)) is None


@pytest.mark.parametrize(
    ("name", "epsilons", "difference"),
    [
        ("secret_sharer_exact", {WITHOUT, 8, 1000, 1_000_000}, "training reads one stretch of each document"),
        ("secret_sharer_adapters", {WITHOUT, 8, 1_000_000}, "fine-tuning weighs documents alike"),
    ],
)
def test_the_note_says_how_private_training_of_this_model_differs_besides(monkeypatch, name, epsilons, difference):
    drawn_of, notes = [], []
    monkeypatch.setattr(section.stored_results, "readable", lambda key: key)
    monkeypatch.setattr(section.panels, "note", notes.append)
    monkeypatch.setattr(section.private, "points", drawn_of.append)
    monkeypatch.setattr(section.chart, "show", lambda *_, **__: None)
    [entry] = catalog.matching(name)
    draw = section.tab(entry.experiment)
    assert draw is not None
    draw()
    [results], [note] = drawn_of, notes
    assert set(results) == epsilons and f"Private {difference}" in note
