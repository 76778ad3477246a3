"""Causal language models that an adversary fine-tunes as the trainer does; their losses are kept, and no weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.adversaries.own_sets import Text
from core.adversaries.pairs.shadows import ShadowModels
from core.errors import Incompatible
from core.keys import key_of
from core.models.own_language_model import OwnLanguageModel
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator

_VERSION = 1


@dataclass(frozen=True)
class KnownLosses:
    """A language model known only by its losses on some texts.

    Attributes:
        known: The loss of each token of a text, in nats, by text.
    """

    known: Mapping[str, NDArray[np.float64]]

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the losses of documents, (tokens,) each.

        Raises:
            KeyError: One was never read.
        """
        return [self.known[" ".join(document)] for document in documents]


def read_by_base(model: OwnLanguageModel, documents: Text, context: RunContext) -> KnownLosses:
    """Return the losses by the model before fine-tuning."""
    identity = {"base": model.identity()["base"], "context": model.context}
    key = key_of({"of the base": _VERSION, **identity, "texts": list(map(list, documents))})
    shared = {"model": model, "documents": documents, "pool": None}
    ((_, losses),) = context.train("Reading the documents with the base", key, _fine_tuned, [0], shared)
    return _restored(losses, documents)


def read_by_shadows(pool: ShadowModels, documents: Text, context: RunContext) -> list[KnownLosses]:
    """Return the losses by the shadow models of a pool, in the order of their numbers."""
    key = key_of({"fine-tuned": _VERSION, "pool": pool.key(), "texts": list(map(list, documents))})
    shared = {"model": pool.model, "documents": documents, "pool": pool}
    trained = context.train("Fine-tuning shadow models", key, _fine_tuned, pool.items(pool.pairs), shared)
    return [_restored(losses, documents) for _, losses in sorted(trained)]


def _fine_tuned(
    item: int, model: OwnLanguageModel, documents: Text, pool: ShadowModels | None
) -> dict[str, NDArray[Any]]:
    """Return the losses of all documents in a row, by the base or once it is fine-tuned as a shadow model."""
    from core.encoders.causal import opened
    from core.networks.language.fine_tuning import fine_tune

    folder = model.base_folder()
    if folder is None:
        raise Incompatible("Shadow language models are fine-tuned from a base. None is named: set 'base'.")
    network = opened(folder)
    if pool is not None:
        briefing = pool.briefing
        texts = [" ".join(words) for words in briefing.corpus.select(pool.documents(item)).texts()]
        fine_tune(network, texts, model.fine_tuning(), generator(briefing.seed, "shadow language model", item))
    tokens = [kept for kept, _ in network.tokens([" ".join(words) for words in documents], model.context)]
    losses = network.losses(tokens)
    return {
        "losses": np.concatenate([np.empty(0), *losses]).astype(np.float32),
        "ends": np.cumsum([len(row) for row in losses]),
    }


def _restored(arrays: Arrays, documents: Text) -> KnownLosses:
    rows = np.split(arrays["losses"].astype(np.float64), arrays["ends"][:-1])
    return KnownLosses({" ".join(words): row for words, row in zip(documents, rows, strict=True)})
