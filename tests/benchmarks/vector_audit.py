"""How fast vectors are audited, what a grown store costs, and the memory of ten million; run with python -m.

The store holds 10,000 different sentences of restaurant reviews as unit-length vectors of MiniLM, or as many of them as
there are, and is audited with the profile ``smoke``, or the one that is named. Then one in a hundred rows is added, and
the audit runs again in the same home. Our modules are compiled before, so that neither run does it. Ten million vectors
of 384 dimensions, 8 GB, are made and checked only where ``--millions 10`` asks.
"""

import argparse
import compileall
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import core
from core.audits.profiles import PROFILES
from core.datasets.yelp import Yelp
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.store import Store

SIZE = 10_000
_GROWN = 0.01
_DIMENSIONS = 384
_BLOCK = 100_000
_ALONE = {"OMP_NUM_THREADS": "1"}


def main() -> None:
    """Measure, and print one line of JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--millions", type=int, default=0, help="also check that many million generated vectors")
    options.add_argument("--profile", choices=PROFILES, default="smoke", help="how much the audit tries")
    options.add_argument("--vectors", type=int, default=SIZE, help="vectors of the grown store, at most")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # First: the peak is that of all processes so far.
        large = _large(folder, chosen.millions) if chosen.millions else {}
        figures = {**_audited(folder, chosen.profile, chosen.vectors), **large}
    line = {
        "name": "vector_audit",
        "ratio": figures["first_over_second"],
        "compared": f"processor seconds of an audit, profile {chosen.profile}, of {chosen.vectors:,} vectors at most: "
        f"the first one over one after {_GROWN:.0%} more vectors, with one thread; the encoder's share is that of "
        "embedding the same texts alone",
        "figures": figures,
    }
    print(json.dumps(line))


def _audited(folder: Path, profile: str, size: int) -> dict[str, Any]:
    texts = list(dict.fromkeys(Yelp().load().texts))[:size]
    encoder, context = Encoder(source="minilm", length="unit"), RunContext(store=Store(folder / "made"))
    encoder.encode(["Load the encoder."], context)
    before = time.process_time()
    vectors = encoder.encode(texts, context)
    embedding = (time.process_time() - before) / len(texts)
    count = round(len(texts) / (1 + _GROWN))
    compileall.compile_dir(Path(core.__file__).parent, quiet=2)
    seconds, trainings, report = [], [], {}
    for rows in (count, len(texts)):
        _written(folder, texts[:rows], vectors[:rows])
        spent, report = _spent(folder, ["--texts", str(folder / "x.jsonl"), "--profile", profile], folder / "home")
        seconds.append(spent)
        trainings.append(sum(attack["provenance"]["trainings"] for attack in report["attacks"]))
    before_defenses = [attack for attack in report["attacks"] if attack["name"] != "frontier"]
    embedded = sum(attack["estimates"].get("queries", {"value": 0})["value"] for attack in before_defenses)
    return {
        "vectors": count,
        "first_seconds": round(seconds[0], 1),
        "second_seconds": round(seconds[1], 1),
        "first_over_second": round(seconds[0] / seconds[1], 2),
        "second_share": round(seconds[1] / seconds[0], 3),
        "first_trainings": trainings[0],
        "second_trainings": trainings[1],
        "vectors_a_minute": round(60 * count / seconds[0]),
        "read_a_minute": round(60 * report["attacks"][0]["estimates"]["f1"]["decisions"] / seconds[0]),
        "encoder_share": round(embedded * embedding / seconds[0], 2),
    }


def _large(folder: Path, millions: int) -> dict[str, Any]:
    """Check generated vectors, mapped into memory."""
    path, count = folder / "large.npy", millions * 1_000_000
    rng = np.random.default_rng(0)
    block = rng.normal(size=(_BLOCK, _DIMENSIONS)).astype(np.float16)
    # Written, not mapped: a process begins with the peak memory of the one that starts it.
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f2", "fortran_order": False, "shape": (count, _DIMENSIONS)}
        )
        for start in range(0, count, _BLOCK):
            file.write(np.roll(block, start // _BLOCK, axis=1).tobytes())
    spent, report = _spent(folder, [], folder / "home", path)
    path.unlink()
    return {
        "large_vectors": report["vectors"],
        "large_seconds": round(spent, 1),
        "large_peak_mb": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
    }


def _written(folder: Path, texts: list[str], vectors: Any) -> None:
    np.save(folder / "x.npy", vectors)
    (folder / "x.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))


def _spent(folder: Path, more: list[str], home: Path, path: Path | None = None) -> tuple[float, Any]:
    """Return the processor seconds of the command, and what it says."""
    command = [sys.executable, "-m", "core", "audit", "vectors", str(path or folder / "x.npy"), "--json", *more]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, **_ALONE, "TELLTALE_HOME": str(home)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(done.stdout)


if __name__ == "__main__":
    main()
