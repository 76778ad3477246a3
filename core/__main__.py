"""The command line: list, run, data, dashboard, precompute, results, readers."""

import argparse
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from tqdm import tqdm

from core import catalog, sources
from core.catalog import published
from core.errors import InvalidSpec, TelltaleError, brief
from core.experiment import Experiment, run
from core.overrides import nested, qualified, value_of
from core.registry import FOLDERS, parts
from core.result import Result
from core.runtime import memory
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import SHIPPED, Store

_DESCRIPTION = "Attacks on text models, and their scores. After 'pip install', the command telltale does the same."


class TerminalProgress(Progress):
    """Draws progress bars on standard error."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Close the bar of the last stage and open the next."""
        self.close()
        self._bar = tqdm(desc=name, total=total or None, initial=done, file=sys.stderr, unit="", dynamic_ncols=True)

    def advance(self, items: int = 1) -> None:
        """Advance the bar."""
        if self._bar is not None:
            self._bar.update(items)

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Show the accuracy of the attack so far."""
        overall = [row for row in curve if row.get("size") == 0 and math.isnan(row.get("penalty", math.nan))]
        if overall and "accuracy" in overall[-1] and self._bar is not None:
            self._bar.set_postfix_str(f"accuracy {overall[-1]['accuracy']:.2f} with k = {overall[-1]['shadows']}")

    def close(self) -> None:
        """Close the open bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 refused or failed, 2 misused, 130 interrupted."""
    options = _parser().parse_args(sys.argv[1:] if arguments is None else arguments)
    try:
        status = int(options.command(options))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has gone; without this, the interpreter would fail once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (TelltaleError, OSError, MemoryError) as error:
        print(_one_line(f"{type(error).__name__}: {error}"), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # Half-initialised objects cannot close themselves and would print warnings when they are collected.
        sys.unraisablehook = lambda _: None
        print("Stopped. Finished work is kept: the same command resumes.", file=sys.stderr)
        return 130
    return status


class _Parser(argparse.ArgumentParser):
    """Reports an error in one line, like every other error."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        for word in args or ():
            # argparse would drop the value and pass on an empty list.
            if word.startswith("--") and word.endswith("=--"):
                self.error(f"argument {word.partition('=')[0]}: expected a value other than '--'.")
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{_one_line(message)} See '{self.prog} --help'.\n")


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in brief(text))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m core", description=_DESCRIPTION)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="list attacks, models, datasets, defenses and games")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(command=_list)

    running = commands.add_parser("run", help="run an experiment, resume it, or print its stored result")
    running.add_argument("attack", help="name of the attack")
    running.add_argument("--preset", default="demo", help="demo (default) or paper")
    running.add_argument("--dataset", help="name of the dataset (default: the preset's)")
    running.add_argument("--model", help="name of the model (default: the preset's)")
    running.add_argument("--defense", action="append", default=[], help="name of a defense; can be repeated")
    running.add_argument("--seed", type=int, help="seed of all random draws (default: the preset's)")
    running.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="set a parameter; can be repeated"
    )
    running.add_argument("--engine", default="", help="Dask scheduler such as tcp://host:8786 (default: this machine)")
    running.add_argument("--workers", type=int, default=0, help="processes on this machine (default 0: one a core)")
    running.add_argument("--json", action="store_true", help="print the result as one JSON object")
    running.set_defaults(command=_run)

    data = commands.add_parser("data", help="list, fetch or check datasets")
    data.add_argument("action", nargs="?", choices=["list", "fetch", "check"], default="list")
    data.add_argument("name", nargs="?", help="name of the dataset to fetch or check")
    data.set_defaults(command=_data)

    dashboard = commands.add_parser("dashboard", help="open the dashboard in a browser")
    dashboard.add_argument("options", nargs="*", help="options of 'streamlit run', after --")
    dashboard.set_defaults(command=_dashboard)

    precompute = commands.add_parser("precompute", help="compute the results that ship with the code, or check them")
    precompute.add_argument("--only", default="*", metavar="PATTERN", help="names to compute, such as 'figure_3*'")
    precompute.add_argument(
        "--check", action="store_true", help="compute nothing; check that every promised result is stored and intact"
    )
    precompute.add_argument("--workers", type=int, default=0, help="processes on this machine (default 0: one a core)")
    precompute.set_defaults(command=_precompute)

    results = commands.add_parser("results", help="write docs/results.md and precomputed/INDEX.md, or check them")
    results.add_argument("--check", action="store_true", help="write nothing; fail when one of them is out of date")
    results.set_defaults(command=_results)

    readers = commands.add_parser("readers", help="train the readers of the sentence box, or check them")
    readers.add_argument("--check", action="store_true", help="train nothing; fail when they no longer fit the code")
    readers.set_defaults(command=_readers)
    return parser


def _list(options: argparse.Namespace) -> int:
    listing = {kind: [_described(cls) for cls in parts(kind)] for kind in FOLDERS}
    if options.json:
        print(json.dumps(listing, indent=1))
        return 0
    for kind, entries in listing.items():
        print(f"{kind}s")
        for entry in entries:
            print(f"  {entry['name']:22} {entry['title']}")
    return 0


