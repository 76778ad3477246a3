"""What being in a room means for runs and uploads: participants change their own, facilitators those of their room."""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from core.errors import StoreError
from core.jobs import Limits
from core.runtime.store import Store
from dashboard.room import rows
from dashboard.room.rooms_file import RoomsFile, oldest


class _Bond(NamedTuple):
    """The role of one visitor in one room, since when, in seconds since 1970, and the room's rules for runs."""

    room: str
    visitor: str
    leads: int  # 0 or 1, as SQLite has it
    runs: int
    since: float
    minutes: int


def leads(store: Store, visitor: Collection[str], people: Collection[str]) -> bool:
    """Tell whether a visitor is a facilitator of a room that one of some people is in, too."""
    return _leads(_bonds(store, {*visitor, *people}), visitor, people)


def may_change(store: Store, visitor: Collection[str], asker: str) -> bool:
    """Tell whether a visitor may end the run of somebody else, on a server that names no owners.

    Where one of them is in a room, only its facilitators may; anybody may where neither is.
    """
    bonds = _bonds(store, {*visitor, asker})
    return _leads(bonds, visitor, [asker]) or _are_free(bonds, visitor, [asker])


def may_read(store: Store, visitor: Collection[str], given_at: Mapping[str, float]) -> bool:
    """Tell whether a visitor may read an upload of somebody else, on a server that names no owners.

    Where one of them is in a room, its facilitators may read what anybody in it gave, and its participants what a
    facilitator gave. What somebody gave before they joined the room does not count.

    Args:
        store: Holds the rooms.
        visitor: Digests of who wants to read.
        given_at: When each giver last gave the upload, seconds since 1970, by the digest of the giver.
    """
    bonds = _bonds(store, {*visitor, *given_at})
    readers = [bond for bond in bonds if bond.visitor in visitor]
    givers = [bond for bond in bonds if bond.visitor in given_at and given_at[bond.visitor] >= bond.since]
    shared = any(reader.room == giver.room and (reader.leads or giver.leads) for reader in readers for giver in givers)
    return shared or _are_free(bonds, visitor, given_at)


def limits(store: Store, visitor: Collection[str], usual: Limits) -> Limits:
    """Return how many runs a visitor may ask for: a participant as many as the strictest of their rooms says."""
    bounds = [bond.runs for bond in _bonds(store, visitor) if not bond.leads]
    return Limits(usual.a_minute, min([usual.waiting, *bounds]))


def longest_run(store: Store, visitor: Collection[str]) -> int | None:
    """Return how many minutes a run of a visitor may take: of a participant, as their strictest room says."""
    return min((bond.minutes for bond in _bonds(store, visitor) if not bond.leads), default=None)


def _leads(bonds: Sequence[_Bond], visitor: Collection[str], people: Collection[str]) -> bool:
    led = {bond.room for bond in bonds if bond.leads and bond.visitor in visitor}
    return any(bond.room in led for bond in bonds if bond.visitor in people)


def _are_free(bonds: Sequence[_Bond], visitor: Collection[str], people: Collection[str]) -> bool:
    """Tell whether no room binds either: the people are in none, and the visitor is a participant of none."""
    return not any(bond.visitor in people or (bond.visitor in visitor and not bond.leads) for bond in bonds)


def _bonds(store: Store, visitors: Collection[str]) -> list[_Bond]:
    """Return the roles of some visitors in their rooms; an empty digest names nobody."""
    known = sorted(set(visitors) - {""})
    marks = ", ".join("?" * len(known))
    statement = f"""
        select room, visitor, role = 'facilitator' as leads, runs, joined as since from people join rooms on room = code
        where visitor in ({marks}) and created > ?
    """

    def read(database: sqlite3.Connection) -> list[_Bond]:
        bonds = database.execute(statement, (*known, oldest())).fetchall()
        return [_Bond(**bond, minutes=rows.minutes(database, bond["room"])) for bond in bonds]

    with suppress(StoreError):  # without its file, nobody is in a room
        return RoomsFile(store).read_leniently(read, [])
    return []
