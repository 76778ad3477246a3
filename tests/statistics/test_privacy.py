"""Noise is as much as a promise takes."""

import pytest

from core.errors import Incompatible
from core.statistics import privacy
from core.statistics.privacy import Promise, steps_per_epoch

ORDERS = privacy._ORDERS
"""Those of a training: what tests use instead takes their place once all tests are collected."""


def promise(epsilon: float, delta: float = 1e-5) -> Promise:
    return Promise(epsilon, delta, norm=1.0, words=("a",))


def test_one_look_at_everything_takes_little_more_noise_than_the_exact_gaussian_mechanism() -> None:
    exact = 3.7306  # for epsilon 1 and delta 1e-5 (Balle and Wang 2018, theorem 8)
    assert exact < promise(1.0).noise(documents=100, batch=100, steps=1) < 1.3 * exact


def test_the_orders_of_opacus_need_no_more_noise_than_a_tenth_of_them() -> None:
    from opacus.accountants import RDPAccountant

    assert list(ORDERS) == RDPAccountant.DEFAULT_ALPHAS
    few = privacy._least_noise.__wrapped__(8, 1e-5, 0.05, 100)

    def epsilon(noise: float) -> float:
        accountant = RDPAccountant()
        accountant.history = [(noise, 0.05, 100)]
        return float(accountant.get_epsilon(1e-5, list(ORDERS)))

    assert epsilon(few) <= 8 < epsilon(0.99 * few)


@pytest.mark.exhaustive  # the test before this one shows that all orders bound the noise of a tenth of them
def test_a_training_finds_its_noise_with_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    few = privacy._least_noise.__wrapped__(8, 1e-5, 0.05, 100)
    monkeypatch.setattr(privacy, "_ORDERS", ORDERS)
    assert 0.99 * few < privacy._least_noise.__wrapped__(8, 1e-5, 0.05, 100) <= few


def test_noise_grows_with_what_is_promised_and_with_how_often_a_document_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(privacy, "_least_noise", privacy._least_noise.__wrapped__)
    noises = [promise(epsilon).noise(1000, 50, 100) for epsilon in (8, 1)]
    assert noises == sorted(noises)
    assert promise(8).noise(1000, 50, 400) > noises[0]
    assert promise(8).noise(1000, 100, 100) > noises[0]
    assert promise(8, 1e-7).noise(1000, 50, 100) > noises[0]


@pytest.mark.parametrize(
    ("promised", "documents", "batch", "says"),
    [
        (promise(1, 1e-3), 2000, 50, "less than 1 / 2000, 5e-05"),
        (promise(1, 1e-2), 100, 50, "less than 1 / 100, 1e-03"),
        (promise(1), 20, 50, "draw 50 of 20 documents, as 'batch' of the model asks. A batch of 20 would do"),
        (promise(0.01, 1e-9), 100, 100, "larger epsilon"),
    ],
)
def test_a_promise_that_cannot_be_kept_says_what_can(promised: Promise, documents: int, batch: int, says: str) -> None:
    with pytest.raises(Incompatible, match=says):
        promised.noise(documents, batch, steps=100)


@pytest.mark.parametrize(("documents", "batch", "steps"), [(100, 10, 10), (100, 30, 3), (5, 50, 1)])
def test_a_pass_draws_each_document_once_on_average(documents: int, batch: int, steps: int) -> None:
    assert steps_per_epoch(documents, batch) == steps
