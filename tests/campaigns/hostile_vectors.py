"""Hostile vectors: files and folders of stores to audit, and the texts beside them."""

import gzip
import io
import json
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

import faiss
import numpy as np
import pandas as pd
import pyarrow as pa
from safetensors.numpy import save

from core.datasets.embeddings import Embeddings
from core.statistics.vector_checks import check
from dashboard.kit.inputs import kept_uploads, uploads
from tests.campaigns.hostile_values import ODD, home, sent, spoil, spoiled
from tests.datasets.test_embeddings import index, unpacked

INDEXES = ("Flat", "IVF2,Flat", "HNSW8", "HNSW8,SQ8", "SQfp16", "IDMap,Flat")


def _array(rng: random.Random) -> np.ndarray:
    """Return an array of an odd kind or shape."""
    shape = rng.choice([(30, 8), (30, 8), (30, 8), (1, 1), (0, 8), (8,), (2, 3, 4), (), (30, 1)])
    kind = rng.choice(["<f4", ">f8", "<f2", "i1", "u1", "?", "c8", "U3", "S4", "M8[s]", "V5"])
    return np.frombuffer(rng.randbytes(int(np.prod(shape)) * np.dtype(kind).itemsize), kind).reshape(shape)


def _stored(ending: str, rng: random.Random) -> bytes:
    """Return the bytes of a store of this kind."""
    if ending in ("faiss", "index"):
        return _indexed(rng.choice(INDEXES))
    return _in_array(ending, rng) if ending in ("npy", "npz", "safetensors") else _in_table(ending, rng)


@cache
def _indexed(kind: str) -> bytes:
    faiss.omp_set_num_threads(1)  # no memory is left for the stacks of more
    with tempfile.TemporaryDirectory() as folder:
        index(path := Path(folder) / "x.faiss", kind)
        return path.read_bytes()


def _in_array(ending: str, rng: random.Random) -> bytes:
    buffer, array = io.BytesIO(), _array(rng)
    if ending == "npy":
        np.save(buffer, array, allow_pickle=False)
    elif ending == "npz":
        np.savez(buffer, **{rng.choice(["vectors", "a/b", "arr_0"]): array})
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            kept = array.astype(rng.choice(["<f4", "<f2", "i1", "u1"])) if array.dtype.kind in "fiu?" else np.ones(3)
        return save({sent(rng)[:50]: kept})
    return buffer.getvalue()


def _in_table(ending: str, rng: random.Random) -> bytes:
    buffer, odd = io.BytesIO(), rng.choice([0.0, 0.05, 0.5])

    def vector() -> object:
        numbers = [rng.choice(ODD) if rng.random() < odd / 8 else rng.gauss(0, 1) for _ in range(8)]
        return sent(rng) if rng.random() < odd / 4 else numbers[: 7 if rng.random() < odd / 4 else 8]

    named = rng.choice(["embedding", "vector", sent(rng)[:50]])
    rows = [{named: vector(), "text": sent(rng)[:500], "id": number} for number in range(rng.choice([1, 30]))]
    if ending.startswith("jsonl"):
        lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
        return gzip.compress(lines) if ending.endswith("gz") else lines
    frame = pd.DataFrame(rows)
    if ending in ("csv", "tsv"):
        return frame.to_csv(index=False, sep="\t" if ending == "tsv" else ",").encode()
    frame[named] = [each if isinstance(each, list) else [] for each in frame[named]]
    frame[named] = [[float(one) if isinstance(one, float) else 0.0 for one in each] for each in frame[named]]
    if ending == "parquet":
        frame.to_parquet(buffer)
    else:
        table = pa.Table.from_pandas(frame)
        with pa.ipc.new_file(buffer, table.schema) as file:
            file.write_table(table)
    return buffer.getvalue()


def vectors(rng: random.Random) -> str:
    """Look at a store as the audit does: files that were uploaded, or the folder of an engine."""
    columns = {"vector_column": sent(rng)} if rng.random() < 0.2 else {}
    return _uploaded(columns, rng) if rng.random() < 0.8 else _in_folder(columns, rng)


def _uploaded(columns: dict[str, str], rng: random.Random) -> str:
    endings = {"gz": "jsonl.gz"}
    ending = rng.choice(uploads.VECTORS["source"])
    ending = endings.get(ending, ending)
    with_texts = rng.random() < 0.3
    try:
        saved = {"source": uploads.save_one(home(), f"a.{ending}", spoiled(_stored(ending, rng), rng), "source")}
        if with_texts:
            texts = spoiled(_stored("csv", rng), rng)
            saved["texts"] = uploads.save_one(home(), "b.csv", texts, "texts")
        paths = {field: uploads.locate(home(), text, field) for field, text in saved.items()}
        return _looked_at({**paths, **columns})
    finally:
        shutil.rmtree(kept_uploads.folder(home()), ignore_errors=True)


def _in_folder(columns: dict[str, str], rng: random.Random) -> str:
    """Look at the folder of a real Chroma or Qdrant, one of whose files is spoiled or missing."""
    parent = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    try:
        folder = unpacked(rng.choice(["chroma", "qdrant"]), parent)
        file = rng.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
        if rng.random() < 0.1:
            file.unlink()
        else:
            spoil(file, rng)
        collection = {"collection": sent(rng)[:200]} if rng.random() < 0.1 else {}
        return _looked_at({"source": str(folder), **columns, **collection})
    finally:
        shutil.rmtree(parent)


def _looked_at(fields: dict[str, str]) -> str:
    dataset = Embeddings.parse(fields)
    assert dataset.key
    check([dataset.load().values])
    return "taken"