def _described(cls: Any) -> dict[str, Any]:
    schema = {
        name: {"help": field.description, "default": _plain(field.get_default())}
        for name, field in cls.model_fields.items()
    }
    return {"name": cls.part_name(), "title": cls.title, "version": cls.version, "parameters": schema}


def _plain(value: Any) -> Any:
    return value.as_dict() if hasattr(value, "as_dict") else value


def _run(options: argparse.Namespace) -> int:
    experiment = _experiment(options)
    result, cached = _run_with_bars(experiment, Engine(options.engine, options.workers))
    if options.json:
        summary = {
            "key": experiment.key,
            "experiment": result.experiment,
            "estimates": {name: estimate.model_dump() for name, estimate in result.estimates.items()},
            "cached": cached,
            "provenance": result.provenance.model_dump(),
        }
        print(json.dumps(_finite(summary), allow_nan=False))
        return 0
    origin = f"stored {result.provenance.started[:10]}" if cached else "computed now"
    print(f"{experiment.attack.title} on {experiment.dataset.title}, key {experiment.key}, {origin}")
    for name, estimate in result.estimates.items():
        chance = "" if estimate.chance is None else f"   chance {estimate.chance:g}"
        print(f"  {name:28} {estimate.value:6.3f}   [{estimate.low:.3f}, {estimate.high:.3f}]{chance}")
    return 0


def _run_with_bars(experiment: Experiment, engine: Engine) -> tuple[Result, bool]:
    progress = TerminalProgress()
    try:
        with memory.within(memory.allowed()):
            return run(experiment, RunContext(store=Store(), engine=engine, progress=progress))
    finally:
        progress.close()


def _finite(value: Any) -> Any:
    """Return a value with null for every number that JSON lacks."""
    if isinstance(value, Mapping):
        return {name: _finite(below) for name, below in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _experiment(options: argparse.Namespace) -> Experiment:
    given = {name: getattr(options, name) for name in ("dataset", "model", "seed")}
    changes = {name: value for name, value in given.items() if value is not None}
    if options.defense:
        changes["defenses"] = options.defense
    experiment = Experiment.preset(options.attack, options.preset, **changes)
    if not options.set:
        return experiment
    flat: dict[str, Any] = {}
    for assignment in options.set:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise InvalidSpec(f"--set takes NAME=VALUE. Got {assignment!r} instead.", name)
        flat[qualified(name.strip(), experiment)] = value_of(text.strip())
    return Experiment.parse(_merged(experiment.as_dict(), nested(flat)))


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in changes.items():
        below = merged.get(name)
        if isinstance(value, dict) and isinstance(below, dict) and value.get("part", below["part"]) == below["part"]:
            merged[name] = _merged(below, value)
        else:
            merged[name] = value
    return merged


def _data(options: argparse.Namespace) -> int:
    if options.action == "list":
        for cls in parts("dataset"):
            card = cls.card  # type: ignore[attr-defined]
            print(f"{cls.part_name():20} {_state(cls.part_name()):12} {card.summary} Licence: {card.licence}")
        return 0
    if not options.name:
        raise InvalidSpec(
            f"data {options.action} needs the name of a dataset; 'python -m core data list' shows them.", "name"
        )
    files = sources.fetch(options.name) if options.action == "fetch" else sources.check(options.name)
    for file in files:
        print(f"{file.state:10} {file.source}/{file.file}  {file.problem or file.path or ''}")
    if not files:
        print(f"{options.name} needs no files.")
    return 0 if all(file.state == "verified" for file in files) else 1


def _state(dataset: str) -> str:
    files = sources.status(dataset)
    missing = sum(file.state == "missing" for file in files)
    return f"{missing} missing" if missing else "complete"


def _dashboard(options: argparse.Namespace) -> NoReturn:
    # A separate program: core imports nothing of the dashboard.
    app = SHIPPED.parent / "dashboard" / "app.py"
    command = [sys.executable, "-m", "streamlit", "run", str(app), *options.options]
    os.execv(command[0], command)


def _precompute(options: argparse.Namespace) -> int:
    if options.check:
        problems = catalog.check(Store(), options.only)
        for problem in problems:
            print(problem)
        summary = f"{len(problems)} problems" if problems else "Every promised result is stored and intact."
        print(summary, file=sys.stderr)
        return 1 if problems else 0
    for entry in catalog.matching(options.only):
        print(f"{entry.name}: {entry.title}", file=sys.stderr)
        _, cached = _run_with_bars(entry.experiment, Engine(workers=options.workers))
        store = Store()
        if not (cached and store.is_shipped(entry.experiment.key)):
            store.ship(entry.experiment.key)
    return 0


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
        print(f"{len(problems)} problems" if problems else "The readers are intact and fit the code.", file=sys.stderr)
        return 1 if problems else 0
    progress = TerminalProgress()
    try:
        weights, card = training.train(RunContext(store=Store(), engine=Engine(), progress=progress))
    finally:
        progress.close()
    files.write(weights, card)
    for method, measured in card.measured.items():
        for dataset, f1 in measured.items():
            print(f"{method:22} {dataset:20} F1 {f1.f1:.3f} [{f1.low:.3f}, {f1.high:.3f}]   chance {f1.chance:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
