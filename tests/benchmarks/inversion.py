"""How much faster sentences are taken apart into words together than one by one; run with python -m."""

import json
import time

import numpy as np
from threadpoolctl import threadpool_limits

from core import bags
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.models.encoder import Encoder
from core.pieces import cut
from core.sparse_codes import sparse_codes

TOGETHER = 200
ONE_BY_ONE = 20
"""Sentences that are taken apart one by one; the rest would take the same time each."""
ROUNDS = 3
WORDS = 4000
STEPS = 150
PENALTY = 0.1


def run() -> None:
    """Take sentences apart by sparse coding both ways, with one thread, and print one line of JSON.

    Each way's fastest of three rounds counts.
    """
    texts = cut(WikipediaExcerpt().load(), "sentences")[0]
    found = list(map(bags.bag, texts))
    words = tuple(bags.frequencies(found))[:WORDS]
    atoms = Encoder().word_vectors(words)
    atoms = atoms - atoms.mean(axis=0)
    present = bags.presence(found[:TOGETHER], words)
    means = np.asarray(present @ atoms) / np.maximum(np.asarray(present.sum(axis=1)).reshape(-1, 1), 1)
    targets = means.astype(np.float32)
    penalties = np.float32(PENALTY) * np.abs(targets @ atoms.T).max(axis=1, keepdims=True)
    together, alone = [], []
    with threadpool_limits(1):
        for _ in range(ROUNDS):
            start = time.perf_counter()
            whole = sparse_codes(atoms, targets, penalties, STEPS)
            together.append((time.perf_counter() - start) / TOGETHER)
            start = time.perf_counter()
            single = [
                sparse_codes(atoms, targets[number : number + 1], penalties[number : number + 1], STEPS)
                for number in range(ONE_BY_ONE)
            ]
            alone.append((time.perf_counter() - start) / ONE_BY_ONE)
    line = {
        "name": "inversion",
        "ratio": round(min(alone) / min(together), 1),
        "compared": f"seconds a sentence of {STEPS} steps over {WORDS} words: one by one, over {TOGETHER} together",
        "figures": {
            "our_sentences_per_second": round(1 / min(together), 1),
            "reference_sentences_per_second": round(1 / min(alone), 1),
            "largest_difference_of_a_share": float(f"{np.abs(np.concatenate(single) - whole[:ONE_BY_ONE]).max():.1e}"),
        },
    }
    print(json.dumps(line))


if __name__ == "__main__":
    run()
