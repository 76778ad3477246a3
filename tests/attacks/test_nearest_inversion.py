"""The nearest own text is copied, whatever the length of embeddings, and embeddings of noise tell nothing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from core.attacks.inversion.nearest_inversion import NearestInversion, _Nearest
from core.encoders.own_embeddings import OwnEmbeddings
from core.experiment import Experiment, run
from core.games.inversion.contract import Examined
from core.result import Estimate
from core.runtime.store import Store
from tests.games.inversion.small_games import MIXED, OpenedNoise
from tests.stand_ins import Sentences, WordBag, context


def examined(vectors: NDArray[np.float32], present: list[list[int]]) -> Examined:
    words = tuple("abc")
    known = OwnEmbeddings(vectors)
    return Examined(words, vectors, csr_array(np.array(present)), np.ones(len(vectors), np.int64), len(vectors), known)


def test_the_words_of_the_text_with_the_highest_cosine_are_copied() -> None:
    auxiliary_vectors = np.array([[1, 0], [0, 5], [3, 3]], np.float32)
    adversary = _Nearest(examined(auxiliary_vectors, [[1, 0, 0], [0, 1, 0], [0, 1, 1]]), ["a", "b", "c b"])
    answer = adversary.read(np.array([[9, 1], [0.1, 0.2], [1, 1], [0, 1]], np.float32))
    copied = [[True, False, False], [False, True, True], [False, True, True], [False, True, False]]
    assert answer.predicted.tolist() == copied
    assert answer.texts == ("a", "c b", "c b", "b")
    assert not adversary.explain()


def play(store: Store, model: Any) -> dict[str, Estimate]:
    """Play a small game in which texts share words at random."""
    game = {"pieces": "texts", "shadow_share": 0.6, "victims": 40}
    dataset = Sentences(count=300, share=0, words=MIXED)
    experiment = Experiment(attack=NearestInversion(), dataset=dataset, model=model, defenses=(), game=game)
    return run(experiment, context(store))[0].estimates


def test_a_similar_text_gives_words_away_and_noise_does_not(store: Store) -> None:
    similar, null = play(store, WordBag())["f1"], play(store, OpenedNoise())["f1"]
    assert similar.chance is not None and null.chance is not None
    assert similar.low > null.high and null.value < null.chance + 0.1
