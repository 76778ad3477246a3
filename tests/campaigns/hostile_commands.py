"""Hostile words on the command line: each command ends with a status and a sentence, and without a traceback."""

import random
import tempfile
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

from core import catalog
from core.commands import experiments
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.overrides import flattened
from tests.campaigns.hostile_values import ended, value
from tests.dashboard.kit.test_forms import ATTACKS

_STATUSES = (0, 1, 2, 3, 4)
_LINES = 6
"""A command that goes through several steps says what it does, and then what is wrong."""


def command(rng: random.Random) -> str:
    """Give a command hostile words; nothing is computed."""
    runs = rng.random() < 0.6
    words = _run(rng) if runs else _other(rng)

    def stub(*_: object) -> NoReturn:
        raise InvalidSpec("It would run.")

    with chdir(_place()), patch.object(experiments, "run", stub):
        status, message = ended(words)
    if status == 0 or "It would run." in message:
        return "taken"
    assert status in ((1, 2) if runs else _STATUSES), f"status {status}"
    assert "Traceback" not in message and message.count("\n") <= (1 if runs else _LINES) and len(message) < 4_000, (
        message[:300]
    )
    return "refused"


@cache
def _place() -> Path:
    """Return a folder with a table, from which hostile paths lead nowhere that matters."""
    parent = Path(tempfile.mkdtemp(prefix="telltale-hostile-")) / "a" / "b" / "c"
    parent.mkdir(parents=True)
    rows = [f"a letter {number} of mine,{('in', 'out')[number % 2]}" for number in range(60)]
    (parent / "letters.csv").write_text("\n".join(["text,member", *rows, ""]))
    return parent


def _run(rng: random.Random) -> list[str]:
    attack = rng.choice(ATTACKS).part_name()
    names = [*flattened(Experiment.preset(attack, "demo")), "preset", "x"]
    words = ["run", rng.choice([attack, attack, attack, value(rng)])]
    for _ in range(rng.randrange(1, 4)):
        option = rng.choice(["--set", "--set", "--set", "--preset", "--dataset", "--model", "--seed", "--workers"])
        setting = f"{rng.choice([rng.choice(names), value(rng)])}={value(rng)}" if option == "--set" else value(rng)
        words.append(f"{option}={setting}")
    return words


def _other(rng: random.Random) -> list[str]:
    """Return a command other than run; no word of it holds a NUL, which no system passes on."""

    def some(*sound: str) -> str:
        return rng.choice([*sound, value(rng)])

    def options(*texts: str) -> list[str]:
        return [text for text in texts if rng.random() < 0.4]

    entry, table = next(iter(catalog.entries())).name, "letters.csv"
    kind = some("classifier", "language_model", "embeddings")
    column = rng.choice(["member_column", "text_column", "owner_column"])
    setting = rng.choice(["profile", "vector-column", "seed", "set", "encoder", "fail-if", "collection", "queries"])
    commands = [
        ["list", value(rng)],
        ["data", some("fetch", "check", "tokenise"), some(table), *options(f"--text-column={some('text')}")],
        [
            *("report", some(entry), f"-o=out{rng.choice(['.html', '.md', '.json', ''])}"),
            *options(f"--declare={some('system', 'tolerable')}={value(rng)}", f"--context={some(table)}"),
        ],
        ["report", "verify", some(table), *options(f"--replay={some(entry)}")],
        [
            "audit",
            "ask",
            kind,
            f"--documents={some(table)}",
            "--output=asked",
            *options(f"--set={column}={value(rng)}"),
        ],
        ["audit", "vectors", some(table), *options(f"--texts={some(table)}", f"--{setting}={value(rng)}")],
        ["audit", "schema", value(rng)],
        ["precompute", "--check", f"--only={some(entry)}"],
        [value(rng) for _ in range(rng.randrange(1, 4))],
    ]
    return [word.replace("\0", "") for word in rng.choice(commands)]
