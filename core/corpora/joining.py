"""Shards joined into one corpus on disk: one vocabulary, and all documents one after the other."""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from core.corpora.tokenising import PASSED_OVER, Shard
from core.errors import DataCorrupt
from core.keys import key_of
from core.runtime.folders import write_flushed
from core.text.stored_corpus import OFFSETS, RANKS, TOKENS, WORDS

MANIFEST, DIGEST = "manifest.json", "digest"
OWNERS, NAMES = "owners.int32", "names.json"
"""Names of the files with the owner of each document, an index into the second."""


def join(shards: Iterable[Path], folder: Path) -> None:
    """Write the corpus of some shards into a folder.

    A word's id is its rank by falling frequency, then by alphabet, as `core.text.corpus.Corpus.of` numbers them.
    """
    paths = list(shards)
    words, ranks, ids = _vocabulary(paths)
    owners: dict[str, int] = {}
    passed_over = np.zeros(len(PASSED_OVER), np.int64)
    documents, total = 0, 0
    with ExitStack() as stack:
        files = {name: stack.enter_context((folder / name).open("wb")) for name in (TOKENS, OFFSETS, OWNERS)}
        files[OFFSETS].write(np.zeros(1, np.int64).data)
        for path, numbers in zip(paths, ids, strict=True):
            shard = _loaded(path)
            owner_ids = np.array([owners.setdefault(name, len(owners)) for name in shard.listed_names()], np.int32)
            files[TOKENS].write(numbers[shard.tokens].data)
            files[OFFSETS].write((total + np.cumsum(shard.lengths, dtype=np.int64)).data)
            files[OWNERS].write(owner_ids[shard.owners].data)
            total += len(shard.tokens)
            documents += len(shard.lengths)
            passed_over += shard.passed_over
        for file in files.values():
            _flushed(file)
    _write_words(words, folder / WORDS)
    write_flushed(folder / RANKS, ranks.tobytes())
    write_flushed(folder / NAMES, json.dumps(list(owners)).encode())
    manifest = {
        "documents": documents,
        "tokens": total,
        "words": len(ranks),
        "passed_over": dict(zip(PASSED_OVER, passed_over.tolist(), strict=True)),
        "files": {name: digest_of(folder / name) for name in (TOKENS, OFFSETS, RANKS, WORDS, OWNERS, NAMES)},
    }
    write_flushed(folder / MANIFEST, json.dumps({**manifest, DIGEST: key_of(manifest)}, indent=1).encode())


def manifest_of(folder: Path) -> dict[str, Any]:
    """Return the manifest of a corpus.

    Raises:
        DataCorrupt: It is not what was written, or cannot be read.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        if manifest.pop(DIGEST) == key_of(manifest):
            return manifest
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    raise DataCorrupt(f"{folder / MANIFEST} is damaged.")


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _loaded(path: Path) -> Shard:
    if (shard := Shard.load(path)) is None:
        raise FileNotFoundError(f"{path} is missing or damaged")
    return shard


def _vocabulary(paths: list[Path]) -> tuple[Any, NDArray[np.int32], Iterator[NDArray[np.int32]]]:
    """Return all words by falling frequency, (words,) their ranks by alphabet, and the ids of each shard's words."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known: defaultdict[str, int] = defaultdict(count().__next__)  # words, in the order in which they are first seen
    counts = np.zeros(0, np.int64)
    ids_by_shard = []
    for path in paths:
        shard = _loaded(path)
        words = shard.listed_words()
        ids_by_shard.append(np.fromiter(map(known.__getitem__, words), np.int32, len(words)))
        counts = np.append(counts, np.zeros(len(known) - len(counts), np.int64))
        counts[ids_by_shard[-1]] += shard.counts
    listed = pa.array(list(known), pa.large_string())
    ranks = np.empty(len(listed), np.int32)
    ranks[pc.sort_indices(listed).to_numpy()] = np.arange(len(listed), dtype=np.int32)
    order = np.lexsort((ranks, -counts))
    ids = np.empty(len(listed), np.int32)
    ids[order] = np.arange(len(listed), dtype=np.int32)
    return listed.take(pa.array(order)), ranks[order], (ids[numbers] for numbers in ids_by_shard)


def _write_words(words: Any, path: Path) -> None:
    import pyarrow as pa

    table = pa.table({"word": words})
    with path.open("wb") as file:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
        _flushed(file)


def _flushed(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())
