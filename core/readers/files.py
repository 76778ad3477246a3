"""The files of the readers: weights in safetensors, and a card that says what they are and how good."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
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
    """How well a reader does on sentences that it never saw.

    Attributes:
        f1: Harmonic mean of precision and recall of the words named, each a mean over the sentences.
        low: Lower end of the 95 % interval, over resampled sentences.
        high: Its upper end.
        chance: F1 of naming the most frequent words of the dataset for every sentence.
        sentences: Held-out sentences, those with a word that counts.
        words: Words that the reader can name.
    """

    f1: float
    low: float
    high: float
    chance: float
    sentences: int
    words: int


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
    """

    key: str
    datasets: tuple[str, ...]
    sentences: int
    max_tokens: int
    measured: Mapping[str, Mapping[str, Measured]]
    digest: str = ""


def write(weights: Mapping[str, NDArray[Any]], card: Card, folder: Path = READERS) -> None:
    """Write the readers; the same weights give the same bytes."""
    from safetensors.numpy import save

    content = save({name: np.array(weights[name], order="C") for name in sorted(weights)})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).write_bytes(content)
    values = {**asdict(card), "digest": sha256(content).hexdigest()}
    (folder / CARD).write_text(json.dumps(values, indent=1) + "\n", "utf-8")


@lru_cache(maxsize=1)
def card(folder: Path = READERS) -> Card:
    """Return the card.

    Raises:
        StoreError: It is missing or damaged.
    """
    try:
        values = json.loads((folder / CARD).read_text("utf-8"))
        measured = {
            method: {dataset: Measured(**figures) for dataset, figures in each.items()}
            for method, each in values.pop("measured").items()
        }
        return Card(**{**values, "datasets": tuple(values["datasets"])}, measured=measured)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"The readers' {CARD} cannot be read ({type(error).__name__}). {_REPAIR}") from None


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
    found: dict[str, NDArray[Any]] = load(content)
    return found
