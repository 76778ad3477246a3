"""Trains translators and queries them, each at each epoch once; what they give is kept in the store."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.access import Access
from core.games.translation_membership.contract import TranslationAttack
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import key_of
from core.targets.trained_target import Epoch, TrainedTarget
from core.targets.training_job import TranslationJob
from core.targets.translator import TranslationModel
from core.text.bitext import Bitext

OF_ASKED = "asked."
"""Prefix of the stored arrays that are about the pairs in question."""

At = tuple[int, int]
"""Number of a translator, and its epochs of training by then."""


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
        "kept": list(job.kept),
        "pairs": content_key(job.validation, *job.selections),
        "defenses": [defense.identity() for defense in job.defenses],
    }
    trained = model.release(
        replace(job, identity=identity), context, lambda epochs: context.progress.partial(on_epoch(epochs))
    )
    on_epoch([target.passes for target in trained])
    return trained


def attacked_epochs(targets: Sequence[TrainedTarget], shadows: Sequence[TrainedTarget]) -> list[int]:
    """Return the epochs after which target models are attacked: those kept of any once all have one, and the last."""
    first = max(min(model.course) for model in (*targets, *shadows))
    kept = {epoch for target in targets for epoch in target.course}
    return sorted({epoch for epoch in kept if epoch >= first} | {max(kept)})


def by_then(models: Sequence[TrainedTarget], epoch: float) -> list[At]:
    """Return the last kept state of each translator up to an epoch; one whose training has ended stays as it is."""
    return [(number, max(kept for kept in model.course if kept <= epoch)) for number, model in enumerate(models)]


@dataclass(frozen=True)
class Queries:
    """Queries of an attack to translators.

    Attributes:
        attack: The attack.
        asked: The pairs in question.
        seed: Source of the adversary's randomness.
        identity: Plain values of all that determines the translators and the queries.
        context: Where the queries are made and what they gave is kept.
    """

    attack: TranslationAttack
    asked: Bitext
    seed: int
    identity: Mapping[str, Any]
    context: RunContext

    def of_targets(self, targets: Sequence[TrainedTarget], states: Sequence[Sequence[At]]) -> list[list[Arrays]]:
        """Return what target models give for the pairs in question, by the states asked for."""
        arguments = {at: {"access": targets[at[0]].course[at[1]]} for of_epoch in states for at in of_epoch}
        return self._each_once("Asking the target models", "targets", _query_target, states, arguments)

    def of_shadows(
        self, shadows: Sequence[TrainedTarget], probes: Sequence[Bitext], states: Sequence[Sequence[At]]
    ) -> list[list[Arrays]]:
        """Return what shadow models give for their own probes and for the pairs in question, by the states asked for.

        Args:
            shadows: The shadow models.
            probes: Probes of each shadow model.
            states: Those to query, any number of times.
        """
        arguments = {
            at: {"access": shadows[at[0]].course[at[1]], "probes": probes[at[0]]}
            for of_epoch in states
            for at in of_epoch
        }
        return self._each_once("Asking the shadow models", "shadows", _query_shadow, states, arguments)

    def _each_once(
        self,
        stage: str,
        of: str,
        function: Callable[..., Arrays],
        states: Sequence[Sequence[At]],
        arguments: Mapping[At, Mapping[str, Any]],
    ) -> list[list[Arrays]]:
        different = sorted(arguments)
        key = key_of({**self.identity, "of": of, "asks": different})
        by_item = {item: arguments[at] for item, at in enumerate(different)}
        shared = {"attack": self.attack, "asked": self.asked, "seed": self.seed}
        given = dict(self.context.train(stage, key, function, by_item, shared, by_item))
        return [[given[different.index(at)] for at in of_epoch] for of_epoch in states]


def _query_target(item: int, attack: TranslationAttack, asked: Bitext, seed: int, access: Access) -> Arrays:
    """Return what a target model gives for the pairs in question, and the number of queries."""
    before = access.queries
    observed = attack.observe(asked, access, generator(seed, "asked"))
    return {**observed.as_arrays(), "queries": np.array(access.queries - before)}


def _query_shadow(
    item: int, attack: TranslationAttack, asked: Bitext, seed: int, access: Access, probes: Bitext
) -> Arrays:
    """Return what a shadow model gives for its own probes, and for the pairs in question."""
    observed = attack.observe(probes, access, generator(seed, "probes", item))
    compared = attack.compare(asked, access)
    return {**observed.as_arrays(), **{OF_ASKED + name: values for name, values in compared.items()}}
