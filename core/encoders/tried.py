"""The process in which a model whose digest is unknown is tried."""

import json
import sys
from pathlib import Path

from core.encoders.causal import CausalNetwork
from core.encoders.network import Network
from core.encoders.trial import REASON_GIVEN, Kind
from core.errors import TelltaleError
from core.runtime import memory


def main(folder: str, kind: Kind) -> int:
    """Try a model under the memory limit; return the exit status."""
    known = json.load(sys.stdin)
    try:
        with memory.within(memory.allowed()):
            if kind == "causal":
                CausalNetwork(Path(folder), "cpu", known)
            else:
                list(Network(Path(folder), "cpu", known).embed(["a"], 8, "mean"))
    except TelltaleError as error:
        sys.stdout.write(str(error))
        return REASON_GIVEN
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "causal" if sys.argv[2:] == ["causal"] else "encoder"))
