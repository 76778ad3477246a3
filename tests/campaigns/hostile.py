"""Hostile values by the command line, the address bar, uploads and encoder folders: each is taken or refused; -m."""

import io
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import pandas as pd

from core import __main__ as command_line
from core.commands import experiments
from core.datasets.documents import Documents
from core.encoders.network import Network
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.overrides import flattened
from core.runtime import memory
from core.runtime.store import Store
from dashboard.kit import links
from dashboard.kit.forms import kept_uploads, mistakes, uploads
from tests.campaigns.campaign import command
from tests.dashboard.kit.test_forms import ATTACKS, NAMES
from tests.encoders.tiny import tiny
from tests.patience import PATIENCE

SECONDS, BYTES = 30, 2 * 10**9
WAYS = ("address",) * 9 + ("command",) * 7 + ("upload",) * 3 + ("encoder",)
PIECES = (
    *("", " ", ",", "\0", "\n", "\r\n", "\x1b[2J", "\u202e", "\ud7ff", "ﬀ", "İ", "💥", "e\u0301", "\ufeff", "\udc80"),
    *("none", "true", "nan", "-inf", "1e999", "-0", ".", "0x10", "1_000", "²", "9" * 5000, "1e-400", "٣", "½"),
    *("../../etc/passwd", "/dev/zero", "/proc/self/mem", "file:///etc/passwd", "~nobody", "C:\\con", "//host/share"),
    *("{0}", "%s%n", "${HOME}", "$(id)", "`id`", "'; drop table jobs; --", "<script>alert(1)</script>", "{{7*7}}"),
    *("[" * 2000, "{" * 2000, '{"a":' * 500, "[1,", '{"part":"enron"}', '{"part":["a"]}', "!!python/object:os.system"),
    *("=cmd|'/c calc'!A1", "@SUM(1)", "x" * 100_000, "__class__", "part", "word_pairs", "documents", "small_bert"),
)
KINDS = ("bert", "gpt2", "t5", "", None, 3, "../bert", "auto", "llama")
NUMBERS = (-1, 0, 1, 7, 10**9, 10**400, 1.5, float("nan"), True, None, "12", [], {}, [[1]])


@cache
def home() -> Store:
    """Return the store of this campaign."""
    return Store(root=Path(tempfile.mkdtemp(prefix="telltale-hostile-")))


@cache
def small() -> Path:
    """Return the folder of a small encoder."""
    return tiny(Path(tempfile.mkdtemp(prefix="telltale-hostile-")) / "model")


def value(rng: random.Random) -> str:
    """Return one hostile text."""
    return "".join(rng.choice(PIECES) for _ in range(rng.choice([1, 1, 1, 2, 3])))


def sent(rng: random.Random) -> str:
    """Return one hostile text as a browser can send it: as UTF-8, which has no lone surrogates."""
    return value(rng).replace("\udc80", "?")


