"""The terminal: progress bars, and errors in one line."""

import argparse
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from tqdm import tqdm

from core.errors import abridged
from core.runtime.progress import Progress

Commands = Any
"""What argparse adds commands to; it has no public type."""


class TerminalProgress(Progress):
    """Draws progress bars on standard error; where that is no terminal, it names each stage on a line."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Close the bar of the last stage and open the next."""
        self.close()
        if not sys.stderr.isatty():
            print(f"{name} ({total:,})" if total else name, file=sys.stderr)
            return
        self._bar = tqdm(desc=name, total=total or None, initial=done, file=sys.stderr, unit="", dynamic_ncols=True)

    def advance(self, items: int = 1) -> None:
        """Advance the bar."""
        if self._bar is not None:
            self._bar.update(items)

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Show the accuracy of the attack so far."""
        overall = [row for row in curve if row.get("size") == 0 and math.isnan(row.get("penalty", math.nan))]
        if overall and "accuracy" in overall[-1] and self._bar is not None:
            self._bar.set_postfix_str(f"accuracy {overall[-1]['accuracy']:.2f} with k = {overall[-1]['shadows']}")

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


class Parser(argparse.ArgumentParser):
    """Reports an error in one line, like every other error."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse an option whose value argparse would drop."""
        for word in args or ():
            if word.startswith("--") and word.endswith("=--"):
                self.error(f"argument {word.partition('=')[0]}: expected a value other than '--'.")
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """End with status 2 and the error in one line."""
        self.exit(2, f"{one_line(message)} See '{self.prog} --help'.\n")


def one_line(text: str) -> str:
    """Return a text without line breaks, control characters or excessive length."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in abridged(text))
