"""Leakage against perplexity: each training is a point, and the sentence says what is shown and nothing more."""

from dataclasses import replace

import pandas as pd
import pytest

from core import catalog
from core.experiment import Experiment
from core.result import Estimate, Result
from dashboard.kit import stored_results
from dashboard.kit.figures import labels
from dashboard.topics.language_models import defenses
from dashboard.topics.language_models.figures import trade_off
from tests.dashboard.language_models import samples
from tests.dashboard.samples import PROVENANCE, has_chance, titles

MODEL = {"part": "causal_lm", "learning_rate": 1e-3}


def made(auc: float, perplexity: float, *named: dict, **model: object) -> Result:
    experiment = Experiment.preset("likelihood_ratio", "demo", model={**MODEL, **model}, defenses=named)
    figures = {
        "auc_1": Estimate(value=auc, low=auc - 0.1, high=min(auc + 0.1, 1), chance=0.5, unit="area", help=""),
        "perplexity_test": Estimate(
            value=perplexity, low=perplexity - 2, high=perplexity + 2, chance=None, unit="tokens", help=""
        ),
    }
    return Result(experiment.as_dict(), figures, PROVENANCE, {})


PLAIN, SHORT, NARROW = made(0.95, 80, epochs=5), made(0.85, 90, epochs=1), made(0.6, 120, epochs=5, rank=8)
DROPPED = made(0.7, 81, {"part": "dropout", "inputs": 0.5}, epochs=5)


def said_of(*results: Result) -> str:
    return trade_off.sentence(trade_off.points(results))


def test_each_training_is_a_named_point_of_its_series():
    table = trade_off.points((DROPPED, NARROW, SHORT, PLAIN))
    assert table["training"].tolist() == [trade_off.WHOLE, trade_off.WHOLE, trade_off.ADAPTERS, "Dropout"]
    assert table["setting"].tolist() == ["1 epoch", "5 epochs", "rank 8", "of inputs 0.5"]
    twice = trade_off.points((DROPPED, made(0.6, 82, {"part": "dropout", "inputs": 0.3}, epochs=5)))
    assert twice["name"].tolist() == ["dropout (of inputs 0.3)", "dropout (of inputs 0.5)"]
    figure = trade_off.figure(table)
    assert has_chance(figure)
    assert set(titles(figure)) == {
        "Perplexity in new documents, tokens<br>(lower: more useful; bars: 95% intervals)",
        "AUC of the attack (lower: more private)",
    }
    named = {note.text: (10**note.x, note.y) for note in figure.layout.annotations if note.ax is not None}
    assert named == {row.name: (pytest.approx(row.perplexity), row.auc) for row in table.itertuples()}, (
        "each point has its name"
    )


def test_names_cover_no_point_on_a_phone_where_points_lie_close():
    close = [made(0.98 - 0.01 * number, 58 + number, epochs=number + 1) for number in range(4)]
    figure = trade_off.figure(trade_off.points((*close, DROPPED, NARROW)))
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    width, height = trade_off._SCREENS[-1]
    names = [note for note in figure.layout.annotations if note.ax is not None]
    for name in names:
        at = (name.x - left) / (right - left) * width, (name.y - low) / (high - low) * height
        begins, ends, below, above = labels._box(name.text, *at, name.ax, -name.ay, labels._DRAWN)
        assert 0 <= begins < ends <= width and 0 <= below < above <= height, f"{name.text} lies beyond the plot"
        for point in names:
            x, y = (point.x - left) / (right - left) * width, (point.y - low) / (high - low) * height
            assert not (begins < x < ends and below < y < above), f"{name.text} covers {point.text}"


