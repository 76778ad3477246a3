"""What a billion documents would meet first, simulated at a hundredth or less; run with python -m.

Words that all differ are joined, rows of the game are drawn, and places of a file that is not in memory are read.
"""

import json
import multiprocessing
import os
import sys
import tempfile
import time
import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np

from core.corpora.joining import join
from core.corpora.tokenising import Shard, shard_path
from core.games.membership.split import emulated_targets
from core.runtime.seeding import generator

DOCUMENTS, MADE_UP = 10**9, 0.1
"""Documents that are asked about, and words of their own that each has on average."""
SHARDS, WORDS = (2, 6, 20), 100_000
"""Pieces that are joined, each time in a process of its own, and words of each."""
ROWS = 2_000_000
FILE, READ, READS = 2**30, 4096, 5_000


def main() -> None:
    """Print what each takes as one line of JSON."""
    words, row, reads = _bytes_a_word(), _bytes_a_row(), _reads_a_second()
    line = {
        "name": "a_billion",
        "ratio": round(MADE_UP * DOCUMENTS * words[-1] / (DOCUMENTS * row), 2),
        "compared": "memory for the vocabulary of a billion documents over that for the numbers of their rows",
        "figures": {
            "bytes_a_word": [round(word) for word in words],
            "vocabulary_gb": [round(MADE_UP * DOCUMENTS * word / 1e9, 1) for word in words],
            "bytes_a_row_at_least": round(row, 1),
            "rows_gb_at_least": round(DOCUMENTS * row / 1e9, 1),
            "random_reads_a_second": round(reads),
        },
    }
    print(json.dumps(line))


def _bytes_a_word() -> list[float]:
    """Return what one more word takes while pieces are joined, when no piece shares a word with another.

    One figure between each two numbers of pieces: tables of words grow in steps.
    """
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as processes:
        peaks = processes.map(_peak_of_joining, SHARDS, chunksize=1)
    return [
        (more - less) / ((after - before) * WORDS)
        for (before, less), (after, more) in pairwise(zip(SHARDS, peaks, strict=True))
    ]


def _peak_of_joining(shards: int) -> int:
    """Return the bytes that joining takes at most in this process, which has joined nothing before."""
    _join(1, 10)  # imports what it needs
    return _join(shards, WORDS)


def _join(shards: int, count: int) -> int:
    import pyarrow as pa

    nothing = np.empty(0, np.int32)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(shards):
            letters = generator(1, "words", number).integers(97, 123, (count, 9), np.uint8)
            letters[:, -1] = ord(" ")
            tokens, counts = np.arange(count, dtype=np.int32), np.ones(count, np.int64)
            lengths, passed_over = np.array([count], np.int32), np.zeros(3, np.int64)
            words = letters.ravel()[:-1]
            Shard(tokens, lengths, words, counts, nothing, nothing.astype(np.uint8), passed_over).save(
                shard_path(folder, number)
            )
        before = pa.total_allocated_bytes()
        tracemalloc.start()
        join([shard_path(folder, number) for number in range(shards)], folder)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return int(peak + pa.default_memory_pool().max_memory() - before)


def _bytes_a_row() -> float:
    """Return what one more document takes at least while the game divides all: halves and plays copy more."""
    tracemalloc.start()
    _, others = emulated_targets(ROWS, [20] * 20, generator(1, "rows"))
    half = len(others) // 2
    halves = np.sort(others[:half]), np.sort(others[half:])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return float(peak / sum(map(len, halves)))


def _reads_a_second() -> float:
    """Return how many places of a file that memory does not hold one process reads in a second."""
    blocks = generator(1, "places").integers(0, FILE // READ, READS)
    with tempfile.TemporaryFile() as file:
        block = os.urandom(2**20)
        for _ in range(FILE // len(block)):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
        if sys.platform == "linux":
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
        began = time.perf_counter()
        for number in blocks.tolist():
            os.pread(file.fileno(), READ, number * READ)
        return READS / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
