"""Encoder audit: neighbouring sentences lie closer in an encoder that was trained on them than they would anyway."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from core.access import Access
from core.access.own_networks import OwnTextEmbeddings
from core.adversaries.known_outs import FEWEST_MEASURED, CalibratedAdversary, ComparedDocuments, Statistic, read_by_base
from core.adversaries.neighbouring_sentences import Beginning, Deletion, Similarity, overlap_columns
from core.adversaries.text_difficulty import difficulties
from core.errors import Incompatible
from core.games.calibrated_audit.contract import CalibratedAttack, CalibratedBriefing
from core.games.membership.contract import Adversary
from core.models.own_encoder import OwnEncoder
from core.runtime.context import RunContext


class EncoderAudit(CalibratedAttack):
    """Membership of documents in one sentence encoder by the similarity of their sentences.

    The statistic is that of `core.attacks.sentence_similarity`: the mean cosine of neighbouring sentences, or of the
    halves of a text that has no two. How an encoder was trained (which pairs, which negatives, which loss) is not
    known, so that shadow encoders would not be like it. In their place the adversary knows documents that are out. It
    predicts the statistic of a document from what it sees without the model: length, compressibility, frequency of the
    words, how many words the sentences share; and, where a base is named, from the base's own similarity. The
    regression is fitted on the documents known to be out (a quantile regression in Bertran et al. 2023; here a ridge
    regression with a threshold that 95% of these do not exceed). The score is what exceeds the prediction.

    Variants, with their thresholds from the same documents: ``similarity`` alone, ``beginning`` (the cosine of a text
    and its first words), ``deletion`` (the cosine of a text and itself with words left out), and with a base
    ``similarity_gain`` and ``beginning_gain``, the first two less the base's.
    """

    title: ClassVar[str] = "Encoder audit"
    question: ClassVar[str] = "Which of your documents give away that your sentence encoder was trained on them?"
    claim: ClassVar[str] = (
        "Given the sentence encoder that you hold, the adversary tells whether a document was among its training texts"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and others of their kind, knows half of those that are out to "
        "be so, and may ask your encoder for the embedding of any text; it trains no encoder of its own."
    )
    needs: ClassVar[type[Access]] = OwnTextEmbeddings
    variants: ClassVar[tuple[str, ...]] = ("similarity", "beginning", "deletion", "similarity_gain", "beginning_gain")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {"dataset": {"part": "marked_documents"}, "model": {"part": "own_encoder"}}
    }

    def prepare(self, briefing: CalibratedBriefing, context: RunContext) -> Iterator[Adversary]:
        """Read the documents by the base, where there is one, and yield the variants and then the attack."""
        model, compared = briefing.model, ComparedDocuments.of(briefing)
        if not isinstance(model, OwnEncoder):
            raise Incompatible(f"{self.part_name()} needs a sentence encoder that somebody holds.")
        documents = compared.documents
        auxiliary = [text for (text,) in briefing.corpus.select(briefing.auxiliary).texts()]
        known = np.column_stack([difficulties([text for (text,) in documents], auxiliary), overlap_columns(documents)])
        similarity: Statistic = Similarity()
        measured: dict[str, Statistic] = {"similarity": similarity}
        if sum(bool(Beginning().parts(text)) for (text,) in compared.outside) >= FEWEST_MEASURED:
            measured["beginning"] = Beginning()
        calibrated = partial(CalibratedAdversary, compared=compared)
        alone = np.ones((len(documents), 1))
        context.progress.stage("Reading the documents with your encoder")
        for name, statistic in measured.items():
            yield calibrated(name, statistic=statistic, columns=alone)
        yield calibrated("deletion", statistic=Deletion(), columns=alone)
        if model.base.strip():
            by_base = read_by_base(measured, model, documents, context)
            for name, statistic in measured.items():
                yield calibrated(f"{name}_gain", statistic=statistic, columns=alone, base=by_base[name])
            known = np.column_stack([known, np.nan_to_num(by_base["similarity"])])
        yield calibrated(self.part_name(), statistic=similarity, columns=known)
