"""Disks and homes as they happen: full, read-only, oddly named, linked, in the way, under a clock that jumps; -m."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from unittest.mock import patch

from core.errors import StoreError, StoreFull, StoreReadOnly
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from tests.campaigns.campaign import command
from tests.campaigns.corruption import prepared
from tests.campaigns.damage import folder
from tests.errands import contents
from tests.jobs.test_queue_damage import Mine, let_all_go

NAMES = {
    "spaces": "my own results",
    "a newline": "two\nlines",
    "200 characters": "n" * 200,
    "a dot first": ".hidden",
    "accents": "données e\u0301 数据",
    "signs": "a'b\"c;d$e&f%20#?*[x]",
    "a byte that is no UTF-8": os.fsdecode(b"caf\xe9"),
}


def ran(root: Path) -> None:
    """Run the small experiment in a home, with a queue beside it, and compare its bytes."""
    experiment, _, whole = prepared()
    store = Store(root=root, shipped=root / "shipped")
    run(experiment, RunContext(store=store, engine=Engine(workers=1)))
    assert contents(store, experiment.key) == whole, "another result"
    jobs = Mine(store)
    assert [jobs.ask({"seed": 1}, key).state for key in ("a" * 16, "b" * 16)] == ["running", "queued"]
    jobs.cancel("a" * 16)
    jobs.cancel("b" * 16)
    assert [job.state for job in jobs.all()] == ["cancelled"] * 2
    let_all_go()


def refused(root: Path, *kinds: type[StoreError]) -> None:
    """Fail unless a run in a home ends in one of these refusals."""
    experiment: Experiment = prepared()[0]
    try:
        run(experiment, RunContext(store=Store(root=root, shipped=root / "shipped"), engine=Engine(workers=1)))
    except kinds as refusal:
        assert str(root) in str(refusal) or "TELLTALE_HOME" in str(refusal), str(refusal)
    else:
        raise AssertionError("the run was not refused")


@contextmanager
def fresh() -> Iterator[Path]:
    """A folder of its own."""
    with tempfile.TemporaryDirectory(dir=folder("disk"), ignore_cleanup_errors=True) as name:
        yield Path(name)


@contextmanager
def mounted(*options: str) -> Iterator[Path]:
    """A small disk of its own, which takes rights to mount."""
    with fresh() as mount_point:
        subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(mount_point)], check=True)
        try:
            yield mount_point
        finally:
            subprocess.run(["umount", "--lazy", str(mount_point)], check=True)


def named(name: str) -> str:
    """Use a home of an odd name."""
    with fresh() as parent:
        ran(parent / name / "home")
    return "same bytes"


def full(rng: random.Random) -> str:
    """Fill the disk in the middle of a run, then make room."""
    size = rng.randrange(40, 150)
    with mounted(f"size={size}k") as disk:
        root = disk / "home"
        refused(root, StoreFull)
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        ran(root)
    return "refused, then same bytes"


def read_only(rng: random.Random) -> str:
    """Take away the right to write the whole disk, then give it back."""
    with mounted("size=64m") as disk:
        (disk / "home").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        refused(disk / "home", StoreReadOnly)
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        ran(disk / "home")
    return "refused, then same bytes"


def permissions(rng: random.Random) -> str:
    """Refuse one of the folders of a home, as for another user; root itself is refused nothing, so it is a file."""
    name = rng.choice(["results", "parts", "temporary", "claims"])
    with fresh() as root:
        (root / name).touch()
        if name == "claims":  # they save work where several processes share it, and nothing else
            ran(root)
            return "same bytes"
        refused(root, StoreReadOnly, StoreError)
        (root / name).unlink()
        ran(root)
    return "refused, then same bytes"


def linked(rng: random.Random) -> str:
    """Reach the home, or a folder of it, by a symbolic link; a link that leads nowhere or to itself is refused."""
    kind = rng.choice(["home", "folder", "nowhere", "itself"])
    with fresh() as parent:
        (parent / "there").mkdir()
        if kind == "home":
            (parent / "home").symlink_to("there")
        elif kind == "folder":
            (parent / "home").mkdir()
            (parent / "home" / rng.choice(["results", "parts"])).symlink_to(parent / "there")
        else:
            (parent / "home").symlink_to("home" if kind == "itself" else "/proc/nowhere/home")
            refused(parent / "home", StoreError)
            return "refused"
        ran(parent / "home")
    return "same bytes"


def clock(rng: random.Random) -> str:
    """Let the clock jump back and forth at every look."""
    jump = rng.choice([1.0, 3600.0, 400 * 86_400.0])
    now = time.time

    def jumping() -> float:
        return now() + rng.choice([-jump, 0.0, jump])

    with fresh() as parent, patch.object(time, "time", jumping):
        ran(parent / "home")
    return "same bytes"


@cache
def scenarios() -> list[tuple[str, Callable[[random.Random], str]]]:
    """Return what is tried, by its name; mounts only where they are allowed."""
    possible: list[tuple[str, Callable[[random.Random], str]]] = [
        (f"home named with {what}", lambda _, name=name: named(name)) for what, name in NAMES.items()
    ]
    possible += [("permissions", permissions), ("symbolic link", linked), ("clock", clock)]
    with suppress(subprocess.CalledProcessError), mounted("size=1m"):
        possible += [("full disk", full), ("read-only disk", read_only)]
    return possible


def attempt(number: int, rng: random.Random) -> str:
    """Try one of them."""
    name, scenario = scenarios()[number % len(scenarios())]
    try:
        return f"{name}: {scenario(rng)}"
    except StoreError as error:
        raise AssertionError(f"{name}: {error}") from error


def clear() -> None:
    """Remove what the campaign wrote."""
    shutil.rmtree(folder("disk"), ignore_errors=True)


if __name__ == "__main__":
    status = command("disk", attempt, 120)
    clear()
    sys.exit(status)
