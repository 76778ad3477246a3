"""The score of identification, of answers whose figures are known."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from core.games.fingerprint.contract import Answer
from core.games.fingerprint.maps import SCHEMA, draw
from core.games.fingerprint.score import Scorer
from core.runtime.progress import Progress

NAMES = ("short", "long", "other long")
LENGTHS = (2, 3, 3)


def scorer(drawn: Sequence[int]) -> Scorer:
    """Victims of some candidates; the first number of an embedding is that of its candidate."""
    vectors = tuple(np.full(LENGTHS[number], number, np.float32) for number in drawn)
    return Scorer(NAMES, vectors, np.array(drawn), 10 * np.arange(len(drawn)), seed=1)


def answer(guesses: Sequence[int], hidden: Mapping[int, NDArray[np.float32]] | None = None) -> Answer:
    return Answer(np.eye(3, dtype=np.float32)[list(guesses)] * 0.5 + 0.1, hidden or {})


class _Silent(Progress):
    """Fails where a stage begins."""

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        raise AssertionError(name)


DRAWN, GUESSED = [0, 1, 1, 2, 2, 2], [0, 1, 2, 2, 2, 1]
"""One of two is right for the second candidate, and two of three for the third."""


def test_accuracy_overall_by_dimension_alone_and_among_those_as_long() -> None:
    estimates = scorer(DRAWN).estimates(answer(GUESSED))
    assert set(estimates) == {"accuracy", "accuracy_by_dimension", "accuracy_3"}, "who is alone in its length is known"
    accuracy, by_dimension, long = estimates.values()
    assert (accuracy.value, accuracy.chance, accuracy.decisions) == pytest.approx((4 / 6, 1 / 3, 6))
    assert (by_dimension.value, by_dimension.chance) == pytest.approx(((1 + 5 / 2) / 6, 1 / 3))
    assert (long.value, long.chance, long.decisions) == pytest.approx((3 / 5, 1 / 2, 5))
    assert all(0 <= each.low <= each.value <= each.high <= 1 for each in estimates.values())


def test_an_interval_without_width_is_widened() -> None:
    accuracy = scorer(DRAWN * 10).estimates(answer(DRAWN * 10))["accuracy"]
    assert (accuracy.value, accuracy.high) == (1, 1)
    assert accuracy.low == pytest.approx(1 - 3.84 / 63.84), "Wilson's bound of 60 victims"


def test_each_encoder_and_what_its_embeddings_were_taken_for() -> None:
    tables = scorer(DRAWN).tables(answer(GUESSED))
    encoders = tables["encoders"].set_index("encoder")
    assert encoders["victims"].to_dict() == {"short": 1, "long": 2, "other long": 3}
    assert encoders["dimension"].tolist() == [2, 3, 3]
    assert encoders["accuracy"].tolist() == pytest.approx([1, 1 / 2, 2 / 3])
    counts = tables["confusion"].pivot(index="truth", columns="guess", values="victims").loc[list(NAMES), list(NAMES)]
    assert counts.to_numpy().tolist() == [[1, 0, 0], [0, 1, 1], [0, 1, 2]]
    shares = tables["confusion"].groupby("truth")["share"].sum()
    assert shares.tolist() == pytest.approx([1, 1, 1])


def test_an_encoder_that_no_victim_drew_has_no_accuracy() -> None:
    tables = scorer([1, 1]).tables(answer([1, 0]))
    row = tables["encoders"].set_index("encoder").loc["short"]
    assert (row["victims"], row["dimension"]) == (0, 0) and np.isnan([row["accuracy"], row["low"], row["high"]]).all()
    of_it = tables["confusion"].query("truth == 'short'")
    assert of_it["victims"].tolist() == [0, 0, 0] and of_it["share"].isna().all()


def test_a_map_lays_out_the_drawn_victims_of_one_dimension() -> None:
    """Both layers of the same victims; a group of fewer than four is not laid out."""
    hidden = {2: np.zeros((2, 4), np.float32), 3: np.random.default_rng(0).normal(size=(8, 4)).astype(np.float32)}
    drawn, guesses = [0, 0, *[1, 2] * 4], [0, 0, *[1] * 8]
    game, all_victims = scorer(drawn), set(range(2, 10))
    points = draw(game.kept(answer(guesses, hidden), mapped=100), Progress())
    assert set(points["dimension"]) == {3} and list(points) == list(SCHEMA)
    for _, shown in points.groupby(["layer", "method"]):
        assert set(shown["victim"]) == all_victims
        assert shown["row"].tolist() == [10 * victim for victim in shown["victim"]]
        assert shown["encoder"].tolist() == [NAMES[drawn[victim]] for victim in shown["victim"]]
        assert set(shown["guess"]) == {"long"}
    assert len(points) == 2 * 2 * 8, "two layers, two methods"
    fewer = draw(game.kept(answer(guesses, hidden), mapped=8), Progress())
    assert set(fewer["victim"]) < all_victims and 6 <= fewer["victim"].nunique() < 8, "eight of ten, two of them short"
    assert draw(game.kept(answer(guesses), mapped=100), _Silent()).empty, "no hidden layer, no map"
