"""How much faster sentences are read back together than one by one, for each attack; run with python -m.

What batching can give is bounded by what most of the time goes into: products with the vectors of all words. Together
they run at the speed of the processor, one by one at that of its memory; ``product`` is the ratio of the two here.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from core import bags
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.lab import Lab
from core.models.encoder import Encoder
from core.networks import multilabel
from core.networks.relaxed_texts import Course, settle
from core.pieces import cut
from core.sparse_codes import sparse_codes

ROUNDS = 3
WORDS = 4000
CODING_STEPS = 150
PENALTY = 0.1
PLACES = 12
COURSE = Course(steps=10, hot=1.0, cold=0.05, learning_rate=0.1, recorded=1)
"""Fewer steps than an attack takes, since each takes the same time."""


@dataclass(frozen=True)
class Method:
    """A way to read sentences back.

    Attributes:
        read: Gives from some rows of the sentences what is told of the words, (rows, words).
        together: Sentences that are read together.
        single: Sentences that are read one by one; the rest would take the same time each.
    """

    read: Callable[[slice], NDArray[np.float32]]
    together: int
    single: int


def run() -> None:
    """Read sentences back both ways, with one thread; print one line of JSON. The fastest of three rounds counts."""
    texts = cut(WikipediaExcerpt().load(), "sentences")[0]
    found = list(map(bags.bag, texts))
    words = tuple(bags.frequencies(found))[:WORDS]
    with threadpool_limits(1):
        methods = {
            "product": Method(_product(texts), 1024, 256),
            "multilabel": Method(_classifier(texts, found, words), 1024, 256),
            "relaxed": Method(_search(texts, words), 32, 8),
            "sparse": Method(_coder(found, words), 200, 20),
        }
        figures = {name: _raced(method) for name, method in methods.items()}
    line = {
        "name": "inversion",
        "ratio": figures["relaxed"]["ratio"],
        "compared": f"seconds a sentence, over {WORDS} words with one thread: one by one, over many together; the "
        f"ratio is that of a search through the encoder, {COURSE.steps} steps of {PLACES} places; sparse coding takes "
        f"{CODING_STEPS} steps",
        "figures": {f"{name}_{what}": value for name, own in figures.items() for what, value in own.items()},
    }
    print(json.dumps(line))


def _raced(method: Method) -> dict[str, float]:
    """Time both ways, and compare what they tell."""
    together, alone = [], []
    method.read(slice(0, 2))
    for _ in range(ROUNDS):
        start = time.perf_counter()
        whole = method.read(slice(0, method.together))
        together.append((time.perf_counter() - start) / method.together)
        start = time.perf_counter()
        single = [method.read(slice(number, number + 1)) for number in range(method.single)]
        alone.append((time.perf_counter() - start) / method.single)
    return {
        "ratio": round(min(alone) / min(together), 1),
        "sentences_per_second": round(1 / min(together), 1),
        "one_by_one_per_second": round(1 / min(alone), 1),
        "largest_difference": float(f"{np.abs(np.concatenate(single) - whole[: method.single]).max():.1e}"),
    }


def _product(texts: list[str]) -> Any:
    """Return what multiplies embeddings with the vectors of all words, and does nothing else."""
    vectors = Encoder(max_tokens=64).encode(texts[:1024], Lab())
    words = np.random.default_rng(0).normal(0, 0.1, (WORDS, vectors.shape[1])).astype(np.float32)
    return lambda rows: vectors[rows] @ words.T


def _classifier(texts: list[str], found: list[frozenset[str]], words: tuple[str, ...]) -> Any:
    """Return what reads by one linear layer, as it is before training, which does not change its speed."""
    vectors = Encoder(max_tokens=64).encode(texts[:1024], Lab())
    state = multilabel.initial(vectors, bags.presence(found[:1024], words), 0, 1)
    return lambda rows: multilabel.probabilities(state, vectors[rows])


def _search(texts: list[str], words: tuple[str, ...]) -> Any:
    """Return what searches for words through the encoder that comes with the code."""
    model = Encoder(max_tokens=64)
    targets, opened = model.encode(texts[:32], Lab()), model.opened(Lab())
    vectors = opened.word_vectors(words)
    start = np.random.default_rng(0).normal(0, 0.1, (len(targets), PLACES, WORDS)).astype(np.float32)
    lengths = np.full(len(targets), PLACES)
    return lambda rows: settle(opened.embed, vectors, targets[rows], lengths[rows], start[rows], COURSE).shares


def _coder(found: list[frozenset[str]], words: tuple[str, ...]) -> Any:
    """Return what takes means of word vectors apart."""
    atoms = Encoder().opened(Lab()).word_vectors(words)
    atoms = atoms - atoms.mean(axis=0)
    present = bags.presence(found[:200], words)
    means = np.asarray(present @ atoms) / np.maximum(np.asarray(present.sum(axis=1)).reshape(-1, 1), 1)
    targets = means.astype(np.float32)
    penalties = np.float32(PENALTY) * np.abs(targets @ atoms.T).max(axis=1, keepdims=True)
    return lambda rows: sparse_codes(atoms, targets[rows], penalties[rows], CODING_STEPS)


if __name__ == "__main__":
    run()
