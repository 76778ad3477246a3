"""One byte of a report changed at random, in some the seal renewed after it: verification must find each; -m."""

import random
import sys
from functools import cache

from core import catalog
from core.report import build, rendered, verify
from core.report.seal import opened, sealed
from core.runtime.store import Store
from tests.campaigns.campaign import command

KINDS = ("html", "md", "json")
_RENEWED = 10
"""One attempt of so many renews the seal, as whoever means to deceive does; Markdown holds no evidence to compare."""
_ATTACKS = ("word_pair_audit", "word_pairs", "keyword_inference")


@cache
def sound() -> dict[str, bytes]:
    """Return a report of each kind, on three results that ship."""
    keys = [catalog.entries_of(attack)[0].key for attack in _ATTACKS]
    evidence = build(keys, Store())
    return {kind: rendered(evidence, f".{kind}") for kind in KINDS}


def attempt(number: int, rng: random.Random) -> str:
    """Change one byte, and say what found it.

    Raises:
        AssertionError: Nothing did.
    """
    kind = KINDS[number % len(KINDS)]
    renewed = number // len(KINDS) % _RENEWED == 0 and kind != "md"
    report = sound()[kind]
    body = _body(report) if renewed else report
    position = rng.randrange(len(body))
    byte = rng.choice([other for other in range(128 if renewed else 256) if other != body[position]])
    changed = body[:position] + bytes([byte]) + body[position + 1 :]
    if renewed:
        try:
            changed = sealed(changed.decode(), f".{kind}")
        except UnicodeDecodeError:
            return f"{kind}, no text any more, so that nothing can seal it"
    verdict = verify(changed, Store())
    assert verdict.status, (
        f"{kind}, seal renewed: {renewed}, byte {position} is {byte} for {body[position]}: {verdict.lines}"
    )
    how = "contradicted" if not verdict.intact else "not all could be checked"
    return f"{kind}{', seal renewed' if renewed else ''}: {how}"


def _body(report: bytes) -> bytes:
    """Return what the seal of a report covers."""
    body = opened(report)
    assert body is not None, "a sound report is sealed"
    return body[0].encode()


if __name__ == "__main__":
    sys.exit(command("changed_bytes", attempt, 10_000))
