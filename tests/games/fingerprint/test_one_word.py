"""How far one word moves an embedding: exact for encoders whose words count alone, and nothing for one that is deaf."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError

from core.games.fingerprint import Fingerprint, one_word
from core.games.fingerprint.one_word import FEWEST_PAIRS, sensitivities
from core.runtime.seeding import generator
from core.runtime.store import Store
from tests.games.fingerprint.test_game import POOLINGS, Attack, Signing, guessing
from tests.stand_ins import Sentences, context

WORDS = ("one", "two", "three", "four", "rare")
TEXTS = tuple(" ".join(WORDS[(number + word) % 4] for word in range(3)) for number in range(12))

Encode = Callable[[Sequence[str]], NDArray[np.float32]]


def weighing(**weights: float) -> Encode:
    """Return an encoder whose embedding says how often each word stands in a text, times the weight of the word."""

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        counts = [[text.split().count(word) * weights.get(word, 1.0) for word in WORDS] for text in texts]
        return np.array(counts, np.float32)

    return encode


def figures(encode: Encode, texts: Sequence[str] = TEXTS, pairs: int = 1000) -> dict[str, Any]:
    return dict(sensitivities(["counts"], [encode], texts, pairs, generator(0)))


def test_where_words_count_alone_each_pair_is_two_apart() -> None:
    estimates = figures(weighing())
    assert {name: (figure.value, figure.low, figure.high) for name, figure in estimates.items()} == {
        "sensitivity_counts": (2, 2, 2),
        "sensitivity_tenth_counts": (2, 2, 2),
        "moved_counts": (2, 2, 2),
        "size_counts": (3, 3, 3),
    }
    assert [estimates[name].decisions for name in estimates] == [1000, 10, 1000, 12]


def test_the_largest_finds_the_heaviest_word_and_a_tenth_no_larger_one() -> None:
    texts = (*TEXTS * 20, "rare one two")
    estimates = figures(weighing(rare=99.0), texts, pairs=4000)
    assert estimates["sensitivity_counts"].value == 100, "the heavy word comes in or goes"
    few = figures(weighing(rare=99.0), texts * 2, pairs=FEWEST_PAIRS)
    assert few["sensitivity_tenth_counts"].value <= few["sensitivity_counts"].value


def test_an_encoder_that_hears_no_word_is_not_moved() -> None:
    estimates = figures(lambda texts: np.ones((len(texts), 5), np.float32))
    assert estimates["sensitivity_counts"].value == estimates["moved_counts"].value == 0
    assert estimates["size_counts"].value == 5


def test_the_interval_of_the_quantile_holds_it_as_often_as_it_promises() -> None:
    rng, held = np.random.default_rng(0), []
    for _ in range(2000):
        value, low, high = one_word._quantile(rng.random(1000))
        assert low <= value <= high
        held.append(low <= 0.99 <= high)
    assert 0.945 < np.mean(held) < 0.98, "order statistics promise 95% at least"


def test_the_game_measures_every_candidate_where_it_is_asked_to(store: Store) -> None:
    Attack.answers, Attack.seen = staticmethod(guessing), []

    def played(pairs: int) -> Any:
        game = Fingerprint(victims=50, pairs=pairs)
        return game.play(Sentences(count=60), Signing(), (), Attack(), 1, context(store))

    (plain, _), (measured, _) = played(0), played(FEWEST_PAIRS)
    assert set(measured) - set(plain) == {
        f"{figure}_small_bert, {pooling}"
        for figure in ("sensitivity", "sensitivity_tenth", "moved", "size")
        for pooling in POOLINGS
    }
    assert {name: measured[name] for name in plain} == plain, "nothing else changes"
    assert measured["sensitivity_small_bert, mean"].decisions == FEWEST_PAIRS


def test_results_without_it_keep_their_keys_and_too_few_pairs_are_refused() -> None:
    assert "pairs" not in Fingerprint().identity() and Fingerprint(pairs=1000).identity()["pairs"] == 1000
    with pytest.raises(ValidationError, match=f"0, or at least {FEWEST_PAIRS}"):
        Fingerprint(pairs=FEWEST_PAIRS - 1)
