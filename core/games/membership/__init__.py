"""Membership of a set of documents in the training data of a model."""

from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from core.errors import Incompatible
from core.games import Game, Setup, blind
from core.games.attack import Attack
from core.games.membership import broken_split, fit
from core.games.membership import score as scoring
from core.games.membership.briefing import briefing_of
from core.games.membership.broken_split import RANDOM, SplitRule
from core.games.membership.contract import Adversary, MembershipAttack, Played, Target
from core.games.membership.labels import labels
from core.games.membership.refusal import Users, refused
from core.games.membership.score.blind_baseline import Reads
from core.games.membership.split import (
    TARGETS,
    Split,
    described,
    emulated_targets,
    halved,
    learns,
    owner_targets,
    secret_bits,
)
from core.games.membership.training import Rules, audited_delta, check_trainable, training_job
from core.games.standards import OF_MEMBERSHIP, Standard
from core.result import Outcome, Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.measures import LOW_RATES
from core.targets.document_model import DocumentModel
from core.targets.model import Model, TextModel
from core.targets.trained_target import utility_estimates
from core.text.contents import Documents

_Setup = Setup[Documents, TextModel, MembershipAttack]


class Membership(Game):
    """The security experiments of Mahloujifar et al. 2021, Figures 1 and 2, played for many targets at once.

    The documents of no target are divided into two disjoint halves, the trainer's and the adversary's. Each play draws
    a secret bit for each target. The target model is trained on the targets that are in and on other documents of the
    trainer's half, up to a fixed total: a target that is out is replaced by fresh documents of the same distribution.

    With ``rules="independent"`` each bit is a fair coin: Figure 1, the other targets being users D_1 to D_n-1. With
    ``rules="half"`` exactly half of the targets of each size are in: Figure 2. The paper trains one model for each
    target and play, 150 for its three sizes. Here one model serves all targets, so that 50 models give 500 decisions a
    size. Intervals leave out models and targets in turn, since decisions that share one are not independent.

    With ``split="broken by date"`` no lot decides: the older half of all documents is the trainer's, and the targets
    among it are in. Many published evaluations are split so (Duan et al. 2024; Das et al. 2024; Meeus et al. 2024). It
    is a lesson: chance is then what a classifier reaches that reads the texts alone.
    """

    version: ClassVar[int] = 6
    title: ClassVar[str] = "membership of a user's documents"
    attack_kind: ClassVar[type[Attack]] = MembershipAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_MEMBERSHIP
    low_rates: ClassVar[tuple[str, ...]] = tuple(LOW_RATES)
    model_kind: ClassVar[type[Model]] = TextModel
    tables: ClassVar[dict[str, Schema]] = {
        "targets": TARGETS,
        **scoring.SCHEMAS,
    }

    rules: Literal["independent", "half"] = parameter(
        "independent", "Each target is in by a fair coin (Figure 1), or exactly half of them are (Figure 2)."
    )
    users: Literal["emulated", "owners"] = parameter(
        "emulated", "A target is a random set of documents, as in the paper, or documents of one real owner."
    )
    halves: Literal["documents", "owners"] = parameter(
        "documents",
        "The documents of no target are halved at random, or owner by owner: then nobody has documents in both halves.",
        label="Halves by",
        advanced=True,
        implied="documents",
    )
    split: SplitRule = parameter(
        RANDOM,
        "Who is in is drawn by lot; or, deliberately broken (broken by date), those of the older half are.",
        advanced=True,
        implied=RANDOM,
    )
    text_alone: Reads = parameter(
        "lengths",
        "What the blind baseline reads: lengths and how common the words are, or the words themselves, also "
        "of other documents of both halves.",
        label="Blind baseline reads",
        advanced=True,
        implied="lengths",
    )
    target_sizes: tuple[Annotated[int, Field(ge=1, le=10_000)], ...] = parameter(
        (1, 10, 100),
        "Documents in a target, one group of targets for each size.",
        unit="documents",
        min_length=1,
        max_length=8,
        each_once=True,
    )
    targets: int = parameter(10, "Targets of each size.", unit="targets", ge=2, le=5000)
    plays: int = parameter(50, "Target models; each decides every target once.", unit="models", ge=2, le=500)
    documents: int = parameter(
        10_000, "Documents a model is trained on.", label="Training set", unit="documents", ge=20, le=10_000_000
    )

    def _play(self, setup: _Setup) -> Outcome:
        attack, seed, context = setup.attack, setup.seed, setup.context
        split = self.draw_split(setup.contents, seed)
        labelled = labels(setup.contents, setup.model, seed)
        context.progress.stage("Preparing the shadow documents")
        briefing = briefing_of(setup, split, labelled, self.documents, by_owner=self.users == "owners")
        members = self._members(setup.contents, split, seed)
        rules = Rules(
            self.identity(),
            self.documents,
            by_owner=self.users == "owners",
            check_filled=lambda filled: self._check_filled(filled, setup.contents, seed),
        )
        job = training_job(setup, split, members, labelled, rules)
        check_trainable(attack, briefing, setup.model, job)
        trained = setup.model.train_targets(job, context)
        accesses = [target.access for target in trained]

        sizes = np.array([target.size for target in split.targets])
        delta = audited_delta(setup.defenses) if self.rules == "independent" else None
        scorer = scoring.Scorer(members, sizes, seed, attack.compared, delta, by_text=self.split != RANDOM)
        answer: Adversary | None = None
        for adversary in attack.prepare(briefing, context):
            scorer.add(adversary, accesses)
            if adversary.variant == attack.part_name() and np.isnan(adversary.penalty):
                answer = adversary
                context.progress.partial(scorer.rows)
        if answer is None:
            raise attack.unanswered("an adversary", scorer.variants)
        context.progress.stage("Fitting the blind baseline")
        words = setup.model.vocabulary()
        scorer.add_model_free(
            briefing,
            answer.shadows,
            self.text_alone,
            lambda: (setup.contents.corpus(split.trainer, words), setup.contents.corpus(split.adversary, words)),
        )
        context.progress.stage("Reading the evidence")
        tables = {
            "targets": described(split.targets),
            **scorer.tables(answer),
            **attack.explain(Played(briefing, answer, accesses, members), context),
        }
        return {**scorer.estimates(answer), **utility_estimates(trained)}, tables

    def draw_split(self, documents: Documents, seed: int) -> Split:
        """Draw the targets, and split all other documents between trainer and adversary.

        Raises:
            Incompatible: There are too few documents, or too few owners with enough of them, or they have no dates.
        """
        if self.split != RANDOM:
            broken_split.check_dated(documents)
        for_targets = sum(self._sizes()) if self.users == "emulated" else 0
        fresh = max(self.documents - self.surely_in, 0)
        needed = for_targets + 2 * fresh
        if needed > len(documents):
            reason = fit.halves(self.documents, self.surely_in, for_targets, len(documents))
            raise self._refused(reason, documents, seed)
        try:
            targets, other_rows = self._targets(documents, seed)
        except Incompatible as refusal:
            raise self._refused(str(refusal), documents, seed) from None
        trainer, adversary = self._halved(documents, other_rows)
        half = min(len(trainer), len(adversary))
        if half < fresh:
            raise self._refused(fit.half_too_small(half, self.documents), documents, seed)
        if not self._learns(documents, adversary):
            raise self._refused(fit.TOO_LITTLE, documents, seed)
        return Split(tuple(targets), np.sort(trainer), np.sort(adversary))

    def identity(self) -> dict[str, Any]:
        """Return what determines the result; results from before there were these choices keep their keys."""
        fields = super().identity()
        versions = {"split": broken_split.VERSION, "text_alone": blind.VERSION}
        return {**fields, **{f"{name}_version": version for name, version in versions.items() if name in fields}}

    def versions(self, attack: MembershipAttack, model: Model, *, released: bool) -> dict[str, int]:
        """Return the version of what an attack does about owners; results of other targets keep their keys."""
        return {"owners_version": attack.owners_version} if self.users == "owners" and attack.owners_version else {}

    def with_owners(self, owners_named: bool) -> Self:
        """Return the rules for a user's documents: a target is one owner's documents where these name owners."""
        return self.replace(users="owners" if owners_named and self.split == RANDOM else "emulated")

    def plan(self) -> str:
        """Return who is attacked, and how often, as a sentence."""
        who = "documents of one owner each" if self.users == "owners" else "random documents (emulated users)"
        sizes = ", ".join(map(str, self.target_sizes))
        phrase = "of each size," if len(self.target_sizes) > 1 else "of"
        return (
            f"{self.targets} targets {phrase} {sizes} {who}. "
            f"{self.plays} target models, each trained on {self.documents:,} documents."
        )

    def caveat(self) -> str:
        """Return the warning of the broken split."""
        return "" if self.split == RANDOM else broken_split.WARNING

    def workload(self, attack: MembershipAttack, documents: int) -> int:
        """Return the documents of all target models and shadow models together."""
        return (self.plays + attack.shadow_models(len(self._sizes()))) * self.documents

    def check_contents(self, setup: _Setup) -> None:
        """Check that the targets fit the documents, and, undefended, all that are in one training set.

        Raises:
            Incompatible: They do not fit, and the message names a training set and targets that do; or the documents
                lack the classes that a classifier learns.
        """
        model, contents, seed = setup.model, setup.contents, setup.seed
        if isinstance(model, DocumentModel) and model.texts is None:
            model.labelled(contents)
        self.draw_split(contents, seed)
        if not setup.defenses:
            self._check_filled(int((self.draw(seed) @ np.array(self._sizes())).max()), contents, seed)

    def draw(self, seed: int) -> NDArray[np.bool_]:
        """Draw the secret bits, (plays, targets)."""
        shape = self.plays, len(self.target_sizes), self.targets
        return secret_bits(shape, generator(seed, "secret"), independent=self.rules == "independent")

    @model_validator(mode="after")
    def _a_broken_split_is_of_documents(self) -> Self:
        if self.split != RANDOM:
            broken_split.check(self.rules, self.users, self.target_sizes)
        return self

    def _members(self, documents: Documents, split: Split, seed: int) -> NDArray[np.bool_]:
        """Return who is in, (plays, targets): drawn by lot, or in the broken split the older ones in every play."""
        if self.split == RANDOM:
            return self.draw(seed)
        return np.tile(broken_split.older(documents.dates, split.targets), (self.plays, 1))

    def _halved(self, documents: Documents, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the trainer's and the adversary's half of documents in a random order."""
        if self.split != RANDOM:
            return broken_split.halved(documents.dates, rows)
        return halved(rows, documents.owners if self.halves == "owners" else ())

    def _learns(self, documents: Documents, adversary: NDArray[np.int64]) -> bool:
        return learns(adversary, documents.owners if self.users == "owners" else ())

    @property
    def surely_in(self) -> int:
        """Documents of targets in every training set; none where coins or dates decide."""
        is_half = self.rules == "half" and self.split == RANDOM
        return sum(self.targets // 2 * size for size in self.target_sizes) if is_half else 0

    def _sizes(self) -> list[int]:
        return [size for size in self.target_sizes for _ in range(self.targets)]

    def _targets(self, documents: Documents, seed: int) -> tuple[list[Target], NDArray[np.int64]]:
        """Return the targets, and the rows of other documents in a random order."""
        rng = generator(seed, "deal")
        if self.users == "owners":
            return owner_targets(documents.owners, self._sizes(), rng)
        return emulated_targets(len(documents), self._sizes(), rng)

    def _check_filled(self, filled: int, documents: Documents, seed: int) -> None:
        if filled > self.documents:
            raise self._refused(fit.overfilled(filled, self.documents), documents, seed)

    def _refused(self, reason: str, documents: Documents, seed: int) -> Incompatible:
        """Return the error of a dataset that is too small, with settings that fit."""
        requested = fit.Plan(self.targets, self.target_sizes, self.documents)
        emulated = self.replace(users="emulated")._attacked(documents, seed) if self.users == "owners" else None
        return refused(reason, requested, self._attacked(documents, seed), emulated, documents.likely_owners)

    def _attacked(self, documents: Documents, seed: int) -> Users:
        """Return who is attacked, and the room for other targets and sizes."""
        fewest = self.replace(targets=fit.CONCLUSIVE_TARGETS, target_sizes=(1,))

        def room_with(targets: int, sizes: tuple[int, ...]) -> fit.Room:
            return self.replace(targets=targets, target_sizes=sizes)._room(documents, seed)

        return Users(self.users, room_with, fewest.surely_in)

    def _room(self, documents: Documents, seed: int) -> fit.Room:
        """Return what these rules need, and what documents leave for trainer and adversary."""
        try:
            _, rows = self._targets(documents, seed)
        except Incompatible:
            rows = np.empty(0, np.int64)
        halves = self._halved(documents, rows)
        half = min(map(len, halves)) if self._learns(documents, halves[1]) else 0
        in_training = sum(self._sizes()) if self.rules == "independent" else self.surely_in
        return fit.Room(in_training, half + self.surely_in if half else 0, half)
