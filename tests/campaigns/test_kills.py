"""The campaign of kills notices what is lost, and counts no kill of what was not there."""

import random
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.campaigns import kills
from tests.campaigns.undisturbed import Undisturbed, check_kept, store, trained

ITEMS = {"0", "1"}
WHOLE = Undisturbed({}, {"first": ITEMS, "second": ITEMS, "third": ITEMS, "last": ITEMS}, {"first", "second"}, 0.0)
"""Three epochs, of which the third stays, and trainings after them."""


def put(home: Path, key: str, *names: str) -> None:
    for name in names:
        store(home).put_arrays(key, name, {"x": np.zeros(3)})


@pytest.mark.parametrize("lost", ["parts/third/1.npz", "parts/third", "parts"])
def test_a_lost_training_is_noticed_though_its_folder_is_gone_too(tmp_path: Path, lost: str) -> None:
    put(tmp_path, "third", *ITEMS)
    before = trained(tmp_path)
    check_kept(before, tmp_path, WHOLE)
    (shutil.rmtree if (tmp_path / lost).is_dir() else Path.unlink)(tmp_path / lost)
    with pytest.raises(AssertionError, match=r"^[12] of 2 trainings were lost"):
        check_kept(before, tmp_path, WHOLE)


def test_a_damaged_training_is_noticed(tmp_path: Path) -> None:
    put(tmp_path, "third", *ITEMS)
    before = trained(tmp_path)
    (tmp_path / "parts" / "third" / "1.npz").write_bytes(b"damaged")
    with pytest.raises(AssertionError, match=r"^1.npz is damaged"):
        check_kept(before, tmp_path, WHOLE)


def test_an_epoch_may_go_once_the_next_is_whole(tmp_path: Path) -> None:
    put(tmp_path, "first", *ITEMS)
    before = trained(tmp_path)
    shutil.rmtree(tmp_path / "parts" / "first")
    put(tmp_path, "second", "0")
    with pytest.raises(AssertionError, match="trainings were lost"):
        check_kept(before, tmp_path, WHOLE)
    put(tmp_path, "second", "1")
    check_kept(before, tmp_path, WHOLE)
    shutil.rmtree(tmp_path / "parts" / "second")
    put(tmp_path, "third", *ITEMS)
    check_kept(before, tmp_path, WHOLE)


def test_a_kill_that_hits_nothing_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[set[Path]] = []
    run_of = SimpleNamespace(is_done=True, check=checked.append)
    monkeypatch.setattr(kills, "watched", lambda attack: run_of)
    monkeypatch.setattr(kills, "_kill_run", lambda *given: None)
    with pytest.raises(AssertionError, match="3 runs had trained all before a run could be killed"):
        kills.attempt(0, random.Random(0))
    assert checked == [set()] * 3, "what the runs made is compared all the same"
