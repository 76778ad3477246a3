"""Recipe of the readers: their training data, and all that decides whether the shipped readers still fit the code."""

from typing import Any

from core.attacks.inversion.multilabel_inversion import MultilabelInversion
from core.attacks.inversion.multiset_inversion import MultisetInversion
from core.attacks.inversion.sparse_inversion import SparseInversion
from core.attacks.keyword_inference import KeywordInference
from core.datasets.translations.tatoeba import Tatoeba
from core.datasets.wiki_split import WikiSplit
from core.games.inversion.contract import InversionAttack
from core.keys import key_of
from core.models.encoder import Encoder

VERSION = 1
"""Raised by every change to `training` or `reading` that other readers, or other figures of theirs, would follow."""
MAX_TOKENS = 64
ENCODER = Encoder(max_tokens=MAX_TOKENS, device="cpu")
TEXTS = (WikiSplit(), Tatoeba())
"""Datasets of the adversary's sentences; the second is bitext, whose English side is taken."""
TAUGHT = 15_000
"""Sentences of each dataset that the adversary holds."""
HELD_OUT = 1000
"""Further sentences of each dataset, on which the readers are measured."""
SEED = 20
_WORDS = 4000
INVERSIONS: tuple[InversionAttack, ...] = (
    MultilabelInversion(texts=2 * TAUGHT, vocabulary=_WORDS, epochs=20),
    MultisetInversion(texts=2 * TAUGHT, vocabulary=_WORDS, classifier_epochs=15, epochs=5),
    SparseInversion(texts=2 * TAUGHT, vocabulary=_WORDS),
)
KEYWORDS = 300
"""Keywords that have a classifier each: the most frequent content words of the adversary's sentences."""
INFERENCE = KeywordInference(texts=400, rivals=False)
METHODS = (*(attack.part_name() for attack in INVERSIONS), INFERENCE.part_name())
"""The attacks whose adversaries are kept."""


def key() -> str:
    """Return a key of everything that decides what the readers are."""
    parts = (ENCODER, *TEXTS, *INVERSIONS, INFERENCE)
    counts = {"taught": TAUGHT, "held_out": HELD_OUT, "keywords": KEYWORDS, "seed": SEED}
    identity: dict[str, Any] = {"readers": VERSION, **counts, "parts": [part.identity() for part in parts]}
    return key_of(identity)
