"""The commands list and run."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from core import fitting
from core.commands import parameters, summary
from core.commands.own_files import located
from core.commands.terminal import CONDITIONS, Commands, add_set, add_workers, added, bars, seed
from core.errors import InvalidSpec, StoreError, UnknownPart
from core.experiment import Experiment, run
from core.jobs import Jobs
from core.overrides import is_parameter, with_assignments
from core.registry import FOLDERS, parts
from core.report.condition import Condition, decided
from core.report.gate import check_names
from core.result import Result
from core.runtime import memory
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store

_AUDITS = {"vector_audit": "audit vectors", "model_audit": "audit model"}
"""Commands of audits by the names of their pages, which are no attacks."""
CONDITION_HOLDS, UNDECIDED = 3, 4
"""Exit status where a condition of ``--fail-if`` holds, and where nothing decides it."""


def add(commands: Commands) -> None:
    """Add the commands to a parser."""
    listing = added(commands, "list", "list attacks, models, datasets, defenses and games, or the parameters of one")
    listing.add_argument("name", nargs="?", default="", help="part whose presets and parameters are listed")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(command=_list)

    running = added(commands, "run", "run an experiment, resume it, or print its stored result", ends=CONDITIONS)
    running.add_argument("attack", help="name of the attack")
    running.add_argument(
        "--preset", default="demo", help="one of the attack's presets, which list names (default: demo)"
    )
    running.add_argument("--dataset", help="name of the dataset (default: the preset's)")
    running.add_argument("--model", help="name of the model (default: the preset's)")
    running.add_argument("--defense", action="append", default=[], help="name of a defense; can be repeated")
    running.add_argument("--seed", type=seed, help="seed of all random draws (default: the preset's)")
    add_set(running, "set a parameter that 'list ATTACK' names; can be repeated")
    running.add_argument("--engine", default="", help="Dask scheduler such as tcp://host:8786 (default: this machine)")
    add_outcome(running)
    running.set_defaults(command=_run)
    running.about = parameters.of_attack


def add_outcome(
    command: argparse.ArgumentParser,
    example: str = "auc.high > 0.65",
    hint: str = "accuracy is of one threshold, auc of all; ",
) -> None:
    """Add the options of a command that runs experiments: by how many processes, and what becomes of the results.

    Args:
        command: What they are added to.
        example: A condition on estimates that it gives.
        hint: What its help says of these estimates.
    """
    add_workers(command)
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=_condition,
        metavar="CONDITION",
        help=f"exit with 3 if it holds of the result, such as '{example}', or 4 if nothing decides it; {hint}"
        "can be repeated",
    )


def run_with_bars(
    experiment: Experiment,
    engine: Engine,
    conditions: Sequence[Condition] = (),
    read: dict[str, Any] | None = None,
) -> tuple[Result, bool]:
    """Run an experiment under the memory limit and list the run; return its result, and whether that was stored.

    Args:
        experiment: What to run.
        engine: Trains its models.
        conditions: What will be asked of its result; names in them are checked first.
        read: What datasets hold that experiments before this one read, by key; what this one reads is added.
    """
    experiment = located(experiment)
    check_names(experiment, conditions, Store())
    started = time.time()
    with bars() as progress, memory.within(memory.allowed()):
        context = RunContext(store=Store(), engine=engine, progress=progress)
        if fitting.is_checked(experiment.dataset) and Result.load(context.store, experiment.key, tables=False) is None:
            fitting.check(experiment, context)
        result, cached = run(experiment, context, read)
    if not cached:
        with suppress(StoreError):
            Jobs(Store()).note(experiment.as_dict(), experiment.key, started)
    return result, cached


def _condition(text: str) -> Condition:
    """Read a condition; one of another form is a misuse of the command, like an unknown option."""
    try:
        return Condition.parse(text)
    except InvalidSpec as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _list(options: argparse.Namespace) -> int:
    about = parameters.of_named(options.name) if options.name else []
    listing = {
        kind: [_described(cls) for cls in parts(kind) if options.name in ("", cls.part_name())] for kind in FOLDERS
    }
    if options.json:
        print(json.dumps(listing, indent=1))
        return 0
    if about:
        print("\n".join(about))
        return 0
    for kind, entries in listing.items():
        print(f"{kind}s")
        for entry in entries:
            presets = f" ({', '.join(entry['presets'])})" if "presets" in entry else ""
            print(f"  {entry['name']:22} {entry['title']}{presets}")
    return 0


def _described(cls: Any) -> dict[str, Any]:
    schema = {
        name: {"help": field.description, "default": _plain(field.get_default())}
        for name, field in cls.model_fields.items()
    }
    described = {"name": cls.part_name(), "title": cls.title, "version": cls.version, "parameters": schema}
    return described | ({"presets": list(cls.presets)} if cls.kind == "attack" else {})


def _plain(value: Any) -> Any:
    return value.as_dict() if hasattr(value, "as_dict") else value


def _run(options: argparse.Namespace) -> int:
    experiment = _experiment(options)
    result, cached = run_with_bars(experiment, Engine(options.engine, options.workers), options.fail_if)
    result = replace(result, estimates=experiment.game.counted(result.estimates, result.tables))
    summary.show(experiment.key, experiment, result, cached=cached, as_json=options.json)
    return failed(options.fail_if, result)


def failed(conditions: list[Condition], result: Result) -> int:
    """Say which conditions hold of a result, or that it decides none, and return the exit status."""
    outcome = decided(result, conditions)
    for message in filter(None, [*outcome.reasons, outcome.undecided, outcome.warning]):
        print(message, file=sys.stderr)
    if outcome.reasons:
        return CONDITION_HOLDS
    return UNDECIDED if outcome.undecided else 0


def _experiment(options: argparse.Namespace) -> Experiment:
    if command := _AUDITS.get(options.attack):
        raise UnknownPart(
            "attack", options.attack, (), all_named=f"It is a command of its own: python -m core {command}."
        )
    parts = {name: getattr(options, name) for name in ("dataset", "model", "seed")}
    changes = {name: value for name, value in parts.items() if value is not None}
    experiment = Experiment.preset(options.attack, options.preset, **changes)
    assignments: list[str] = options.set
    if options.defense:
        # A defense may fit only what is assigned to the model, as private training fits adapters.
        known = [text for text in assignments if is_parameter(text.partition("=")[0].strip(), experiment)]
        experiment = (with_assignments(experiment, known) if known else experiment).replace(defenses=options.defense)
    return with_assignments(experiment, assignments) if assignments else experiment
