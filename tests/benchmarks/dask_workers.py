"""Shadow models a second by 1, 2 and 4 Dask workers, and what a killed one costs; run with python -m.

Scheduler and workers run on this machine, so that more workers than cores gain nothing.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.models.word2vec import Word2vec
from core.runtime.engine import Engine
from core.runtime.seeding import generator
from core.text.corpus import Corpus
from tests.benchmarks import limits
from tests.runtime.clusters import Cluster

SIZES = (1, 2, 4)
MODELS = 60
UNSENT = 1
"""Models that a killed worker had finished but not sent, at most: the limit of what is trained twice."""
MODEL = Word2vec(dimension=100, epochs=10)


def train(item: int, corpus: Corpus, log: Path) -> float:
    """Train one shadow model, and add a byte to the log of all that were trained."""
    trained = MODEL.train(corpus, generator(item, "dask workers"))
    with log.open("ab") as file:
        file.write(b".")
    return float(abs(trained.vectors).mean())


def main() -> None:
    """Print the outcome as one line of JSON."""
    cores = len(os.sched_getaffinity(0))
    corpus = Corpus.encode(WikipediaExcerpt().load().texts)
    seconds, answers = {}, []
    for size in SIZES:
        with _cluster(size) as (cluster, log):
            engine = Engine(address=cluster.address)
            for _ in engine.map(train, range(-2 * size, 0), {"corpus": corpus, "log": log}):
                pass  # every worker has its libraries and the corpus
            start = time.perf_counter()
            answers.append(dict(engine.map(train, range(MODELS), {"corpus": corpus, "log": log})))
            seconds[size] = time.perf_counter() - start
    with _cluster(2) as (cluster, log):
        outcomes = Engine(address=cluster.address).map(train, range(MODELS), {"corpus": corpus, "log": log})
        models = {}
        for item, out in outcomes:
            models[item] = out
            if len(models) == MODELS // 3:
                cluster.workers[0].kill()
        answers.append(models)
        again = log.stat().st_size - MODELS
    different = sum(each != answers[0] for each in answers)
    line = {
        "name": "dask_workers",
        "ratio": round(seconds[1] / seconds[2], 2),
        "compared": f"{MODELS} word2vec shadow models by two Dask workers on this machine over the same by one",
        "figures": {
            "cores": cores,
            "models_a_second": {size: round(MODELS / each, 2) for size, each in seconds.items()},
            "efficiency": {size: round(seconds[1] / each / min(size, cores), 2) for size, each in seconds.items()},
            "finished_models_trained_again_after_a_worker_was_killed": again,
            "clusters_with_other_answers": different,
        },
    }
    held = {
        "clusters whose answers are not those of one worker": (different, 0),
        "finished models trained again after a worker was killed": (again, UNSENT),
    }
    limits.end(line, held)


@contextmanager
def _cluster(size: int) -> Iterator[tuple[Cluster, Path]]:
    """Run a cluster of so many workers, with a file for their log."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TELLTALE_HOME"] = folder
        log = Path(folder) / "trained"
        log.touch()
        cluster = Cluster(Path(folder), size)
        try:
            cluster.await_workers()
            yield cluster, log
        finally:
            cluster.end()


if __name__ == "__main__":
    main()
