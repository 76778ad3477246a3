"""Trains the small language model that others are fine-tuned from; run with python -m."""

import sys
from collections.abc import Sequence
from pathlib import Path

from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.encoders.base_models import SMALL_LM_DATA
from core.encoders.causal import CausalNetwork
from core.encoders.recipes import Recipe, network, tokeniser
from core.networks.language.example_lm import save
from core.networks.language.fine_tuning import FineTuning, fine_tune
from core.registry import part
from core.runtime.seeding import generator
from core.text.corpus import words_of

FOLDER = Path(__file__).parents[2] / "encoders" / "small_lm"
_RECIPE = Recipe("small_lm", "gpt2", steps=0, width=96, layers=3, vocabulary=2048)
_RUN = 8
_HOW = FineTuning(epochs=6, batch=32, learning_rate=3e-3, decay="linear", tokens=96)


def texts() -> list[str]:
    """Return the public texts that it is trained on, as the words that all models here read.

    Raises:
        DataUnavailable: They are neither on disk nor reachable.
        DataCorrupt: The bytes found are not the pinned ones.
    """
    read = [text for name in SMALL_LM_DATA for text in part("dataset", name)().load().texts]  # type: ignore[attr-defined]
    return [" ".join(words) for text in read if (words := words_of(text))]


def write(folder: Path) -> None:
    """Train the model, and write it with its tokeniser."""
    read = texts()
    words = tokeniser(_RECIPE, read)
    save(network(_RECIPE, words), words, folder)
    model = CausalNetwork(folder, "cpu")
    fine_tune(model, read, _HOW, generator(1, "small language model"))
    save(model.model, words, folder)


def shared_runs(read: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """Return how many of the different runs of eight words in other texts stand in those read, and how many there are.

    >>> shared_runs(["a b c d e f g h i"], ["b c d e f g h i j"])
    (1, 2)
    """
    known, asked = ({run for text in texts for run in zip(*_shifted(text), strict=False)} for texts in (read, others))
    return len(known & asked), len(asked)


def _shifted(text: str) -> list[list[str]]:
    words = words_of(text)
    return [words[first:] for first in range(_RUN)]


if __name__ == "__main__":
    shared, every = shared_runs(texts(), WikipediaExcerpt().load().texts)
    sys.stdout.write(f"It reads {shared:,} of the {every:,} runs of eight words in the Wikipedia excerpt.\n")
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
