"""Shadow models: the training documents of each, and their measurements."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.adversaries.pairs.plan import Plan, measure
from core.defenses import DataDefense, Defense, VectorDefense, defend_data, defend_vectors
from core.games.membership.contract import Briefing
from core.keys import key_of
from core.runtime.seeding import generator
from core.targets.model import Model
from core.targets.word_vectors import WordModel

_VERSION = 1


@dataclass(frozen=True)
class ShadowModels:
    """The shadow models of an adversary; the first ones are the same however many follow.

    With ``scheme="pool"`` models 2j and 2j+1 form pair j, and for each target a coin decides which of the two holds
    it: every target has exactly k models with and k without it among the first 2k, and all targets share them. With
    ``scheme="per_target"`` every target has pairs of its own, whose models hold no other target (the paper's scheme).

    Attributes:
        briefing: The adversary's briefing.
        model: How shadow models are trained.
        pairs: Number of pairs (k).
        scheme: Whether targets share the models.
        sampling: How the other documents of a model are drawn.
        adaptive: Whether the trainer's defenses are applied here too.
    """

    briefing: Briefing
    model: Model
    pairs: int
    scheme: Literal["pool", "per_target"]
    sampling: Literal["without_replacement", "bootstrap"]
    adaptive: bool

    @property
    def known_defenses(self) -> tuple[Defense, ...]:
        """The trainer's defenses, where the adversary knows them; none otherwise."""
        return self.briefing.defenses if self.adaptive else ()

    @property
    def defenses(self) -> list[Defense]:
        """Those of the known defenses that change documents or word vectors, not how a network is trained."""
        return [defense for defense in self.known_defenses if isinstance(defense, DataDefense | VectorDefense)]

    def key(self) -> str:
        """Key of all that determines the models, except their number."""
        briefing, digest = self.briefing, hashlib.sha256()
        corpus = briefing.corpus
        for tokens, _ in corpus.shards():
            digest.update(np.ascontiguousarray(tokens).data)
        for array in (corpus.offsets, briefing.auxiliary):
            digest.update(np.ascontiguousarray(array).data)
        digest.update("\n".join(corpus.words).encode())
        return key_of(
            {
                "shadows": _VERSION,
                "corpus": digest.hexdigest(),
                "targets": [list(target.documents) for target in briefing.targets],
                "documents": briefing.documents,
                "model": self.model.identity(),
                "defenses": [defense.identity() for defense in self.defenses],
                "seed": briefing.seed,
                "scheme": self.scheme,
                "sampling": self.sampling,
            }
        )

    def items(self, pairs: int) -> range:
        """Return the numbers of the models that make up the first ``pairs`` pairs of every target."""
        return range(2 * pairs * self._blocks)

    def serving(self, target: int, pairs: int) -> Sequence[int]:
        """Return the models from which the adversary learns about a target, with ``pairs`` pairs trained."""
        if self.scheme == "pool":
            return range(2 * pairs)
        return [2 * (pair * self._blocks + target) + side for pair in range(pairs) for side in (0, 1)]

    def compared(self, target: int) -> tuple[int, int]:
        """Return a model without a target and one with it, of those whose vectors are stored."""
        without, within = sorted(self.serving(target, 1), key=lambda item: bool(self.members(item)[target]))
        return without, within

    def members(self, item: int) -> NDArray[np.bool_]:
        """Return which targets a model holds, (targets,)."""
        pair, side = divmod(item, 2)
        if self.scheme == "pool":
            coins = generator(self.briefing.seed, "coins", pair).random(len(self.briefing.targets)) < 0.5
            return coins ^ bool(side)
        holds = np.zeros(len(self.briefing.targets), dtype=np.bool_)
        holds[pair % self._blocks] = not side
        return holds

    def documents(self, item: int) -> NDArray[np.int64]:
        """Return the rows of the briefing's corpus that a model is trained on."""
        briefing = self.briefing
        rng = generator(briefing.seed, "shadow documents", item)
        chosen: list[int] = []
        for target, holds in zip(briefing.targets, self.members(item), strict=True):
            rows = defend_data(target.documents, self.defenses, rng)
            if holds:
                chosen.extend(rows)
        missing = max(briefing.documents - len(chosen), 0)
        replace = self.sampling == "bootstrap" or missing > len(briefing.auxiliary)
        auxiliary = rng.choice(briefing.auxiliary, missing, replace=replace)
        return np.concatenate([np.array(chosen, dtype=np.int64), auxiliary])

    @property
    def vector_items(self) -> range:
        """Models whose vectors are stored: for each target one with it and one without."""
        return range(2 * self._blocks)

    @property
    def _blocks(self) -> int:
        return 1 if self.scheme == "pool" else len(self.briefing.targets)


def train_shadow(item: int, shadows: ShadowModels, plan: Plan) -> dict[str, NDArray[Any]]:
    """Train one shadow model and measure it; `ShadowModels.vector_items` also give the vectors of the plan's words."""
    briefing, model = shadows.briefing, shadows.model
    if not isinstance(model, WordModel):
        raise TypeError(f"pairs are measured in word vectors, not in {type(model).__name__}")
    corpus = briefing.corpus.select(shadows.documents(item))
    trained = model.train(corpus, generator(briefing.seed, "shadow model", item))
    embedding = defend_vectors(trained, shadows.defenses, generator(briefing.seed, "shadow release", item))
    measured: dict[str, NDArray[Any]] = {"row": measure(plan, embedding)}
    if item in shadows.vector_items:
        measured["vectors"] = embedding.lookup(plan.words)
    return measured
