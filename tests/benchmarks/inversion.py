"""How much faster sentences are read back together than one by one, for each attack; run with python -m.

What batching gives depends on what the time goes into. A recurrent network takes many small steps, and one by one most
of that is spent between them. Where it goes into products with the vectors of all words, these run together at the
speed of the processor, one by one at that of its memory; ``product`` is the ratio of the two here, and bounds the rest.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from core.adversaries.sparse_codes import sparse_codes
from core.attacks.inversion.multiset_inversion import likelihoods
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.models.encoder import Encoder
from core.networks import multilabel, multiset
from core.networks.relaxed_texts import Schedule, settle
from core.runtime.context import RunContext
from core.text import word_sets
from core.text.segments import segmented

ROUNDS = 3
WORDS = 4000
CODING_STEPS = 150
PENALTY = 0.1
PLACES = 12
NAMED = 30
COURSE = Schedule(steps=10, hot=1.0, cold=0.05, learning_rate=0.1, recorded=1)
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
    texts = segmented(WikipediaExcerpt().load(), "sentences")[0]
    sets = list(map(word_sets.word_set, texts))
    words = tuple(word_sets.frequencies(sets))[:WORDS]
    with threadpool_limits(1):
        methods = {
            "product": Method(_product(texts), 1024, 256),
            "multilabel": Method(_classifier(texts, sets, words), 1024, 256),
            "multiset": Method(_namer(texts, sets, words), 512, 32),
            "relaxed": Method(_search(texts, words), 32, 8),
            "sparse": Method(_coder(sets, words), 200, 20),
        }
        figures = {name: _raced(method) for name, method in methods.items()}
    line = {
        "name": "inversion",
        "ratio": figures["multiset"]["ratio"],
        "compared": f"seconds a sentence, over {WORDS} words with one thread: one by one, over many together; the "
        f"ratio is that of the method that reads best without asking the encoder again, word by word, {NAMED} of them; "
        f"the search through the encoder takes {COURSE.steps} steps of {PLACES} places, sparse coding {CODING_STEPS}",
        "figures": {f"{name}_{what}": value for name, measures in figures.items() for what, value in measures.items()},
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
    vectors = Encoder(max_tokens=64).encode(texts[:1024], RunContext())
    words = np.random.default_rng(0).normal(0, 0.1, (WORDS, vectors.shape[1])).astype(np.float32)
    return lambda rows: vectors[rows] @ words.T


def _classifier(texts: list[str], sets: list[frozenset[str]], words: tuple[str, ...]) -> Any:
    """Return what reads by one linear layer, as it is before training, which does not change its speed."""
    vectors = Encoder(max_tokens=64).encode(texts[:1024], RunContext())
    state = multilabel.initial(vectors, word_sets.presence(sets[:1024], words), 0, 1)
    return lambda rows: multilabel.probabilities(state, vectors[rows])


def _namer(texts: list[str], sets: list[frozenset[str]], words: tuple[str, ...]) -> Any:
    """Return what names words one by one, after one pass of training, so that not all are told alike."""
    vectors, present = (
        Encoder(max_tokens=64).encode(texts[:1024], RunContext()),
        word_sets.presence(sets[:1024], words),
    )
    linear = multilabel.initial(vectors, present, 0, 1)
    known = linear["weight.0.weight"], linear["weight.0.bias"]
    course, untrained = multiset.Training(1, 64, 3e-3, 0.0, NAMED), multiset.initial(vectors.shape[1], WORDS, 64, 1)
    state = multiset.train_epoch(untrained, vectors, present, [known], course, 0, np.random.default_rng(1))

    def read(rows: slice) -> NDArray[np.float32]:
        named = multiset.predict(state, vectors[rows], known, NAMED)
        return likelihoods(*named, np.full(len(named[0]), NAMED, np.float32), len(words))

    return read


def _search(texts: list[str], words: tuple[str, ...]) -> Any:
    """Return what searches for words through the encoder that comes with the code."""
    model = Encoder(max_tokens=64)
    targets, opened = model.encode(texts[:32], RunContext()), model.open_encoder(RunContext())
    vectors = opened.word_vectors(words)
    start = np.random.default_rng(0).normal(0, 0.1, (len(targets), PLACES, WORDS)).astype(np.float32)
    lengths = np.full(len(targets), PLACES)
    return lambda rows: settle(opened.embed, vectors, targets[rows], lengths[rows], start[rows], COURSE).shares


def _coder(sets: list[frozenset[str]], words: tuple[str, ...]) -> Any:
    """Return what takes means of word vectors apart."""
    atoms = Encoder().open_encoder(RunContext()).word_vectors(words)
    atoms = atoms - atoms.mean(axis=0)
    present = word_sets.presence(sets[:200], words)
    means = np.asarray(present @ atoms) / np.maximum(np.asarray(present.sum(axis=1)).reshape(-1, 1), 1)
    targets = means.astype(np.float32)
    penalties = np.float32(PENALTY) * np.abs(targets @ atoms.T).max(axis=1, keepdims=True)
    return lambda rows: sparse_codes(atoms, targets[rows], penalties[rows], CODING_STEPS)


if __name__ == "__main__":
    run()
