"""What the commands that audit print in the end, and the status that they end with."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.audits.asked_about import AskedAbout
from core.audits.exposed_owners import ONE_SCORE, exposed_owners
from core.audits.model_verdict import ModelVerdict
from core.audits.plan import FRONTIER, Step
from core.audits.verdict import unchecked
from core.commands.experiments import CONDITION_HOLDS, UNDECIDED, failed
from core.commands.summary import page_address
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.stored_vectors import UNCHECKED
from core.report.condition import Condition, not_excluded
from core.report.evidence import plain
from core.report.gate import check_names
from core.result import Result
from core.runtime.folders import write_whole, writing_named
from core.runtime.store import Store


def add_owners(command: argparse.ArgumentParser) -> None:
    """Add the option of a command that audits one model: where to write which owners are exposed most."""
    command.add_argument(
        "--owners",
        default="",
        metavar="FILE.json",
        help="write the exposure of each owner with at least five documents",
    )


def _write_owners(name: str, audit: Experiment, result: Result) -> None:
    """Write which owners an audit exposes, where a file is named; it is the user's own, and no part of a report."""
    if not name:
        return
    owners = exposed_owners(audit, result, audit.dataset.load())
    path = Path(name)
    with writing_named(path):
        write_whole(path, owners.to_json(orient="records", indent=1).encode())
    caveat = [ONE_SCORE] if AskedAbout.of(result).unit == "owner" else []
    print("\n".join([f"wrote {path}: {len(owners):,} owners", *caveat]), file=sys.stderr)


def check_owners(name: str, audit: Experiment) -> None:
    """Refuse a file for owners before an audit starts.

    Raises:
        InvalidSpec: The name has another ending, or no column names owners.
    """
    if name and not name.endswith(".json"):
        raise InvalidSpec(f"The file of --owners must end in .json. Got {name!r}; 'owners.json' would do.", "owners")
    if name and not getattr(audit.dataset, "owner_column", ""):
        raise InvalidSpec("--owners needs a column that names them: --set owner_column=NAME.", "owners")


def check_conditions(conditions: Sequence[Condition], experiments: Sequence[Experiment]) -> None:
    """Refuse conditions on estimates that none of the experiments of an audit gives, before they are run.

    Raises:
        InvalidSpec: None gives such an estimate.
    """
    for condition in conditions:
        refusals: list[InvalidSpec] = []
        for experiment in experiments:
            try:
                check_names(experiment, [condition], Store())
            except InvalidSpec as error:
                refusals.append(error)
        if len(refusals) == len(experiments):
            raise refusals[0]


def failed_any(conditions: Sequence[Condition], attacked: Sequence[tuple[Step, Result]]) -> int:
    """Say of which attacks on stored vectors a condition holds, and return the exit status.

    Storage formats and defenses that were only tried are no part of the store, and not asked. Where none holds and
    nothing shows that texts and vectors are in one order, nothing is decided. Else it says which intervals hold the
    bound.

    Raises:
        InvalidSpec: No attack has the estimate.
    """
    asked = [(step, result) for step, result in attacked if step.name != FRONTIER]
    holds = False
    for condition in conditions:
        having = [(step, result) for step, result in asked if condition.name in result.estimates]
        if not having:
            condition.holds(asked[0][1])
        for step, result in having:
            if reason := condition.holds(result):
                print(f"{step.played(result.estimates).rstrip(',')}: {reason}", file=sys.stderr)
                holds = True
    if conditions and not holds and unchecked(step for step, _ in attacked):
        print(f"{UNCHECKED} No condition is decided.", file=sys.stderr)
        return UNDECIDED
    for step, result in [] if holds else asked:
        if remark := not_excluded(result, conditions):
            print(f"{step.played(result.estimates).rstrip(',')}: {remark}", file=sys.stderr)
    return CONDITION_HOLDS if holds else 0


def print_verdict(
    audit: Experiment,
    outcome: tuple[Result, bool],
    verdict: ModelVerdict,
    before: Sequence[str],
    options: argparse.Namespace,
    **known: Any,
) -> int:
    """Print a verdict, or all of it as one JSON object, and return the exit status.

    Args:
        audit: The experiment.
        outcome: Its result, and whether that was stored.
        verdict: What the result concludes.
        before: What was read, a sentence each.
        options: Of the command, with those of `core.commands.experiments.add_outcome`.
        known: What else the object holds, by its name there.
    """
    result, cached = outcome
    _write_owners(options.owners, audit, result)
    if options.json:
        facts: dict[str, Any] = {
            "key": audit.key,
            "experiment": result.experiment,
            "estimates": {name: estimate.plain() for name, estimate in sorted(result.estimates.items())},
            "conclusive": verdict.conclusive,
            "cached": cached,
            "provenance": result.provenance.model_dump(),
            "said": [*before, *verdict.lines],
            **known,
        }
        print(json.dumps(plain(facts), allow_nan=False))
    else:
        report = f"The evidence as one page: python -m core report {audit.key} -o report.html"
        print("\n".join([*verdict.lines, report, f"On the dashboard: {page_address(audit)}"]))
    return failed(options.fail_if, result)