def test_each_setting_is_said_to_do_what_its_intervals_show():
    sentence = said_of(PLAIN, SHORT, NARROW, DROPPED)
    assert sentence.startswith(
        "All weights, 5 epochs: the attack on targets of 1 document has an AUC of 0.95 (95% interval"
    )
    assert "on the line between their points: dropout." in sentence
    assert "worse predictions than all weights after 1 epoch: LoRA rank 8." in sentence
    assert "It is lower" not in sentence, "no difference of the epochs is shown"
    assert "beat chance" not in said_of(PLAIN, DROPPED)
    none = said_of(PLAIN, NARROW, made(0.5, 140, epochs=5, rank=4))
    assert "between their points: none." in none and "all weights after 5 epochs: LoRA rank 4 and LoRA rank 8." in none
    private = made(0.55, 90, {"part": "dp_sgd"}, epochs=5, rank=8)
    assert said_of(PLAIN, DROPPED, private).endswith("No adversary here is shown to beat chance with epsilon 8.")
    assert "It is lower, 0.60 (0.50–0.70) after 1 epoch, at 90." in said_of(PLAIN, made(0.6, 90, epochs=1))
    better = said_of(PLAIN, made(0.94, 60, {"part": "dropout"}, epochs=5))
    assert "Predicting better than all weights ever do, not shown to leak less: dropout." in better
    always = made(1.0, 80, epochs=5)
    always.estimates["auc_1"] = always.estimates["auc_1"].model_copy(update={"low": 0.57})
    assert "Not shown to leak less: dropout." in said_of(always, DROPPED), "the interval of all weights is wide"
    assert said_of() == said_of(NARROW)
    assert trade_off.figure(trade_off.points(())).layout.annotations


def test_what_is_set_aside_is_not_taken_for_protection():
    stopped = {"part": "early_stopping"}
    wide, narrow = made(0.97, 60, epochs=5), made(0.92, 60, stopped, epochs=20)
    for each, half in ((wide, 0.01), (narrow, 0.01)):
        figure = each.estimates["auc_1"]
        each.estimates["auc_1"] = figure.model_copy(update={"low": figure.value - half, "high": figure.value + half})
    sentence = said_of(wide, narrow)
    assert "points: none." in sentence
    assert "Early stopping reaches 0.92 (0.91–0.93). All weights would have 0.92 (0.91–0.93) if 10% of" in sentence
    assert "points: early stopping." in said_of(wide, made(0.6, 60, stopped, epochs=20)), "less than that explains"
    assert "Not shown to leak less: early stopping." in said_of(wide, made(0.97, 60, stopped, epochs=20))


def test_a_defense_is_held_to_all_weights_that_predict_as_well():
    base, short, long = made(0.5, 170, epochs=0), made(0.75, 100, epochs=1), made(0.97, 70, epochs=10)
    on_line, lower = made(0.85, 90, epochs=5, rank=8), made(0.5, 90, epochs=5, rank=2)
    table = trade_off.points((base, short, PLAIN, long, on_line))
    assert table["setting"].tolist() == ["0 epochs (the base)", "1 epoch", "5 epochs", "10 epochs", "rank 8"]
    sentence = trade_off.sentence(table)
    assert sentence.startswith("All weights, 5 epochs:"), "as long as the others, not the longest"
    assert "between their points: none. Not shown to leak less: LoRA rank 8." in sentence, "0.85 there, too"
    assert sentence.endswith("No adversary here is shown to beat chance with the base.")
    below = said_of(base, short, PLAIN, long, lower)
    assert "between their points: LoRA rank 2." in below and "Not shown to leak less" not in below
    worse = said_of(base, short, PLAIN, long, made(0.7, 120, epochs=5, rank=2))
    assert "Not shown to leak less: LoRA rank 2." in worse, "one epoch predicts better and has 0.75"
    part = said_of(base, short, PLAIN, long, made(0.3, 120, epochs=5, rank=2))
    assert "worse predictions than all weights after 1 epoch: LoRA rank 2." in part, "a part of an epoch is not known"


