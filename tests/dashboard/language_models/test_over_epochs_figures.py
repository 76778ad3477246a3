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
    assert row["value"] == pytest.approx(0.88) and row["low"] < 0.87 and row["high"] > 0.89 and row["seeds"] == 3


def test_what_needs_other_models_is_drawn_in_one_colour_and_the_rest_in_another():
    figure = over_epochs.figure(over_epochs.table(tuple(measured())))
    inks = {trace.name: trace.line.color for trace in figure.data}
    assert inks["Likelihood ratio"] == inks["RMIA"] == inks["Loss membership"]
    assert inks["Loss alone"] == inks["Min-K%++"] == theme.NONMEMBER
    assert inks["Blind baseline"] == theme.INK
    assert len({(trace.marker.symbol, trace.line.dash) for trace in figure.data}) == len(figure.data)
    assert has_chance(figure)


def test_the_sentence_names_only_what_is_shown_to_be_apart():
    apart = over_epochs.sentence(over_epochs.table(tuple(measured())))
    assert "Mean AUC over 3 seeds" in apart and "after 3 epochs, likelihood ratio 0.90" in apart
    assert apart.endswith("likelihood ratio, loss membership and RMIA at every length.")
    assert "and Min-K%++ 0.70" in apart
    nearer = over_epochs.sentence(over_epochs.table(tuple(measured(plus=0.8))))
    assert "loss membership" not in nearer.split("of the model alone")[2] and "RMIA at every length" in nearer
    further = [(attack, epochs, (*each, *each[: 2 if epochs == 1 else 0])) for attack, epochs, each in measured()]
    assert "Mean AUC over 3 to 5 seeds" in over_epochs.sentence(over_epochs.table(tuple(further)))
    together = over_epochs.sentence(over_epochs.table(tuple(measured(spread=0.09))))
    assert "over seeds: likelihood" in together and "RMIA at every length" in together, (
        "seeds that rise and fall together leave their differences"
    )


def test_a_statistic_that_is_apart_after_some_lengths_only_is_said_to_be():
    first, *others = measured()
    attack, epochs, estimates = first
    crossing = zip(estimates, (0.5, 0.9, 0.7), strict=True)
    crossed = tuple({**each, "auc": each["auc"].model_copy(update={"value": value})} for each, value in crossing)
    sentence = over_epochs.sentence(over_epochs.table(((attack, epochs, crossed), *others)))
    assert "likelihood ratio after 3 epochs only" in sentence and "RMIA at every length" in sentence


def test_what_is_above_in_each_seed_but_by_far_in_one_only_is_not_said_to_be_shown():
    first, *others = measured()
    attack, epochs, estimates = first
    apart = zip(estimates, (0.62, 0.63, 0.95), strict=True)
    uneven = tuple({**each, "auc_rmia": each["auc"].model_copy(update={"value": value})} for each, value in apart)
    low = (others[0][0], others[0][1], seeds(attack=0.8, min_k_plus=0.6, loss=0.6, model_free=0.5))
    sentence = over_epochs.sentence(over_epochs.table(((attack, epochs, uneven), low, *others[1:])))
    in_each, by_mean = sentence.split("in each seed: ")[1].split(" The interval of the mean difference")
    assert "RMIA at every length" in in_each and "RMIA after 3 epochs only" in by_mean
    assert "shows it for " in by_mean


def test_true_positives_at_few_false_ones_are_drawn_and_read_aloud():
    rates = tuple(
        (
            attack,
            epochs,
            tuple({name.replace("auc", "tpr_at_1pct_fpr"): of for name, of in each.items()} for each in run),
        )
        for attack, epochs, run in measured()
    )
    table = over_epochs.table(rates, "tpr_at_1pct_fpr")
    assert len(table) == 12 and over_epochs.table(rates, "auc").empty
    figure = over_epochs.figure(table, "tpr_at_1pct_fpr")
    assert has_chance(figure) and figure.layout.yaxis.tickformat == ".0%"
    sentence = over_epochs.sentence(table, "tpr_at_1pct_fpr")
    assert (
        sentence.startswith("Mean true-positive rate at 1% false positives over 3 seeds") and "Chance is 1%" in sentence
    )


def test_where_no_statistic_is_of_the_model_alone_none_is_above():
    only = tuple((RATIO, epochs, seeds(attack=0.9, rmia=0.88)) for epochs in (1, 3))
    assert not over_epochs.table(only)["above"].any()


def test_nothing_stored_is_nothing_claimed():
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
