"""What campaigns damage files with, and the folders that these lie in."""

import atexit
import os
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path


@cache
def folder(name: str) -> Path:
    """Return a folder of a campaign, which is removed when this process ends."""
    made = Path(tempfile.mkdtemp(prefix=f"telltale-campaign-{name.replace(' ', '-')}-"))
    atexit.register(_remove, made, os.getpid())
    return made


def _remove(made: Path, owner: int) -> None:
    """Remove a folder, but not at the end of a process that was forked from its owner."""
    if os.getpid() == owner:
        shutil.rmtree(made, ignore_errors=True)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return other bytes: one flipped bit, an end that is cut off, a hole, foreign bytes, or none."""
    position = rng.randrange(len(content))
    flipped = content[:position] + bytes([content[position] ^ 1 << rng.randrange(8)]) + content[position + 1 :]
    hole = content[:position] + bytes(min(512, len(content) - position)) + content[position + 512 :]
    others = [content[:position], content + b"\0", rng.randbytes(len(content)), b""]
    return rng.choice([flipped, flipped, flipped, *(other for other in (hole, *others) if other != content)])
