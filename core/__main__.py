"""The command line: list, run, show, data, audit, report, dashboard, room, precompute, results, readers."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from core.commands import audit, data, experiments, report, shipped, show
from core.commands.terminal import CONDITIONS, Parser, added, described, interruptible, one_line
from core.errors import Incompatible, InvalidVectors, TelltaleError
from core.overrides import assigned
from core.runtime.store import SHIPPED

_DOES = "attacks on text models, and their scores"
_ENDS = {**CONDITIONS, 4: "there is one, and nothing decides it, or report verify could not check something"}
_MORE = "After 'pip install', the command telltale does the same. Each command has a help of its own: run --help."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Its help says what each status means.
    """
    options = _parser().parse_args(sys.argv[1:] if arguments is None else arguments)
    try:
        with interruptible():
            status = int(options.command(options))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has gone; without this, the interpreter would fail once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (TelltaleError, OSError, MemoryError) as error:
        fitting = f" Add {assigned(error.fits)}" if isinstance(error, Incompatible) and error.fits else ""
        print(one_line(f"{type(error).__name__}: {error}{fitting}"), file=sys.stderr)
        for line in error.program if isinstance(error, InvalidVectors) else ():
            print(one_line(line), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # Half-initialised objects cannot close themselves and would print warnings when they are collected.
        sys.unraisablehook = lambda _: None
        print("Stopped. Finished work is kept: the same command resumes.", file=sys.stderr)
        return 130
    return status


def _parser() -> Parser:
    parser = Parser(prog="python -m core", **described(_DOES, _MORE, _ENDS))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    experiments.add(commands)
    show.add(commands)
    data.add(commands)
    audit.add(commands)
    report.add(commands)
    dashboard = added(commands, "dashboard", "open the dashboard in a browser")
    dashboard.add_argument("options", nargs="*", help="options of 'streamlit run', after --")
    dashboard.set_defaults(command=_dashboard)
    room = added(commands, "room", "start a workshop room: prints its code and its links")
    room.add_argument("lesson", nargs="?", help="name of a lesson; without it, the names are listed")
    room.add_argument("--address", default="http://localhost:8501", help="of the dashboard (default %(default)s)")
    room.set_defaults(command=_room)
    shipped.add(commands)
    return parser


def _dashboard(options: argparse.Namespace) -> NoReturn:
    # A separate program: core imports nothing of the dashboard.
    app = SHIPPED.parent / "dashboard" / "app.py"
    command = [sys.executable, "-m", "streamlit", "run", str(app), *options.options]
    os.execv(command[0], command)


def _room(options: argparse.Namespace) -> NoReturn:
    lesson = [options.lesson] if options.lesson else []
    command = [sys.executable, "-m", "dashboard.topics.lessons.room.starting", "--address", options.address, *lesson]
    os.execv(command[0], command)


if __name__ == "__main__":
    gc.freeze()  # what was imported stays, so that the collector need not look through it again and again
    sys.exit(main())
