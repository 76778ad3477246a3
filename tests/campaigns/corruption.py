"""Flips, cuts or replaces stored files of every kind: each is noticed, and none is believed; python -m."""

import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from unittest.mock import Mock, patch

import numpy as np

from core.corpora import parsing
from core.corpora import source as sources
from core.corpora import tokenised as tokenised_corpora
from core.corpora.source import Source
from core.corpora.tokenising import Shard
from core.encoders.folders import digests_of
from core.encoders.loading import load
from core.encoders.stored_embeddings import StoredEmbeddings, text_key
from core.errors import ModelRefused, RunCancelled
from core.experiment import Experiment, run
from core.jobs import Job
from core.runtime.change_count import ENDING
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import MANIFEST, Store
from core.sources import parsed
from core.text.contents import Documents
from tests.campaigns import corruption_drawings as drawings
from tests.campaigns import corruption_rooms as rooms
from tests.campaigns.campaign import command
from tests.campaigns.damage import damaged, folder
from tests.encoders.tiny import tiny
from tests.errands import contents
from tests.jobs import test_queue_damage as queues
from tests.runtime import test_epochs as epochs

KINDS = ("training", "result", "manifest", "epoch", "queue", "queue log", "encoder", "corpus", "shard", "embeddings")
KINDS += ("room", "room log", "predictions", "kept documents", "drawing")


@cache
def prepared() -> tuple[Experiment, Store, dict[str, bytes]]:
    """Return a small experiment, the store that holds its result and trainings, and the bytes of its result."""
    rng, table = np.random.default_rng(0), folder("texts") / "texts.csv"
    words = [start + end for start in "bcdfgklmnp" for end in ("ab", "ek", "il", "om", "us")]
    table.write_text("\n".join(["text", *(" ".join(rng.choice(words, 20)) for _ in range(260)), ""]))
    experiment = Experiment.model_validate(
        {
            "attack": {"part": "word_pairs", "shadow_pairs": 6, "baselines": False},
            "dataset": {"part": "documents", "source": str(table)},
            "model": {"part": "word2vec", "dimension": 8, "epochs": 2, "minimum_count": 2},
            "game": {"target_sizes": [10], "targets": 2, "plays": 4, "documents": 100},
            "seed": 4711,
        }
    )
    store = Store(root=folder("store"), shipped=folder("store") / "shipped")
    run(experiment, RunContext(store=store, engine=Engine(workers=1)))
    return experiment, store, contents(store, experiment.key)


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
        "corpus": _corpus,
        "shard": _shard,
        "embeddings": _embeddings,
        "room": rooms.room,
        "room log": rooms.log,
        "predictions": rooms.predictions,
        "kept documents": _kept_documents,
        "drawing": _drawing,
    }
    return f"{kind} {uses[kind](rng)}"


def _training(rng: random.Random) -> str:
    experiment, store, whole = prepared()
    path = rng.choice(sorted(path for path in store.root.glob("parts/*/*.npz") if path.parent.name != experiment.key))
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


def _drawing(rng: random.Random) -> str:
    experiment, store, _ = prepared()
    before = aside(store)
    came = drawings.drawing(rng, experiment, store)
    assert aside(store) == before + came.startswith("set aside"), "the damaged file was not set aside"
    return came


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
def _queue_files() -> tuple[Store, bytes, list[Job], dict[str, bytes], list[Job]]:
    """Return a store with a queue: its bytes and jobs; what stands beside it once a log has more, and the jobs then."""
    store = Store(root=folder("queue"), shipped=folder("queue") / "shipped")
    whole = queues.queue_of(store)
    jobs = queues.Mine(store).all()
    beside = queues.with_log(store, whole)
    return store, whole, jobs, beside, queues.Mine(store).all()


def _queue(rng: random.Random, *, log: bool) -> str:
    store, whole, jobs, beside, logged = _queue_files()
    before = len(list((store.root / "damaged").glob("*/jobs.sqlite")))
    if log:
        queues.put(store, whole, {"-wal": damaged(beside["-wal"], rng), ENDING: beside[ENDING]})
    else:
        queues.put(store, damaged(whole, rng))
    assert queues.Mine(store).all() in ([], logged if log else jobs), "what nobody wrote was believed"
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


