"""Shards joined into one corpus on disk: one vocabulary, and all documents one after the other."""

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from core.corpora.tokenising import PASSED_OVER, Shard
from core.runtime.folders import write_flushed
from core.text.stored_corpus import OFFSETS, RANKS, TOKENS, WORDS

MANIFEST = "manifest.json"
OWNERS, NAMES = "owners.int32", "names.json"
"""Names of the files with the owner of each document, an index into the second."""

Part = TypeVar("Part")

_AT_ONCE = 16
"""Vocabularies of shards that are added up at a time."""


def join(shards: Iterable[Path], folder: Path) -> None:
    """Write the corpus of some shards into a folder.

    A word's id is its place by falling frequency, then by alphabet, as `core.text.corpus.Corpus.of` numbers them.
    """
    paths = list(shards)
    words = _vocabulary(paths)
    index = {word: number for number, word in enumerate(words)}
    owners: dict[str, int] = {}
    passed_over = np.zeros(len(PASSED_OVER), np.int64)
    documents, total = 0, 0
    with ExitStack() as stack:
        files = {name: stack.enter_context((folder / name).open("wb")) for name in (TOKENS, OFFSETS, OWNERS)}
        files[OFFSETS].write(np.zeros(1, np.int64).data)
        for shard in (_whole(Shard.load(path), path) for path in paths):
            numbers = np.array([index[word] for word in shard.listed_words()], np.int32)
            whose = np.array([owners.setdefault(name, len(owners)) for name in shard.listed_names()], np.int32)
            files[TOKENS].write(numbers[shard.tokens].data)
            files[OFFSETS].write((total + np.cumsum(shard.lengths, dtype=np.int64)).data)
            files[OWNERS].write(whose[shard.owners].data)
            total += len(shard.tokens)
            documents += len(shard.lengths)
            passed_over += shard.passed_over
        for file in files.values():
            _flushed(file)
    _write_words(words, folder / WORDS)
    order = sorted(range(len(words)), key=words.__getitem__)
    ranks = np.empty(len(words), np.int32)
    ranks[order] = np.arange(len(words), dtype=np.int32)
    write_flushed(folder / RANKS, ranks.tobytes())
    write_flushed(folder / NAMES, json.dumps(list(owners)).encode())
    manifest = {
        "documents": documents,
        "tokens": total,
        "words": len(words),
        "passed_over": dict(zip(PASSED_OVER, passed_over.tolist(), strict=True)),
        "files": {name: digest_of(folder / name) for name in (TOKENS, OFFSETS, RANKS, WORDS, OWNERS, NAMES)},
    }
    write_flushed(folder / MANIFEST, json.dumps(manifest, indent=1).encode())


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _whole(part: Part | None, path: Path) -> Part:
    if part is None:
        raise FileNotFoundError(f"{path} is missing or damaged")
    return part


def _vocabulary(paths: list[Path]) -> list[str]:
    """Return all words, the most frequent first."""
    import pyarrow as pa

    schema = pa.schema([("word", pa.large_string()), ("count", pa.int64())])
    known, parts = schema.empty_table(), []
    for number, path in enumerate(paths, 1):
        words, counts = _whole(Shard.load_vocabulary(path), path)
        parts.append(pa.table([pa.array(words, pa.large_string()), counts], schema=schema))
        if number % _AT_ONCE == 0 or number == len(paths):
            added = pa.concat_tables([known, *parts]).group_by("word").aggregate([("count", "sum")])
            known, parts = added.select(["word", "count_sum"]).rename_columns(["word", "count"]), []
    known = known.sort_by([("count", "descending"), ("word", "ascending")])
    ordered: list[str] = known.column("word").to_pylist()
    return ordered


def _write_words(words: list[str], path: Path) -> None:
    import pyarrow as pa

    table = pa.table({"word": pa.array(words, pa.large_string())})
    with path.open("wb") as file:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
        _flushed(file)


def _flushed(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())