@contextmanager
def bounded() -> Iterator[None]:
    """Fail where anything but a refusal of Telltale's own is raised, or the time is over, the processor's or ours."""

    def late(*_: object) -> NoReturn:
        raise AssertionError(f"it took more than {SECONDS} s of processor time, or {PATIENCE:g} s")

    for kind in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(kind, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(int(PATIENCE))
    try:
        yield
    except (AssertionError, KeyboardInterrupt, TelltaleError):
        raise
    except BaseException as error:
        raise AssertionError(f"{type(error).__name__}: {error}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


def attempt(number: int, rng: random.Random) -> str:
    """Give one hostile value."""
    os.environ["TELLTALE_HOME"] = str(home().root)
    ways: dict[str, Callable[[random.Random], str]] = {
        "address": _address,
        "command": _command,
        "upload": _upload,
        "encoder": _encoder,
    }
    way = WAYS[number % len(WAYS)]
    small()
    try:
        with bounded():
            return f"{way} {ways[way](rng)}"
    except TelltaleError as refusal:
        assert len(str(refusal)) < 2_200, "the refusal repeats the whole value"
        return f"{way} refused"


def _address(rng: random.Random) -> str:
    attack = rng.choice(ATTACKS)
    names = [rng.choice([rng.choice(NAMES[attack]), sent(rng)]) for _ in range(rng.randrange(1, 5))]
    query = {name: sent(rng) for name in names}
    reading = links.read(query, attack.part_name(), home())
    assert isinstance(reading.experiment, Experiment)
    for problem in reading.problems:
        assert isinstance(problem, TelltaleError)
        assert len(mistakes.said(problem, query, attack)) < 2_200, "the page repeats the whole value"
    return "refused" if reading.problems else "taken"


def _command(rng: random.Random) -> str:
    attack = rng.choice(ATTACKS).part_name()
    names = [*flattened(Experiment.preset(attack, "demo")), "preset", "x"]
    words = ["run", rng.choice([attack, attack, attack, value(rng)])]
    for _ in range(rng.randrange(1, 4)):
        option = rng.choice(["--set", "--set", "--set", "--preset", "--dataset", "--model", "--seed", "--workers"])
        said = f"{rng.choice([rng.choice(names), value(rng)])}={value(rng)}" if option == "--set" else value(rng)
        words.append(f"{option}={said}")

    def stub(*_: object) -> NoReturn:
        raise InvalidSpec("It would run.")

    out, err = io.StringIO(), io.StringIO()
    with patch.object(experiments, "run", stub), redirect_stdout(out), redirect_stderr(err):
        try:
            status = command_line.main(words)
        except SystemExit as end:
            status = int(end.code or 0)
    said = err.getvalue()
    if "It would run." in said:
        return "taken"
    assert status in (1, 2), f"status {status}"
    assert "Traceback" not in said and said.count("\n") == 1, said[:300]
    return "refused"


def _upload(rng: random.Random) -> str:
    ending = rng.choice(["csv", "tsv", "parquet", "txt"])
    texts = [sent(rng) for _ in range(rng.randrange(1, 30))]
    frame = pd.DataFrame({rng.choice(["text", "body", sent(rng)]): texts, "n": range(len(texts))})
    try:
        buffer = io.BytesIO()
        if ending == "parquet":
            frame.to_parquet(buffer)
        else:
            buffer.write(frame.to_csv(index=False).encode())
        content = bytearray(buffer.getvalue())
    except (ValueError, OverflowError):  # what no table can hold
        content = bytearray(rng.randbytes(200))
    for _ in range(rng.choice([0, 1, 5, 50])):
        content[rng.randrange(len(content))] = rng.randrange(256)
    name = f"{sent(rng)[:300]}.{ending}"
    place = uploads.save(home(), [(name, bytes(content[: rng.choice([len(content), 40])]))])
    try:
        Documents(source=uploads.locate(home(), place, "source")).load()
    finally:
        shutil.rmtree(kept_uploads.folder(home()), ignore_errors=True)
    return "taken"


def _encoder(rng: random.Random) -> str:
    folder = Path(tempfile.mkdtemp(prefix="telltale-hostile-")) / "model"
    shutil.copytree(small(), folder)
    try:
        file = folder / rng.choice(
            ["config.json", "config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"]
        )
        content = file.read_bytes()
        if file.name == "config.json":
            config: dict[str, Any] = json.loads(content)
            config[rng.choice([*config, "model_type", sent(rng)])] = rng.choice([*NUMBERS, sent(rng)])
            config["model_type"] = rng.choice([config["model_type"], config["model_type"], *KINDS])
            file.write_text(json.dumps(config))
        else:
            spoiled = bytearray(content)
            for _ in range(rng.choice([1, 3, 30])):
                spoiled[rng.randrange(min(len(spoiled), rng.choice([64, 4000, len(spoiled)])))] = rng.randrange(256)
            file.write_bytes(bytes(spoiled[: rng.choice([len(spoiled), len(spoiled), 100])]))
        list(Network(folder, "cpu").embed(["the cat of york", sent(rng)[:1000]], 8, "mean"))
    finally:
        shutil.rmtree(folder.parent)
    return "taken"


if __name__ == "__main__":
    memory.limit(BYTES)
    sys.exit(command("hostile", attempt, 10_000))
