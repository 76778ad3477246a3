"""The commands that make and check what ships with the code: precompute, results, readers."""

import argparse
import sys
from dataclasses import replace

from core import catalog, drawings
from core.catalog import published
from core.commands.experiments import run_with_bars
from core.commands.terminal import CHECKS, Commands, add_workers, added, bars
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from core.statistics.wording import fixed
from core.statistics.wording.naming import counted


def add(commands: Commands) -> None:
    """Add the commands to a parser."""
    precompute = added(
        commands, "precompute", "compute the results that ship with the code, or check them", ends=CHECKS
    )
    precompute.add_argument("--only", default="*", metavar="PATTERN", help="names to compute, such as 'figure_3*'")
    precompute.add_argument(
        "--check", action="store_true", help="compute nothing; check that every promised result is stored and intact"
    )
    add_workers(precompute)
    precompute.set_defaults(command=_precompute)

    results = added(commands, "results", "write docs/results.md and precomputed/INDEX.md, or check them", ends=CHECKS)
    results.add_argument("--check", action="store_true", help="write nothing; fail when one of them is out of date")
    results.set_defaults(command=_results)

    readers = added(commands, "readers", "train the readers of the sentence box, or check them", ends=CHECKS)
    readers.add_argument("--check", action="store_true", help="train nothing; fail when they no longer fit the code")
    readers.set_defaults(command=_readers)


def _precompute(options: argparse.Namespace) -> int:
    if options.check:
        problems = catalog.check(Store(), options.only)
        for problem in problems:
            print(problem)
        summary = counted(len(problems), "problem") if problems else "Every promised result is stored and intact."
        print(summary, file=sys.stderr)
        return 1 if problems else 0
    for entry in catalog.matching(options.only):
        print(f"{entry.name}: {entry.title}", file=sys.stderr)
        engine, store = Engine(workers=options.workers), Store()
        _, cached = run_with_bars(entry.experiment, engine)
        with bars() as progress:
            drawn = _drawn(entry.experiment, RunContext(store=store, engine=engine, progress=progress))
        if drawn or not (cached and store.is_shipped(entry.experiment.key)):
            store.ship(entry.experiment.key)
    return 0


def _drawn(experiment: Experiment, context: RunContext) -> bool:
    """Draw what is missing of a stored result, and tell whether anything was; where nothing was kept, run it again."""
    if not drawings.missing(context.store, experiment):
        return False
    drawings.draw(experiment, context)
    if drawings.missing(context.store, experiment):
        context.store.delete(experiment.key)
        alone = replace(context, store=replace(context.store, shipped=context.store.root / "none"))
        run(experiment, alone)
        drawings.draw(experiment, alone)
    return True


def _results(options: argparse.Namespace) -> int:
    pages = published.pages(Store(), catalog.entries())
    outdated = published.outdated(pages)
    for path in outdated:
        if options.check:
            print(f"{path} is out of date: 'python -m core results' updates it.")
        else:
            path.write_text(pages[path], "utf-8")
            print(f"wrote {path}")
    return 1 if options.check and outdated else 0


def _readers(options: argparse.Namespace) -> int:
    from core.readers import files, training

    if options.check:
        problems = training.check()
        for problem in problems:
            print(problem)
        summary = counted(len(problems), "problem") if problems else "The readers are intact and fit the code."
        print(summary, file=sys.stderr)
        return 1 if problems else 0
    with bars() as progress:
        weights, card = training.train(RunContext(store=Store(), engine=Engine(), progress=progress))
    files.write(weights, card)
    for method, measured in card.measured.items():
        for dataset, f1 in measured.items():
            value, low, high, chance = (fixed(figure, 3) for figure in (f1.f1, f1.low, f1.high, f1.chance))
            print(f"{method:22} {dataset:20} F1 {value} [{low}, {high}]   chance {chance}")
    return 0
