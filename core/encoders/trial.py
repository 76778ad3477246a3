"""Tries a model whose digest is unknown in a process of its own, with little time and memory to do harm."""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from core.encoders.base_models import BUNDLED
from core.encoders.folders import summed
from core.encoders.loading import Kind
from core.encoders.records import RECORDS
from core.errors import ModelRefused
from core.runtime import memory

_SECONDS = 600
"""Time that a model may take to load and to read one text."""
REASON_GIVEN = 3
"""Exit status that says that the reason stands on standard output."""
_LONGEST_REASON = 2000

_passed: set[str] = set()


def attempt(folder: Path, files: Mapping[str, str], kind: Kind = "encoder") -> None:
    """Load a model and read one text, once for its files, unless they are on record or this process is limited.

    Args:
        folder: Where its files lie.
        files: SHA-256 of each, by name.
        kind: What the folder should hold.

    Raises:
        ModelRefused: It could not be loaded, did not come to an end, or ended its process.
    """
    digest = summed(files)
    known = {*BUNDLED.values(), *(record.digest for record in RECORDS.values())} - {""}
    if memory.limited() or digest in known or digest in _passed:
        return
    command = [sys.executable, "-m", "core.encoders.trial_process", str(folder.absolute()), kind]
    try:
        tried = subprocess.run(
            command,
            cwd=Path(__file__).resolve().parents[2],
            input=json.dumps(dict(files)).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ModelRefused(f"The model in {folder} was not loaded within {_SECONDS:,} seconds.") from None
    if tried.returncode == REASON_GIVEN:
        raise ModelRefused(tried.stdout.decode(errors="replace")[:_LONGEST_REASON])
    if tried.returncode:
        ended = f"by {signal.Signals(-tried.returncode).name}" if tried.returncode < 0 else f"({tried.returncode})"
        raise ModelRefused(f"The model in {folder} ended the process {ended} in which it was tried.")
    _passed.add(digest)
