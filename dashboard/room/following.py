"""How a screen follows a room: at an address that says in a few bytes what of the room has changed."""

from dashboard.room.rooms_file import Standing

PATH = "/room/standing"
"""Below the address of the server; the code of the room and the step follow."""


def path(code: str, step: int) -> str:
    """Return where the standing of a room is told."""
    return f"{PATH}/{code}/{step}"


def written(standing: Standing) -> str:
    """Return a standing as words in a fixed order.

    >>> written(Standing(revision=7, people=40, votes=3, here=38))
    '7 40 3 38'
    """
    return " ".join(map(str, standing))
