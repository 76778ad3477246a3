"""Membership of a set of documents in the training data of a model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.datasets import Dataset
from core.defenses import DataDefense, Defense, VectorDefense, training_options
from core.errors import Incompatible
from core.games import Game
from core.games.attack import Attack
from core.games.membership import score as scoring
from core.games.membership.contract import Adversary, Briefing, MembershipAttack, Target
from core.games.membership.score import Scorer
from core.networks.document_classifier import Labelled
from core.result import Column, Estimate, Schema, table
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.privacy import DELTA
from core.targets.document_model import DocumentModel
from core.targets.model import Model, TextModel
from core.targets.trained_target import TrainedTarget, utility_estimates
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus

if TYPE_CHECKING:
    import pandas as pd


class Membership(Game):
    """The security experiments of Mahloujifar et al. 2021, Figures 1 and 2, played for many targets at once.

    All documents but the targets' are divided into two disjoint halves, one for the trainer and one for the
    adversary. In each play the secret bits are drawn, one a target; the trainer's model is trained on the documents of
    the targets that are in and on others of its half, to a fixed total, so that a target that is out is replaced by
    fresh documents of the same distribution. With ``rules="independent"`` each bit is a fair coin: seen from any one
    target this is Figure 1, the other targets being among the users D_1 to D_n-1. With ``rules="half"`` exactly half
    of the targets of each size are in: Figure 2. The paper trains one model for each target and play, 150 for its
    three sizes; here one model serves all targets, which is as fair to each and lets 50 models give 500 decisions a
    size. Intervals resample models and targets, since decisions that share one are not independent.
    """

    version: ClassVar[int] = 2
    title: ClassVar[str] = "membership of a user's documents"
    tables: ClassVar[dict[str, Schema]] = {
        "targets": {
            "target": Column("int32", "Number of the target."),
            "label": Column("str", "Whose documents they are."),
            "size": Column("int32", "Number of documents."),
            "documents": Column("object", "Rows of the documents in the dataset."),
        },
        **scoring.SCHEMAS,
    }

    rules: Literal["independent", "half"] = parameter(
        "independent", "Each target is in by a fair coin (Figure 1), or exactly half of them are (Figure 2)."
    )
    users: Literal["emulated", "owners"] = parameter(
        "emulated", "A target is a random set of documents, as in the paper, or documents of one real owner."
    )
    target_sizes: tuple[Annotated[int, Field(ge=1, le=10_000)], ...] = parameter(
        (1, 10, 100),
        "Documents in a target, one group of targets for each size.",
        unit="documents",
        min_length=1,
        max_length=8,
    )
    targets: int = parameter(10, "Targets of each size.", unit="targets", ge=2, le=500)
    plays: int = parameter(50, "Target models; each decides every target once.", unit="models", ge=2, le=500)
    documents: int = parameter(
        10_000, "Documents a model is trained on.", label="Training set", unit="documents", ge=20, le=10_000_000
    )

    def play(
        self,
        dataset: Dataset,
        model: Model,
        defenses: tuple[Defense, ...],
        attack: Attack,
        seed: int,
        context: RunContext,
    ) -> "tuple[dict[str, Estimate], dict[str, pd.DataFrame]]":
        """Play the game.

        Raises:
            Incompatible: The parts do not fit this game, or the dataset is too small for it.
        """
        if not isinstance(attack, MembershipAttack) or not isinstance(model, TextModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of membership.")
        context.progress.stage(f"Reading {dataset.title}")
        documents: Documents = dataset.load()
        deal = self.deal(documents, seed)
        classified = self._classified(documents, model, seed)
        briefing = self._challenge(documents, deal, model, defenses, attack, classified, seed, context)
        members = self.draw(seed)
        releases = self._releases(dataset, documents, deal, members, model, defenses, classified, seed, context)
        accesses = [release.access for release in releases]

        sizes = np.array([target.size for target in deal.targets])
        scorer = Scorer(members, sizes, seed, attack.compared, self._audited(defenses))
        answer: Adversary | None = None
        for adversary in attack.prepare(briefing, context):
            scorer.add(adversary, accesses)
            if adversary.variant == attack.part_name() and np.isnan(adversary.penalty):
                answer = adversary
                context.progress.partial(scorer.rows)
        if answer is None:
            raise Incompatible(f"{attack.part_name()} prepared no adversary.")
        scorer.add_model_free(briefing, answer.shadows)
        context.progress.stage("Reading the evidence")
        tables = {
            "targets": table(
                self.tables["targets"],
                [
                    {"target": number, "label": target.label, "size": target.size, "documents": list(target.documents)}
                    for number, target in enumerate(deal.targets)
                ],
            ),
            **scorer.tables(answer),
            **attack.explain(briefing, answer, accesses, members, context),
        }
        return {**scorer.estimates(answer), **utility_estimates(releases, seed)}, tables

    def deal(self, documents: Documents, seed: int) -> "Split":
        """Draw the targets, and divide all other documents between trainer and adversary.

        Raises:
            Incompatible: There are too few documents, or too few owners with enough of them.
        """
        rng = generator(seed, "deal")
        sizes = [size for size in self.target_sizes for _ in range(self.targets)]
        apart = sum(sizes) if self.users == "emulated" else 0
        fresh = self.documents - self._surely_in
        if apart + 2 * fresh > len(documents):
            fits = (len(documents) - apart) // 2 + self._surely_in
            nearest = (
                f"The nearest training set that fits is {fits}." if fits >= 20 else "Use fewer or smaller targets."
            )
            raise Incompatible(
                f"Two disjoint halves of {fresh} documents and {apart} for the targets need "
                f"{apart + 2 * fresh} documents. The dataset has {len(documents)}. {nearest}"
            )
        if self.users == "owners":
            targets, left = self._owners(documents, sizes, rng)
        else:
            shuffled = rng.permutation(len(documents))
            ends = np.cumsum(sizes)
            targets = [
                Target(f"user {number + 1}", size, tuple(sorted(shuffled[end - size : end].tolist())))
                for number, (size, end) in enumerate(zip(sizes, ends, strict=True))
            ]
            left = shuffled[ends[-1] :]
        half = len(left) // 2
        if half < fresh:
            raise Incompatible(
                f"Each half holds {half} documents once the targets' owners are set aside. A training set of "
                f"{self.documents} does not fit; {half + self._surely_in} does."
            )
        return Split(tuple(targets), np.sort(left[:half]), np.sort(left[half:]))

    def _audited(self, defenses: tuple[Defense, ...]) -> float | None:
        """Return the delta of an audit: the one promised, or the usual one; None where the bits are not independent."""
        promise = training_options(defenses).promise
        delta = DELTA if promise is None else promise.delta
        return delta if self.rules == "independent" else None

    @property
    def _surely_in(self) -> int:
        """Documents of targets in every training set; none where coins decide."""
        return 0 if self.rules == "independent" else sum(self.targets // 2 * size for size in self.target_sizes)

    def _owners(
        self, documents: Documents, sizes: list[int], rng: np.random.Generator
    ) -> tuple[list[Target], NDArray[np.int64]]:
        if not documents.owners:
            raise Incompatible("This dataset does not say whose documents are whose. Choose emulated users instead.")
        owned: dict[str, list[int]] = {}
        for row, owner in enumerate(documents.owners):
            owned.setdefault(owner, []).append(row)
        targets: list[Target] = []
        for size in sizes:
            free = sorted(owner for owner, rows in owned.items() if len(rows) >= size)
            if not free:
                raise Incompatible(
                    f"Too few owners have {size} documents for {self.targets} targets of each of the sizes "
                    f"{', '.join(map(str, self.target_sizes))}. Use fewer targets or smaller sizes."
                )
            owner = free[int(rng.integers(len(free)))]
            rows = owned.pop(owner)
            targets.append(Target(owner, size, tuple(sorted(rng.choice(rows, size, replace=False).tolist()))))
        taken = {target.label for target in targets}
        left = np.array([row for row, owner in enumerate(documents.owners) if owner not in taken], dtype=np.int64)
        return targets, rng.permutation(left)

    def draw(self, seed: int) -> NDArray[np.bool_]:
        """Draw the secret bits, (plays, targets)."""
        rng = generator(seed, "secret")
        groups = len(self.target_sizes)
        if self.rules == "independent":
            return rng.random((self.plays, groups * self.targets)) < 0.5
        half = np.arange(self.targets) < self.targets // 2
        return np.array([np.concatenate([rng.permutation(half) for _ in range(groups)]) for _ in range(self.plays)])

    def _classified(self, documents: Documents, model: TextModel, seed: int) -> "Classified | None":
        """Return what a classifier on top of the embedding learns from, where the model has one."""
        if not isinstance(model, DocumentModel):
            return None
        labelled = model.labelled(documents)
        positive = model.positives(labelled)
        if labelled is documents:
            return Classified(positive)
        order = generator(seed, "classifier's documents").permutation(len(labelled))
        halves = (np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :]))
        trainer, adversary = (
            Labelled(Corpus.encode([labelled.texts[row] for row in half], model.vocabulary()), positive[half])
            for half in halves
        )
        return Classified(positive, trainer, adversary)

    def _challenge(
        self,
        documents: Documents,
        deal: "Split",
        model: TextModel,
        defenses: tuple[Defense, ...],
        attack: MembershipAttack,
        classified: "Classified | None",
        seed: int,
        context: RunContext,
    ) -> Briefing:
        context.progress.stage("Preparing the shadow documents")
        shadows = documents.select(deal.adversary.tolist()) if attack.shadow_data is None else attack.shadow_data.load()
        known = shadows.texts
        place = len(known)
        targets = []
        for target in deal.targets:
            targets.append(Target(target.label, target.size, tuple(range(place, place + target.size))))
            place += target.size
        rows = [row for target in deal.targets for row in target.documents]
        corpus = Corpus.encode([*known, *(documents.texts[row] for row in rows)], model.vocabulary())
        labelled = None if classified is None else classified.adversary
        if classified is not None and classified.adversary is None and isinstance(model, DocumentModel):
            own = model.positives(model.labelled(shadows))
            labelled = Labelled(corpus, np.concatenate([own, classified.positive[rows]]))
        return Briefing(
            corpus=corpus,
            targets=tuple(targets),
            auxiliary=np.arange(len(known)),
            documents=self.documents,
            model=model,
            defenses=defenses,
            seed=int(generator(seed, "adversary").integers(2**62)),
            labelled=labelled,
        )

    def _releases(
        self,
        dataset: Dataset,
        documents: Documents,
        deal: "Split",
        members: NDArray[np.bool_],
        model: TextModel,
        defenses: tuple[Defense, ...],
        classified: "Classified | None",
        seed: int,
        context: RunContext,
    ) -> list[TrainedTarget]:
        rows = np.concatenate([deal.trainer, *(target.documents for target in deal.targets)]).astype(np.int64)
        place = {int(row): number for number, row in enumerate(rows)}
        corpus = Corpus.encode([documents.texts[row] for row in rows], model.vocabulary())
        selections = []
        for play in range(self.plays):
            rng = generator(seed, "trainer", play)
            chosen: list[int] = []
            for target, member in zip(deal.targets, members[play], strict=True):
                kept: Sequence[int] = target.documents
                for defense in defenses:
                    if isinstance(defense, DataDefense):
                        kept = defense.on_data(kept, rng)
                if member:
                    chosen.extend(place[row] for row in kept)
            if len(chosen) > self.documents:
                raise Incompatible(
                    f"The targets that are in fill {len(chosen)} documents, more than the training set of "
                    f"{self.documents}. Use fewer or smaller targets."
                )
            rest = rng.choice(len(deal.trainer), self.documents - len(chosen), replace=False)
            selections.append(np.concatenate([np.array(chosen, dtype=np.int64), rest]))
        identity = {
            "trained target": 1,
            "dataset": dataset.identity(),
            "model": model.identity(),
            "defenses": [defense.identity() for defense in defenses if not isinstance(defense, VectorDefense)],
            "game": self.identity(),
            "seed": seed,
        }
        job = TrainingJob(corpus, selections, identity, seed, defenses=defenses)
        if classified is not None:
            labelled = classified.trainer or Labelled(corpus, classified.positive[rows])
            job = replace(job, labelled=labelled, majority_share=classified.commoner)
        return model.train_targets(job, context)


@dataclass(frozen=True)
class Classified:
    """What classifiers of documents learn from.

    Attributes:
        positive: Which documents, the dataset's or the classifier's own, are of the class looked for.
        trainer: The trainer's half of the classifier's own documents; None where it shares the embedding's.
        adversary: The adversary's half.
    """

    positive: NDArray[np.bool_]
    trainer: Labelled | None = None
    adversary: Labelled | None = None

    @property
    def commoner(self) -> float:
        """Share of the documents that are of the commoner class."""
        share = float(self.positive.mean())
        return max(share, 1 - share)


@dataclass(frozen=True)
class Split:
    """Rows of the dataset: whose membership is asked, what only the trainer has, what only the adversary has."""

    targets: tuple[Target, ...]
    trainer: NDArray[np.int64]
    adversary: NDArray[np.int64]
