"""Which encoder made stored vectors: compared in a process of its own, as a page may not load an encoder."""

import json
import resource
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path

from core.adversaries.encoder_fit import Fit, fits
from core.datasets.embeddings import Embeddings
from core.errors import TelltaleError, WorkerLost
from core.runtime import memory
from core.runtime.context import RunContext
from core.runtime.store import Store

_PATIENCE = 120.0
"""Seconds after which the process is ended."""
_MEMORY = 6 << 30
"""Bytes of memory that it may take."""
_ONE = threading.Lock()
"""One such process at a time: each loads torch and an encoder."""


def encoder_fits(dataset: Embeddings) -> tuple[Fit, ...]:
    """Return how each encoder of as many dimensions on this machine fits a sample; none where there are no texts.

    A process of its own compares them; one that takes too long is ended.

    Raises:
        WorkerLost: The process said why it failed, died, or took too long.
    """
    command = [sys.executable, "-m", "core.jobs.recognition"]
    request = json.dumps(dataset.as_dict())
    with _ONE:
        try:
            done = subprocess.run(
                command,
                input=request,
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
                cwd=Path(__file__).resolve().parents[2],
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise WorkerLost(f"No encoder was compared within {_PATIENCE:g} seconds.") from None
    try:
        match json.loads(done.stdout):
            case {"fits": list(rows)}:
                return tuple(Fit(**values) for values in rows)
            case {"failed": str(reason)}:
                raise WorkerLost(reason)
    except (ValueError, TypeError):
        pass
    raise WorkerLost("The process that compares encoders ended before it answered.")


def main() -> int:
    """Read a dataset from the standard input, and print how encoders fit."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    memory.limit(_MEMORY)
    try:
        dataset = Embeddings.parse(json.loads(sys.stdin.read()))
        compared = fits(dataset.load(), "", dataset.sample_seed, RunContext(store=Store()))
        answer: dict[str, object] = {"fits": [asdict(fit) for fit in compared]}
    except TelltaleError as error:
        answer = {"failed": str(error)}
    print(json.dumps(answer))  # noqa: T201 - the answer
    return 0


if __name__ == "__main__":
    sys.exit(main())
