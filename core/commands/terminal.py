"""The terminal: progress bars, and errors in one line."""

import argparse
import io
import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from types import FrameType, MappingProxyType
from typing import Any, NoReturn

from tqdm import tqdm

from core.errors import abridged, suggestion
from core.jobs.pace import epoch_of
from core.runtime.engine import MOST_WORKERS
from core.runtime.progress import Progress
from core.spec import whole_beside

_EVERY = 60.0
"""Seconds between two lines about one stage where standard error is no terminal."""
_AS_LINE = "{desc}: {n_fmt} of {total_fmt} after {elapsed}, {remaining} left{postfix}"
_UNKNOWN = ", ? left"
"""What tqdm says of the time left before the first item is done."""

Commands = Any
"""What argparse adds commands to; it has no public type."""
_ENDS = {0: "done", 1: "refused or failed", 2: "misused", 130: "stopped by Ctrl-C or SIGTERM"}
CONDITIONS = {3: "a condition of --fail-if holds", 4: "there is one, and nothing decides it"}
"""How commands end that take conditions, and how those end that hold them."""
CHECKS = {1: "refused or failed, or --check found something"}
"""How commands end that check what is stored."""


class _Lines(io.TextIOBase):
    """Standard error where it is no terminal: each state of a bar is a line, for a log keeps all of them."""

    def write(self, text: str) -> int:
        if line := text.strip().replace(_UNKNOWN, ""):
            print(line, file=sys.stderr, flush=True)
        return len(text)


class TerminalProgress(Progress):
    """Draws progress bars on standard error; where that is no terminal, a line for each stage, and one every minute."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None
        self._said, self._said_at = "", -math.inf

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Close the bar of the last stage and open the next; in a log, the epochs of one training are one stage."""
        if not sys.stderr.isatty():
            (training, epoch, epochs), now = epoch_of(name), time.monotonic()
            if epochs > 1:
                name, total, done = f"{training}, all {epochs} epochs", epochs * total, (epoch - 1) * total + done
            if epochs and training == self._said:
                if self._bar is not None and self._bar.n <= done:
                    self._bar.update(done - self._bar.n)
                    return
                if now < self._said_at + _EVERY:
                    self.close()
                    return
            self._said, self._said_at = training, now
        self.close()
        how: dict[str, Any] = {"file": sys.stderr, "dynamic_ncols": True}
        if not sys.stderr.isatty():
            how = {"file": _Lines(), "mininterval": _EVERY, "maxinterval": math.inf, "bar_format": _AS_LINE}
            if not total:
                how["bar_format"] = "{desc}"
        self._bar = tqdm(desc=name, total=total or None, initial=done, unit="", leave=sys.stderr.isatty(), **how)

    def advance(self, items: int = 1) -> None:
        """Advance the bar."""
        if self._bar is not None:
            self._bar.update(items)

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Show the accuracy of the attack so far."""
        overall = [row for row in curve if row.get("size") == 0 and math.isnan(row.get("penalty", math.nan))]
        if overall and "accuracy" in overall[-1] and self._bar is not None:
            text = f"accuracy {overall[-1]['accuracy']:.2f} with k = {overall[-1]['shadows']}"
            self._bar.set_postfix_str(text, refresh=sys.stderr.isatty())

    def close(self) -> None:
        """Close the open bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextmanager
def bars() -> Iterator[TerminalProgress]:
    """Draw progress bars, and close the last one in the end."""
    progress = TerminalProgress()
    try:
        yield progress
    finally:
        progress.close()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM, with which schedulers and containers end a process, stop a command as Ctrl-C does."""

    def stop(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # where Python takes no handler
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Parser(argparse.ArgumentParser):
    """Reports an error in one line, like every other error.

    Attributes:
        instead: Parsers that take over where the first word is theirs.
        about: From the words of the command, lines at the end of its help.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        """Make a parser; arguments are those of argparse."""
        super().__init__(*args, **options)
        self.instead: dict[str, Parser] = {}
        self.about: Callable[[Sequence[str]], list[str]] = lambda _: []
        self._words: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse an option whose value argparse would drop, and one that this command lacks, with the nearest."""
        if args and args[0] in self.instead:
            return self.instead[args[0]].parse_known_args(args[1:], namespace)
        self._words = args or ()
        for word in self._words:
            if word.startswith("--") and word.endswith("=--"):
                self.error(f"argument {word.partition('=')[0]}: expected a value other than '--'.")
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}.{self._nearest(unknown)}")
        return known, []

    def _nearest(self, unknown: Sequence[str]) -> str:
        """Return the option most like the first one that this command lacks, as a sentence; empty where none is."""
        options = [name for name in self._option_string_actions if name.startswith("--")]
        wanted = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
        near = get_close_matches(wanted, options, n=1)
        return f" Did you mean {near[0]!r}?" if near else ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of the choices, with the nearest or all of them."""
        if action.choices is not None and value not in action.choices:
            called = "command" if isinstance(action, argparse._SubParsersAction) else action.dest
            hint = suggestion(value, list(action.choices))
            raise argparse.ArgumentError(None, f"No {called} is named {value!r}.{hint}")

    def format_help(self) -> str:
        """Return the help, with what is said about the words of the command."""
        about = self.about(self._words)
        return super().format_help() + "".join(f"{line}\n" for line in ["", *about] if about)

    def error(self, message: str) -> NoReturn:
        """End with status 2 and the error in one line."""
        line = one_line(message)
        end = "" if line.endswith((".", "?")) else "."
        self.exit(2, f"{line}{end} See '{self.prog} --help'.\n")


def added(
    commands: Commands, name: str, does: str, more: str = "", ends: Mapping[int, str] = MappingProxyType({})
) -> Parser:
    """Add a command, whose help says what it does and how it ends, and return its parser.

    Args:
        commands: What it is added to.
        name: Its name.
        does: What it does, as the help of all commands says it.
        more: Further sentences for its own help.
        ends: What further exit statuses say, or usual ones where they say more.
    """
    parser: Parser = commands.add_parser(name, help=does, **described(does, more, ends))
    return parser


def add_set(command: argparse.ArgumentParser, sets: str) -> None:
    """Add the option that sets parameters, whose help says what it sets."""
    command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=sets)


def described(does: str, more: str = "", ends: Mapping[int, str] = MappingProxyType({})) -> dict[str, str]:
    """Return what help says above and below the arguments; arguments are those of `added`."""
    statuses = "; ".join(f"{status} {says}" for status, says in sorted({**_ENDS, **ends}.items()))
    return {"description": f"{does[0].upper()}{does[1:]}. {more}".strip(), "epilog": f"Exit status: {statuses}."}


def whole(within: str = "", least: int = 0) -> Callable[[str], int]:
    """Return what reads a whole number; what takes the number checks its bounds.

    Args:
        within: The bounds in words, with a space before them.
        least: The lowest number.
    """

    def read(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            near = whole_beside(text, least)
            instead = f"; {near} would do" if near else ""
            message = f"must be a whole number{within}. Got {text!r} instead{instead}."
            raise argparse.ArgumentTypeError(message) from None

    return read


seed = whole()
"""Reads the seed of a command; its bounds are those of experiments."""


def add_workers(command: argparse.ArgumentParser, does: str = "on this machine") -> None:
    """Add the option that says by how many processes, which do what is said."""
    command.add_argument(
        "--workers",
        type=whole(f" from 0 (one a core) to {MOST_WORKERS}"),
        default=0,
        help=f"processes {does} (default 0: one a core)",
    )


def one_line(text: str) -> str:
    """Return a text without line breaks, control characters or excessive length."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in abridged(text))
