"""The audit of one model by its answers: which training documents does it give away to whoever may ask it?"""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from core.access import Access
from core.errors import Incompatible, excerpt
from core.games import Setup
from core.games.answers.contract import AnswersAttack, AnswersBriefing
from core.games.attack import Attack
from core.games.audit import NEAR_COPIES, OWN_DOCUMENTS, Audit
from core.games.audit.drawn import Drawn
from core.games.membership.contract import moved, rows_of
from core.result import Estimate, Outcome
from core.runtime.seeding import generator
from core.targets.answered_model import AskedModel
from core.targets.model import Model
from core.text.contents import Documents
from core.text.marked import MarkedDocuments


class AnswersAudit(Audit):
    """The audit of `core.games.audit` of a model that nobody loads: a user has put the targets' texts to it.

    Targets are drawn in the same way, and the adversary is given the same documents. Where they have classes, it knows
    these too, and so does the blind baseline.
    """

    title: ClassVar[str] = "audit of a model by its answers"
    attack_kind: ClassVar[type[Attack]] = AnswersAttack
    model_kind: ClassVar[type[Model]] = AskedModel
    version: ClassVar[int] = 5
    counts: ClassVar[frozenset[str]] = frozenset({"queries", "own_documents", NEAR_COPIES})

    def check_contents(self, setup: Setup[Any, Any, Any]) -> None:
        """Check that enough documents are marked, and have classes where they need them.

        Raises:
            Incompatible: They are too few.
        """
        check_classes(setup.contents, setup.attack)
        self.draw(setup.contents, setup.seed)

    def asked(self, documents: MarkedDocuments, seed: int) -> list[str]:
        """Return the texts of the targets' documents, which are put to the model.

        Raises:
            Incompatible: Too few documents are marked.
        """
        return [documents.texts[row] for row in rows_of(self.draw(documents, seed).targets)]

    def answered(self, model: AskedModel, documents: MarkedDocuments, attack: AnswersAttack, seed: int) -> Access:
        """Return access to the answers about the targets' documents.

        Raises:
            Incompatible: Too few documents are marked.
            InvalidAnswers: The answers are not those to the questions about them.
        """
        rows = rows_of(self.draw(documents, seed).targets)
        classes = [documents.labels[row] for row in rows] if attack.by_class else []
        return model.opened([documents.texts[row] for row in rows], classes, sorted(set(documents.labels)))

    def _play(self, setup: Setup[MarkedDocuments, Any, Any]) -> Outcome:
        documents, attack, seed, context = setup.contents, setup.attack, setup.seed, setup.context
        check_classes(documents, attack)
        drawn = self.draw(documents, seed)
        context.progress.stage("Reading the answers")
        access = self.answered(setup.model, documents, attack, seed)
        briefing = self._told(documents, drawn, attack, access, seed)
        if setup.model.asked_again(access):
            again = _chosen(attack, briefing, access)
            asked = [documents.texts[row] for row in rows_of(drawn.targets)]
            access = setup.model.opened_again(asked, again, sorted(set(documents.labels)))
            briefing = replace(briefing, access=type(access), again=again)
        also = {"own_documents": Estimate.counted(len(drawn.auxiliary), "documents", OWN_DOCUMENTS)}
        return self._scored(setup, drawn, attack.prepare(briefing, context), access, also)

    def asked_again(self, model: AskedModel, documents: MarkedDocuments, attack: AnswersAttack, seed: int) -> list[str]:
        """Return the texts of a second round, which the adversary chooses by the first answers.

        Raises:
            Incompatible: It would ask nothing again.
            InvalidAnswers: The first answers are not those to the questions about the documents.
        """
        check_classes(documents, attack)
        access = self.answered(model, documents, attack, seed)
        return list(_chosen(attack, self._told(documents, self.draw(documents, seed), attack, access, seed), access))

    def _told(
        self, documents: MarkedDocuments, drawn: Drawn, attack: AnswersAttack, access: Access, seed: int
    ) -> AnswersBriefing:
        held = np.concatenate([drawn.auxiliary, rows_of(drawn.targets)]).astype(np.int64)
        return AnswersBriefing(
            documents=Documents(
                tuple(documents.texts[row] for row in held),
                labels=tuple(documents.labels[row] for row in held) if attack.by_class else (),
            ),
            targets=moved(drawn.targets, len(drawn.auxiliary)),
            auxiliary=np.arange(len(drawn.auxiliary)),
            size=self._trained_on(documents, drawn),
            access=type(access),
            seed=int(generator(seed, "adversary").integers(2**62)),
        )


def check_classes(documents: MarkedDocuments, attack: AnswersAttack) -> None:
    """Refuse documents without classes where an attack needs them.

    Raises:
        Incompatible: They have none, or only one, or a document has none.
    """
    if not attack.by_class:
        return
    if not documents.labels:
        raise Incompatible("These documents have no classes. Set 'label_column' to the column that holds them.")
    if unclassed := [row for row, label in enumerate(documents.labels, 1) if not label]:
        raise Incompatible(
            f"{len(unclassed):,} documents have no class, the first being document {unclassed[0]:,}. Give each its "
            "class, or leave them out."
        )
    if len(set(documents.labels)) < 2:
        only = excerpt(documents.labels[0])
        raise Incompatible(f"All documents are of the class {only!r}. A classifier has at least two.")


def _chosen(attack: AnswersAttack, briefing: AnswersBriefing, access: Access) -> tuple[str, ...]:
    """Return the texts of a second round.

    Raises:
        Incompatible: There are none.
    """
    again = attack.again(briefing, access)
    if not again:
        raise Incompatible(
            f"{attack.part_name()} asks nothing again: a second round is for classifiers that return only the class. "
            "Go on with 'audit answer'."
        )
    return again
