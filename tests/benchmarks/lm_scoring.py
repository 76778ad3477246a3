"""How many words a second a language model scores: documents in shared batches, and one document at a time."""

import json
import time
from dataclasses import replace

import numpy as np
import torch

from core.networks.language.next_word import Shape, initial
from core.networks.language.next_word_predictor import NextWordPredictor

SHAPE = Shape("lstm", words=6000, dimension=64, layers=2, heads=4, length=32, dropout=0.0, softmax="adaptive")
DOCUMENTS = 200
ROUNDS = 3


def run() -> None:
    """Score the same documents both ways in turns, with LSTM and transformer, and print one line of JSON."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    zipf = 1 / (np.arange(SHAPE.words - 2) + 2.7)
    sizes = rng.integers(20, 200, DOCUMENTS)
    documents = [2 + rng.choice(len(zipf), size, p=zipf / zipf.sum()) for size in sizes]
    words = sum(map(len, documents))
    figures: dict[str, float] = {}
    ratio = 0.0
    for body in ("lstm", "gpt2"):
        shape = replace(SHAPE, body=body)
        state = initial(shape, np.random.default_rng(0))
        rounds = [
            [_seconds(NextWordPredictor(shape, state), documents, each) for each in (len(documents), 1)]
            for _ in range(ROUNDS)
        ]
        batched, alone = np.median(rounds, axis=0)
        figures[f"{body}_words_per_second"] = round(words / batched)
        figures[f"{body}_words_per_second_one_at_a_time"] = round(words / alone)
        ratio = ratio or float(alone / batched)
    line = {
        "name": "lm_scoring",
        "ratio": round(ratio, 2),
        "compared": (
            f"seconds to score {len(documents)} documents by the LSTM with {SHAPE.words} words, {SHAPE.dimension} "
            "units and one thread: one document at a time over shared batches"
        ),
        "figures": figures,
    }
    print(json.dumps(line))


def _seconds(predictor: NextWordPredictor, documents: list[np.ndarray], each: int) -> float:
    """Return the seconds that all losses take, some documents at a time."""
    start = time.perf_counter()
    for first in range(0, len(documents), each):
        predictor.losses(documents[first : first + each])
    return time.perf_counter() - start


if __name__ == "__main__":
    run()
