"""What every campaign is: numbered attempts, bounded in number and time, that go on where they were stopped."""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from joblib import Parallel, delayed

from tests.errands import QUICK

Attempt = Callable[[int, random.Random], str]
"""Makes one attempt, and returns what came of it; an `AssertionError` is a fault of Telltale."""

WORKERS = ("workers", "processes that make attempts side by side; each imports all it needs")
"""An option of campaigns whose attempts do not get into each other's way."""

Report = Callable[[Counter[str]], tuple[list[str], list[str]]]
"""Returns lines on what came of all attempts, and what is wrong with them together."""


@dataclass
class Tally:
    """What came of the attempts so far.

    Attributes:
        done: Attempts made.
        seconds: Time they took.
        counts: How often each thing came of one.
        faults: What went wrong, by the number of the attempt.
    """

    done: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> "Tally":
        """Return the tally of a stopped campaign, or an empty one."""
        if not file.exists():
            return cls()
        values = json.loads(file.read_text())
        return cls(values["done"], values["seconds"], Counter(values["counts"]), values["faults"])

    def write(self, file: Path) -> None:
        """Keep the tally."""
        file.with_suffix(".new").write_text(json.dumps(vars(self)))
        file.with_suffix(".new").replace(file)


def campaign(
    name: str, attempt: Attempt, count: int, seconds: float, tally: Tally | None = None, workers: int = 1
) -> Tally:
    """Make attempts until there are enough, or the time is over; the same number draws the same attempt."""
    tally = tally or Tally()
    for _ in _attempted(name, attempt, count, seconds, tally, workers):
        pass
    return tally


def _attempted(name: str, attempt: Attempt, count: int, seconds: float, tally: Tally, workers: int) -> Iterator[Tally]:
    """Yield the tally after each attempt, in the order of their numbers, however many are made at once."""
    began, before = time.monotonic(), tally.seconds
    numbers = takewhile(lambda _: time.monotonic() - began < seconds, range(tally.done, count))
    if workers == 1:
        made: Iterable[tuple[str, str]] = (_made(name, attempt, number) for number in numbers)
    else:
        calls = (delayed(_made)(name, attempt, number) for number in numbers)
        made = Parallel(n_jobs=workers, pre_dispatch=workers, return_as="generator")(calls)
    for outcome, fault in made:
        tally.counts[outcome] += 1
        if fault:
            tally.faults[str(tally.done)] = fault
        tally.done += 1
        tally.seconds = before + time.monotonic() - began
        yield tally


def _made(name: str, attempt: Attempt, number: int) -> tuple[str, str]:
    """Make one attempt, and return what came of it, and what was wrong."""
    try:
        return attempt(number, random.Random(f"{name} {number}")), ""
    except AssertionError as fault:
        return "fault", str(fault)[:500] or "no reason given"


def command(
    name: str, attempt: Attempt, count: int, report: Report | None = None, more: Sequence[tuple[str, str]] = ()
) -> int:
    """Run a campaign from the command line, print its counts, or a report, and return 1 where there were faults.

    Args:
        name: Of the campaign.
        attempt: Makes one attempt.
        count: Attempts altogether, unless the command says otherwise.
        report: Says what came of all of them.
        more: Numbers that it takes besides, such as `WORKERS`.
    """
    return carried_out(name, attempt, parsed(name, count, *more), report)


def parsed(name: str, count: int, *more: tuple[str, str]) -> argparse.Namespace:
    """Return the options of a campaign.

    Args:
        name: Of the campaign.
        count: Attempts altogether, unless the command says otherwise.
        more: Numbers that it takes besides: the name of each, and what it is. They are 0 where not given.
    """
    parser = argparse.ArgumentParser(prog=f"python -m tests.campaigns.{name}")
    parser.add_argument("--count", type=int, default=count, help="attempts altogether (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=3600.0, help="stop after these (default: %(default)s)")
    parser.add_argument("--afresh", action="store_true", help="begin with the first attempt again")
    for option, meaning in more:
        parser.add_argument(f"--{option}", type=float, default=0.0, help=meaning)
    return parser.parse_args()


def carried_out(name: str, attempt: Attempt, options: argparse.Namespace, report: Report | None = None) -> int:
    """Go on with a campaign, print its counts, or a report, and return 1 where there were faults, or some are left."""
    sys.path.insert(0, str(QUICK))  # maps without umap, which takes longer than all the rest
    file = Path(tempfile.gettempdir()) / "telltale-campaigns" / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    tally = Tally() if options.afresh else Tally.read(file)
    for _ in _attempted(name, attempt, options.count, options.seconds, tally, int(vars(options).get("workers") or 1)):
        tally.write(file)
    outcomes = ", ".join(f"{number:,} {what}" for what, number in sorted(tally.counts.items()))
    lines, wrong = report(tally.counts) if report else ([outcomes], [])
    print(
        f"{name}: {tally.done:,} of {options.count:,} attempts in {tally.seconds:,.0f} s:",
        *lines,
        sep="\n" if report else " ",
    )
    for number, fault in tally.faults.items():
        print(f"  attempt {number}: {fault}")
    for fault in wrong:
        print(f"  {fault}")
    return 1 if tally.faults or wrong or tally.done < options.count else 0
