"""The classifier of words: hidden units, how it learns, and what a kill costs."""

from pathlib import Path
from typing import Any

import pytest

from core.experiment import run
from core.store import Store
from tests.errands import contents
from tests.inversion_games import asked, play
from tests.stand_ins import lab


def test_how_it_learnt_is_told(store: Store) -> None:
    learning = play(store, "multilabel").findings["learning"]
    assert learning["epochs"].tolist() == list(range(1, 31))
    assert learning["loss"].iloc[-1] < learning["loss"].iloc[0]
    assert learning["left_out_f1"].iloc[-1] > 0.95


def test_hidden_units_may_come_before_the_words(store: Store) -> None:
    assert play(store, "multilabel", hidden=64).estimates["f1"].value > 0.6


def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(store: Store, tmp_path: Path) -> None:
    class Killed(Exception):
        """A kill."""

    experiment = asked("multilabel", epochs=6)
    whole = lab(Store(root=tmp_path / "whole", shipped=tmp_path / "shipped"))
    run(experiment, whole)

    def killed(rows: Any) -> None:
        if len(rows) == 4:
            raise Killed

    stopped = lab(store)
    stopped.progress.partial = killed  # type: ignore[method-assign]
    with pytest.raises(Killed):
        run(experiment, stopped)
    again = lab(store)
    run(experiment, again)
    assert again.trainings < 6
    assert contents(store, experiment.key) == contents(whole.store, experiment.key)
