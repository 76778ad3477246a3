"""Trains translators and queries each of them once at each epoch; the store keeps what they give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.access import Access
from core.games.translation_membership.contract import TranslationAttack
from core.keys import key_of
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.targets.trained_target import Epoch, TrainedTarget
from core.targets.training_job import TranslationJob
from core.targets.translator import TranslationModel
from core.text.bitext import Bitext

PAIR_PREFIX = "asked."
"""Prefix of the stored arrays that are about the pairs in question."""


def train(
    model: TranslationModel,
    job: TranslationJob,
    context: RunContext,
    on_epoch: Callable[[Sequence[Sequence[Epoch]]], list[dict[str, Any]]],
) -> list[TrainedTarget]:
    """Train translators under a key of the pairs that each learns from.

    Args:
        model: How they are trained.
        job: What they are trained on.
        context: Where they are trained and kept.
        on_epoch: Turns the epochs of each translator so far into the rows that are shown as progress.
    """
    identity = {
        **job.identity,
        "model": model.identity(),
        "kept": list(job.snapshot_epochs),
        "pairs": content_key(job.validation, *job.selections),
        "defenses": [defense.identity() for defense in job.defenses],
    }
    trained = model.train_targets(
        replace(job, identity=identity), context, lambda epochs: context.progress.partial(on_epoch(epochs))
    )
    on_epoch([target.epochs for target in trained])
    return trained


def attacked_epochs(targets: Sequence[TrainedTarget], shadows: Sequence[TrainedTarget]) -> list[int]:
    """Return the epochs after which target models are attacked: those with a snapshot of any, and the last.

    The first is the one from which every model has a snapshot.
    """
    first = max(min(model.snapshots) for model in (*targets, *shadows))
    epochs = {epoch for target in targets for epoch in target.snapshots}
    return sorted({epoch for epoch in epochs if epoch >= first} | {max(epochs)})


@dataclass(frozen=True)
class Queries:
    """Queries of an attack to translators.

    Attributes:
        attack: The attack.
        pairs: The pairs in question.
        outside: Pairs that no model is trained on.
        seed: Source of the adversary's randomness.
        identity: Plain values of all that determines the translators and the queries.
        context: Where the queries are made and what they gave is kept.
    """

    attack: TranslationAttack
    pairs: Bitext
    outside: Bitext
    seed: int
    identity: Mapping[str, Any]
    context: RunContext

    def of_targets(self, targets: Sequence[TrainedTarget], epochs: Sequence[float]) -> list[list[Arrays]]:
        """Return what target models give for the pairs in question after each epoch."""
        return self._each_once("targets", _query_target, targets, epochs, [{"outside": self.outside}] * len(targets))

    def of_shadows(
        self, shadows: Sequence[TrainedTarget], epochs: Sequence[float], probes: Sequence[Bitext]
    ) -> list[list[Arrays]]:
        """Return what shadow models give for their own probes and the pairs in question after each epoch."""
        return self._each_once("shadows", _query_shadow, shadows, epochs, [{"probes": pairs} for pairs in probes])

    def _each_once(
        self,
        models: str,
        function: Callable[..., Arrays],
        trained: Sequence[TrainedTarget],
        epochs: Sequence[float],
        arguments: Sequence[Mapping[str, Any]],
    ) -> list[list[Arrays]]:
        """Query translators in their last snapshot up to each epoch; after its training a translator stays as it is."""
        states = [
            [(number, max(done for done in model.snapshots if done <= epoch)) for number, model in enumerate(trained)]
            for epoch in epochs
        ]
        different = sorted({state for of_epoch in states for state in of_epoch})
        key = key_of({**self.identity, "of": models, "asks": different})
        by_item = {
            item: {"access": trained[number].snapshots[epoch], **arguments[number]}
            for item, (number, epoch) in enumerate(different)
        }
        shared = {"attack": self.attack, "pairs": self.pairs, "seed": self.seed}
        stage = f"Querying the {models.removesuffix('s')} models"
        arrays = dict(self.context.train(stage, key, function, by_item, shared, by_item))
        return [[arrays[different.index(state)] for state in of_epoch] for of_epoch in states]


def _query_target(
    item: int, attack: TranslationAttack, pairs: Bitext, seed: int, access: Access, outside: Bitext
) -> Arrays:
    """Return what a target model gives for the pairs in question, and the number of queries."""
    before = access.queries
    observed = attack.observe(pairs, access, generator(seed, "asked"))
    if attack.asks_outside:
        observed = replace(observed, outside=attack.compare(outside, access))
    return {**observed.as_arrays(), "queries": np.array(access.queries - before)}


def _query_shadow(
    item: int, attack: TranslationAttack, pairs: Bitext, seed: int, access: Access, probes: Bitext
) -> Arrays:
    """Return what a shadow model gives for its own probes, and for the pairs in question."""
    observed = attack.observe(probes, access, generator(seed, "probes", item))
    compared = attack.compare(pairs, access)
    return {**observed.as_arrays(), **{PAIR_PREFIX + name: values for name, values in compared.items()}}
