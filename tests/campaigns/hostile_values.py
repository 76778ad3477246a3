"""Hostile texts, numbers and bytes, and the home of the campaign that gives them."""

import io
import json
import random
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

from core import __main__ as command_line
from core.runtime.store import Store
from tests.campaigns.damage import damaged

PIECES = (
    *("", " ", ",", "\0", "\n", "\r\n", "\x1b[2J", "\u202e", "\ud7ff", "ﬀ", "İ", "💥", "e\u0301", "\ufeff", "\udc80"),
    *("none", "true", "nan", "-inf", "1e999", "-0", ".", "0x10", "1_000", "²", "9" * 5000, "1e-400", "٣", "½"),
    *("../../etc/passwd", "/dev/zero", "/proc/self/mem", "file:///etc/passwd", "~nobody", "C:\\con", "//host/share"),
    *("{0}", "%s%n", "${HOME}", "$(id)", "`id`", "'; drop table jobs; --", "<script>alert(1)</script>", "{{7*7}}"),
    *("[" * 2000, "{" * 2000, '{"a":' * 500, "[1,", '{"part":"enron"}', '{"part":["a"]}', "!!python/object:os.system"),
    *("=cmd|'/c calc'!A1", "@SUM(1)", "x" * 100_000, "__class__", "part", "word_pairs", "documents", "small_bert"),
)
ODD = (float("nan"), float("inf"), 1e308, -0.0, None, "1", "x", [], [1.0], True)


@cache
def home() -> Store:
    """Return the store of this campaign."""
    return Store(root=Path(tempfile.mkdtemp(prefix="telltale-hostile-")))


def ended(words: Sequence[str]) -> tuple[int, str]:
    """Run the command line; return the status that it ends with, and what it writes to standard error."""
    err = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(err):
        try:
            status = command_line.main(words)
        except SystemExit as end:
            status = int(end.code or 0)
    return status, err.getvalue()


def value(rng: random.Random) -> str:
    """Return one hostile text."""
    return "".join(rng.choice(PIECES) for _ in range(rng.choice([1, 1, 1, 2, 3])))


def sent(rng: random.Random) -> str:
    """Return one hostile text as a browser can send it: as UTF-8, which has no lone surrogates."""
    return value(rng).replace("\udc80", "?")


def spoiled(content: bytes, rng: random.Random) -> bytes:
    """Return a file with a few foreign bytes, most near its beginning, where formats say what follows."""
    spoiled = bytearray(content)
    for _ in range(rng.choice([0, 0, 1, 3, 30])):
        spoiled[rng.randrange(min(len(spoiled), rng.choice([64, 500, len(spoiled)])))] = rng.randrange(256)
    return damaged(bytes(spoiled), rng) if rng.random() < 0.2 else bytes(spoiled)


def spoil(file: Path, rng: random.Random) -> None:
    """Spoil a file: a value somewhere in its JSON, or its bytes."""
    content = file.read_bytes()
    if file.suffix != ".json" or rng.random() < 0.3:
        file.write_bytes(spoiled(content, rng))
        return
    whole = node = json.loads(content)
    while isinstance(node, dict | list) and node:
        inner = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        if rng.random() < 0.3 or not isinstance(node[inner], dict | list):
            node[inner] = rng.choice([*ODD, 10**9, -1, {}, sent(rng)])
            break
        node = node[inner]
    file.write_text(json.dumps(whole))
