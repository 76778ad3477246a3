"""Readers trained on a little: they beat chance, never see what they are measured on, and come out the same again."""

from pathlib import Path

import numpy as np
import pytest

from core.attacks.inversion.multilabel_inversion import MultilabelInversion
from core.attacks.inversion.sparse_inversion import SparseInversion
from core.attacks.keyword_inference import KeywordInference
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.readers import recipe, training
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.text.word_sets import word_set


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a recipe of seconds, on the dataset that comes with the code."""
    fields = {"texts": 200, "vocabulary": 60}
    values = {
        "TEXTS": (WikipediaExcerpt(),),
        "TAUGHT": 200,
        "HELD_OUT": 40,
        "INVERSIONS": (MultilabelInversion(**fields, epochs=12), SparseInversion(**fields, iterations=20)),
        "KEYWORDS": 3,
        "INFERENCE": KeywordInference(texts=60, rivals=False),
    }
    for name, value in values.items():
        monkeypatch.setattr(recipe, name, value)


@pytest.mark.slow
def test_readers_beat_chance_and_come_out_the_same_again(small: None, tmp_path: Path) -> None:
    first, card = training.train(RunContext(store=Store(tmp_path / "one")))
    again, same = training.train(RunContext(store=Store(tmp_path / "two")))
    assert card == same
    assert first.keys() == again.keys()
    assert all(np.array_equal(array, again[name]) for name, array in first.items())
    assert card.key == recipe.key()
    assert card.sentences == 200
    for method in ("multilabel_inversion", "sparse_inversion"):
        (measured,) = card.measured[method].values()
        assert measured.f1 > measured.chance
        assert measured.sentences == 40
    (measured,) = card.measured["keyword_inference"].values()
    assert measured.words == 3


def test_no_sentence_is_both_taught_and_held_out(small: None) -> None:
    sentences = training.drawn()
    (held_out,) = sentences.held_out.values()
    assert (len(sentences.auxiliary), len(held_out)) == (200, 40)
    assert not set(map(word_set, sentences.auxiliary)) & set(map(word_set, held_out))
