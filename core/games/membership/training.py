"""What the target models of a membership game are trained on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.defenses import Defense, VectorDefense, defend_data, training_options
from core.errors import Incompatible
from core.games import Setup
from core.games.membership.briefing import owners_of
from core.games.membership.contract import Briefing, MembershipAttack, rows_of
from core.games.membership.labels import Labels
from core.games.membership.split import Split
from core.networks.document_classifier import Labelled
from core.runtime.seeding import generator
from core.statistics.privacy import DELTA
from core.targets.language_model import LanguageModel
from core.targets.model import TextModel
from core.targets.training_job import TrainingJob
from core.text.contents import Documents


@dataclass(frozen=True)
class Rules:
    """What a game says of its training sets.

    Attributes:
        identity: What determines the game.
        documents: Documents that a model is trained on.
        by_owner: Whether a target is documents of one owner.
        check_filled: Refuses targets that fill more documents than these.
    """

    identity: dict[str, Any]
    documents: int
    by_owner: bool
    check_filled: Callable[[int], None]


def audited_delta(defenses: Sequence[Defense]) -> float | None:
    """Return the delta of an audit, the one promised or the usual one; None where owners are promised something.

    An owner who is out is replaced by documents of many others: that is no one change, which an audit is about.
    """
    promise = training_options(defenses).promise
    if promise is None:
        return DELTA
    return None if promise.unit == "owner" else promise.delta


def training_job(
    setup: Setup[Documents, TextModel, MembershipAttack],
    split: Split,
    members: NDArray[np.bool_],
    labelled: Labels | None,
    rules: Rules,
) -> TrainingJob:
    """Return what the target models are trained on: the targets that are in, and others of the trainer's half.

    Args:
        setup: What is played with.
        split: The targets, and the trainer's half.
        members: (plays, targets) the secret bits.
        labelled: The classes of the documents; None where there are none.
        rules: What the game says of training sets.

    Raises:
        Incompatible: The targets that are in fill more documents than a training set.
    """
    documents, model, seed = setup.contents, setup.model, setup.seed
    rows = np.concatenate([split.trainer, rows_of(split.targets)]).astype(np.int64)
    position = {int(row): number for number, row in enumerate(rows[len(split.trainer) :], len(split.trainer))}
    corpus = documents.corpus(rows, model.vocabulary())
    selections = []
    for play in range(len(members)):
        rng = generator(seed, "trainer", play)
        chosen: list[int] = []
        for target, member in zip(split.targets, members[play], strict=True):
            defended = defend_data(target.documents, setup.defenses, rng)
            if member:
                chosen.extend(position[row] for row in defended)
        rules.check_filled(len(chosen))
        fresh = rng.choice(len(split.trainer), rules.documents - len(chosen), replace=False)
        selections.append(np.concatenate([np.array(chosen, dtype=np.int64), fresh]))
    identity = {
        "trained target": 1,
        "dataset": setup.dataset.identity(),
        "model": model.identity(),
        "defenses": [defense.identity() for defense in setup.defenses if not isinstance(defense, VectorDefense)],
        "game": rules.identity,
        "seed": seed,
    }
    owners = owners_of(documents, rows) if rules.by_owner else ()
    access = setup.attack.access()
    job = TrainingJob(corpus, selections, identity, seed, defenses=setup.defenses, access=access, owners=owners)
    if labelled is None:
        return job
    classes = labelled.trainer or Labelled(corpus, labelled.positive[rows])
    return replace(job, labelled=classes, majority_share=labelled.commoner)


def check_trainable(attack: MembershipAttack, briefing: Briefing, model: TextModel, job: TrainingJob) -> None:
    """Check, before anything is trained, that adversary and trainer can train what they will.

    Where a batch of private training is too large for both, the smaller proposal is the one that works.

    Raises:
        Incompatible: One of them cannot.
    """
    refusals: list[Incompatible] = []
    try:
        attack.check(briefing)
    except Incompatible as refusal:
        refusals.append(refusal)
    try:
        if isinstance(model, LanguageModel):
            model.noise(job)
    except Incompatible as refusal:
        refusals.append(refusal)
    if refusals:
        raise min(refusals, key=lambda refusal: refusal.fits.get("model.batch", 0))
