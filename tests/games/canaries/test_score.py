"""Ranks, exposures, wrong words and their intervals are what they should be."""

import numpy as np
import pytest

from core.games.canaries.contract import Answer, MaskedCanary
from core.games.canaries.exposure import CanaryResult
from core.games.canaries.score import Scorer
from core.text.canary import PATTERNS

PIN = PATTERNS["pin"]


def result(
    guess: list[int],
    truth: list[int],
    *,
    scores: np.ndarray,
    trial: int = 0,
    repetitions: int = 10,
    loss: float = 0.0,
    pattern: str = "pin",
) -> CanaryResult:
    canary = MaskedCanary(PATTERNS[pattern], (), len(truth))
    answer = Answer(
        {"paper": np.array(guess), "random": np.array([9] * len(truth))},
        {"paper": 1.0, "random": 2.0},
        np.zeros((len(scores), len(truth)), np.int64),
        scores.astype(np.float32),
        np.array([0, 10]),
        np.full((2, len(truth), 10), 0.1, np.float16),
        np.array([guess, guess]),
        np.array([1.0, 1.5], np.float32),
    )
    return CanaryResult(trial, trial, repetitions, canary, answer, np.array(truth), np.array([0, 0]), (loss, 5.0))


def losses_of(better: int, truth: int = 42) -> np.ndarray:
    """Return the losses of 100 secrets, of which some are below the truth's loss of 1."""
    scores = np.full(100, 2.0)
    scores[truth] = 1.0
    scores[[secret for secret in range(100) if secret != truth][:better]] = 0.5
    return scores


@pytest.mark.parametrize(("better", "rank", "bits"), [(0, 1, np.log2(100)), (9, 10, np.log2(10)), (99, 100, 0)])
def test_the_rank_of_the_truth_among_all(better: int, rank: float, bits: float) -> None:
    canary = result([4, 2], [4, 2], scores=losses_of(better))
    assert canary.exact
    assert canary.rank(canary.truth, loss=float("nan")) == rank
    assert canary.exposure(canary.truth, float("nan")) == pytest.approx(bits)
    assert canary.ceiling == pytest.approx(np.log2(100))


def test_a_sample_gives_no_more_than_its_size_can_show() -> None:
    scores = np.linspace(1, 2, 50)
    canary = result([4, 2], [4, 2], scores=scores)
    assert not canary.exact
    assert canary.exposure(canary.truth, 0.5) == pytest.approx(np.log2(51)) == canary.ceiling
    assert canary.rank(canary.truth, 3.0) == pytest.approx(100)
    assert canary.exposure(canary.truth, 3.0) == pytest.approx(0)


def scorer() -> Scorer:
    rows = [
        result([4, 2], [4, 2], scores=losses_of(0), trial=0),
        result([4, 3], [4, 2], scores=losses_of(1), trial=1),
        result([9, 9], [4, 2], scores=losses_of(3), trial=0, repetitions=100),
        result([4, 2], [4, 2], scores=losses_of(0), trial=1, repetitions=100),
    ]
    return Scorer(rows, "paper", recorded_trials=1)


def test_shares_of_canaries_and_of_words() -> None:
    estimates = scorer().estimates()
    assert estimates["accuracy"].value == 0.5 and estimates["accuracy"].chance == pytest.approx(0.01)
    assert estimates["hamming_distance_per_token"].value == pytest.approx(3 / 8)
    assert estimates["hamming_distance_per_token"].chance == pytest.approx(0.9)
    assert estimates["hamming_distance_per_token_pin_10"].value == pytest.approx(1 / 4)
    assert estimates["accuracy_random"].value == 0
    assert estimates["exposure"].value == pytest.approx(np.mean(np.log2([100, 50, 25, 100])))
    for estimate in estimates.values():
        assert estimate.low <= estimate.value <= estimate.high


def test_canaries_that_no_network_learned_are_left_out_of_the_headline() -> None:
    rows = [
        result([4, 2], [4, 2], scores=losses_of(0), repetitions=10),
        result([9, 9], [4, 2], scores=losses_of(50), repetitions=0),
    ]
    scorer = Scorer(rows, "paper", recorded_trials=1)
    assert scorer.estimates()["accuracy"].value == 1, "of what was learnt"
    assert scorer.estimates()["accuracy_pin_0"].value == 0
    assert scorer.tables([])["exposures"]["repetitions"].tolist() == [0, 10]
    alone = Scorer(rows[1:], "paper", recorded_trials=1).estimates()
    assert alone["accuracy"].value == 0 and "accuracy_pin_0" not in alone


def test_tables_agree_with_the_estimates() -> None:
    tables = scorer().tables([])
    cells = tables["cells"].set_index(["pattern", "repetitions", "method"])
    assert cells.loc[("pin", 10, "paper"), "hamming"] == pytest.approx(1 / 4)
    assert cells.loc[("pin", 100, "paper"), "accuracy"] == 0.5
    assert cells["own"].groupby("method").all().to_dict() == {"paper": True, "random": False}
    assert tables["exposures"].set_index("repetitions")["rank"].to_dict() == {10: 1.5, 100: 2.5}
    assert set(tables["mixtures"]["model"]) == {0}, "of the first trial only"
    assert tables["guesses"].query("method == 'paper'")["wrong"].tolist() == [0, 1, 2, 0]
    assert tables["canaries"]["truth"].tolist() == ["4 2"] * 4


def test_a_secret_of_any_rank_has_the_exposure_that_guessing_gives() -> None:
    ranks = np.arange(1, 101)
    (row,) = (
        Scorer([result([4, 2], [4, 2], scores=losses_of(0))], "paper", 1).tables([])["exposures"].to_dict("records")
    )
    assert row["chance"] == pytest.approx(np.mean(np.log2(100) - np.log2(ranks)))
