"""What the adversary is given: the targets among auxiliary documents, of its half or of data of its own."""

import numpy as np
from numpy.typing import NDArray

from core.games import Setup
from core.games.membership.contract import Briefing, MembershipAttack, moved, rows_of
from core.games.membership.labels import Labels
from core.games.membership.split import Split
from core.networks.document_classifier import Labelled
from core.runtime.seeding import generator
from core.targets.document_model import DocumentModel
from core.targets.model import TextModel
from core.text.contents import Documents
from core.text.corpus import Corpus


def briefing_of(
    setup: Setup[Documents, TextModel, MembershipAttack],
    split: Split,
    labelled: Labels | None,
    trained_on: int,
    *,
    by_owner: bool,
) -> Briefing:
    """Return what the adversary is given.

    It is told that a model is trained on ``trained_on`` documents, and where a target is documents of one owner
    (``by_owner``), also the owners of its own documents.
    """
    documents, model, attack = setup.contents, setup.model, setup.attack
    rows = rows_of(split.targets)
    proxy = None if attack.shadow_data is None else attack.shadow_data.load()
    if proxy is None:
        corpus = documents.corpus(np.concatenate([split.adversary, rows]).astype(np.int64), model.vocabulary())
    else:
        corpus = Corpus.encode([*proxy.texts, *(documents.texts[row] for row in rows)], model.vocabulary())
    shadows = len(corpus) - len(rows)
    classes = None if labelled is None else labelled.adversary
    if labelled is not None and classes is None and isinstance(model, DocumentModel):
        shadow = documents.select(split.adversary.tolist()) if proxy is None else proxy
        shadow_classes = model.positives(model.labelled(shadow))
        classes = Labelled(corpus, np.concatenate([shadow_classes, labelled.positive[rows]]))
    owners: tuple[str, ...] = ()
    if by_owner:
        owners = owners_of(documents, split.adversary) if proxy is None else owners_of(proxy)
    return Briefing(
        corpus=corpus,
        targets=moved(split.targets, shadows),
        auxiliary=np.arange(shadows),
        documents=trained_on,
        model=model,
        defenses=setup.defenses,
        seed=int(generator(setup.seed, "adversary").integers(2**62)),
        labelled=classes,
        owners=owners,
    )


def owners_of(documents: Documents, rows: NDArray[np.int64] | slice = slice(None)) -> tuple[str, ...]:
    """Return the owner of each of some documents, where they are named."""
    return tuple(np.array(documents.owners, object)[rows]) if documents.owners else ()
