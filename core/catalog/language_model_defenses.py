"""Promised results of defenses of a fine-tuned language model, on articles of an encyclopedia, and of LoRA ranks."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry, varied
from core.experiment import Experiment

ORDER = 68

_EPOCHS = (3, 2, 1)
"""Epochs of training undefended; the defenses are tried at the first."""
_RANKS = (1, 8)
_DEFENSES: tuple[dict[str, Any], ...] = (
    {"part": "dropout", "inputs": 0.5, "hidden": 0.5},
    {"part": "token_dropping", "every": 2},
)


def entries() -> Iterator[Entry]:
    """Yield the undefended models by epochs, adapters by rank, and each defense."""
    summary = "Articles of the Wikipedia excerpt in a fine-tuned GPT-2, "
    for epochs in _EPOCHS:
        trained = f"{epochs} epoch{'s' if epochs > 1 else ''}"
        yield Entry(
            f"fine_tuned_{trained.replace(' ', '_')}",
            f"Articles in a fine-tuned GPT-2, all weights, {trained}",
            f"{summary}all of whose weights are trained for {trained}.",
            fine_tuned(epochs=epochs),
            contrast=epochs != _EPOCHS[0],
        )
    for rank in _RANKS:
        yield Entry(
            f"fine_tuned_rank_{rank}",
            f"Articles in adapters of a GPT-2 (LoRA), rank {rank}",
            f"{summary}of which only adapters of rank {rank} are trained.",
            fine_tuned(rank=rank, learning_rate=1e-2),
            contrast=True,
        )
    for values in _DEFENSES:
        experiment = fine_tuned(values)
        (defense,) = experiment.defenses
        yield Entry(
            f"fine_tuned_{defense.part_name()}",
            f"Articles in a fine-tuned GPT-2 behind {defense.title}",
            f"{summary}trained under {defense.title}; the adversary trains its shadow models alike.",
            experiment,
            contrast=True,
        )


def fine_tuned(*defenses: dict[str, Any], **model: Any) -> Experiment:
    """Return the attack's demo on the small language model, fine-tuned on the first 64 tokens of its articles."""
    model = {"part": "causal_lm", "learning_rate": 1e-3, "context": 64, "epochs": _EPOCHS[0], **model}
    return varied("likelihood_ratio", "demo", model=model, defenses=defenses)
