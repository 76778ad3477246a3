"""The command report: evidence from stored results as a file, and the verification of such a file."""

import argparse
import tempfile
from pathlib import Path

from core.commands.terminal import Commands, bars
from core.errors import InvalidSpec
from core.report import build, rendered, verify
from core.report.declared import Declared
from core.report.seal import bears_seal
from core.report.verification import read, replay
from core.runtime import memory
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.folders import writing
from core.runtime.store import Store

_VERIFY = "verify"


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    report = commands.add_parser(
        "report",
        help="write the evidence of stored results as one file, or verify such a file",
        description="To write the evidence of stored results: report KEY … -o FILE. To verify a file: report verify "
        "FILE, with --replay KEY to run a result again. Verification ends with 0 where nothing has changed, 1 where "
        "the file is contradicted, and 4 where something could not be checked, and says what.",
    )
    report.add_argument(
        "keys", nargs="+", metavar="KEY", help="keys or names of stored results; or: verify FILE, to verify a report"
    )
    report.add_argument(
        "-o", "--output", action="append", default=[], metavar="FILE", help="file to write: .html, .md or .json"
    )
    report.add_argument(
        "--context", type=Path, help="TOML file that declares system, release, attacker, tolerable leak"
    )
    report.add_argument(
        "--declare", action="append", default=[], metavar="NAME=TEXT", help="declare one of them; can be repeated"
    )
    report.add_argument("--texts", action="store_true", help="let texts, names and paths that you brought enter")
    report.add_argument(
        "--replay", metavar="KEY", help="with verify: run the result of that key again and compare its bytes"
    )
    report.set_defaults(command=_report)


def _report(options: argparse.Namespace) -> int:
    if options.keys[0] == _VERIFY:
        return _verify(options)
    if options.replay:
        raise InvalidSpec("--replay goes with 'report verify FILE'.", "replay")
    paths = [Path(name) for name in options.output or ["report.html"]]
    evidence = build(options.keys, Store(), Declared.read(options.context, options.declare), texts=options.texts)
    files = {path: rendered(evidence, path.suffix) for path in paths}
    for path, content in files.items():
        with writing(path.parent):
            path.write_bytes(content)
        print(f"wrote {path}: {len(content):,} bytes")
    return 0


def _verify(options: argparse.Namespace) -> int:
    if len(options.keys) != 2:
        raise InvalidSpec(f"'report verify' takes one file. Got {len(options.keys) - 1} instead.", "file")
    content = read(Path(options.keys[1]))
    if not bears_seal(content):
        raise InvalidSpec(f"{options.keys[1]} is no report: it has no seal, or has lost it.", "file")
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
