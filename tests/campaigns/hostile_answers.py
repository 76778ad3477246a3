"""Hostile questions and answers: files of an audit by answers, with spoiled lines, values and bytes."""

import json
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

from core.commands import answer_audit
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.sources.answers.forms import KINDS, Kind
from core.sources.answers.questions import Questions
from tests.campaigns.damage import damaged
from tests.campaigns.hostile_values import ended, sent, value
from tests.games.answers.asked import prepared, table

ODD = (float("nan"), float("inf"), -1e308, 1e-320, -0.0, 0, 10**400, None, True, "1", "x" * 9000, [], [[]], {}, [None])
ANSWERS: dict[Kind, tuple[dict[str, Any], ...]] = {
    "classifier": ({"probabilities": {"sport": 0.7, "news": 0.3}}, {"label": "sport"}),
    "language_model": (
        {"logprobs": [None, -1.5, -0.2]},
        {"logprob": -4.0, "tokens": 3},
        {"logprobs": [-1.0], "means": [-2.0], "deviations": [0.5]},
    ),
    "embeddings": ({"embedding": [0.1, -0.2, 0.3]},),
}


@cache
def _asked(kind: Kind) -> Questions:
    """Return questions about documents that lie in a folder of the campaign."""
    folder = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    if kind == "embeddings":
        return Questions.about(kind, table()["text"][:120], {})
    return prepared(folder, table(), kind)[1]


def answers(rng: random.Random) -> str:
    """Audit the answers to questions, one of the files spoiled."""
    kind = rng.choice(KINDS)
    first_round, form = _asked(kind), rng.choice(ANSWERS[kind])
    questions: list[Any] = [json.loads(line) for line in first_round.written()]
    given: list[Any] = [{"questions": first_round.checksum}, *({"id": name, **form} for name in first_round.texts)]
    rng.shuffle(given)
    parent = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    spoiled = rng.choice([questions, given, given, None])
    if spoiled is not None:
        ways: list[Callable[[list[Any], random.Random], None]] = [_changed, _changed, _lost, _doubled, _foreign]
        for _ in range(rng.choice([1, 1, 3])):
            rng.choice(ways)(spoiled, rng)
    try:
        for name, lines in (("questions.jsonl", questions), ("answers.jsonl", given)):
            content = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
            if lines is spoiled and rng.random() < 0.3:
                content = damaged(content, rng)
            (parent / name).write_bytes(content)
        return _audited(parent, rng)
    finally:
        shutil.rmtree(parent)


def _audited(parent: Path, rng: random.Random) -> str:
    """Give both files to the command, which stops where it would play."""

    def stub(audit: Experiment, *_: object) -> NoReturn:
        assert audit.key
        raise InvalidSpec("It would run.")

    words = ["audit", "answer", str(parent / "questions.jsonl"), str(parent / "answers.jsonl")]
    words += [f"--rest={parent / 'rest.jsonl'}"] * rng.randrange(2) + [f"--output={parent / 'vectors.jsonl'}"]
    words += [f"--documents={value(rng)}"] if rng.random() < 0.1 else []
    with patch.object(answer_audit, "run_with_bars", stub):
        status, message = ended(words)
    if status == 0 or "It would run." in message:
        return "taken"
    assert status in (1, 2), f"status {status}"
    assert "Traceback" not in message and message.count("\n") <= 2 and len(message) < 2_400, message[:300]
    return "refused"


def _changed(lines: list[Any], rng: random.Random) -> None:
    """Change one value somewhere in a line, or a name."""
    position = rng.randrange(len(lines))
    node: Any = json.loads(json.dumps(lines[position])) if not isinstance(lines[position], bytes) else {}
    lines[position] = node
    while isinstance(node, dict | list) and node:
        inner = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        if rng.random() < 0.3 or not isinstance(node[inner], dict | list):
            if isinstance(node, dict) and rng.random() < 0.2:
                node[sent(rng)[:200]] = node.pop(inner)
            else:
                node[inner] = rng.choice([*ODD, sent(rng)])
            return
        node = node[inner]


def _lost(lines: list[Any], rng: random.Random) -> None:
    """Lose lines."""
    del lines[rng.randrange(len(lines)) :: rng.choice([1, 7, 1000])]


def _doubled(lines: list[Any], rng: random.Random) -> None:
    """Repeat a line."""
    if lines:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))


def _foreign(lines: list[Any], rng: random.Random) -> None:
    """Put something else between the lines."""
    junk = [value(rng).encode(errors="replace"), rng.randbytes(50), b"[" * 100_000, b'{"a":' * 100_000, b"9" * 50_000]
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(junk))
