"""Promised results of window membership (Song and Raghunathan 2020, section 5.1)."""

from collections.abc import Iterator
from typing import Any

from core.catalog import seeds
from core.catalog.entry import Entry, demo, varied
from core.experiment import Experiment

ORDER = 20

_NETWORK = {"similarity": "inner_output"}
_PAPER: dict[str, Any] = {"dimension": 100, "window": 5, "minimum_count": 1, "learning_rate": 0.05}
_FASTTEXT = {**_PAPER, "part": "fasttext", "mode": "skip_gram", "negatives": 25, "epochs": 5}
_GLOVE = {**_PAPER, "part": "glove", "epochs": 50}
_SMALL: dict[str, Any] = {"game": {"couples": 4, "examples": 20}, "model": {"epochs": 10}}
_SEEDS = range(1, 9)


def entries() -> Iterator[Entry]:
    """Yield the promised results of window membership."""
    yield Entry(
        "windows_outputs",
        "Windows of Wikipedia articles, by the whole word2vec network",
        "What output vectors add to the paper's cosines, at its setting of five epochs.",
        varied("window_similarity", attack=_NETWORK),
    )
    yield from seeds.over(
        Entry(
            "windows_cosine",
            "Windows of Wikipedia articles, by word2vec's vectors",
            "The paper's attack at its setting, on a smaller part of Wikipedia.",
            Experiment.preset("window_similarity", "paper"),
        )
    )
    yield Entry(
        "windows_20_epochs",
        "Windows of Wikipedia articles, twenty epochs of word2vec",
        "Four times as many epochs on the same articles, as is common for small collections.",
        varied("window_similarity", attack=_NETWORK, model={"epochs": 20}),
    )
    yield Entry(
        "windows_fasttext",
        "Windows of Wikipedia articles, by the whole fastText network",
        "Rare words share subwords with similar words; whether that hides their contexts.",
        varied("window_similarity", attack=_NETWORK, model=_FASTTEXT),
    )
    yield Entry(
        "windows_glove",
        "Windows of Wikipedia articles, by GloVe's two vectors",
        "A model fitted to co-occurrence counts, for fifty epochs.",
        varied("window_similarity", attack=_NETWORK, model=_GLOVE),
    )
    yield demo(
        "window_similarity",
        "Windows of words, small and offline",
        ": passages of an encyclopedia, each in the training data of half of the models",
    )
    for seed in _SEEDS:
        yield Entry(
            f"windows_small_{seed}",
            f"Windows of words in half a minute, seed {seed}",
            "One of eight runs that differ in their seed only: how far such runs lie apart.",
            varied("window_similarity", "demo", **_SMALL).replace(seed=seed),
            contrast=True,
        )