def _embeddings(rng: random.Random) -> str:
    vectors = {text_key(f"text {number}"): np.full(8, number, np.float32) for number in range(100)}
    store = Store(root=folder("embeddings"), shipped=folder("embeddings") / "shipped")
    kept, other = StoredEmbeddings(store, "name"), text_key("another")
    kept.put(vectors)
    kept.path.write_bytes(damaged(kept.path.read_bytes(), rng))
    read = kept.get(vectors)
    assert all(np.array_equal(vectors[key], vector) for key, vector in read.items()), "a damaged embedding was believed"
    kept.put({other: np.ones(8, np.float32)})
    assert kept.get([other]), "an embedding was not kept"
    missing = len(vectors) - len(read)
    shutil.rmtree(store.root)
    return "computed again" if missing else "read as they were"


def _kept_documents(rng: random.Random) -> str:
    """Damage documents that are kept so that they need not be parsed again."""
    documents, name = Documents(tuple(f"text {number}" for number in range(40)), owners=("Zoë",) * 40), "letters"
    home = folder("kept documents")
    with patch.dict(os.environ, {"TELLTALE_HOME": str(home)}):
        parsed.remembered(name, lambda: documents)
        path = home / "documents" / name
        path.write_bytes(damaged(path.read_bytes(), rng))
        parsings: list[Documents] = []
        again = parsed.remembered(name, lambda: parsings.append(documents) or documents)
        assert parsings, "damaged documents were believed"
        assert again == parsed.remembered(name, Mock(side_effect=AssertionError("not kept again"))) == documents
    return "set aside and parsed again"


@contextmanager
def _with_documents() -> Iterator[Source]:
    """Use a table of documents with owners, in pieces and a home of its own."""
    parent = folder("documents")
    if not (table := parent / "letters.csv").exists():
        words = ["letter", "sailor", "naïve", "harbour", "Zoë", "rope"]
        rows = [f"{words[at % 6]} {words[at // 6 % 6]} {'x' * (at % 9)},owner {at % 7}" for at in range(400)]
        table.write_text("\n".join(["text,who", *rows, ""]))
    with ExitStack() as changed:
        changed.enter_context(patch.dict(os.environ, {"TELLTALE_HOME": str(parent / "home")}))
        for module, name in ((sources, "PIECE"), (tokenised_corpora, "PIECE"), (parsing, "BLOCK")):
            changed.enter_context(patch.object(module, name, 4000))
        yield Source(table, "text", "who")


def _opened(source: Source, progress: Progress) -> dict[str, bytes]:
    """Open a corpus as a process does that begins; return its files."""
    tokenised_corpora._verified.cache_clear()
    corpus = tokenised_corpora.tokenised(source, Engine(workers=1), progress)
    assert corpus.documents == len(corpus.offsets) - 1, "another number of documents was believed"
    return {file.name: file.read_bytes() for file in sorted(corpus.folder.iterdir())}


@cache
def _whole_corpus() -> dict[str, bytes]:
    with _with_documents() as source:
        return _opened(source, Progress())


def _corpus(rng: random.Random) -> str:
    whole, corpora = _whole_corpus(), folder("documents") / "home" / "corpora"
    with _with_documents() as source:
        (manifest,) = corpora.glob("[!.]*/" + MANIFEST)
        path = manifest.with_name(rng.choice(sorted(whole)))
        path.write_bytes(changed := damaged(whole[path.name], rng))
        files = _opened(source, Progress())
    aside = list(corpora.glob("*.damaged.*"))
    for each in aside:
        shutil.rmtree(each)
    if path.name == MANIFEST and files == {**whole, MANIFEST: changed}:  # it may say the same in other bytes
        path.write_bytes(whole[MANIFEST])
        return "says the same"
    assert len(aside) == 1, "the damaged corpus was not set aside"
    assert files == whole, "another corpus"
    return "set aside and made again"


class _StoppedAtJoining(Progress):
    """Stops when all pieces are tokenised."""

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        if name.startswith("Joining"):
            raise RunCancelled("stopped")


def _shard(rng: random.Random) -> str:
    whole, home = _whole_corpus(), folder("documents") / "home"
    shutil.rmtree(home)
    with _with_documents() as source:
        with suppress(RunCancelled):
            _opened(source, _StoppedAtJoining())
        path = rng.choice(sorted(home.glob("temporary/*/*.shard")))
        path.write_bytes(damaged(path.read_bytes(), rng))
        assert Shard.load(path) is None, "a damaged shard was believed"
        assert _opened(source, Progress()) == whole, "another corpus"
    return "tokenised again"


if __name__ == "__main__":
    sys.exit(command("corruption", attempt, 1000))
