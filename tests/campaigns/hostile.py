"""Hostile values by links, commands, uploads, tables, models, vectors, reports, answers: taken or refused; -m."""

import os
import random
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NoReturn
from unittest.mock import patch

import psutil
from streamlit import logger
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from core.errors import TelltaleError
from core.experiment import Experiment
from core.runtime import memory
from dashboard import navigation
from dashboard.kit import links
from dashboard.kit.forms import mistakes
from tests.campaigns import (
    hostile_answers,
    hostile_commands,
    hostile_files,
    hostile_models,
    hostile_reports,
    hostile_vectors,
)
from tests.campaigns.campaign import command
from tests.campaigns.hostile_values import home, sent
from tests.dashboard.kit.test_forms import ATTACKS, NAMES
from tests.errands import ROOT
from tests.patience import PATIENCE

SECONDS, BYTES = 30, 2 * 10**9
WAYS = ("address",) * 6 + ("command",) * 4 + ("upload",) * 2 + ("table",) * 2 + ("encoder", "folder", "view")
WAYS += ("vectors",) * 4 + ("report",) * 2 + ("model", "answers")


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
        "command": hostile_commands.command,
        "upload": hostile_files.upload,
        "table": hostile_files.table,
        "encoder": hostile_files.encoder,
        "folder": hostile_files.folder,
        "view": _view,
        "vectors": hostile_vectors.vectors,
        "report": hostile_reports.report,
        "model": hostile_models.model,
        "answers": hostile_answers.answers,
    }
    way = WAYS[number % len(WAYS)]
    hostile_files.small()
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
        assert len(mistakes.explained(problem, query, attack)) < 2_200, "the page repeats the whole value"
    return "refused" if reading.problems else "taken"


@cache
def views() -> list[str]:
    """Return the names of all choices of a view that an address may hold."""
    sources = (file.read_text("utf-8") for file in sorted((ROOT / "dashboard").rglob("*.py")))
    return sorted({name for source in sources for name in re.findall(r'"(view\.\w+)"', source)})


def _view(rng: random.Random) -> str:
    """Open a page with choices of its view in the address."""
    page = navigation.page_of(rng.choice(ATTACKS).part_name())
    if page is None:
        return "taken"
    logger.set_log_level("critical")  # a test has no browser, and says so
    app = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=PATIENCE)
    app.switch_page(f"views/{page.name}.py")
    for _ in range(rng.randrange(1, 12)):
        app.query_params[rng.choice([*views(), f"view.{sent(rng)}"])] = sent(rng)
    with patch.object(ContextProxy, "headers", {}), patch.object(ContextProxy, "cookies", {}):
        app.run()
    assert not app.exception, [element.value for element in app.exception]
    return "taken"


def limited(number: int, rng: random.Random) -> str:
    """Give one hostile value, with so much memory on top of what earlier ones have left in this process."""
    memory.limit(psutil.Process().memory_info().data + BYTES)
    return attempt(number, rng)


if __name__ == "__main__":
    sys.exit(command("hostile", limited, 10_000))
