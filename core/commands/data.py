"""The command data."""

import argparse

from core import sources
from core.commands.terminal import Commands, add_workers, added, bars
from core.corpora.source import LONGEST, Source
from core.corpora.tokenised import tokenised
from core.errors import InvalidSpec
from core.registry import parts
from core.runtime.engine import Engine
from core.sources import user_files


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    data = added(commands, "data", "list, fetch or check datasets, tokenise documents")
    actions = ["list", "fetch", "check", "tokenise"]
    described = f"what to do: {', '.join(actions)} (default %(default)s)"
    data.add_argument("action", nargs="?", choices=actions, default="list", metavar="action", help=described)
    data.add_argument(
        "name", nargs="?", help="name of the dataset to fetch or check; path of the documents to tokenise"
    )
    data.add_argument("--text-column", default="text", help="column that holds the texts, to tokenise")
    data.add_argument("--owner-column", default="", help="column that says whose each text is, to tokenise")
    add_workers(data, "that tokenise")
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
    if options.action == "tokenise":
        return _tokenise(options)
    files = sources.fetch(options.name) if options.action == "fetch" else sources.check(options.name)
    for file in files:
        print(f"{file.state:10} {file.source}/{file.file}  {file.problem or file.path or ''}")
    if not files:
        print(f"{options.name} needs no files.")
    return 0 if all(file.state == "verified" for file in files) else 1


def _tokenise(options: argparse.Namespace) -> int:
    source = Source(user_files.located(options.name), options.text_column, options.owner_column)
    with bars() as progress:
        corpus = tokenised(source, Engine(workers=options.workers), progress)
    print(f"{corpus.documents:,} documents, {len(corpus.tokens):,} words, {len(corpus.words):,} different ones.")
    over = corpus.passed_over
    print(
        f"Passed over: {over['too_long']:,} with more than {LONGEST:,} characters, {over['no_text']:,} with NUL "
        f"characters, {over['without_words']:,} without words."
    )
    return 0


def _state(dataset: str) -> str:
    files = sources.status(dataset)
    missing = sum(file.state == "missing" for file in files)
    return f"{missing} missing" if missing else "complete"
