"""Hostile vectors and reports: a store to audit, a report to verify, and what is declared of it."""

import gzip
import io
import json
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from safetensors.numpy import save

from core import catalog
from core.datasets.embeddings import Embeddings
from core.report import build, rendered, verify
from core.report.declared import Declared
from core.report.verification import read
from core.runtime.store import Store
from core.statistics.vector_checks import check
from dashboard.kit.inputs import kept_uploads, uploads
from tests.campaigns.corruption import damaged
from tests.campaigns.hostile_values import home, sent, value

KINDS = ("html", "md", "json")
ODD = (float("nan"), float("inf"), 1e308, -0.0, None, "1", "x", [], [1.0], True)


def _spoiled(content: bytes, rng: random.Random) -> bytes:
    """Return a file with a few foreign bytes, most near its beginning, where formats say what follows."""
    spoiled = bytearray(content)
    for _ in range(rng.choice([0, 0, 1, 3, 30])):
        spoiled[rng.randrange(min(len(spoiled), rng.choice([64, 500, len(spoiled)])))] = rng.randrange(256)
    return damaged(bytes(spoiled), rng) if rng.random() < 0.2 else bytes(spoiled)


def _array(rng: random.Random) -> np.ndarray:
    """Return an array of an odd kind or shape."""
    shape = rng.choice([(30, 8), (30, 8), (30, 8), (1, 1), (0, 8), (8,), (2, 3, 4), (), (30, 1)])
    kind = rng.choice(["<f4", ">f8", "<f2", "i1", "u1", "?", "c8", "U3", "S4", "M8[s]", "V5"])
    return np.frombuffer(rng.randbytes(int(np.prod(shape)) * np.dtype(kind).itemsize), kind).reshape(shape)


def _stored(ending: str, rng: random.Random) -> bytes:
    """Return the bytes of a store of this kind."""
    buffer, odd = io.BytesIO(), rng.choice([0.0, 0.05, 0.5])
    if ending in ("npy", "npz", "safetensors"):
        array = _array(rng)
        if ending == "npy":
            np.save(buffer, array, allow_pickle=False)
        elif ending == "npz":
            np.savez(buffer, **{rng.choice(["vectors", "a/b", "arr_0"]): array})
        else:
            kinds = ("<f4", "<f2", "i1", "u1")
            return save({sent(rng)[:50]: array.astype(rng.choice(kinds)) if array.dtype.kind in "fiu?" else np.ones(3)})
        return buffer.getvalue()

    def vector() -> object:
        numbers = [rng.choice(ODD) if rng.random() < odd / 8 else rng.gauss(0, 1) for _ in range(8)]
        return sent(rng) if rng.random() < odd / 4 else numbers[: 7 if rng.random() < odd / 4 else 8]

    named = rng.choice(["embedding", "vector", sent(rng)[:50]])
    rows = [{named: vector(), "text": sent(rng)[:500], "id": number} for number in range(rng.choice([1, 30]))]
    if ending == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    frame = pd.DataFrame(rows)
    if ending == "csv":
        return frame.to_csv(index=False).encode()
    frame[named] = [each if isinstance(each, list) else [] for each in frame[named]]
    frame[named] = [[float(one) if isinstance(one, float) else 0.0 for one in each] for each in frame[named]]
    frame.to_parquet(buffer)
    return buffer.getvalue()


def vectors(rng: random.Random) -> str:
    """Upload a store and its texts, and look at them as the page of the audit does."""
    ending = rng.choice(uploads.VECTORS["source"])
    with_texts = rng.random() < 0.3
    try:
        found = {"source": uploads.save_one(home(), f"a.{ending}", _spoiled(_stored(ending, rng), rng), "source")}
        if with_texts:
            texts = _spoiled(_stored("csv", rng), rng)
            found["texts"] = uploads.save_one(home(), "b.csv", texts, "texts")
        places = {field: uploads.locate(home(), text, field) for field, text in found.items()}
        columns = {"vector_column": sent(rng)} if rng.random() < 0.2 else {}
        dataset = Embeddings.parse({**places, **columns})
        assert dataset.key
        check([dataset.load().values])
    finally:
        shutil.rmtree(kept_uploads.folder(home()), ignore_errors=True)
    return "taken"


@cache
def _sound() -> dict[str, bytes]:
    """Return a report of each kind."""
    entry = next(entry for entry in catalog.entries() if Store().get_files(entry.key) is not None)
    evidence = build([entry.key], Store(), Declared(), texts=False)
    return {kind: rendered(evidence, f".{kind}") for kind in KINDS}


def report(rng: random.Random) -> str:
    """Verify a report with spoiled contents, or build one with a spoiled declaration."""
    place = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    try:
        ways: list[Callable[[random.Random, Path], str]] = [_verified, _verified, _declared]
        return rng.choice(ways)(rng, place)
    finally:
        shutil.rmtree(place)


def _verified(rng: random.Random, place: Path) -> str:
    kind = rng.choice(KINDS)
    content = _sound()[kind]
    if kind == "json" and rng.random() < 0.7:
        evidence = json.loads(content)
        node = evidence
        while isinstance(node, dict | list) and node:
            inner = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
            if rng.random() < 0.3 or not isinstance(node[inner], dict | list):
                node[inner] = rng.choice([*ODD, {}, sent(rng)])
                break
            node = node[inner]
        content = json.dumps(evidence).encode()
    else:
        content = rng.choice([_spoiled(content, rng), gzip.compress(content), value(rng).encode(errors="replace")])
    (place / f"report.{kind}").write_bytes(content)
    verdict = verify(read(place / f"report.{kind}"), home())
    assert verdict.lines and all(len(line) < 2_200 for line in verdict.lines), "the verdict repeats the whole value"
    assert content in _sound().values() or not verdict.intact or kind == "md", "a changed report was believed"
    return "taken" if verdict.intact else "refused"


def _declared(rng: random.Random, place: Path) -> str:
    file = place / "context.toml"
    names = ["system", "release", "attacker", "tolerable", sent(rng)[:80]]
    lines = [f"{rng.choice(names)} = {rng.choice([json.dumps(sent(rng)), '0.1', 'nan', '[]', value(rng)])}"]
    file.write_bytes(_spoiled("\n".join(lines * rng.choice([1, 1, 2])).encode(errors="replace"), rng))
    said = [f"{rng.choice(names)}={value(rng)}"] if rng.random() < 0.3 else []
    rendered(build([_key()], Store(), Declared.read(file, said), texts=False), rng.choice([".html", ".md", ".json"]))
    return "taken"


@cache
def _key() -> str:
    return next(entry.key for entry in catalog.entries() if Store().get_files(entry.key) is not None)
