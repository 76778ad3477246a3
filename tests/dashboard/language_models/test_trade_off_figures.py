"""Leakage against perplexity: each training is a point, and the sentence says what is shown and nothing more."""

from core.experiment import Experiment
from core.result import Estimate, Result
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


def test_each_training_is_a_point_of_its_series():
    table = trade_off.points((DROPPED, NARROW, SHORT, PLAIN))
    assert table["training"].tolist() == [trade_off.WHOLE, trade_off.WHOLE, trade_off.ADAPTERS, "Dropout"]
    assert table["setting"].tolist() == ["1 epoch", "5 epochs", "rank 8", "of inputs 0.5"]
    figure = trade_off.figure(table)
    assert has_chance(figure)
    assert set(titles(figure)) == {
        "Perplexity in new documents (lower: more useful)",
        "AUC of the attack (lower: more private)",
    }
    assert {trace.name for trace in figure.data} >= {trade_off.WHOLE, trade_off.ADAPTERS, "Dropout"}


def test_the_sentence_tells_what_costs_nothing_from_what_predicts_worse():
    said = trade_off.sentence(trade_off.points((PLAIN, SHORT, NARROW, DROPPED)))
    assert said.startswith("All weights, 5 epochs: the attack on targets of 1 document has an AUC of 0.95 (0.85–1.00)")
    assert "It is weaker, without a shown loss of perplexity, with dropout, of inputs 0.5." in said
    assert "At a price of perplexity, it is weaker with adapters (LoRA), rank 8, too." in said
    aside = trade_off.sentence(trade_off.points((PLAIN, made(0.7, 81, {"part": "early_stopping"}, epochs=5))))
    assert "early stopping, patience 2, a tenth of its documents set aside." in aside and "price" not in aside
    dearer = trade_off.sentence(trade_off.points((PLAIN, SHORT, NARROW)))
    assert "weaker with adapters (LoRA), rank 8, which predicts worse, at a perplexity of 120" in dearer
    both = trade_off.sentence(trade_off.points((PLAIN, NARROW, made(0.5, 140, epochs=5, rank=4))))
    assert "each of these predicts worse; the least with adapters (LoRA), rank 8" in both
    assert "1 epoch" not in dearer, "no difference is shown"
    assert "beat chance" not in trade_off.sentence(trade_off.points((PLAIN, DROPPED)))
    private = made(0.55, 90, {"part": "dp_sgd"}, epochs=5, rank=8)
    guessed = trade_off.sentence(trade_off.points((PLAIN, DROPPED, private)))
    assert guessed.endswith("It is not shown to beat chance with differentially private training, epsilon 8.")
    assert trade_off.sentence(trade_off.points((PLAIN, SHORT))).endswith(
        "With no other setting is the attack shown to be weaker."
    )
    overlapping = made(0.8, 90, epochs=1)
    assert "weaker with all weights, 1 epoch" in trade_off.sentence(trade_off.points((PLAIN, overlapping)))
    always, guessing = made(1.0, 80, epochs=5), made(0.5, 81, epochs=1)
    always.estimates["auc_1"] = always.estimates["auc_1"].model_copy(update={"low": 0.57})
    none, some = (trade_off.sentence(trade_off.points((always, other))) for other in (DROPPED, guessing))
    assert "With no other setting is the attack shown to be weaker." in none
    assert "It is weaker, without a shown loss of perplexity, with all weights, 1 epoch." in some
    assert trade_off.sentence(trade_off.points(())) == trade_off.sentence(trade_off.points((NARROW,)))
    assert trade_off.figure(trade_off.points(())).layout.annotations


def test_a_defense_is_held_to_all_weights_that_predict_as_well():
    base, short, long = made(0.5, 170, epochs=0), made(0.75, 100, epochs=1), made(0.97, 70, epochs=10)
    on_line, lower = made(0.85, 90, epochs=5, rank=8), made(0.5, 90, epochs=5, rank=2)
    table = trade_off.points((base, short, PLAIN, long, on_line))
    assert table["setting"].tolist() == ["0 epochs (the base)", "1 epoch", "5 epochs", "10 epochs", "rank 8"]
    said = trade_off.sentence(table)
    assert said.startswith("All weights, 5 epochs:"), "as long as the others, not the longest"
    assert "they leak more" not in said, "0.85 there, too"
    assert "Not shown to leak less than all weights that predict as well or better: adapters (LoRA), rank 8." in said
    assert said.endswith("It is not shown to beat chance with all weights, 0 epochs (the base).")
    below = trade_off.sentence(trade_off.points((base, short, PLAIN, long, lower)))
    assert (
        "Where all weights predict as well, between the epochs played, they leak more than adapters (LoRA), rank 2."
        in (below)
    )
    assert "Not shown to leak less" not in below
    worse = trade_off.sentence(trade_off.points((base, short, PLAIN, long, made(0.7, 120, epochs=5, rank=2))))
    assert "as well or better: adapters (LoRA), rank 2." in worse, "one epoch predicts better and has 0.75"
    part = trade_off.sentence(trade_off.points((base, short, PLAIN, long, made(0.3, 120, epochs=5, rank=2))))
    assert "they leak more" not in part and "as well or better" not in part, "what part of an epoch leaks is not known"


def test_only_a_fine_tuned_model_has_the_tab() -> None:
    assert defenses.tab(Experiment.preset("likelihood_ratio", "demo"), samples.made(samples.RATIO)) is None
    other = Experiment.preset("likelihood_ratio", "demo", model=MODEL, seed=987)
    assert defenses.tab(other, PLAIN) is None, "nothing of the catalogue compares with it"
    assert defenses.tab(Experiment.parse(DROPPED.experiment), DROPPED) is None
