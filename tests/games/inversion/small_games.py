"""Games of inversion on stand-ins, for the tests of the game and of every attack that plays it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.attacks.inversion.corrective_inversion import CorrectiveInversion
from core.attacks.inversion.generative_inversion import GenerativeInversion
from core.attacks.inversion.multilabel_inversion import MultilabelInversion
from core.attacks.inversion.multiset_inversion import MultisetInversion
from core.attacks.inversion.relaxed_inversion import RelaxedInversion
from core.attacks.inversion.sparse_inversion import SparseInversion
from core.datasets import Dataset
from core.encoders.opened import OpenEncoder
from core.experiment import Experiment, run
from core.games.inversion.contract import InversionAttack
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.targets.sentence_encoder import OpenSentenceModel
from core.text.contents import Documents
from tests.errands import contents
from tests.stand_ins import CARD, WORDS, Constant, Noise, Sentences, WordBag, context

if TYPE_CHECKING:
    import torch

MIXED = (*WORDS, *(word[::-1] for word in WORDS))
YOURS = " ".join(MIXED[:6])
ATTACKS: dict[str, InversionAttack] = {
    "multilabel": MultilabelInversion(epochs=15, batch=20, learning_rate=0.03, text=YOURS),
    "corrective": CorrectiveInversion(made_up=1000, epochs=20, written=6, rounds=2, asked=4, text=YOURS),
    "generative": GenerativeInversion(
        **{"subwords": 300, "heads": 1, "layers": 1, "epochs": 4, "classifier_epochs": 100},
        **{"written": 4, "rewritten": 2, "rounds": 3, "asked": 4, "text": YOURS},
    ),
    "relaxed": RelaxedInversion(steps=60, text=YOURS),
    "multiset": MultisetInversion(classifier_epochs=10, epochs=3, hidden=8, batch=40, learning_rate=0.05, text=YOURS),
    "sparse": SparseInversion(text=YOURS),
}
BRIEF: dict[str, dict[str, int]] = {
    "multilabel": {"epochs": 1},
    "corrective": {"made_up": 50, "epochs": 1, "rounds": 1},
    "generative": {"epochs": 1, "classifier_epochs": 1, "rounds": 1},
    "relaxed": {"steps": 2},
    "multiset": {"classifier_epochs": 1, "epochs": 1},
    "sparse": {"iterations": 5},
}
"""Fields of each where its success does not matter."""
LITTLE: dict[str, dict[str, int]] = {"generative": {"epochs": 4, "classifier_epochs": 40, "rounds": 1}}
"""Fields of each where some success is enough."""


class Opened(OpenSentenceModel):
    """An encoder that adds up the vectors of words, which anyone may look at."""

    title: ClassVar[str] = "opened word bag"

    def encode(self, texts: Sequence[str], context: Any, whose: str = "texts") -> NDArray[np.float32]:
        return WordBag(dimension=128).encode(texts, context)

    def open_encoder(self, context: Any) -> OpenEncoder:
        return Inside()


class OpenedNoise(Opened):
    """An encoder whose embeddings have nothing to do with its word vectors."""

    title: ClassVar[str] = "opened noise"

    def encode(self, texts: Sequence[str], context: Any, whose: str = "texts") -> NDArray[np.float32]:
        return Noise().encode(texts, context)

    def open_encoder(self, context: Any) -> OpenEncoder:
        return Inside(dimension=12)


class OpenedConstant(Opened):
    """An encoder that says always the same."""

    title: ClassVar[str] = "opened constant"

    def encode(self, texts: Sequence[str], context: Any, whose: str = "texts") -> NDArray[np.float32]:
        return Constant().encode(texts, context)

    def open_encoder(self, context: Any) -> OpenEncoder:
        return Inside(dimension=12, weight=0)


@dataclass(frozen=True)
class Inside:
    """What is inside of an encoder that adds up the first numbers of the vectors of words."""

    dimension: int = 128
    weight: float = 1

    @property
    def identity(self) -> dict[str, Any]:
        return {"word bag": self.dimension, "weight": self.weight}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.weight * WordBag(dimension=128).encode(texts, None)[:, : self.dimension]  # type: ignore[arg-type]

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        return WordBag(dimension=128).encode(words, None)  # type: ignore[arg-type]

    def embed(self, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
        import torch

        read = torch.arange(inputs.shape[1]) < lengths[:, None]
        return self.weight * (inputs * read[..., None]).sum(dim=1)[:, : self.dimension]


class Strangers(Dataset):
    """Texts of which half the words are others', and a few that victims may have too."""

    title: ClassVar[str] = "strangers"
    card: ClassVar[Any] = CARD

    def load(self) -> Documents:
        rng = generator(3, "strangers")
        texts = [" ".join(rng.choice((*WORDS, *(word * 2 for word in WORDS)), 7)) for _ in range(300)]
        return Documents((*texts, *Sentences(count=300, share=0, words=MIXED).load().texts[:20]))


def asked(
    attack: str, model: Any = None, dataset: Any = None, defenses: Any = (), victims: int = 40, **others: Any
) -> Experiment:
    """Return a small game; ``others`` are fields of the attack."""
    return Experiment(
        attack=ATTACKS[attack].replace(**others),
        dataset=dataset or Sentences(count=300, share=0, words=MIXED),
        model=model or Opened(),
        defenses=defenses,
        game={"pieces": "texts", "shadow_share": 0.6, "victims": victims},
    )


def play(store: Store, attack: str, **others: Any) -> Result:
    """Return the result of `asked`."""
    return run(asked(attack, **others), context(store))[0]


@cache
def plain(attack: str, strange: bool, /) -> tuple[Result, frozenset[str]]:
    """Play a small game without a defense, once for all tests.

    Args:
        attack: Its name in `ATTACKS`.
        strange: Whether the adversary has the texts of `Strangers`.

    Returns:
        The result, and the texts that the adversary prepared on.
    """
    seen: set[str] = set()
    kind = type(ATTACKS[attack])
    prepare = kind.prepare

    def overheard(self: Any, auxiliary: Any, *others: Any) -> Any:
        seen.update(auxiliary.texts)
        return prepare(self, auxiliary, *others)

    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "prepare", overheard)
        others = {"auxiliary": Strangers(), **LITTLE.get(attack, {})} if strange else {}
        result = play(Store(root=Path(folder)), attack, **others)
    return result, frozenset(seen)


def killed_and_run_again(store: Store, elsewhere: Store, experiment: Experiment, passes: int) -> RunContext:
    """Kill a run after some passes of training, run it again, and compare with one that was left in peace.

    Args:
        store: Where it is killed.
        elsewhere: Where it is left in peace.
        experiment: What is run.
        passes: Passes before the kill.

    Returns:
        Where it was run again.
    """

    class Killed(Exception):
        """A kill."""

    def killed(rows: Any) -> None:
        if len(rows) == passes:
            raise Killed

    run(experiment, context(elsewhere))
    stopped, again = context(store), context(store)
    stopped.progress.partial = killed  # type: ignore[method-assign]
    with pytest.raises(Killed):
        run(experiment, stopped)
    run(experiment, again)
    assert contents(store, experiment.key) == contents(elsewhere, experiment.key)
    return again
