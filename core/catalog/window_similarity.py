"""Was this window of words in the training text: word embeddings as in Song and Raghunathan 2020, section 5.1."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry, varied
from core.experiment import Experiment

_NETWORK = {"similarity": "inner_output"}
_PAPER: dict[str, Any] = {"dimension": 100, "window": 5, "minimum_count": 1, "learning_rate": 0.05}
_FASTTEXT = {**_PAPER, "part": "fasttext", "mode": "skip_gram", "negatives": 25, "epochs": 5}
_GLOVE = {**_PAPER, "part": "glove", "epochs": 50}


def entries() -> Iterator[Entry]:
    """Yield the promised results of window membership, the one to show first in front."""
    yield Entry(
        "windows_outputs",
        "Windows of Wikipedia articles, by the whole word2vec network",
        "What output vectors add to the paper's cosines, at its setting of five passes.",
        varied("window_similarity", attack=_NETWORK),
    )
    yield Entry(
        "windows_cosine",
        "Windows of Wikipedia articles, by word2vec's vectors",
        "The paper's own attack at its own setting, on a smaller part of Wikipedia.",
        Experiment.preset("window_similarity", "paper"),
    )
    yield Entry(
        "windows_20_epochs",
        "Windows of Wikipedia articles, twenty passes of word2vec",
        "Four times as many passes over the same articles, as small collections are often trained.",
        varied("window_similarity", attack=_NETWORK, model={"epochs": 20}),
    )
    yield Entry(
        "windows_fasttext",
        "Windows of Wikipedia articles, by the whole fastText network",
        "Rare words borrow from words that look like them; whether that hides in which company they stood.",
        varied("window_similarity", attack=_NETWORK, model=_FASTTEXT),
    )
    yield Entry(
        "windows_glove",
        "Windows of Wikipedia articles, by GloVe's two vectors",
        "A model fitted to counts of words that stand together, fifty passes over all of them.",
        varied("window_similarity", attack=_NETWORK, model=_GLOVE),
    )
    yield Entry(
        "demo_window_similarity",
        "Windows of words, small and offline",
        "The small experiment that anyone can run live: passages of an encyclopedia, each in half of the models.",
        Experiment.preset("window_similarity", "demo"),
    )
