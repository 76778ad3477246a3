"""Runs that need the same trainings at the same time compute each once, and none waits for the dead."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from core.runtime import claims as claiming
from core.runtime.claims import MOST, Claims
from core.runtime.context import Arrays, RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from tests.errands import ROOT, python
from tests.patience import FOREVER, PATIENCE
from tests.runtime.claimants import Claimant, answers, computed
from tests.runtime.clusters import Cluster

ON_CLUSTERS = """
import json, sys
from pathlib import Path
import distributed
from tests.runtime.claimants import answers

folder, count, seconds, *addresses = sys.argv[1:]
print(json.dumps(answers(Path(folder), int(count), float(seconds), addresses)))
"""
"""A process that has never been the client of a cluster, for a copy of one that was cannot become one."""


@pytest.mark.slow
def test_processes_that_ask_at_once_share_the_work(home: Path, tmp_path: Path) -> None:
    folder, count = tmp_path / "computed", 40
    answered = answers(folder, count, 0.1, [""] * 3)
    assert computed(folder) == list(range(count)), "each is computed once"
    assert sum(trainings for trainings, _ in answered) == count
    assert all(squares == [(item, item * item) for item in range(count)] for _, squares in answered)
    assert not (Store().root / "claims" / "key").exists()


@pytest.mark.slow
def test_clients_of_a_dask_cluster_share_the_work_with_each_other_and_with_this_machine(
    home: Path, tmp_path: Path, cluster: Cluster
) -> None:
    folder, count = tmp_path / "computed", 12
    command = python("-c", ON_CLUSTERS, str(folder), str(count), "0.1", cluster.address, cluster.address, "")
    answered = json.loads(subprocess.check_output(command, cwd=ROOT, timeout=PATIENCE))
    assert computed(folder) == list(range(count)), "each is computed once"
    assert sum(trainings for trainings, _ in answered) == count
    assert all(squares == [[item, item * item] for item in range(count)] for _, squares in answered)


@pytest.mark.slow
def test_the_work_of_a_killed_process_is_taken_over(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "computed"
    first = Claimant.of(folder, 6, FOREVER)
    while not computed(folder):
        time.sleep(0.01)
    second = Claimant.of(folder, 6, 0.0)
    held = set(computed(folder))
    store = Store()
    while len(store.array_names("key")) < 6 - 2 * len(held):
        time.sleep(0.01)
    assert second.process.is_alive() or not first.process.is_alive(), "what another process computes is waited for"
    first.process.kill()
    first.process.join()
    assert second.answer() == (6, [(item, item * item) for item in range(6)])


def test_nobody_waits_for_ever_for_a_process_that_was_stopped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claiming, "_PATIENCE_SECONDS", 0.0)
    holder = Claims(store, "key")
    assert holder.take(1)
    context = RunContext(store, Engine(workers=1))
    assert sorted(item for item, _ in context.train("Squaring", "key", plain, range(3), {})) == [0, 1, 2]
    assert context.trainings == 3
    holder.close()


def plain(item: int) -> Arrays:
    return {"square": np.array(item * item)}


def test_a_claim_is_one_process_s_and_ends_when_given_up(store: Store) -> None:
    one, other = Claims(store, "key"), Claims(store, "key")
    assert one.take(3) and not other.take(3) and other.take(4)
    one.release(3)
    assert other.take(3)
    other.close()
    assert one.take(3) and one.take(4)
    one.close()


def test_a_claim_ends_with_its_process(store: Store) -> None:
    script = f"""
import time
from core.runtime.claims import Claims
from core.runtime.store import Store
claims = Claims(Store(), "key")
print(claims.take(7), flush=True)
time.sleep({FOREVER})
"""
    environment = {**os.environ, "TELLTALE_HOME": str(store.root)}
    holder = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, env=environment)
    assert holder.stdout is not None and holder.stdout.readline() == b"True\n"
    mine = Claims(store, "key")
    assert not mine.take(7)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert mine.take(7)
    mine.close()


def test_no_more_files_are_open_than_claims_may_be(store: Store) -> None:
    claims = Claims(store, "key")
    for item in range(MOST):
        assert not claims.full and claims.take(item)
    assert claims.full
    claims.close()
    assert not claims.full


def test_more_trainings_than_claims_are_all_computed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.runtime.claims.MOST", 2)
    context = RunContext(store, Engine(workers=1))
    assert sorted(item for item, _ in context.train("Squaring", "key", plain, range(7), {})) == list(range(7))


def test_a_damaged_training_that_cannot_be_set_aside_is_computed_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = RunContext(store, Engine(workers=1))
    assert dict(first.train("Squaring", "key", plain, range(2), {}))
    (path,) = store.root.glob("parts/key/1.npz")
    path.write_bytes(b"damaged")
    monkeypatch.setattr(Store, "_set_aside", lambda store, path: None)
    again = RunContext(store, Engine(workers=1))
    assert {item: int(arrays["square"]) for item, arrays in again.train("Squaring", "key", plain, range(2), {})} == {
        0: 0,
        1: 1,
    }
    assert again.trainings == 1


def test_without_file_locks_everything_is_computed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(lock: object, **options: object) -> None:
        raise OSError("no locks here")

    monkeypatch.setattr("core.runtime.claims.FileLock.acquire", refused)
    context = RunContext(store, Engine(workers=1))
    assert sorted(item for item, _ in context.train("Squaring", "key", plain, range(3), {})) == [0, 1, 2]


def test_a_reader_that_stops_early_gives_up_its_claims(store: Store) -> None:
    context = RunContext(store, Engine(workers=1))
    trained = context.train("Squaring", "key", plain, range(9), {})
    next(trained)
    trained.close()
    others = Claims(store, "key")
    free = [others.take(item) for item in range(9)]
    others.close()
    assert all(free)


def test_who_ends_first_leaves_the_claims_of_others(store: Store) -> None:
    first, second, third = (Claims(store, "key") for _ in range(3))
    assert first.take(1) and second.take(2)
    second.close()
    assert not third.take(1)
    first.close()
    assert third.take(1)
    third.close()
    assert not (store.root / "claims" / "key").exists()


def test_a_holder_that_gives_signs_is_waited_for_and_one_that_gives_none_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(claiming.time, "monotonic", lambda: now[0])
    patience = claiming.Patience()
    for sign in range(10):
        patience.for_holders((sign,), idle=False)
        now[0] += claiming._PATIENCE_SECONDS
        assert not patience.exhausted
    patience.for_holders((9,), idle=False)
    now[0] += 1
    assert patience.exhausted


def test_a_holder_touches_its_claims(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.runtime.claims._BEAT_SECONDS", 0.01)
    holder, other = Claims(store, "key"), Claims(store, "key")
    assert holder.take(5)
    before = other.beats([5, 6])
    deadline = time.monotonic() + PATIENCE
    while (later := other.beats([5, 6])) == before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert later[0] > before[0] and later[1] == before[1] == 0
    holder.close()


def test_a_run_that_fails_gives_up_its_claims_though_its_traceback_is_kept(store: Store) -> None:
    context = RunContext(store, Engine(workers=1))
    kept = context.train("Squaring", "key", plain, range(9), {})
    next(kept)
    context.release()
    others = Claims(store, "key")
    free = [others.take(item) for item in range(9)]
    others.close()
    assert all(free)
