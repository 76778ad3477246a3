"""The process in which an encoder whose digest is unknown is tried."""

import json
import sys
from pathlib import Path

from core.encoders.network import Network
from core.encoders.trial import REASON_GIVEN
from core.errors import TelltaleError
from core.runtime import memory


def main(folder: str) -> int:
    """Try an encoder under the memory limit; return the exit status."""
    try:
        with memory.within(memory.allowed()):
            list(Network(Path(folder), "cpu", json.load(sys.stdin)).embed(["a"], 8, "mean"))
    except TelltaleError as error:
        sys.stdout.write(str(error))
        return REASON_GIVEN
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
