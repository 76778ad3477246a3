"""Flips, cuts or replaces stored files of every kind: each is noticed, and none is believed; python -m."""

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from core.encoders.folders import digests_of
from core.encoders.loading import load
from core.errors import ModelRefused
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import MANIFEST, Store
from tests.campaigns.campaign import command
from tests.encoders.tiny import tiny
from tests.errands import contents
from tests.jobs import test_queue_damage as queues
from tests.runtime import test_epochs as epochs

KINDS = ("training", "result", "manifest", "epoch", "queue", "queue log", "encoder")


@cache
def folder(name: str) -> Path:
    """Return a folder of this campaign."""
    return Path(tempfile.mkdtemp(prefix=f"telltale-corruption-{name.replace(' ', '-')}-"))


@cache
def prepared() -> tuple[Experiment, Store, dict[str, bytes]]:
    """Return a small experiment, the store that holds its result and trainings, and the bytes of its result."""
    game = {"target_sizes": [10], "targets": 2, "plays": 4, "documents": 300}
    model = {"part": "word2vec", "dimension": 8, "epochs": 2, "minimum_count": 5}
    attack = {"shadow_pairs": 6, "baselines": False}
    experiment = Experiment.preset("word_pairs", "demo", seed=4711, game=game, model=model, attack=attack)
    store = Store(root=folder("store"), shipped=folder("store") / "shipped")
    run(experiment, RunContext(store=store, engine=Engine(workers=1)))
    return experiment, store, contents(store, experiment.key)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return other bytes: one flipped bit, an end that is cut off, a hole, foreign bytes, or none."""
    place = rng.randrange(len(content))
    flipped = content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]
    hole = content[:place] + bytes(min(512, len(content) - place)) + content[place + 512 :]
    others = [content[:place], content + b"\0", rng.randbytes(len(content)), b""]
    return rng.choice([flipped, flipped, flipped, *(other for other in (hole, *others) if other != content)])


def aside(store: Store) -> int:
    """Return how many damaged files and folders were set aside."""
    return len(list((store.root / "damaged").glob("*/*")))


def attempt(number: int, rng: random.Random) -> str:
    """Damage one file, and use what it belongs to."""
    kind = KINDS[number % len(KINDS)]
    uses: dict[str, Callable[[random.Random], str]] = {
        "training": _training,
        "result": lambda rng: _result(rng, manifest=False),
        "manifest": lambda rng: _result(rng, manifest=True),
        "epoch": _epoch,
        "queue": lambda rng: _queue(rng, log=False),
        "queue log": lambda rng: _queue(rng, log=True),
        "encoder": _encoder,
    }
    return f"{kind} {uses[kind](rng)}"


def _training(rng: random.Random) -> str:
    experiment, store, whole = prepared()
    path = rng.choice(sorted(store.root.glob("parts/*/*.npz")))
    path.write_bytes(damaged(path.read_bytes(), rng))
    before = aside(store)
    store.delete(experiment.key)
    context = RunContext(store=store, engine=Engine(workers=1))
    run(experiment, context)
    assert context.trainings == 1, f"{context.trainings} trainings were computed"
    assert aside(store) == before + 1, "the damaged file was not set aside"
    assert contents(store, experiment.key) == whole, "another result"
    return "set aside and computed again"


def _result(rng: random.Random, *, manifest: bool) -> str:
    experiment, store, whole = prepared()
    files = sorted((store.root / "results" / experiment.key).iterdir())
    path = rng.choice([path for path in files if (path.name == MANIFEST) == manifest])
    content = path.read_bytes()
    path.write_bytes(damaged(content, rng))
    before = aside(store)
    kept = store.get_files(experiment.key)
    if kept is not None:  # a manifest may say the same in other bytes
        assert path.name == MANIFEST, f"{path.name} was believed"
        assert {name: kept[name] for name in whole} == whole, "other contents were believed"
        path.write_bytes(content)
        return "says the same"
    context = RunContext(store=store, engine=Engine(workers=1))
    _, cached = run(experiment, context)
    assert not cached and context.trainings == 0, "trainings were computed again"
    assert aside(store) == before + 1, "the damaged result was not set aside"
    assert contents(store, experiment.key) == whole, "another result"
    return "set aside and computed again"


def _epoch(rng: random.Random) -> str:
    store = Store(root=folder("epochs"), shipped=folder("epochs") / "shipped")
    path = rng.choice(epochs._kill(store, rng.randrange(epochs._EPOCHS)))
    path.write_bytes(damaged(path.read_bytes(), rng))
    trained, seen = epochs._train(store)
    assert trained == epochs._wholly_trained(), "a damaged epoch was built on"
    assert seen == list(range(epochs._EPOCHS)), "training did not start again"
    shutil.rmtree(store.root)
    return "set aside and computed again"


@cache
def _queue_files() -> tuple[Store, bytes, bytes]:
    """Return a store, the bytes of its queue, and those of the log beside it."""
    store = Store(root=folder("queue"), shipped=folder("queue") / "shipped")
    whole = queues.queue_of(store)
    return store, whole, queues.log_of(store, whole)


def _queue(rng: random.Random, *, log: bool) -> str:
    store, whole, beside = _queue_files()
    before = len(list((store.root / "damaged").glob("*/jobs.sqlite")))
    queues.put(store, whole if log else damaged(whole, rng))
    if log:
        (store.root / "jobs.sqlite-wal").write_bytes(damaged(beside, rng))
    known = {f"{number:016x}": {"seed": number, "attack": {"part": "word_pairs"}} for number in range(6)}
    for job in queues.Mine(store).all():
        assert known.get(job.key) == job.experiment, "another experiment was believed"
    queues.works(store)
    queues.let_all_go()
    moved = len(list((store.root / "damaged").glob("*/jobs.sqlite"))) - before
    return "set aside" if moved else "read as it was"


@cache
def _small_encoder() -> tuple[Path, dict[str, str]]:
    path = tiny(folder("encoder") / "model")
    return path, dict(digests_of(path))


def _encoder(rng: random.Random) -> str:
    path, known = _small_encoder()
    file = path / rng.choice(sorted(known))
    content, times = file.read_bytes(), file.stat()
    file.write_bytes(damaged(content, rng))
    if rng.random() < 0.5:  # a failing disk leaves the time stamp
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    try:
        load(path, known)
    except ModelRefused:
        return "refused"
    finally:
        file.write_bytes(content)
    raise AssertionError(f"{file.name} was believed")


if __name__ == "__main__":
    sys.exit(command("corruption", attempt, 1000))
