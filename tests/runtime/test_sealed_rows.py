"""Every change of a sealed row that no statement made is noticed, and none that a statement made."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runtime.sealed_rows import Seals, connect

TABLES = (
    "create table people (room text not null, name text not null, joined real, step integer, primary key (room, name))",
    "create table rooms (code text primary key not null, size integer not null)",
)
SEALS = Seals.of(TABLES, ("people", "rooms"))
VALUES = {
    "name": st.text(),
    "joined": st.floats(allow_nan=False) | st.integers(0, 99),
    "step": st.none() | st.integers(0, 9),
}


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(_filled()) as database:
        SEALS.add(database)
        yield database


def _filled() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", isolation_level=None)
    connect(database)
    for statement in TABLES:
        database.execute(statement)
    database.execute("insert into people values ('a', 'Ann', 3, 0), ('a', 'Bob', 0.1, null), ('b', 'Ann', null, 7)")
    database.execute("insert into rooms values ('a', 2), ('b', 1)")
    return database


@pytest.mark.parametrize(
    "statement",
    [
        "update people set step = step + 1 where room = 'a'",
        "update people set name = 'Cyd', joined = 12 where name = 'Bob'",
        "update people set joined = 7",
        "insert or replace into rooms values ('a', 9)",
        "insert into people values ('c', '', 5, null)",
        "insert or ignore into rooms values ('a', 9)",
        "delete from people where room = 'a'",
        "delete from rooms",
    ],
)
def test_what_a_statement_changes_stays_sealed(database: sqlite3.Connection, statement: str) -> None:
    assert SEALS.broken(database) == ""
    database.execute(statement)
    assert SEALS.broken(database) == ""
    SEALS.add(database)
    assert SEALS.broken(database) == ""


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("update people set name = 'Anm' where room = 'b'", "people"),
        ("update people set joined = 3.0000000000000004 where name = 'Ann' and room = 'a'", "people"),
        ("update people set step = 0 where step is null", "people"),
        ("update rooms set size = '2' || 'x' where code = 'a'", "rooms"),
        ("insert into rooms values ('c', 1)", "rooms"),
        ("delete from people where room = 'b'", "seals"),
        ("update seals set digest = '' where sealed = 'rooms a'", "rooms"),
        ("delete from seals where sealed = 'people a Bob'", "people"),
        ("insert into seals values ('people c', '')", "seals"),
    ],
)
def test_what_no_statement_changed_is_noticed(database: sqlite3.Connection, statement: str, table: str) -> None:
    for trigger in SEALS.statements.keys() - {"seals"}:
        database.execute(f"drop trigger {trigger}")
    database.execute(statement)
    assert SEALS.broken(database) == table
    SEALS.add(database)
    assert SEALS.broken(database) == table, "what is damaged is not sealed anew"


@given(st.fixed_dictionaries(VALUES))
def test_any_values_can_be_sealed(values: dict[str, object]) -> None:
    with closing(_filled()) as database:
        SEALS.add(database)
        database.execute("insert into people values ('c', :name, :joined, :step)", values)
        assert SEALS.broken(database) == ""


def test_a_file_of_an_earlier_version_is_sealed_as_it_is() -> None:
    with closing(_filled()) as database:
        assert SEALS.broken(database) == ""
        SEALS.add(database)
        assert database.execute("select count(*) from seals").fetchone() == (5,)
        assert SEALS.broken(database) == ""


def test_without_sealed_tables_nothing_is_added() -> None:
    with closing(_filled()) as database:
        Seals({}).add(database)
        assert Seals({}).broken(database) == "" and not Seals({}).statements
        assert database.execute("select count(*) from sqlite_master where name like '%seal%'").fetchone() == (0,)
