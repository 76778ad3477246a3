"""The audit of one model that somebody holds: which of its training documents can be recognised as such."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np

from core.access import Access
from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.audit import score as scoring
from core.games.audit.contract import AuditAttack
from core.games.audit.copied import copied
from core.games.audit.drawn import Drawn
from core.games.audit.eligible import FEWEST, eligible, takes, too_few
from core.games.blind import BlindScores, Known, Marked, blind_scores
from core.games.membership.contract import Adversary, Briefing, Target, moved, rows_of
from core.games.standards import OF_MEMBERSHIP, Standard
from core.result import Column, Estimate, Outcome, Schema, table
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.measures import LOW_RATES
from core.targets.held_model import HeldModel, Hyperparameter, Origin, assumed
from core.targets.model import Model
from core.text.marked import MarkedDocuments

OWN_DOCUMENTS = "Auxiliary documents of the adversary. Some trained the model; the adversary does not know which."
"""What the estimate ``own_documents`` counts."""
NEAR_COPIES = "near_copies"
"""Name of the estimate that counts near copies among the documents out in question."""
_COPIED = (
    "Documents out in question that share at least half of their runs of six words with documents in. They may pass "
    "for members, which hides a leak."
)
_OWNERS_VERSION = 2
"""Raised when audits of owners would answer otherwise, and those of documents as before."""
_MOST_BLIND = 3000
"""Most documents that the blind baseline reads, but at least one per target."""
_Setup = Setup[MarkedDocuments, HeldModel, AuditAttack]


class Audit(Game):
    """Membership of marked documents, known to be in or out, in the training data of one model.

    Only the adversary's shadow models are trained. The secret bits are the marks of the documents. Targets are drawn
    from a random half of the documents in and from all documents out, equally many of each, so that chance is a half.
    The adversary gets the texts of the targets without their marks. Its own documents, unmarked too, are the other half
    of those in, those out that are no targets, and those whose membership nobody knows.

    Intervals resample documents, or owners where documents name them. They hold for this one model: another training on
    the same documents would give other figures, and nothing is said about their spread. An interval excludes chance
    only where random marks on the same scores do so in less than 5% of draws.

    The blind baseline reads all that the adversary is given of the targets, and no model: texts, their classes, and how
    many documents an owner has. Where it separates ins from outs, the documents themselves differ, and what an attack
    finds need not come from the model.
    """

    title: ClassVar[str] = "audit of a model that you hold"
    version: ClassVar[int] = 7
    attack_kind: ClassVar[type[Attack]] = AuditAttack
    model_kind: ClassVar[type[Model]] = HeldModel
    main: ClassVar[str] = "auc"
    standards: ClassVar[tuple[Standard, ...]] = OF_MEMBERSHIP
    low_rates: ClassVar[tuple[str, ...]] = tuple(LOW_RATES)
    tables: ClassVar[dict[str, Schema]] = {
        "targets": {
            "target": Column("int32", "Number of the target."),
            "label": Column("str", "Whose documents they are, or the number of the document."),
            "size": Column("int32", "Number of documents."),
            "documents": Column("object", "Rows of the documents in the dataset."),
            "member": Column("bool", "Whether the target is marked in."),
        },
        **scoring.SCHEMAS,
    }
    counts: ClassVar[frozenset[str]] = frozenset(
        {
            *("queries", "own_documents", "shadow_documents", "known_words", "cut_documents", "assumed_settings"),
            NEAR_COPIES,
        }
    )
    """Estimates beside the scored figures that some attack or model gives."""
    knows_outs: ClassVar[bool] = False
    """Whether the adversary knows a random half of the documents out to be so; only the others are asked about."""

    users: Literal["documents", "owners"] = parameter(
        "documents", "A target is one document, or all documents of one owner that have the same mark."
    )
    targets: int = parameter(
        200, "Targets that are in, and as many that are out, at most.", unit="targets", ge=FEWEST, le=5000
    )
    documents: int = parameter(
        0,
        "Documents that the model was trained on; 0 for as many as are marked in.",
        label="Training set",
        unit="documents",
        ge=0,
        le=10_000_000,
    )

    def with_owners(self, owners_named: bool) -> Self:
        """Return the rules for a user's documents: a target is one owner's documents where these name owners."""
        return self.replace(users="owners" if owners_named else "documents")

    def names(self, attack: Any) -> frozenset[str]:
        """Return the figures by the attack, by each variant and by the blind baseline, and the counts."""
        return scoring.names(attack.variants) | self.counts

    def identity(self) -> dict[str, Any]:
        """Return what determines the result; audits of documents keep the keys that they had before owners had this."""
        version = {"owners_version": _OWNERS_VERSION} if self.users == "owners" else {}
        return {**super().identity(), **version}

    def plan(self) -> str:
        """Return who is attacked as a sentence."""
        unit = "owners" if self.users == "owners" else "documents"
        return f"At most {self.targets} {unit} that are in and as many that are out, of one model."

    def check_contents(self, setup: _Setup) -> None:
        """Check that enough documents are marked, and that models like this one can be trained.

        Raises:
            Incompatible: They are too few.
            InvalidVectors: The model's vectors cannot be read.
            ModelRefused: The model's folder cannot be read safely.
        """
        self.draw(setup.contents, setup.seed)
        setup.model.alike()

    def takes(self, targets: int) -> tuple[int, int]:
        """Return the fewest units in, and out, of which this many targets each can be drawn."""
        return takes(targets, knows_outs=self.knows_outs)

    def alternatives(self, setup: _Setup) -> Iterator[dict[str, Any]]:
        """Yield documents instead of owners, who may be too few."""
        if self.users == "owners":
            yield {"game.users": "documents"}

    def draw(self, documents: MarkedDocuments, seed: int) -> Drawn:
        """Draw the targets, and what the adversary has.

        Raises:
            Incompatible: Too few targets are in, or out.
        """
        rng = generator(seed, "audit")
        if self.users == "owners" and not documents.owners:
            raise Incompatible("These documents do not name their owners. Set 'owner_column', or ask about documents.")
        inside, outside = (self._units(documents, documents.rows(mark)) for mark in ("in", "out"))
        inside, outside = ([units[number] for number in rng.permutation(len(units))] for units in (inside, outside))
        ins, outs = eligible(len(inside), len(outside), knows_outs=self.knows_outs)
        may_be_in, askable = inside[:ins], outside[:outs]
        count = min(self.targets, ins, outs)
        if count < FEWEST:
            raise too_few(self.users, documents, knows_outs=self.knows_outs)
        drawn = [*((rows, True) for rows in may_be_in[:count]), *((rows, False) for rows in askable[:count])]
        drawn = [drawn[number] for number in rng.permutation(len(drawn))]
        known = [row for rows in outside[len(askable) :] for row in rows]
        withheld = {*known, *(row for rows in (*may_be_in, *askable[:count]) for row in rows)}
        auxiliary = np.array([row for row in range(len(documents)) if row not in withheld], np.int64)
        cluster = documents.clusters([rows[0] for rows, _ in drawn])
        targets = tuple(Target(self._label(documents, rows), len(rows), tuple(rows)) for rows, _ in drawn)
        bits = np.array([bit for _, bit in drawn])
        return Drawn(targets, bits, cluster, auxiliary, np.array(sorted(known), np.int64))

    def hyperparameters(self, documents: MarkedDocuments, model: HeldModel) -> tuple[Hyperparameter, ...]:
        """Return by what shadow models are trained, the size of the training set among it, and how that is known.

        Raises:
            InvalidVectors: The model's vectors cannot be read.
        """
        origin: Origin = "given" if self.documents else "assumed"
        size = Hyperparameter("documents", self.documents or len(documents.rows("in")), origin)
        return (*model.hyperparameters(), size)

    def _play(self, setup: _Setup) -> Outcome:
        documents, attack, seed, context = setup.contents, setup.attack, setup.seed, setup.context
        drawn = self.draw(documents, seed)
        context.progress.stage("Reading your model")
        briefing = self._briefing(documents, drawn, setup.model, seed)
        opened = setup.model.opened(briefing.corpus, attack.access())
        also = dict(opened.coverage)
        if shadow_documents := attack.shadow_documents(briefing):
            also["shadow_documents"] = Estimate.counted(
                shadow_documents,
                "documents",
                "Documents that a shadow model is trained on: as many as the model, or all that the adversary has.",
            )
            settings = self.hyperparameters(documents, setup.model)
            also["assumed_settings"] = assumed(settings)
        if own_documents := attack.own_documents(briefing):
            also["own_documents"] = Estimate.counted(own_documents, "documents", OWN_DOCUMENTS)
        return self._scored(setup, drawn, attack.prepare(briefing, context), opened.access, also)

    def _scored(
        self,
        setup: Setup[MarkedDocuments, Any, Any],
        drawn: Drawn,
        adversaries: Iterator[Adversary],
        access: Access,
        also: Mapping[str, Estimate],
    ) -> Outcome:
        """Play the blind baseline and the adversaries, and score their answers."""
        context, attack = setup.context, setup.attack
        context.progress.stage("Fitting the blind baseline")
        scorer = scoring.Scorer(drawn.member, drawn.cluster, setup.seed, self.users)
        scorer.add_blind(self._blind(setup.contents, drawn, setup.seed))
        answered = []
        for adversary in adversaries:
            answered.append(adversary.variant)
            scorer.add(adversary, access)
        if attack.part_name() not in answered:
            raise attack.unanswered("an adversary", answered)
        context.progress.stage("Scoring the answers")
        targets = [
            {
                "target": number,
                "label": target.label,
                "size": target.size,
                "documents": list(target.documents),
                "member": bool(drawn.member[number]),
            }
            for number, target in enumerate(drawn.targets)
        ]
        rows, outs = copied(drawn, setup.contents)
        estimates = {
            **scorer.estimates(attack.part_name()),
            **also,
            NEAR_COPIES: Estimate.counted(len(rows), "documents", _COPIED, of=outs),
        }
        return estimates, {"targets": table(self.tables["targets"], targets), **scorer.tables()}

    def _units(self, documents: MarkedDocuments, rows: list[int]) -> list[list[int]]:
        """Return the rows of each document, or of each owner's documents."""
        if self.users == "documents":
            return [[row] for row in rows]
        owned: dict[str, list[int]] = {}
        for row in rows:
            owned.setdefault(documents.owners[row], []).append(row)
        return list(owned.values())

    def _briefing(self, documents: MarkedDocuments, drawn: Drawn, model: HeldModel, seed: int) -> Briefing:
        rows = rows_of(drawn.targets)
        corpus = model.corpus([documents.texts[row] for row in (*drawn.auxiliary.tolist(), *rows)])
        return Briefing(
            corpus=corpus,
            targets=moved(drawn.targets, len(drawn.auxiliary)),
            auxiliary=np.arange(len(drawn.auxiliary)),
            documents=self._trained_on(documents, drawn),
            model=model.alike(),
            defenses=(),
            seed=int(generator(seed, "adversary").integers(2**62)),
        )

    def _trained_on(self, documents: MarkedDocuments, drawn: Drawn) -> int:
        """Return how many documents the model was trained on, as far as a shadow model can be trained on as many."""
        sizes = np.array([target.size for target in drawn.targets])
        # Each target is in a shadow model or not, by a coin: six standard deviations below the mean hardly ever happen.
        surely = int(sizes.sum() / 2 - 3 * float((sizes**2).sum()) ** 0.5)
        return min(self.documents or len(documents.rows("in")), len(drawn.auxiliary) + max(surely, 0))

    def _blind(self, documents: MarkedDocuments, drawn: Drawn, seed: int) -> BlindScores:
        """Return the blind baseline's score of each target: the mean over its documents."""
        asked = [list(target.documents) for target in drawn.targets]
        seen = {row for rows in asked for row in rows}
        others = [
            (rows, mark == "in")
            for mark in ("in", "out")
            for rows in self._units(documents, [row for row in documents.rows(mark) if row not in seen])
        ]
        order = generator(seed, "blind others").permutation(len(others)).tolist()
        room = max(_MOST_BLIND - len(seen), 0)
        chosen = [others[number] for number in order]
        ends = np.cumsum([len(rows) for rows, _ in chosen])
        chosen = chosen[: int(np.searchsorted(ends, room, side="right"))]
        units = [*asked, *(rows for rows, _ in chosen)]
        sizes = np.array([len(rows) for rows in units])
        if len(seen) > _MOST_BLIND:  # of targets with many documents, some of each
            some, most = generator(seed, "blind documents"), max(_MOST_BLIND // len(asked), 1)
            units = [sorted(some.permutation(rows)[:most].tolist()) for rows in units]
        known = documents.select([row for rows in units for row in rows])
        of_text = np.repeat(np.arange(len(units)), [len(rows) for rows in units])
        marked = Marked(
            of_text=of_text,
            member=np.concatenate([drawn.member, np.array([bit for _, bit in chosen], np.bool_)]),
            cluster=documents.clusters([rows[0] for rows in units]),
            targets=len(asked),
        )
        texts = ["\n".join(sides) for sides in known.sides(range(len(known)))]
        return blind_scores(Known(texts, known.labels, sizes[of_text]), marked, seed)

    def _label(self, documents: MarkedDocuments, rows: list[int]) -> str:
        return documents.owners[rows[0]] if self.users == "owners" else f"document {rows[0] + 1}"
