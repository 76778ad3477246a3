"""Starts a room without a browser, in the store of TELLTALE_HOME: `python -m core room` runs this program."""

import argparse
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

import segno

from core.commands.terminal import Parser, one_line
from core.errors import RoomRefused, StoreError
from core.runtime.store import Store
from dashboard.room.codes import KEY, ROOM
from dashboard.room.rooms import Rooms
from dashboard.topics.lessons import shelf


def main(arguments: Sequence[str] | None = None) -> None:
    """Start a room, and write its code and links; without a lesson, write the names of all."""
    parser = Parser(prog="python -m core room", description="Start a workshop room.")
    parser.add_argument("lesson", nargs="?", choices=list(shelf.lessons()))
    parser.add_argument("--address", required=True, type=_address)
    options = parser.parse_args(arguments)
    if options.lesson is None:
        sys.stdout.writelines(f"{name}: {lesson.title}\n" for name, lesson in shelf.lessons().items())
        return
    try:
        room, secret = Rooms(Store()).start(options.lesson, "")
    except (RoomRefused, StoreError) as error:
        parser.exit(1, one_line(f"{type(error).__name__}: {error}") + "\n")
    link = f"{options.address.rstrip('/')}/lessons?{ROOM}={room.code}"
    lines = f"Room {room.code}: {shelf.lessons()[room.lesson].title}", f"Join: {link}", f"Lead: {link}&{KEY}={secret}"
    sys.stdout.writelines(f"{line}\n" for line in lines)
    if sys.stderr.isatty():  # standard output holds the links alone
        segno.make(link, micro=False).terminal(sys.stderr, compact=True)
    sys.stderr.write("Whoever opens the last link may lead the room: send it to nobody else.\n")


def _address(text: str) -> str:
    """Read the address of a dashboard."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise argparse.ArgumentTypeError(
            f"must be http:// or https:// and a host, such as 'http://localhost:8501'. Got {text!r} instead."
        )
    return text


if __name__ == "__main__":
    main()
