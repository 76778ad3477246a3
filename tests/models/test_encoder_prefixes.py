"""The prefixes of an encoder's makers: stored texts and questions get theirs, once, and no other encoder's texts do."""

import numpy as np
import pytest

from core.adversaries import encoder_fit
from core.encoders.records import RECORDS, record_of
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.folders import home
from core.runtime.store import Store
from core.text.vectors import Vectors
from tests.encoders.tiny import TEXTS, tiny

NAMED = "e5_small"
RECORD = RECORDS[NAMED]


@pytest.fixture
def folder() -> str:
    """Return a small encoder that lies where one of a record does."""
    return str(tiny(home() / "encoders" / NAMED))


def test_stored_texts_and_questions_get_their_prefix(folder: str, store: Store) -> None:
    context, texts = RunContext(store=store), TEXTS[:5]
    plain, named = Encoder(source=folder), Encoder(source=NAMED)
    stored = plain.encode([f"passage: {text}" for text in texts], context)
    assert np.array_equal(named.encode(texts, context), stored)
    assert np.array_equal(named.encode([f"passage: {text}" for text in texts], context), stored), "once"
    questions = plain.encode([f"query: {text}" for text in texts], context)
    assert np.array_equal(named.encode_queries(texts, context), questions)
    assert np.array_equal(plain.encode_queries(texts, context), plain.encode(texts, context))
    assert not np.array_equal(plain.encode(texts, context), stored)
    opened = named.open_encoder(context)
    assert np.array_equal(opened.encode(texts), stored)
    assert opened.identity["prefix"] == "passage: "
    assert "prefix" not in plain.open_encoder(context).identity, "results from before there were prefixes keep keys"


def test_vectors_that_were_made_with_the_prefix_are_recognised(
    folder: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = RunContext(store=store)
    values = Encoder(source=folder).encode([f"passage: {text}" for text in TEXTS], context)
    vectors = Vectors(values, np.arange(len(values)), len(values), 0, "made up", tuple(TEXTS))
    (fit,) = encoder_fit.fits(vectors, NAMED, 0, context)
    assert fit.identical


def test_a_record_is_found_by_its_id_on_the_hub_too() -> None:
    assert record_of("intfloat/e5-small-v2") is record_of(NAMED) is RECORD
    assert record_of("someone/something") is None
    assert (RECORD.document_prefix, RECORD.query_prefix, RECORD.pooling) == ("passage: ", "query: ", "mean")
    assert (RECORDS["bge_small"].document_prefix, RECORDS["bge_small"].pooling) == ("", "first")
    assert {record.pooling for record in RECORDS.values()} <= {"mean", "first", "last"}