def test_a_defense_of_adapters_is_held_to_the_same_adapters() -> None:
    always, adapters = made(1.0, 60, epochs=5), made(0.98, 90, epochs=5, rank=8)
    always.estimates["auc_1"] = always.estimates["auc_1"].model_copy(update={"low": 0.57})
    private, weak = (
        made(auc, 150, {"part": "dp_sgd", "epsilon": epsilon}, epochs=5, rank=8)
        for auc, epsilon in ((0.6, 8), (0.97, 128))
    )
    sentence = said_of(always, adapters, private, weak)
    assert "than LoRA rank 8 without a defense, 0.98 (0.88–1.00) at a perplexity of 90: epsilon 8 by 0.38" in sentence
    assert "Not shown to leak less than LoRA rank 8: epsilon 128." in sentence
    assert "a perplexity of 90: none." in said_of(always, adapters, weak)
    other = made(0.6, 150, {"part": "dp_sgd"}, epochs=5, rank=4)
    assert "without a defense" not in said_of(always, adapters, other, DROPPED), "of another rank"


def with_curve(result: Result, **lows: float) -> Result:
    """Return a result with the lower end of the AUC of each adversary, whose AUC lies 0.1 above it."""
    rows = [(1, name, low + 0.1, low, low + 0.2) for name, low in lows.items()]
    return replace(
        result, tables={"curve": pd.DataFrame(rows, columns=["size", "variant", "auc", "auc_low", "auc_high"])}
    )


def test_who_beats_chance_where_the_attack_does_not_is_named() -> None:
    hidden = with_curve(
        made(0.55, 90, {"part": "dp_sgd", "epsilon": 8}, epochs=5, rank=8), likelihood_ratio=0.45, rmia=0.48, loss=0.4
    )
    beaten = with_curve(made(0.56, 90, {"part": "dp_sgd", "epsilon": 128}, epochs=5, rank=8), loss=0.4)
    naive = with_curve(beaten, rmia=0.56, offline_ratio=0.53, model_free=0.9)
    results = (PLAIN, hidden, beaten)
    said = trade_off.sentence(trade_off.points(results, (None, with_curve(hidden, rmia=0.5), naive)))
    assert said.endswith(
        " No adversary here is shown to beat chance with epsilon 8. With epsilon 128 the attack itself is not shown to "
        "beat chance, but the naive adversary, by RMIA, is: AUC 0.66 (0.56–0.76)."
    ), "not the blind baseline, which asks no model"
    assert said_of(*results).endswith("No adversary here is shown to beat chance with epsilon 8 and epsilon 128.")
    own = (PLAIN, with_curve(hidden, likelihood_ratio=0.6, loss=0.51), beaten)
    said = trade_off.sentence(trade_off.points(own, (None, None, with_curve(beaten, likelihood_ratio=0.6))))
    assert said.endswith(
        " With epsilon 8 the attack itself is not shown to beat chance, but its adversary, by loss alone, is: AUC 0.61 "
        "(0.51–0.71); nor with epsilon 128, but the naive adversary, by likelihood ratio, is: AUC 0.70 (0.60–0.80)."
    )
    other_size = with_curve(hidden, rmia=0.6)
    other_size.tables["curve"]["size"] = 20
    assert said_of(PLAIN, other_size).endswith("No adversary here is shown to beat chance with epsilon 8.")


def test_only_a_fine_tuned_model_has_the_tab() -> None:
    assert defenses.tab(Experiment.preset("likelihood_ratio", "demo"), samples.made(samples.RATIO)) is None
    other = Experiment.preset("likelihood_ratio", "demo", model=MODEL, seed=987)
    assert defenses.tab(other, PLAIN) is None, "nothing of the catalogue compares with it"
    assert defenses.tab(Experiment.parse(DROPPED.experiment), DROPPED) is None


def test_the_tab_of_a_naive_adversary_shows_what_that_of_its_adaptive_twin_does() -> None:
    adaptive, naive = (catalog.matching(name)[0] for name in ("messages_epsilon_8", "messages_epsilon_8_unaware"))
    curves = []
    for entry in (adaptive, naive):
        result = stored_results.readable(entry.key)
        assert result is not None
        curves.append({related.experiment for related in defenses._curve(entry.experiment, result)})
    assert curves[0] == curves[1] and adaptive.experiment in curves[1] and naive.experiment not in curves[1]
