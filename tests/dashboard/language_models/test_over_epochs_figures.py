"""AUC by epochs over seeds: what the sentence claims follows from the intervals, and changes with them."""

import pytest

from core import catalog
from core.experiment import Experiment
from core.result import Estimate
from dashboard.kit.figures import theme
from dashboard.topics.language_models import over_epochs as section
from dashboard.topics.language_models.figures import over_epochs
from tests.dashboard.samples import has_chance

RATIO, LOSS = "likelihood_ratio", "loss_membership"


def seeds(spread=0.01, **aucs):
    return tuple(
        {
            "auc" if name == "attack" else f"auc_{name}": Estimate(
                value=value + step, low=0.0, high=1.0, chance=0.5, unit="area", help=""
            )
            for name, value in aucs.items()
        }
        for step in (-spread, 0.0, spread)
    )


def measured(plus=0.7, spread=0.01):
    alone = {"loss": 0.6, "model_free": 0.5}
    for epochs in (1, 3):
        yield RATIO, epochs, seeds(spread, attack=0.9, rmia=0.88, **alone)
        yield LOSS, epochs, seeds(spread, attack=0.8, min_k_plus=plus, **alone)


def test_statistics_of_both_attacks_stand_there_once_with_the_interval_over_seeds():
    table = over_epochs.table(tuple(measured()))
    assert table.groupby("epochs")["variant"].nunique().tolist() == [6, 6] and len(table) == 12
    [row] = table[(table["variant"] == "RMIA") & (table["epochs"] == 3)].to_dict("records")
    assert row["auc"] == pytest.approx(0.88) and row["low"] < 0.87 and row["high"] > 0.89 and row["seeds"] == 3


def test_what_needs_other_models_is_drawn_in_one_colour_and_the_rest_in_another():
    figure = over_epochs.figure(over_epochs.table(tuple(measured())))
    inks = {trace.name: trace.line.color for trace in figure.data}
    assert inks["Likelihood ratio (LiRA)"] == inks["RMIA"] == inks["Loss beside reference models"]
    assert inks["Loss alone"] == inks["Min-K%++"] == theme.NONMEMBER
    assert inks["Text alone, without a model"] == theme.INK
    assert len({(trace.marker.symbol, trace.line.dash) for trace in figure.data}) == len(figure.data)
    assert has_chance(figure)


def test_the_sentence_names_only_what_is_apart_at_every_length():
    apart = over_epochs.sentence(over_epochs.table(tuple(measured())))
    assert "Mean AUC over 3 seeds" in apart and "after 3 epochs likelihood ratio (LiRA) 0.90" in apart
    assert "whole intervals of likelihood ratio (LiRA), loss beside reference models and RMIA lie above" in apart
    assert "and Min-K%++ 0.70" in apart
    nearer = over_epochs.sentence(over_epochs.table(tuple(measured(plus=0.79))))
    assert "loss beside reference models lie" not in nearer and "lie above" in nearer
    wide = over_epochs.sentence(over_epochs.table(tuple(measured(spread=0.09))))
    assert "No statistic with other models is shown to be above" in wide
    assert over_epochs.figure(over_epochs.table(())).layout.annotations
    assert over_epochs.sentence(over_epochs.table(())) == "No repeated experiment is computed yet."


def test_only_lengths_of_the_same_game_are_compared():
    messages = {entry.name: entry.experiment for entry in catalog.entries()}
    single = messages["loss_membership_messages_1_epochs_seed_3"]
    lengths = [(attack, epochs) for attack, epochs, _ in section._measured(single)]
    assert sorted(lengths) == [(attack, epochs) for attack in (RATIO, LOSS) for epochs in (1, 3, 10)]
    users = messages["likelihood_ratio_users_3_epochs_seed_2"]
    assert [attack for attack, _, _ in section._measured(users)] == [RATIO]
    demo = list(section._measured(Experiment.preset(RATIO, "demo")))
    assert over_epochs.table(tuple(demo))["epochs"].nunique() == 1, "of one length alone nothing is drawn"
