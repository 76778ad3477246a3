"""The race between the shadow models of this project and a plain loop of gensim's Word2Vec."""

import json
import statistics
import time
from typing import Any

import numpy as np
from gensim.models import Word2Vec
from joblib import Parallel, delayed
from numpy.typing import NDArray

from core.datasets.dictionaries.common_words import CommonWords
from core.datasets.mail.enron import Enron
from core.kernels.negative_sampling import train
from core.text.corpus import Corpus

PROCESSES = 2
EMAILS = 5_000
MINIMUM_COUNT = 20
PAIRS = 20_000
FREQUENT = 2_000
SETTING: dict[str, Any] = {"window": 5, "epochs": 20, "alpha": 0.025, "min_alpha": 0.0001, "sample": 1e-3}


def corpus() -> Corpus:
    """Return the e-mails that the selections are drawn from."""
    return Corpus.encode(Enron().load().texts, CommonWords().load().words)


def run(name: str, *, skip_gram: bool, models: int, rounds: int = 2) -> None:
    """Race both trainers in turns and print the outcome as one line of JSON.

    Args:
        name: What the line is called.
        skip_gram: Whether to train skip-gram instead of CBOW.
        models: Shadow models of ours in a round; gensim trains one.
        rounds: Turns each of the two gets.
    """
    emails = corpus()
    shared = selection(emails, 0)
    gensim_seconds: list[float] = []
    our_seconds: list[float] = []
    gensim_vectors: list[NDArray[np.float32]] = []
    our_vectors: list[NDArray[np.float32]] = []
    selected = emails.select(shared).frequent(MINIMUM_COUNT)
    sentences = [[emails.words[token] for token in emails.document(number)] for number in shared]
    with Parallel(n_jobs=PROCESSES, backend="loky", max_nbytes="100K") as parallel:
        parallel(delayed(_shadow)(emails, shared, skip_gram, seed, 1) for seed in range(2 * PROCESSES))
        for turn in range(rounds):
            start = time.perf_counter()
            model = gensim_model(sentences, skip_gram=skip_gram, seed=turn + 1)
            gensim_seconds.append(time.perf_counter() - start)
            gensim_vectors.append(model.wv[list(selected.words)])

            start = time.perf_counter()
            trained = parallel(
                delayed(_shadow)(
                    emails, shared if k == 0 else selection(emails, turn * models + k), skip_gram, turn * models + k
                )
                for k in range(models)
            )
            our_seconds.append((time.perf_counter() - start) / models)
            our_vectors.append(trained[0])

    gensim_median, our_median = statistics.median(gensim_seconds), statistics.median(our_seconds)
    mode = "skip-gram" if skip_gram else "CBOW"
    line = {
        "name": name,
        "ratio": round(gensim_median / our_median, 2),
        "compared": (
            f"{mode} shadow models per minute, selecting and filtering {EMAILS} e-mails included: ours on "
            f"{PROCESSES} processes over a plain loop of gensim.models.Word2Vec(sentences, workers={PROCESSES})"
        ),
        "figures": {
            "gensim_models_per_minute": round(60 / gensim_median, 3),
            "our_models_per_minute": round(60 / our_median, 3),
            "gensim_seconds_per_model": [round(seconds, 3) for seconds in gensim_seconds],
            "our_seconds_per_model": [round(seconds, 3) for seconds in our_seconds],
            "tokens": len(selected.tokens),
            "vocabulary": len(selected.words),
            "gensim_against_gensim": _agreement(selected, gensim_vectors[0], gensim_vectors[1]),
            "gensim_against_ours": _agreement(selected, gensim_vectors[0], our_vectors[0]),
        },
    }
    print(json.dumps(line))


def selection(emails: Corpus, seed: int, size: int = EMAILS) -> NDArray[np.int64]:
    """Return a random selection of e-mails, without repeats."""
    return np.random.default_rng(seed).choice(len(emails), min(size, len(emails)), replace=False)


def _shadow(
    emails: Corpus, selection: NDArray[np.int64], skip_gram: bool, seed: int, epochs: int = SETTING["epochs"]
) -> NDArray[np.float32]:
    chosen = emails.select(selection).frequent(MINIMUM_COUNT)
    setting = {**SETTING, "epochs": epochs, "dimension": 80, "negatives": 5}
    return train(chosen.shards, chosen.counts(), skip_gram=skip_gram, seed=seed, **setting)[0]


def gensim_model(sentences: list[list[str]], *, skip_gram: bool, seed: int) -> Word2Vec:
    """Train gensim as the plain loop does."""
    return Word2Vec(
        sentences,
        vector_size=80,
        min_count=MINIMUM_COUNT,
        negative=5,
        sg=int(skip_gram),
        seed=seed,
        workers=PROCESSES,
        **SETTING,
    )


def _agreement(chosen: Corpus, left: NDArray[np.float32], right: NDArray[np.float32]) -> dict[str, float]:
    """Correlate what two models say about pairs of words: cosines, and distances of neighbours in the text."""
    rng = np.random.default_rng(0)
    frequent = np.argsort(-chosen.counts(), kind="stable")[:FREQUENT]
    pairs = rng.choice(frequent, (2, PAIRS))
    at = rng.integers(0, len(chosen.tokens) - 1, PAIRS)
    at = at[~np.isin(at + 1, chosen.offsets)]
    adjacent = np.stack([chosen.tokens[at], chosen.tokens[at + 1]])
    distances = [_distances(vectors, adjacent) for vectors in (left, right)]
    return {
        "cosine_of_random_pairs": _correlation(_cosines(left, pairs), _cosines(right, pairs)),
        "cosine_of_adjacent_pairs": _correlation(_cosines(left, adjacent), _cosines(right, adjacent)),
        "distance_of_adjacent_pairs": _correlation(*distances),
        "ratio_of_mean_distances": round(float(distances[1].mean() / distances[0].mean()), 4),
    }


def _cosines(vectors: NDArray[np.float32], pairs: NDArray[Any]) -> NDArray[np.float32]:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.einsum("ij,ij->i", unit[pairs[0]], unit[pairs[1]])


def _distances(vectors: NDArray[np.float32], pairs: NDArray[Any]) -> NDArray[np.float32]:
    return np.linalg.norm(vectors[pairs[0]] - vectors[pairs[1]], axis=1)


def _correlation(left: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    return round(float(np.corrcoef(left, right)[0, 1]), 4)
