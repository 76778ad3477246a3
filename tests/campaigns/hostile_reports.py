"""Hostile reports: one to verify, and what is declared of it."""

import gzip
import json
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from core import catalog
from core.report import build, rendered, verify
from core.report.declared import Declared
from core.report.verification import read
from core.runtime.store import Store
from tests.campaigns.hostile_values import ODD, home, sent, spoiled, value

KINDS = ("html", "md", "json")


@cache
def _sound() -> dict[str, bytes]:
    """Return a report of each kind."""
    entry = next(entry for entry in catalog.entries() if Store().get_files(entry.key) is not None)
    evidence = build([entry.key], Store(), Declared(), texts=False)
    return {kind: rendered(evidence, f".{kind}") for kind in KINDS}


def report(rng: random.Random) -> str:
    """Verify a report with spoiled contents, or build one with a spoiled declaration."""
    parent = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    try:
        ways: list[Callable[[random.Random, Path], str]] = [_verified, _verified, _declared]
        return rng.choice(ways)(rng, parent)
    finally:
        shutil.rmtree(parent)


def _verified(rng: random.Random, parent: Path) -> str:
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
        content = rng.choice([spoiled(content, rng), gzip.compress(content), value(rng).encode(errors="replace")])
    (parent / f"report.{kind}").write_bytes(content)
    verdict = verify(read(parent / f"report.{kind}"), home())
    assert verdict.lines and all(len(line) < 2_200 for line in verdict.lines), "the verdict repeats the whole value"
    assert content in _sound().values() or not verdict.intact or kind == "md", "a changed report was believed"
    return "taken" if verdict.intact else "refused"


def _declared(rng: random.Random, parent: Path) -> str:
    file = parent / "context.toml"
    names = ["system", "release", "attacker", "tolerable", sent(rng)[:80]]
    lines = [f"{rng.choice(names)} = {rng.choice([json.dumps(sent(rng)), '0.1', 'nan', '[]', value(rng)])}"]
    file.write_bytes(spoiled("\n".join(lines * rng.choice([1, 1, 2])).encode(errors="replace"), rng))
    settings = [f"{rng.choice(names)}={value(rng)}"] if rng.random() < 0.3 else []
    rendered(
        build([_key()], Store(), Declared.read(file, settings), texts=False), rng.choice([".html", ".md", ".json"])
    )
    return "taken"


@cache
def _key() -> str:
    return next(entry.key for entry in catalog.entries() if Store().get_files(entry.key) is not None)
