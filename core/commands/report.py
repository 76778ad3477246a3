"""The command report: evidence from stored results as a file, and the verification of such a file."""

import argparse
import tempfile
from pathlib import Path

from core.commands.terminal import Commands, Parser, added, bars, described
from core.errors import InvalidSpec
from core.report import build, rendered, verify
from core.report.declared import Declared
from core.report.seal import bears_seal
from core.report.verification import read, replay
from core.runtime import memory
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.folders import writing_named
from core.runtime.store import Store

_VERIFY = "verify"
_VERIFIED = {
    0: "nothing has changed",
    1: "the file is contradicted, or cannot be read",
    4: "something could not be checked, which is said",
}
"""How verification ends."""


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    report = added(
        commands,
        "report",
        "write the evidence of stored results as one file, or verify such a file",
        "A report takes up to eight results. To verify one: report verify FILE.",
    )
    report.add_argument("keys", nargs="+", metavar="KEY", help="keys or names of stored results")
    report.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help="file to write: .html, .md or .json; can be repeated (default: report.html)",
    )
    report.add_argument(
        "--context", type=Path, help="TOML file that declares system, release, attacker, tolerable leak"
    )
    report.add_argument(
        "--declare", action="append", default=[], metavar="NAME=TEXT", help="declare one of them; can be repeated"
    )
    report.add_argument("--texts", action="store_true", help="let texts, names and paths that you brought enter")
    report.set_defaults(command=_report)
    does = "find any changed byte of a report's data, by its digests and by the results that are stored here"
    verifying = Parser(prog=f"{report.prog} {_VERIFY}", **described(does, ends=_VERIFIED))
    verifying.add_argument("file", metavar="FILE", help="the report: .html, .md or .json")
    verifying.add_argument(
        "--replay", metavar="KEY", help="run the result of that key again, too, and compare its bytes"
    )
    verifying.set_defaults(command=_verify)
    report.instead[_VERIFY] = verifying


def _report(options: argparse.Namespace) -> int:
    paths = [Path(name) for name in options.output or ["report.html"]]
    evidence = build(options.keys, Store(), Declared.read(options.context, options.declare), texts=options.texts)
    files = {path: rendered(evidence, path.suffix) for path in paths}
    for path, content in files.items():
        with writing_named(path):
            path.write_bytes(content)
        print(f"wrote {path}: {len(content):,} bytes")
    return 0


def _verify(options: argparse.Namespace) -> int:
    content = read(Path(options.file))
    if not bears_seal(content):
        raise InvalidSpec(f"{options.file} is no report: it has no seal, or has lost it.", "file")
    verification = verify(content, Store())
    print("\n".join(verification.lines))
    if not verification.intact or not options.replay:
        return verification.status
    if verification.evidence is None:
        raise InvalidSpec("This file holds no evidence to run again; the page or the JSON does.", "replay")
    with tempfile.TemporaryDirectory() as empty, bars() as progress, memory.within(memory.allowed()):
        store = Store(root=Path(empty), shipped=Path(empty) / "none")
        same, line = replay(
            verification.evidence, options.replay, RunContext(store=store, engine=Engine(), progress=progress)
        )
        again = verify(content, store)
    print(line)
    if not same or not again.intact:
        print("\n".join(again.lines))
        return 1
    return min(verification.status, again.status)
