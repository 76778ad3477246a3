"""Sparse codes are those of the Lasso, and penalty and threshold are chosen on the adversary's own texts."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.linear_model import Lasso

from core import catalog
from core.adversaries.linear_map import LinearMap
from core.adversaries.sparse_codes import sparse_codes
from core.attacks.inversion.sparse_inversion import Decomposer, SparseInversion
from core.encoders.own_embeddings import OwnEmbeddings
from core.errors import Incompatible
from core.experiment import Experiment
from core.games.inversion.contract import Auxiliary, Examined
from core.runtime.store import Store
from tests.games.inversion.small_games import plain
from tests.stand_ins import context


def test_codes_are_those_of_the_non_negative_lasso() -> None:
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(30, 12)).astype(np.float32)
    targets = rng.normal(size=(5, 12)).astype(np.float32)
    codes = sparse_codes(atoms, targets, np.full((1, 1), 0.6, np.float32), 2000)
    for target, code in zip(targets, codes, strict=True):
        exact = Lasso(0.6 / 12, positive=True, fit_intercept=False).fit(atoms.T.astype(float), target.astype(float))
        np.testing.assert_allclose(code, exact.coef_, atol=5e-4)


def test_a_penalty_may_be_a_words_own_or_a_texts_own() -> None:
    rng = np.random.default_rng(1)
    atoms, targets = rng.normal(size=(6, 9)).astype(np.float32), rng.normal(size=(4, 9)).astype(np.float32)
    heavy = np.where(np.arange(6) == 2, 1e3, 0.01).astype(np.float32)[None]
    assert (sparse_codes(atoms, targets, heavy, 300)[:, 2] == 0).all()
    each = np.where(np.arange(4) == 1, 1e3, 0.01).astype(np.float32)[:, None]
    codes = sparse_codes(atoms, targets, each, 300)
    assert (codes[1] == 0).all()
    assert (codes[[0, 2, 3]] > 0).any(axis=1).all()


def test_no_text_and_no_vector_give_no_code() -> None:
    zeros = np.zeros((3, 4), np.float32)
    assert sparse_codes(zeros, np.ones((2, 4), np.float32), np.zeros((1, 1), np.float32), 5).sum() == 0
    assert sparse_codes(np.eye(4, dtype=np.float32), zeros[:0], np.zeros((1, 1), np.float32), 5).shape == (0, 4)


def test_short_word_vectors_bound_what_is_found(store: Store) -> None:
    """With random vectors and a perfect map, the length decides how many of twenty words among 4,000 are found."""
    assert 0.1 < ceiling(64, store, texts=4) < 0.35
    assert 0.7 < ceiling(128, store, texts=4) < 0.95
    assert ceiling(256, store, texts=4) > 0.98


def ceiling(length: int, store: Store, words: int = 4000, size: int = 20, texts: int = 8) -> float:
    """Return the best F1 on texts whose embedding is the mean of their word vectors."""
    rng = np.random.default_rng(length)
    atoms = rng.normal(size=(words, length)).astype(np.float32)
    present = np.zeros((texts, words), np.float32)
    for row in present:
        row[rng.choice(words, size, replace=False)] = 1
    same = np.zeros(length, np.float32)
    exact = LinearMap(same, same + 1, np.eye(length, dtype=np.float32), same)
    names = tuple(f"w{word}" for word in range(words))
    vectors = present @ atoms / size
    examined = Examined(names, vectors, csr_array(present), np.full(texts, size), 0, OwnEmbeddings(vectors))
    fitted = Decomposer(names, atoms, exact, SparseInversion().iterations, context(store)).fitted(examined)
    return max(row["left_out_f1"] for row in fitted.choices)


def test_encoders_trained_for_it_have_long_word_vectors() -> None:
    trained = [
        entry.experiment.model
        for entry in catalog.matching("inversion_*")
        if "dual" in entry.experiment.model.part_name()
    ]
    assert trained and all(model.word_dimension >= 256 for model in trained)


def test_the_settings_compared_are_reported() -> None:
    choices = plain("sparse", False)[0].tables["choices"]
    assert choices["chosen"].sum() == 1
    assert choices.loc[choices["chosen"], "left_out_f1"].item() == choices["left_out_f1"].max()
    assert choices["words"].is_monotonic_decreasing or choices["threshold"].nunique() > 1


def test_it_looks_into_the_encoder() -> None:
    assert "everything inside the encoder" in SparseInversion.needs.title
    demo = Experiment.preset("sparse_inversion", "demo")
    assert SparseInversion.needs in demo.model.provides


def test_without_the_encoder_it_refuses(store: Store) -> None:
    from core.access import SentenceEmbeddings

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.zeros((len(texts), 3), np.float32)

    closed = SentenceEmbeddings(encode([]), encode, encode)
    with pytest.raises(Incompatible, match="needs embeddings of texts, and everything inside the encoder"):
        SparseInversion().prepare(Auxiliary(("a b",) * 50, defended=False, seed=1), closed, context(store))
