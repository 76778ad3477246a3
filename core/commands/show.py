"""The command show: a stored result by its name or key, or a list of those that come with the code."""

import argparse
import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from core import catalog
from core.catalog import Entry, stored
from core.commands import summary
from core.commands.terminal import Commands, added
from core.errors import StoreError
from core.report.evidence import plain
from core.result import Estimate, Result, headline
from core.runtime.store import Store


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    show = added(
        commands,
        "show",
        "print a stored result by its name or key, or list those that come with the code",
        "It computes nothing. A pattern that several names match lists them, with their main figures.",
    )
    show.add_argument("name", nargs="?", default="*", help="name, key, or a pattern such as 'figure_4*' (default: all)")
    show.add_argument("--json", action="store_true", help="print one JSON object: of a result, that of run --json")
    show.set_defaults(command=_show)


def _show(options: argparse.Namespace) -> int:
    store = Store()
    matches = [entry for entry in catalog.entries() if fnmatchcase(entry.name, options.name)]
    if len(matches) > 1:
        _list(matches, store, as_json=options.json)
        return 0
    key = matches[0].key if matches else stored.key_of(options.name, store)
    summary.show(key, *stored.load(key, store), cached=True, as_json=options.json)
    return 0


def _list(entries: list[Entry], store: Store, *, as_json: bool) -> None:
    """Print the names, titles and main figures of promised results, and how to compute one that is not stored."""
    if as_json:
        print(json.dumps(plain({"results": [_listed(entry, store) for entry in entries]}), allow_nan=False))
        return
    for entry in entries:
        print(f"{entry.name}: {entry.title}")
        try:
            lines = summary.figures(_main(entry, stored.of_entry(entry, store, tables=False)))
        except StoreError as error:
            lines = [str(error)]
        for line in lines:
            print(f"  {line}")


def _listed(entry: Entry, store: Store) -> dict[str, Any]:
    """Return a promised result as plain values; without estimates where it is not stored."""
    result = Result.load(store, entry.key, tables=False)
    figures = {} if result is None else _main(entry, result)
    return {
        "name": entry.name,
        "title": entry.title,
        "summary": entry.summary,
        "attack": entry.attack,
        "key": entry.key,
        "stored": result is not None,
        "estimates": {name: estimate.plain() for name, estimate in figures.items()},
    }


def _main(entry: Entry, result: Result) -> Mapping[str, Estimate]:
    """Return the estimates that summarise a result."""
    names = headline(result.estimates, entry.experiment.game.main).values()
    return {name: result.estimates[name] for name in names}
