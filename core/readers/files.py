"""The files of the readers: weights in safetensors, and a card that says what they are and how good."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreError
from core.runtime.store import READERS

WEIGHTS = "readers.safetensors"
CARD = "card.json"
_REPAIR = "Restore precomputed/readers, or train them again: python -m core readers"


@dataclass(frozen=True)
class Measured:
    """How well a reader predicts the words of held-out sentences.

    Attributes:
        f1: Harmonic mean of precision and recall of the predicted words, each a mean over the sentences.
        low: Lower end of the 95% interval, over resampled sentences.
        high: Its upper end.
        chance: F1 of predicting the most frequent words of the dataset for every sentence.
        sentences: Held-out sentences, those with a word that counts.
        words: Words that the reader can predict.

    Raises:
        ValueError: The interval does not hold the F1, or one of them is no share.
    """

    f1: float
    low: float
    high: float
    chance: float
    sentences: int
    words: int

    def __post_init__(self) -> None:
        """Refuse an interval that does not hold its F1."""
        if not 0 <= self.low <= self.f1 <= self.high <= 1 or not 0 <= self.chance <= 1:
            raise ValueError("no F1 within its interval")


@dataclass(frozen=True)
class Card:
    """What the readers are.

    Attributes:
        key: Key of the recipe they were made by.
        datasets: Titles of the datasets of the adversary's sentences.
        sentences: Number of these.
        max_tokens: Longer sentences are cut off here.
        measured: How good each reader is, by name of its attack, then by title of the dataset.
        digest: SHA-256 of the weights; empty before they are written.
        seal: SHA-256 of all of the above; empty before it is written.
    """

    key: str
    datasets: tuple[str, ...]
    sentences: int
    max_tokens: int
    measured: Mapping[str, Mapping[str, Measured]]
    digest: str = ""
    seal: str = ""


def write(weights: Mapping[str, NDArray[Any]], card: Card, folder: Path = READERS) -> None:
    """Write the readers; the same weights give the same bytes."""
    from safetensors.numpy import save

    content = save({name: np.array(weights[name], order="C") for name in sorted(weights)})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).write_bytes(content)
    values = asdict(replace(card, digest=sha256(content).hexdigest()))
    values["seal"] = _seal(values)
    (folder / CARD).write_text(json.dumps(values, indent=1) + "\n", "utf-8")


@lru_cache(maxsize=1)
def card(folder: Path = READERS) -> Card:
    """Return the card.

    Raises:
        StoreError: It is missing or damaged, or a figure in it cannot be.
    """
    try:
        values = json.loads((folder / CARD).read_text("utf-8"))
        if values["seal"] != _seal(values):
            raise StoreError(f"The readers' {CARD} is damaged: its digest is not its own. {_REPAIR}")
        measured = {
            method: {dataset: Measured(**figures) for dataset, figures in by_dataset.items()}
            for method, by_dataset in values.pop("measured").items()
        }
        return Card(**{**values, "datasets": tuple(values["datasets"])}, measured=measured)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"The readers' {CARD} cannot be read ({type(error).__name__}). {_REPAIR}") from None


def _seal(values: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a card's values but the seal itself."""
    sealed = {name: value for name, value in values.items() if name != "seal"}
    return sha256(json.dumps(sealed, sort_keys=True).encode()).hexdigest()


def weights(folder: Path = READERS) -> dict[str, NDArray[Any]]:
    """Return the weights, by method and name.

    Raises:
        StoreError: They are missing, or not those the card names.
    """
    from safetensors.numpy import load

    try:
        content = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        raise StoreError(f"The readers' weights cannot be read ({error.strerror}). {_REPAIR}") from None
    if sha256(content).hexdigest() != card(folder).digest:
        raise StoreError(f"The readers' weights are damaged: their digest is not the card's. {_REPAIR}")
    arrays: dict[str, NDArray[Any]] = load(content)
    return arrays
