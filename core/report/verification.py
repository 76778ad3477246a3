"""Verification: whether a report was changed, shows what it holds, and holds what the stored results give."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import TemplateError

from core.drawings import former_files
from core.errors import DataUnavailable, InvalidSpec, TelltaleError, UnknownPart
from core.experiment import Experiment, run
from core.report.declared import Declared
from core.report.evidence import build
from core.report.files import evidence_of, rendered, renderer
from core.report.private import WITHHELD
from core.report.seal import opened
from core.result import Estimate
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.runtime.table_files import as_written_before, from_parquet, parquet

UNCHECKED = 4
"""Exit status where nothing contradicts a report, and something could not be checked."""
_MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, TemplateError)
"""What evidence of another form than `build` gives raises while it is read or drawn."""
_OF_THE_RUN = ("provenance", "packages")
_OF_OWNERS = ("subgroups", "subgroups_of", "subgroups_note")


class _Check(NamedTuple):
    """One check: what it found, whether that agrees with the report, and whether it could be done."""

    line: str
    agrees: bool = True
    done: bool = True


@dataclass(frozen=True)
class Verification:
    """What verification found.

    Attributes:
        intact: Whether nothing contradicts the report.
        lines: What was checked, a sentence each.
        evidence: What the report holds; None of Markdown, or where it was changed.
        complete: Whether everything could be checked.
    """

    intact: bool
    lines: tuple[str, ...]
    evidence: Mapping[str, Any] | None = None
    complete: bool = True

    @property
    def status(self) -> int:
        """Exit status: 1 where something contradicts the report, `UNCHECKED` where not all could be checked, or 0."""
        return 1 if not self.intact else 0 if self.complete else UNCHECKED


def verify(content: bytes, store: Store) -> Verification:
    """Tell whether a report was changed.

    Its seal shows damage alone, since anybody can seal a file anew. So its page is drawn again, and its evidence is
    built again from the results where they are stored.
    """
    try:
        return _verified(content, store)
    except _MALFORMED as error:
        return Verification(
            False, (f"Malformed: what this file holds is no evidence of a report ({type(error).__name__}).",)
        )


def _verified(content: bytes, store: Store) -> Verification:
    body = opened(content)
    if body is None:
        return Verification(False, ("Changed: the bytes of this file are not those that were sealed.",))
    text, digest = body
    checks = [_Check(f"The bytes agree with the seal sha256:{digest}. Whoever changes a file can seal it anew.")]
    embedded = evidence_of(text)
    if embedded is None:
        checks.append(_Check("not checked: this file holds no evidence to compare; the page or JSON does.", done=False))
        return _verification(checks, None)
    (evidence, written_by), page = embedded, not content.startswith(b"{")
    checks += [_compared(result, store) for result in evidence["results"]]
    if written_by != renderer():
        checks.append(
            _Check(
                "not checked: another version of the code wrote this file. Only that version can draw its page again "
                "and build its evidence again.",
                done=False,
            )
        )
    elif content != rendered(evidence, ".html" if page else ".json"):
        changed = "the page does not show the evidence that it holds" if page else "its evidence is written otherwise"
        checks.append(_Check(f"Changed: {changed}.", agrees=False))
    else:
        shown = "The page shows the evidence that it holds: drawn" if page else "The file holds its evidence: written"
        checks.append(_Check(f"{shown} again, it is the same to the byte."))
        checks += _built_again(evidence, store)
    return _verification(checks, evidence)


def _verification(checks: list[_Check], evidence: Mapping[str, Any] | None) -> Verification:
    intact, complete = all(check.agrees for check in checks), all(check.done for check in checks)
    return Verification(intact, tuple(check.line for check in checks), evidence if intact else None, complete)


def _built_again(evidence: Mapping[str, Any], store: Store) -> list[_Check]:
    """Build evidence again from the stored results, and compare it with that of a file."""
    keys = [result["key"] for result in evidence["results"]]
    beside = _keys_beside(evidence)
    if missing := sorted({*keys, *filter(None, beside)} - set(store.results())):
        return [_Check(f"not checked: the figures, because {', '.join(missing)} is not stored here.", done=False)]
    declared = Declared.parse({name: value for name, value in evidence["declared"].items() if value is not None})
    try:
        now = build(keys, store, declared, texts=not evidence["withheld"])
    except TelltaleError as error:
        return [_Check(f"not checked: the figures, because the results cannot be read again. {error}", done=False)]
    checks, passed_over = [], set[str]()
    for reported, again in zip(evidence["results"], now["results"], strict=True):
        digests = _digests(reported, store.get_files(again["key"]) or {})
        again["digests"] = {name: digests.get(name, digest) for name, digest in again["digests"].items()}
        if reported["digests"]["provenance.json"] != again["digests"]["provenance.json"]:
            again |= {name: reported[name] for name in _OF_THE_RUN}
            again["digests"]["provenance.json"] = reported["digests"]["provenance.json"]
            ran = f"not checked: when and where {reported['key']} ran; the result stored here is of another run."
            checks.append(_Check(ran, done=False))
        if reported["subgroups"] and not again["subgroups"] and _names_owners(again):
            again |= {name: reported[name] for name in _OF_OWNERS}
            unread = f"not checked: the owners in {reported['key']}, because its documents are not here as they were."
            checks.append(_Check(unread, done=False))
    if any(by_now and not before for by_now, before in zip(_keys_beside(now), beside, strict=True)):
        passed_over = {"defenses", "evidence"}
        line = (
            "not checked: defenses and sentences, because a result without the defense, or of the other adversary, is "
            "stored here by now."
        )
        checks.append(_Check(line, done=False))
    names = [name for name in {**evidence, **now} if name not in passed_over]
    changed = [name for name in names if json.dumps(evidence.get(name)) != json.dumps(now.get(name))]
    if changed:
        line = f"Changed: built again from the stored results, the evidence differs in {', '.join(changed)}."
        checks.append(_Check(line, agrees=False))
    elif not checks:
        checks.append(_Check("Unchanged: built again from the stored results, the evidence is the same."))
    return checks


def _keys_beside(evidence: Mapping[str, Any]) -> list[str | None]:
    """Return the keys of the results that each defended one is compared with, None where there is none."""
    return [row[name] for row in evidence["defenses"] for name in ("undefended", "twin")]


def _names_owners(result: Mapping[str, Any]) -> bool:
    """Tell whether the subgroups of a result are owners, whom its documents name and its tables do not."""
    return not result["withheld"] and Experiment.parse(result["experiment"]).dataset.names_owners()


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
    if experiment.key != key:
        return False, f"{key} is {experiment.key} by now: the code or its data have changed since."
    now, _ = run(experiment, context)
    counted = experiment.game.counted(now.estimates, now.tables)
    changed = _changed(result, context.store.get_files(key) or {})
    if changed == ["result.json"] and all(_is_same(figure, counted) for figure in result["estimates"]):
        context.store.delete(key)  # its summary has other bytes, and must not be compared once more
        return True, (
            f"{key} ran again: every table is the same to the byte, and so is every figure of this report. The summary "
            "beside them has other words, as that of another version has: it names parameters that were added since."
        )
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


def _is_same(figure: Mapping[str, Any], estimates: Mapping[str, Estimate]) -> bool:
    """Tell whether a figure of a report is among the estimates of a result, with interval, chance and counts."""
    estimate = estimates.get(figure["name"])
    return estimate is not None and all(figure[name] == value for name, value in estimate.model_dump().items())


def _compared(result: Mapping[str, Any], store: Store) -> _Check:
    key = result["key"]
    files = store.get_files(key) if key in store.results() else None
    if files is None:
        return _Check(f"not checked: {key} is not stored here, so that its digests could not be compared.", done=False)
    if changed := _changed(result, files):
        return _Check(f"Changed: {key} is stored here with other bytes in {', '.join(changed)}.", agrees=False)
    return _Check(f"{key} is stored here, and its files agree with the digests.")


def _changed(result: Mapping[str, Any], files: Mapping[str, bytes]) -> list[str]:
    """Return the names of files that differ; when and how long a run took, and drawings, are no part of a result."""
    digests = _digests(result, files)
    names = sorted({*digests, *result["digests"]} - {"provenance.json", *former_files(result["experiment"])})
    return [name for name in names if digests.get(name) != result["digests"].get(name)]


def _digests(reported: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the digests of files, of a table those that a report holds if a version writes the same table so."""
    digests = {name: _digest(content) for name, content in files.items()}
    for name in digests.keys() & reported["digests"].keys():
        expected = reported["digests"][name]
        if digests[name] != expected and name.endswith(".parquet"):
            same = from_parquet(files[name])
            if expected in (_digest(parquet(same)), _digest(as_written_before(same))):
                digests[name] = expected
    return digests


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
