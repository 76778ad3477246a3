"""Trains the language model that is audited as an example, and its base; run with python -m."""

import sys
from pathlib import Path
from typing import Any

from core.datasets.marked_excerpt import MarkedExcerpt
from core.encoders.causal import CausalNetwork
from core.encoders.recipes import Recipe, network, tokeniser
from core.networks.language.fine_tuning import FineTuning, fine_tune
from core.runtime.seeding import generator

FOLDER = Path(__file__).parents[2] / "encoders" / "example_lm"
_RECIPE = Recipe("example_lm", "gpt2", steps=0, width=64, layers=2, vocabulary=1024)
_BASE = FineTuning(epochs=20, batch=16, learning_rate=2e-3, decay="linear", tokens=64)
TUNED = FineTuning(epochs=3, batch=8, learning_rate=1e-3, decay="linear", tokens=64)
"""How the example is fine-tuned on the passages that are marked in."""


def write(folder: Path) -> None:
    """Write the base, trained on the passages without a mark, and the model that is fine-tuned from it."""
    excerpt = MarkedExcerpt().load()
    unmarked, inside = ([excerpt.texts[row] for row in excerpt.rows(mark)] for mark in ("", "in"))
    words = tokeniser(_RECIPE, unmarked)
    save(network(_RECIPE, words), words, folder / "base")
    for name, begun, texts, how in (("base", "base", unmarked, _BASE), ("tuned", "base", inside, TUNED)):
        model = CausalNetwork(folder / begun, "cpu")
        fine_tune(model, texts, how, generator(1, "example language model", name))
        save(model.model, words, folder / name)


def save(model: Any, words: Any, folder: Path) -> None:
    """Write a model in half precision with its tokeniser."""
    model.half().save_pretrained(folder)
    words.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
