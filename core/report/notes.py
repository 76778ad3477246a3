"""What a report says once of all its results: what figures mean that are no leak, and what was not measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.statistics.wording.naming import capitalised

_UNMEASURED = {
    "false_positives": (
        "False positives at the adversary’s own threshold",
        "the result stores no decisions about single non-members",
    ),
    "worst_decile": (
        "Worst tenth of the targets",
        "that takes stored decisions about enough targets in enough plays",
    ),
}
"""What a result may lack: how a report calls it, and why it was not measured."""


def of_results(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each figure that is no leak, and for each thing that results lack.

    Args:
        results: The described results of a report.
    """
    meanings: dict[tuple[str, str], list[str]] = {}
    for result in results:
        for figure in result["useful"]:
            if figure["help"]:
                meanings.setdefault((figure["label"], figure["help"]), []).append(result["key"])
    useful = [
        f"{capitalised(label)}, no leak but what the vectors or the model are good for{_of(keys, results)}: {text}"
        for (label, text), keys in meanings.items()
    ]
    lacking = {name: [result["key"] for result in results if result[name] is None] for name in _UNMEASURED}
    return useful + [
        f"{called}{_of(lacking[name], results)}: not measured, as {why}."
        for name, (called, why) in _UNMEASURED.items()
        if lacking[name]
    ]


def _of(keys: Sequence[str], results: Sequence[Mapping[str, Any]]) -> str:
    """Return of which results something is said; empty where it is of all."""
    return "" if len(keys) == len(results) else f" (in {', '.join(keys)})"
