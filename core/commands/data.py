"""The command data."""

import argparse

from core import sources
from core.commands.terminal import Commands
from core.errors import InvalidSpec
from core.registry import parts


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    data = commands.add_parser("data", help="list, fetch or check datasets")
    data.add_argument("action", nargs="?", choices=["list", "fetch", "check"], default="list")
    data.add_argument("name", nargs="?", help="name of the dataset to fetch or check")
    data.set_defaults(command=_data)


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
