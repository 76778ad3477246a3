"""Notes which texts each sentence function returns to tests, and fails a whole suite in which one never changes.

A page promises that each sentence follows from its table. So tests draw each from tables that say different things, and
see it change. What pages ask for does not count: nothing there says what a sentence should be.

A function is replaced right after its module was executed, before another can import it by name.
"""

import inspect
import sys
import threading
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import update_wrapper
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import FunctionType, ModuleType
from typing import Any

import pytest

from tests.prose import FOLDERS, TEXTS, sentences

ENOUGH = 2
"""Different texts that show that a sentence changes."""
EXCEPTIONS: Mapping[str, str] = {
    "dashboard.topics.inversion.figures.paper.printed": "reads a table of a paper, which never changes",
    "dashboard.topics.inversion.same_texts.choose_method": "draws a choice, and returns what was chosen",
}
"""Sentence functions that tests need not see change, with the reason."""
_UNCOUNTED = "<frozen importlib._bootstrap>"
"""A file whose calls warnings leave out where they name who called."""
_PACKAGES = tuple(folder.replace("/", ".") for folder in FOLDERS)
_COMPLAINTS = pytest.StashKey[list[str]]()


class Record:
    """What functions have returned: short digests of a few different texts each, by full name."""

    def __init__(self) -> None:
        self.texts: dict[str, set[int]] = defaultdict(set)

    def note(self, name: str, text: str | Collection[str] | None) -> None:
        """Keep what a function has returned to a test; pages run in threads of their own."""
        if len(self.texts[name]) < ENOUGH and threading.current_thread() is threading.main_thread():
            self.texts[name].add(zlib.crc32(repr(text).encode()))  # what is shown of a text can always be encoded

    def add(self, texts: Mapping[str, Collection[int]]) -> None:
        """Add what another process has noted."""
        for name, digests in texts.items():
            self.texts[name].update(digests)

    def replace(self, module: ModuleType) -> None:
        """Replace the public functions of a module that return text by such that note it."""
        for name, function in list(vars(module).items()):
            is_own = inspect.isfunction(function) and function.__module__ == module.__name__
            if is_own and not name.startswith("_") and function.__annotations__.get("return") in TEXTS.values():
                setattr(module, name, self.noting(f"{module.__name__}.{name}", function))

    def noting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same and notes what it returns, of lines once no more are asked for."""
        note, lines = self.note, Iterator

        def noted(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            text = function(*args, **kwargs)
            if isinstance(text, lines):
                return passed_on(text)
            note(name, text)
            return text

        def passed_on(text: Iterator[str]) -> Iterator[str]:
            given: list[str] = []
            try:
                for line in text:
                    given.append(line)
                    yield line
            finally:
                note(name, given)

        # It has the namespace of the original, by which doctest tells what belongs to a module.
        code = noted.__code__.replace(co_filename=_UNCOUNTED)
        placed = update_wrapper(FunctionType(code, function.__globals__, closure=noted.__closure__), function)
        del placed.__wrapped__  # tests ask by this whether a function is remembered
        placed.__dict__ |= vars(function) | {"__signature__": inspect.signature(function)}
        return placed


def complaints(
    expected: Collection[str], texts: Mapping[str, Collection[int]], exceptions: Mapping[str, str]
) -> list[str]:
    """Return what is wrong with a whole suite, a line each; nothing where each sentence changes."""
    counts = {name: len(texts.get(name, ())) for name in sorted(expected)}
    lines = [
        f"{name}: {'one text only' if count else 'never called by a test'}"
        for name, count in counts.items()
        if count < ENOUGH and name not in exceptions
    ]
    lines += [f"{name}: an exception that is no sentence function" for name in exceptions if name not in counts]
    lines += [f"{name}: an exception that changes" for name in exceptions if counts.get(name, 0) >= ENOUGH]
    return lines


RECORD = Record()
"""What functions have returned in this process; after a run by several, in all of them."""


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        RECORD.replace(module)


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name.startswith(_PACKAGES) else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``make test`` ask for the verdict: only a run of the whole suite calls all functions."""
    parser.addoption(
        "--each-sentence-changes",
        action="store_true",
        help="fail unless the tests that run got two different texts of each function that returns a sentence",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what another process of the run has noted; one that crashed says nothing."""
    RECORD.add(getattr(node, "workeroutput", {}).get("said", {}))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Hand on what was noted, or judge it if all tests have passed."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["said"] = {name: list(digests) for name, digests in RECORD.texts.items()}
    elif config.getoption("each_sentence_changes") and exitstatus == pytest.ExitCode.OK:
        config.stash[_COMPLAINTS] = complaints(sentences(), RECORD.texts, EXCEPTIONS)
        if config.stash[_COMPLAINTS]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which sentences do not change, and what to do."""
    if lines := config.stash.get(_COMPLAINTS, []):
        terminalreporter.section("sentences that no test sees change", red=True)
        terminalreporter.write_line("\n".join(lines))
        terminalreporter.write_line(
            "Write a test that draws each from tables that say different things, and asserts on what it says of them. "
            "What need not change is named in EXCEPTIONS of tests/said.py, with the reason."
        )
