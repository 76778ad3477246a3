"""Games of inversion on stand-ins, for the tests of the game and of every attack that plays it."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.attacks.multilabel_inversion import MultilabelInversion
from core.attacks.sparse_inversion import SparseInversion
from core.datasets import Dataset, Documents
from core.experiment import Experiment, run
from core.inversion import InversionAttack
from core.models import OpenSentenceModel
from core.result import Result
from core.seeding import generator
from core.store import Store
from tests.stand_ins import CARD, WORDS, Constant, Noise, Sentences, WordBag, lab

MIXED = (*WORDS, *(word[::-1] for word in WORDS))
YOURS = " ".join(MIXED[:3])
ATTACKS: dict[str, InversionAttack] = {
    "multilabel": MultilabelInversion(epochs=30, batch=20, learning_rate=0.02, text=YOURS),
    "sparse": SparseInversion(text=YOURS),
}


class Opened(OpenSentenceModel):
    """An encoder that adds up the vectors of words, which anyone may look at."""

    title: ClassVar[str] = "opened word bag"

    def encode(self, texts: Sequence[str], lab: Any) -> NDArray[np.float32]:
        return WordBag(dimension=128).encode(texts, lab)

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        return WordBag(dimension=128).encode(words, lab)  # type: ignore[arg-type]


class OpenedNoise(Opened):
    """An encoder whose embeddings have nothing to do with its word vectors."""

    title: ClassVar[str] = "opened noise"

    def encode(self, texts: Sequence[str], lab: Any) -> NDArray[np.float32]:
        return Noise().encode(texts, lab)


class OpenedConstant(Opened):
    """An encoder that says always the same."""

    title: ClassVar[str] = "opened constant"

    def encode(self, texts: Sequence[str], lab: Any) -> NDArray[np.float32]:
        return Constant().encode(texts, lab)


class Strangers(Dataset):
    """Texts of which half the words are others', and a few that victims may have too."""

    title: ClassVar[str] = "strangers"
    card: ClassVar[Any] = CARD

    def load(self) -> Documents:
        rng = generator(3, "strangers")
        texts = [" ".join(rng.choice((*WORDS, *(word * 2 for word in WORDS)), 7)) for _ in range(300)]
        return Documents((*texts, *Sentences(count=300, share=0, words=MIXED).load().texts[:20]))


def asked(attack: str, model: Any = None, dataset: Any = None, defenses: Any = (), **others: Any) -> Experiment:
    """Return a small game; ``others`` are fields of the attack."""
    return Experiment(
        attack=ATTACKS[attack].replace(**others), dataset=dataset or Sentences(count=300, share=0, words=MIXED),
        model=model or Opened(), defenses=defenses, game={"pieces": "texts", "shadow_share": 0.6, "victims": 80},
    )  # fmt: skip


def play(store: Store, attack: str, **others: Any) -> Result:
    """Return the result of `asked`."""
    return run(asked(attack, **others), lab(store))[0]
