"""Documents on disk give what the same documents in memory give, to the byte."""

import copy
import pickle
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text import stored_corpus
from core.text.corpus import Corpus
from core.text.stored_corpus import OFFSETS, RANKS, TOKENS, WORDS, StoredCorpus, StoredTokens

NAMES = ["one", "two", "three", "four", "five", "œuvre", "слово"]
TEXTS = st.lists(st.lists(st.sampled_from(NAMES), max_size=12).map(" ".join), max_size=8)


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_corpus, "SHARD", 7)


def stored(texts: list[str], folder: str) -> StoredTokens:
    corpus = Corpus.encode(texts)
    path = Path(folder)
    corpus.tokens.tofile(path / TOKENS)
    corpus.offsets.tofile(path / OFFSETS)
    np.argsort(np.argsort(np.array(corpus.words, dtype=object))).astype(np.int32).tofile(path / RANKS)
    words = pa.table({"word": pa.array(corpus.words, pa.large_string())})
    with pa.ipc.new_file(path / WORDS, words.schema) as file:
        file.write_table(words)
    return StoredTokens(path)


def same(left: Corpus, right: Corpus) -> None:
    assert left.words == right.words
    assert left.tokens.tobytes() == right.tokens.tobytes()
    assert left.offsets.tobytes() == right.offsets.tobytes()
    assert left.tokens.dtype == right.tokens.dtype
    assert left.counts().tolist() == right.counts().tolist()
    assert len(left) == len(right)
    for number in range(len(left)):
        assert left.document(number).tolist() == right.document(number).tolist()


@given(TEXTS, st.none() | st.lists(st.sampled_from(NAMES)), st.integers(1, 5), st.data())
@settings(deadline=None)
def test_every_step_gives_the_bytes_of_the_corpus_in_memory(
    texts: list[str], dictionary: list[str] | None, minimum: int, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=10) if texts else st.just([]))
    with TemporaryDirectory() as folder:
        chosen = StoredCorpus.encoded(stored(texts, folder), np.array(rows, np.int64), dictionary)
        memory = Corpus.encode([texts[row] for row in rows], dictionary)
        same(chosen, memory)
        same(chosen.frequent(minimum), memory.frequent(minimum))
        some = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=10) if rows else st.just([]))
        same(chosen.select(some), memory.select(some))
        same(chosen.frequent(minimum).select(some).frequent(2), memory.frequent(minimum).select(some).frequent(2))
        same(copy.copy(chosen.select(some)), memory.select(some))
        assert chosen.select(some).texts() == memory.select(some).texts()


def test_shards_are_no_larger_than_stated() -> None:
    texts = ["one two three"] * 9 + ["four " * 20]
    with TemporaryDirectory() as folder:
        corpus = StoredCorpus.encoded(stored(texts, folder), np.arange(10))
        assert [len(tokens) for tokens, _ in corpus.shards()] == [6, 6, 6, 3, 6, 20]


def test_another_process_gets_the_path_not_the_tokens() -> None:
    with TemporaryDirectory() as folder:
        corpus = StoredCorpus.encoded(stored(["one two"] * 10_000, folder), np.arange(3))
        assert corpus.words == ("one", "two")
        assert len(pickle.dumps(corpus)) < 2_000
