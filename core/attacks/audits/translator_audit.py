"""Translator audit: a translator finds the translations that it was trained on likelier than it otherwise would."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from core.access import Access
from core.access.own_networks import OwnTranslations
from core.adversaries.known_outs import CalibratedAdversary, ComparedDocuments, Statistic, read_by_base
from core.adversaries.text_difficulty import difficulties
from core.adversaries.translation.features import Likelihood, Overlap
from core.errors import Incompatible
from core.games.calibrated_audit.contract import CalibratedAttack, CalibratedBriefing
from core.games.membership.contract import Adversary
from core.models.own_translator import OwnTranslator
from core.runtime.context import RunContext
from core.spec import parameter


class TranslatorAudit(CalibratedAttack):
    """Membership of sentence pairs in one translator by the probability that it gives the reference.

    The statistic is the mean log-probability of a token of the reference (Hisamoto et al. 2020, section 6.1). Enough
    translators like one of millions of weights cannot be trained on two cores. In the place of shadow models the
    adversary knows pairs that are out. It predicts the statistic of a pair from what it sees without the model: length,
    compressibility and frequency of the words of both sides; and, where a base is named, from the base's own
    log-probability. The regression is fitted on the pairs known to be out (a quantile regression in Bertran et al.
    2023; here a ridge regression with a threshold that 95% of these do not exceed). The score is what exceeds it.

    Variants, with their thresholds from the same pairs: ``loss``, the log-probability alone; ``bleu``, the overlap of
    the greedy translation with the reference (sentence BLEU, their section 5); and with a base ``reference``, how much
    likelier than by the base a token is.
    """

    title: ClassVar[str] = "Translator audit"
    question: ClassVar[str] = "Which sentence pairs give away that your translator was trained on them?"
    claim: ClassVar[str] = (
        "Given the translator that you hold, the adversary tells whether a sentence pair was among its training pairs"
    )
    threat: ClassVar[str] = (
        "The adversary holds the sentence pairs in question and others of their kind, knows half of those that are out "
        "to be so, and may ask your translator for translations and for the probability of any translation; it trains "
        "no translator of its own."
    )
    needs: ClassVar[type[Access]] = OwnTranslations
    translated: ClassVar[bool] = True
    variants: ClassVar[tuple[str, ...]] = ("loss", "bleu", "reference")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {"dataset": {"part": "marked_documents"}, "model": {"part": "own_translator"}}
    }

    translates: bool = parameter(
        True,
        "Also play BLEU, for which every sentence is translated; it takes most of the time.",
        label="BLEU",
        advanced=True,
    )

    def prepare(self, briefing: CalibratedBriefing, context: RunContext) -> Iterator[Adversary]:
        """Read the pairs by the base, where there is one, and yield the variants and then the attack."""
        model, compared = briefing.model, ComparedDocuments.of(briefing)
        if not isinstance(model, OwnTranslator):
            raise Incompatible(f"{self.part_name()} needs a translator that somebody holds.")
        documents = compared.documents
        auxiliary = briefing.corpus.select(briefing.auxiliary).texts()
        known = np.column_stack(
            [difficulties([pair[side] for pair in documents], [pair[side] for pair in auxiliary]) for side in (0, 1)]
        )
        likelihood: Statistic = Likelihood()
        calibrated = partial(CalibratedAdversary, compared=compared)
        alone = np.ones((len(documents), 1))
        context.progress.stage("Reading the pairs with your translator")
        yield calibrated("loss", statistic=likelihood, columns=alone)
        if self.translates:
            context.progress.stage("Translating the sentences with your translator")
            yield calibrated("bleu", statistic=Overlap(), columns=alone)
        if model.base.strip():
            by_base = read_by_base({"likelihood": likelihood}, model, documents, context)["likelihood"]
            yield calibrated("reference", statistic=likelihood, columns=alone, base=by_base)
            known = np.column_stack([known, by_base])
        yield calibrated(self.part_name(), statistic=likelihood, columns=known)
