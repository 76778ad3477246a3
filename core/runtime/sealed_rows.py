"""A digest of every row of some tables, in a table beside them: SQLite does not notice a bit that flips in a value.

Triggers keep the digests, so that no statement that changes a row has to think of them.
"""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from types import MappingProxyType

_SEALS = "create table if not exists seals (sealed text primary key not null, digest text not null) without rowid"
_DIGEST = "telltale_digest"


@dataclass(frozen=True)
class Seals:
    """The digests of the rows of some tables.

    Attributes:
        tables: SQL that tells a row of each table apart, and SQL of a digest of it; both name columns ``{row}NAME``.
    """

    tables: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, declared: Sequence[str], names: Sequence[str]) -> "Seals":
        """Return the seals of some of the tables that statements declare, by primary key, or else by number of row."""
        tables = {}
        with closing(sqlite3.connect(":memory:")) as database:
            for statement in declared:
                database.execute(statement)
            for name in names:
                columns = database.execute(f"select name, pk from pragma_table_info('{name}')").fetchall()
                keys = [column for column, is_key in columns if is_key] or ["rowid"]
                key = " || ' ' || ".join(f"{{row}}{column}" for column in keys)
                values = ", ".join(f"{{row}}{column}" for column, _ in columns)
                tables[name] = (f"'{name} ' || {key}", f"{_DIGEST}({values})")
        return cls(MappingProxyType(tables))

    @property
    def statements(self) -> dict[str, str]:
        """The statements that add the seals to a file that lacks them, by the name of what they add."""
        added = {"seals": _SEALS} if self.tables else {}
        for name, (key, digest) in self.tables.items():
            old, new = key.format(row="old."), key.format(row="new.")
            dropped = f"delete from seals where sealed = {old};"
            written = f"insert or replace into seals values ({new}, {digest.format(row='new.')});"
            for event, steps in (("insert", written), ("update", f"{dropped} {written}"), ("delete", dropped)):
                trigger = f"{name}_{event}_sealed"
                added[trigger] = f"create trigger if not exists {trigger} after {event} on {name} begin {steps} end"
        return added

    def add(self, database: sqlite3.Connection) -> None:
        """Add what is lacking; the rows of a file of an earlier version are sealed as they are."""
        is_new = self.tables and not _are_in(database)
        for statement in self.statements.values():
            database.execute(statement)
        if is_new:
            for name, (key, digest) in self.tables.items():
                database.execute(f"insert into seals select {key.format(row='')}, {digest.format(row='')} from {name}")

    def broken(self, database: sqlite3.Connection) -> str:
        """Return the first table whose rows and digests disagree; empty where all agree, or no table has digests."""
        if not self.tables or not _are_in(database):
            return ""
        for name, (key, digest) in self.tables.items():
            joined = f"{name} left join seals on sealed = {key.format(row=f'{name}.')}"
            where = f"digest is null or digest is not {digest.format(row=f'{name}.')}"
            if database.execute(f"select 1 from {joined} where {where} limit 1").fetchone():
                return name
        rows = " + ".join(f"(select count(*) from {name})" for name in self.tables)
        (count,) = database.execute(f"select (select count(*) from seals) - ({rows})").fetchone()
        return "seals" if count else ""


def connect(database: sqlite3.Connection) -> None:
    """Let the triggers of a connection compute digests, also where SQLite lets none call a function by default."""
    database.execute("pragma trusted_schema = on")
    database.create_function(_DIGEST, -1, _digest, deterministic=True)


def _are_in(database: sqlite3.Connection) -> bool:
    return database.execute("select 1 from sqlite_master where name = 'seals'").fetchone() is not None


def _digest(*values: object) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]
