"""What the commands that audit one model print in the end, and the status that they end with."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.audits.asked_about import AskedAbout
from core.audits.exposed_owners import ONE_SCORE, exposed_owners
from core.audits.model_verdict import ModelVerdict
from core.commands.experiments import failed
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.report.evidence import plain
from core.result import Result
from core.runtime.folders import write_whole, writing


def add_owners(command: argparse.ArgumentParser) -> None:
    """Add the option of a command that audits one model: where to write which owners are exposed most."""
    command.add_argument(
        "--owners", default="", metavar="FILE.json", help="write how exposed each owner of five documents or more is"
    )


def _write_owners(name: str, audit: Experiment, result: Result) -> None:
    """Write which owners an audit exposes, where a file is named; it is the user's own, and no part of a report.

    Raises:
        Incompatible: The documents do not name their owners.
    """
    if not name:
        return
    found = exposed_owners(audit, result, audit.dataset.load())
    path = Path(name)
    with writing(path.parent):
        write_whole(path, found.to_json(orient="records", indent=1).encode())
    caveat = [ONE_SCORE] if AskedAbout.of(result).unit == "owner" else []
    print("\n".join([f"wrote {path}: {len(found):,} owners", *caveat]), file=sys.stderr)


def check_owners(name: str) -> None:
    """Refuse a file for owners before an audit starts.

    Raises:
        InvalidSpec: The name has another ending.
    """
    if name and not name.endswith(".json"):
        raise InvalidSpec(f"The file of --owners must end in .json. Got {name!r}; 'owners.json' would do.", "owners")


def told(
    audit: Experiment,
    outcome: tuple[Result, bool],
    verdict: ModelVerdict,
    before: Sequence[str],
    options: argparse.Namespace,
    *further: str,
    **known: Any,
) -> int:
    """Print a verdict, or all of it as one JSON object, and return the exit status.

    Args:
        audit: The experiment.
        outcome: Its result, and whether that was stored.
        verdict: What the result concludes.
        before: What was read, a sentence each.
        options: Of the command, with those of `core.commands.experiments.add_outcome`.
        further: Where the result can be seen and kept, after a link to its report.
        known: What else the object holds, by its name there.
    """
    result, cached = outcome
    _write_owners(options.owners, audit, result)
    if options.json:
        facts: dict[str, Any] = {
            "key": audit.key,
            "experiment": result.experiment,
            "estimates": {name: estimate.plain() for name, estimate in result.estimates.items()},
            "conclusive": verdict.conclusive,
            "cached": cached,
            "provenance": result.provenance.model_dump(),
            "said": [*before, *verdict.lines],
            **known,
        }
        print(json.dumps(plain(facts), allow_nan=False))
    else:
        report = f"The evidence as one page: python -m core report {audit.key} -o report.html"
        print("\n".join([*verdict.lines, report, *further]))
    return failed(options.fail_if, result)
