"""What the commands that audit one model print in the end, and the status that they end with."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from core.audits.model_verdict import ModelVerdict
from core.commands.experiments import failed
from core.experiment import Experiment
from core.report.evidence import plain
from core.result import Result


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
