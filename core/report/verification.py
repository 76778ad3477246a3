"""Verification: whether a report was changed, shows what it holds, and agrees with the results that are stored here."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import DataUnavailable, InvalidSpec, UnknownPart
from core.experiment import Experiment, run
from core.report.files import evidence_of, rendered, renderer
from core.report.private import WITHHELD
from core.report.seal import opened
from core.runtime.context import RunContext
from core.runtime.store import Store


@dataclass(frozen=True)
class Verdict:
    """What verification found.

    Attributes:
        intact: Whether nothing contradicts the report.
        lines: What was checked, a sentence each.
        evidence: What the report holds; None of Markdown, or where it was changed.
    """

    intact: bool
    lines: tuple[str, ...]
    evidence: Mapping[str, Any] | None = None


def verify(content: bytes, store: Store) -> Verdict:
    """Tell whether a report was changed: its seal, what it shows, and the files of its results where they are stored.

    Args:
        content: The bytes of the file.
        store: Holds results that the report may be about.
    """
    body = opened(content)
    if body is None:
        return Verdict(False, ("Changed: the bytes of this file are not those that were sealed.",))
    text, digest = body
    lines = [f"Unchanged: every byte agrees with the seal sha256:{digest}."]
    found = evidence_of(text)
    if found is None:
        return Verdict(True, (*lines, "It holds no evidence that could be compared; the page or the JSON does."))
    evidence, written_by = found
    if written_by != renderer():
        lines.append("Another version of the code wrote it, so that its page cannot be drawn again here.")
    elif content != rendered(evidence, ".json" if content.startswith(b"{") else ".html"):
        return Verdict(False, (*lines, "Changed: the page does not show the evidence that it holds."))
    else:
        lines.append("The page shows the evidence that it holds: drawn again, it is the same to the byte.")
    compared = [_compared(result, store) for result in evidence["results"]]
    return Verdict(all(agrees for agrees, _ in compared), (*lines, *(line for _, line in compared)), evidence)


def read(path: Path) -> bytes:
    """Return the bytes of a report.

    Raises:
        DataUnavailable: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataUnavailable(f"{path} cannot be read: {error.strerror}.") from error


def replay(evidence: Mapping[str, Any], key: str, context: RunContext) -> tuple[bool, str]:
    """Run the experiment behind a figure again, in a store without it, and compare the bytes of its files.

    Args:
        evidence: What a report holds.
        key: Key of the result.
        context: Where it runs; its store must not have the result.

    Raises:
        UnknownPart: The report has no such result.
        InvalidSpec: The report leaves out what its user typed or brought.
    """
    results = {result["key"]: result for result in evidence["results"]}
    if key not in results:
        raise UnknownPart("result of this report", key, results)
    result = results[key]
    if result["withheld"]:
        raise InvalidSpec(
            f"{key} cannot be run again from this report: texts that its user brought read {WITHHELD!r}. A report "
            "written with --texts has them.",
            "replay",
        )
    experiment = Experiment.parse(result["experiment"])
    now, _ = run(experiment, context)
    again = context.store.get_files(experiment.key) or {}
    changed = _changed(result, again)
    if experiment.key != key:
        return False, f"{key} is {experiment.key} by now: the code or its data have changed since."
    if changed:
        apart = max(
            (
                abs(now.estimates[figure["name"]].value - figure["value"])
                for figure in result["estimates"]
                if figure["value"] is not None and figure["name"] in now.estimates
            ),
            default=0.0,
        )
        return False, (
            f"{key} ran again and differs in {', '.join(changed)}, its estimates by at most {apart:.3g}. Another kind "
            "of processor can cause that: runs are equal to the byte on one machine."
        )
    return True, f"{key} ran again: every file is the same to the byte."


def _compared(result: Mapping[str, Any], store: Store) -> tuple[bool, str]:
    files = store.get_files(result["key"])
    if files is None:
        return True, f"{result['key']} is not stored here, so that its digests could not be compared."
    if changed := _changed(result, files):
        return False, f"{result['key']} is stored here with other bytes in {', '.join(changed)}."
    return True, f"{result['key']} is stored here, and its files agree with the digests."


def _changed(result: Mapping[str, Any], files: Mapping[str, bytes]) -> list[str]:
    """Return the names of files that differ; when and how long a run took is no part of a result."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    names = sorted({*digests, *result["digests"]} - {"provenance.json"})
    return [name for name in names if digests.get(name) != result["digests"].get(name)]
