"""The classifier of words: hidden units, how it learns, and what a kill costs."""

from pathlib import Path

from core.runtime.store import Store
from tests.games.inversion.small_games import asked, killed_and_run_again, plain, play


def test_the_training_history_is_reported() -> None:
    learning = plain("multilabel", False)[0].tables["learning"]
    assert learning["epochs"].tolist() == list(range(1, 16))
    assert learning["loss"].iloc[-1] < learning["loss"].iloc[0]
    assert learning["left_out_f1"].iloc[-1] > 0.95


def test_hidden_units_may_come_before_the_words(store: Store) -> None:
    assert play(store, "multilabel", hidden=64).estimates["f1"].value > 0.6


def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(store: Store, tmp_path: Path) -> None:
    again = killed_and_run_again(store, Store(root=tmp_path / "whole"), asked("multilabel", epochs=6), 4)
    assert again.trainings < 6
