"""The policy that names words: how likely a word is, both starts, how it learns, and what a kill costs."""

from pathlib import Path

import numpy as np

from core.attacks.inversion.multiset_inversion import likelihoods
from core.experiment import run
from core.runtime.store import Store
from tests.games.inversion.small_games import asked, killed_and_run_again, plain, play
from tests.stand_ins import context


def test_a_word_is_as_likely_as_its_share_of_the_words_that_are_left() -> None:
    words, shares = np.array([[2, 0, 1]]), np.array([[0.3, 0.5, 0.9]], np.float32)
    likely = likelihoods(words, shares, np.array([2.0], np.float32), 4)
    first = 0.3 * 2.0
    np.testing.assert_allclose(likely, [[min(0.5 * (2.0 - first), first), 0.6, 0.6, 0]], rtol=1e-5)


def test_none_is_likelier_than_certain_or_than_one_named_before() -> None:
    rng = np.random.default_rng(0)
    words = np.argsort(rng.random((50, 12)), axis=1)[:, :8]
    shares = rng.random((50, 8)).astype(np.float32)
    likely = likelihoods(words, shares, rng.uniform(0.05, 20, 50).astype(np.float32), 12)
    named = np.take_along_axis(likely, words, axis=1)
    assert ((likely >= 0) & (likely <= 1)).all()
    assert (np.diff(named, axis=1) <= 0).all() and (named > 0).all()
    assert (np.count_nonzero(likely, axis=1) == 8).all()


def test_the_training_history_is_reported() -> None:
    learning = plain("multiset", False)[0].tables["learning"]
    assert learning["epochs"].tolist() == [1, 2, 3]
    assert learning["loss"].iloc[-1] < learning["loss"].iloc[0]
    assert learning["left_out_f1"].iloc[-1] > 0.95


def test_without_classifiers_the_recurrent_layer_learns_alone(store: Store) -> None:
    learning = context(store)
    experiment = asked("multiset", start="log_odds", epochs=14, hidden=32)
    estimates = run(experiment, learning)[0].estimates
    assert estimates["f1"].value > estimates["f1"].chance + 0.2
    assert learning.trainings == 14


def test_no_more_words_are_named_than_asked(store: Store) -> None:
    words = play(store, "multiset", longest=2).tables["words"]
    assert words.groupby("victim")["named"].sum().max() == 2
    assert words.loc[words["named"], "score"].min() > 0


def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(store: Store, tmp_path: Path) -> None:
    experiment = asked("multiset", victims=10, epochs=4, classifier_epochs=2)
    again = killed_and_run_again(store, Store(root=tmp_path / "whole"), experiment, 3)
    assert again.trainings < 4, "the classifiers are kept, and so is the last pass"
