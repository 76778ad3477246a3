"""A game on documents that stay on disk has the result of the same game in memory, to the byte."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.corpora.documents import LargeDocuments
from core.datasets import documents
from core.datasets.documents import Documents
from core.errors import TooManyDocuments
from core.experiment import Experiment, run
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.text import stored_corpus
from tests.runtime.clusters import Cluster

GAME = {"target_sizes": [10], "targets": 4, "plays": 4, "documents": 150}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parquet of 500 documents of 30 owners, each of whom repeats a phrase of their own."""
    path = tmp_path_factory.mktemp("source") / "a.parquet"
    rng = np.random.default_rng(1)
    names = [chr(97 + at // 10) + chr(97 + at % 10) for at in range(100)]
    owners = [f"owner {row % 30}" for row in range(500)]
    texts = []
    for row in range(500):
        words = [names[word] for word in rng.integers(0, 100, 20)]
        phrase = [names[3 * (row % 30)], names[3 * (row % 30) + 1]] * 3
        texts.append(" ".join([*phrase, *words, "Zoë"][: None if row % 3 else -1]))
    texts[17] = "12 !"
    pq.write_table(pa.table({"text": texts, "who": owners}), path)
    return path


def experiment(source: Path, **changes: Any) -> Experiment:
    return Experiment.parse(
        {
            "dataset": {"part": "documents", "source": str(source), "owner_column": "who"},
            "model": {"part": "word2vec", "dimension": 16, "minimum_count": 2, "epochs": 3},
            "game": GAME,
            "attack": {"part": "word_pairs", "shadow_pairs": 6},
            **changes,
        }
    )


def played(experiment: Experiment, folder: Path) -> Result:
    return run(experiment, RunContext(store=Store(folder), engine=Engine(workers=1)))[0]


def on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST", 100)
    monkeypatch.setattr(stored_corpus, "SHARD", 500)


def both(experiment: Experiment, folder: Path) -> tuple[Result, Result]:
    """Return the result of documents in memory, and that of documents on disk."""
    in_memory = played(experiment, folder / "in memory")
    with pytest.MonkeyPatch.context() as patch:
        on_disk(patch)
        return in_memory, played(experiment, folder / "on disk")


def check_alike(in_memory: Result, from_disk: Result) -> None:
    assert from_disk.estimates == in_memory.estimates
    assert from_disk.tables.keys() == in_memory.tables.keys()
    for name, table in in_memory.tables.items():
        assert from_disk.tables[name].equals(table), name


@pytest.fixture(scope="module")
def emulated(source: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result, Result]:
    """Both results for emulated users, and the folder of their stores."""
    folder = tmp_path_factory.mktemp("emulated")
    return folder, *both(experiment(source), folder)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "changes",
    [
        {"game": {**GAME, "users": "owners"}},
        {"model": {"part": "word2vec", "dimension": 8, "minimum_count": 2, "mode": "skip_gram", "epochs": 2}},
        {"model": {"part": "word2vec", "dimension": 8, "minimum_count": 2, "dictionary": {"part": "news_words"}}},
        {"model": {"part": "glove", "dimension": 8, "minimum_count": 2, "epochs": 2}},
        {"defenses": [{"part": "subsampling"}]},
    ],
    ids=["owners", "skip_gram", "dictionary", "glove", "subsampling"],
)
def test_the_result_is_that_of_documents_in_memory(source: Path, tmp_path: Path, changes: dict[str, Any]) -> None:
    check_alike(*both(experiment(source, **changes), tmp_path))


def test_emulated_users_are_alike_and_trainings_of_both_are_stored_under_the_same_keys(
    source: Path, emulated: tuple[Path, Result, Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shadow models are named by the digest of their corpus: the tokens on disk are those in memory."""
    folder, in_memory, from_disk = emulated
    check_alike(in_memory, from_disk)
    on_disk(monkeypatch)
    assert isinstance(Documents.parse({"source": str(source)}).load(), LargeDocuments)
    store = Store(folder / "in memory")
    key = experiment(source).key
    for path in (store.root / "results" / key).iterdir():
        path.unlink()
    assert run(experiment(source), RunContext(store=store, engine=Engine(workers=1)))[0].provenance.trainings == 0


def test_workers_elsewhere_that_come_and_go_change_nothing(
    source: Path, emulated: tuple[Path, Result, Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two Dask workers, which have a folder of their own, is killed when a few trainings are stored."""
    on_disk(monkeypatch)
    with monkeypatch.context() as there:
        there.setenv("TELLTALE_HOME", str(tmp_path / "elsewhere"))
        cluster = Cluster(tmp_path)
    cluster.await_workers()

    class Killing(Progress):
        trained = 0

        def advance(self, items: int = 1) -> None:
            self.trained += items
            if self.trained == 3:
                cluster.workers[0].kill()

    store, progress = Store(tmp_path / "store"), Killing()
    context = RunContext(store=store, engine=Engine(address=cluster.address), progress=progress)
    try:
        result, _ = run(experiment(source), context)
    finally:
        cluster.end()
    assert progress.trained > 3
    assert result.estimates == emulated[-1].estimates


def test_what_needs_the_texts_is_refused_with_the_reason(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_disk(monkeypatch)
    loaded = Documents.parse({"source": str(source)}).load()
    with pytest.raises(TooManyDocuments, match=r"At most 100 are read\. Only attacks on word embeddings go beyond"):
        loaded.select([1, 2])
    with pytest.raises(TooManyDocuments, match="Only attacks on word embeddings"):
        len(loaded.texts)
    with pytest.raises(TooManyDocuments, match="At most 100 are read"):
        Documents.parse({"source": str(source), "label_column": "who"}).load()


_BOUNDED = """
import json, resource, sys
from pathlib import Path
import numpy as np
from core.corpora.tokenised import tokenised
from core.corpora.source import Source
from core.models.word2vec import Word2vec
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.text.stored_corpus import StoredCorpus

if __name__ == "__main__":
    import numba, pyarrow.compute, pyarrow.csv
    model = Word2vec(dimension=16, epochs=1, minimum_count=20)
    small = tokenised(Source(Path(sys.argv[1])), Engine(workers=1), Progress())
    model.train(StoredCorpus.encoded(small, np.arange(50)), np.random.default_rng(1))
    data = int(next(line for line in open("/proc/self/status") if line.startswith("VmData")).split()[1]) * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (data + int(sys.argv[3]), data + int(sys.argv[3])))
    corpus = tokenised(Source(Path(sys.argv[2])), Engine(workers=1), Progress())
    whole = StoredCorpus.encoded(corpus, np.arange(corpus.documents))
    embedding = model.train(whole, np.random.default_rng(1))
    print(json.dumps([corpus.documents, len(embedding.words)]))
"""


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """38 MB of text with 34 MB of tokens is tokenised and trained on with 122 MB beyond what a small corpus takes.

    The text alone in memory besides would be too much.
    """
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "home"))
    (tmp_path / "bounded.py").write_text(_BOUNDED)
    row = " ".join("abcdefghij"[at % 10] * (1 + at % 6) for at in range(200))
    (tmp_path / "small.csv").write_text("text\n" + f"{row}\n" * 100)
    with (tmp_path / "large.csv").open("w") as file:
        file.write("text\n")
        for _ in range(42):
            file.write(f"{row}\n" * 1000)
    assert (tmp_path / "large.csv").stat().st_size > 37_000_000
    done = subprocess.run(
        [sys.executable, "bounded.py", "small.csv", "large.csv", str(122_000_000)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout)[0] == 42_000
