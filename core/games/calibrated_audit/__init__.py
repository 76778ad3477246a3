"""The audit of one model by an adversary that trains none, but knows some documents to be out."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from core.errors import Incompatible
from core.games import Setup
from core.games.attack import Attack
from core.games.audit import NEAR_COPIES, OWN_DOCUMENTS, Audit
from core.games.audit.drawn import Drawn
from core.games.calibrated_audit.contract import CalibratedAttack, CalibratedBriefing
from core.games.membership.contract import moved, rows_of
from core.result import Estimate, Outcome
from core.runtime.seeding import generator
from core.targets.held_model import HeldModel
from core.text.corpus import Corpus
from core.text.marked import MarkedDocuments

_Setup = Setup[MarkedDocuments, HeldModel, CalibratedAttack]


class CalibratedAudit(Audit):
    """The audit of `core.games.audit` where no shadow model can be trained like the model.

    In their place, the adversary is told which documents are out: a random half of those so marked. It reads them with
    the model to see what documents give that it was not trained on. They are never asked about.
    """

    title: ClassVar[str] = "audit of a model by documents known to be out"
    attack_kind: ClassVar[type[Attack]] = CalibratedAttack
    version: ClassVar[int] = 3
    counts: ClassVar[frozenset[str]] = frozenset(
        {"queries", "own_documents", "known_outs", "cut_documents", NEAR_COPIES}
    )
    knows_outs: ClassVar[bool] = True

    def check_contents(self, setup: _Setup) -> None:  # type: ignore[override]
        """Check that enough documents are marked, and have translations where they need them.

        Raises:
            Incompatible: They are too few, or have none.
            InvalidSpec: No model is named.
            ModelRefused: The model's folder cannot be read safely.
        """
        check_translations(setup.contents, setup.attack)
        super().check_contents(setup)  # type: ignore[arg-type]

    def alternatives(self, setup: _Setup) -> Iterator[dict[str, Any]]:  # type: ignore[override]
        """Yield documents instead of owners, who may be too few."""
        return super().alternatives(setup)  # type: ignore[arg-type]

    def _play(self, setup: _Setup) -> Outcome:  # type: ignore[override]
        documents, attack, context = setup.contents, setup.attack, setup.context
        check_translations(documents, attack)
        drawn = self.draw(documents, setup.seed)
        context.progress.stage("Reading your model")
        briefing = self._calibrated(documents, drawn, setup)
        opened = setup.model.opened(briefing.corpus, attack.access())
        meaning = "Documents that the adversary knows to be out, a random half of those so marked; none is asked about."
        also = {
            **opened.coverage,
            "own_documents": Estimate.counted(len(drawn.auxiliary), "documents", OWN_DOCUMENTS),
            "known_outs": Estimate.counted(len(drawn.outside), "documents", meaning),
        }
        return self._scored(setup, drawn, attack.prepare(briefing, context), opened.access, also)

    def _calibrated(self, documents: MarkedDocuments, drawn: Drawn, setup: _Setup) -> CalibratedBriefing:
        held = [*drawn.auxiliary.tolist(), *drawn.outside.tolist()]
        return CalibratedBriefing(
            corpus=Corpus.of(documents.sides([*held, *rows_of(drawn.targets)])),
            targets=moved(drawn.targets, len(held)),
            auxiliary=np.arange(len(drawn.auxiliary)),
            outside=np.arange(len(drawn.auxiliary), len(held)),
            documents=self.documents or len(documents.rows("in")),
            model=setup.model.alike(),
            defenses=(),
            seed=int(generator(setup.seed, "adversary").integers(2**62)),
        )


def check_translations(documents: MarkedDocuments, attack: CalibratedAttack) -> None:
    """Refuse documents without translations where an attack needs them.

    Raises:
        Incompatible: They have none.
    """
    if attack.translated and not documents.translations:
        raise Incompatible(
            "These documents have no translations. Set 'translation_column' to the column that holds them."
        )
