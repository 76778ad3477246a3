"""The process in which a model whose digest is unknown is tried."""

import json
import sys
from pathlib import Path
from typing import get_args

from core.encoders.causal import CausalNetwork
from core.encoders.loading import Kind
from core.encoders.network import Network
from core.encoders.translating import TranslationNetwork
from core.encoders.trial import REASON_GIVEN
from core.errors import TelltaleError
from core.runtime import memory


def main(folder: str, kind: Kind) -> int:
    """Try a model under the memory limit; return the exit status."""
    known = json.load(sys.stdin)
    try:
        with memory.within(memory.allowed()):
            match kind:
                case "causal":
                    CausalNetwork(Path(folder), "cpu", known)
                case "translator":
                    TranslationNetwork(Path(folder), "cpu", known).losses(["a"], ["a"], 8)
                case "encoder":
                    list(Network(Path(folder), "cpu", known).embed(["a"], 8, "mean"))
    except TelltaleError as error:
        sys.stdout.write(str(error))
        return REASON_GIVEN
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], next(kind for kind in get_args(Kind) if kind == sys.argv[2])))
