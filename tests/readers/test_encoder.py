"""The encoder in NumPy gives what the encoder gives."""

import numpy as np
import pytest

from core.encoders import folders
from core.errors import ModelUnavailable
from core.models.encoder import Encoder
from core.readers.encoder import SmallBert
from core.runtime.context import RunContext

TEXTS = [
    "The second world war began when the army of Germany marched into Poland.",
    "a",
    "",
    "Łukasz paid 12,500 € in 東京 \ud800 😀",
    "far too long " * 100,
]
WORDS = ["pizza", "unpronounceable", "łukasz", "1939"]


def test_embeddings_and_word_vectors_are_those_of_the_encoder() -> None:
    encoder, ours = Encoder(max_tokens=64, device="cpu").open_encoder(RunContext()), SmallBert(64)
    np.testing.assert_allclose(np.stack([ours.encode(text) for text in TEXTS]), encoder.encode(TEXTS), atol=1e-5)
    np.testing.assert_allclose(ours.word_vectors(WORDS), encoder.word_vectors(WORDS), atol=1e-6)


def test_a_missing_encoder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "locate", lambda *_: None)
    with pytest.raises(ModelUnavailable, match="small_bert"):
        SmallBert(64)
