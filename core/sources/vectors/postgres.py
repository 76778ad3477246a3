"""A table of PostgreSQL with pgvector: a random sample is copied in one read-only transaction, and read like a file.

The connection string opens the connection and goes nowhere else: no file, no result and no message has it.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString

from core.errors import InvalidVectors, suggestion
from core.runtime.folders import writing
from core.sources.vectors.stored import USUAL, Columns, differing, grouped, stacked

if TYPE_CHECKING:
    from psycopg import Connection

SCHEMES = ("postgresql://", "postgres://")
"""What a connection string begins with."""

_SECONDS = 10
"""How long a server may take to accept a connection."""

_READ = ("vector", "halfvec", "_float4", "_float8")
"""Types of columns that can be read as lists of numbers: those of pgvector, and arrays."""

_LISTED = 20
"""Most tables or columns that a message names."""

_COLUMNS: LiteralString = """
    SELECT attname, typname FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
    WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_TABLES: LiteralString = """
    SELECT DISTINCT attrelid::regclass::text FROM pg_attribute
    JOIN pg_type ON pg_type.oid = atttypid JOIN pg_class ON pg_class.oid = attrelid
    WHERE typname IN ('vector', 'halfvec') AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT attisdropped ORDER BY 1
"""


@dataclass(frozen=True)
class Copied:
    """What was copied of a table.

    Attributes:
        path: The Parquet file.
        table: The table's name.
        rows: Vectors in the file.
        total: Vectors in the table.
        without: Rows of the table that have none.
    """

    path: Path
    table: str
    rows: int
    total: int
    without: int

    @property
    def summary(self) -> str:
        """What was copied, and where it lies, in one line."""
        share = f"all {self.total:,}" if self.rows == self.total else f"a random {self.rows:,} of {self.total:,}"
        without = f" {self.without:,} rows without a vector were left out." if self.without else ""
        return f"Copied {share} vectors of the table {self.table} to {self.path}; delete it when you are done.{without}"


def is_connection(source: str) -> bool:
    """Tell whether a source is a connection string of PostgreSQL.

    >>> is_connection("postgresql://reader@localhost/notes"), is_connection("notes.parquet")
    (True, False)
    """
    return source.startswith(SCHEMES)


def copied(connection: str, columns: Columns, most: int, seed: int, folder: Path) -> Copied:
    """Copy vectors, and what stands beside them, from a table or view to a Parquet file.

    Args:
        connection: The connection string; the server may only be read from.
        columns: What to read: ``collection`` names the table, which need not be named where one alone has vectors.
        most: Rows that are copied. Of a larger table, a random sample is copied. The same seed gives the same sample
            while the column ``id``, or where there is none the rows' physical positions, stay the same.
        seed: Seed of that sample.
        folder: Where the file is written, under the name of the table.

    Raises:
        InvalidVectors: psycopg is missing, the server refuses, or there is no such table or column.
        StoreError: The file cannot be written.
    """
    with _connected(connection) as server:
        table = _table(server, columns.collection)
        roles = _roles(server, table, columns)
        total, without = _counted(server, table, roles["vector"])
        if not total:
            raise InvalidVectors(f"The table {table} holds no vectors.")
        name = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in table)
        path = folder / f"{name}.parquet"
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            rows = _written(_rows(server, table, roles, most, seed), list(roles), table, path)
        return Copied(path, table, rows, total, without)


@contextmanager
def _connected(connection: str) -> Iterator["Connection[Any]"]:
    """Open one read-only transaction that sees one state of the database."""
    try:
        import psycopg
    except ImportError:
        raise InvalidVectors("To read a table of PostgreSQL: pip install 'psycopg[binary]'") from None
    try:
        with psycopg.connect(connection, connect_timeout=_SECONDS, application_name="telltale") as server:
            server.read_only = True
            server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            yield server
    except psycopg.Error as error:
        raise InvalidVectors(f"PostgreSQL: {_without_secrets(error, connection)}") from None


def _without_secrets(error: Exception, connection: str) -> str:
    """Return what a server says of an error, without anything of the connection string that may be secret."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        password = str(conninfo_to_dict(connection).get("password") or "")
    except psycopg.Error:  # what cannot be read cannot be searched for a password
        return "this is no connection string that can be read. One is postgresql://user@host:5432/database"
    message = " ".join(str(error).split())
    return (message.replace(password, "…") if password else message)[:300]


def _table(server: "Connection[Any]", wanted: str) -> str:
    """Return a table's name as the server writes it, so that it can stand in a query."""
    known = [name for (name,) in server.execute(_TABLES).fetchall()]
    if not wanted:
        if len(known) == 1:
            return str(known[0])
        if not known:
            raise InvalidVectors("No table of this database has a column of pgvector.")
        raise InvalidVectors(f"{len(known)} tables have vectors. Name one by 'collection': {_listed(known)}.")
    match = server.execute("SELECT to_regclass(%s)::text", [wanted]).fetchone()
    if match is None or match[0] is None:
        raise InvalidVectors(f"There is no table {wanted!r} in this database.{suggestion(wanted, known[:_LISTED])}")
    return str(match[0])


def _roles(server: "Connection[Any]", table: str, columns: Columns) -> dict[str, str]:
    """Return the column of each role: that of the vectors first, then what stands beside them."""
    kinds = dict(server.execute(_COLUMNS, [table]).fetchall())
    readable = [name for name, kind in kinds.items() if kind in _READ]
    wanted = columns.vector or ""
    if wanted in kinds and wanted not in readable:
        raise InvalidVectors(
            f"The column {wanted!r} of {table} has the type {kinds[wanted]}. What can be read: "
            f"vector, halfvec, real[], double precision[]."
        )
    if not wanted and len(readable) > 1 and not {*USUAL} & {*readable}:
        raise InvalidVectors(
            f"{table} has several columns of vectors. Set 'vector_column' to one of: {_listed(readable)}."
        )
    return {"vector": columns.vector_of(readable or list(kinds), table), **columns.fields(list(kinds), table)}


def _counted(server: "Connection[Any]", table: str, vector: str) -> tuple[int, int]:
    """Return how many rows have a vector, and how many have none."""
    from psycopg import sql

    query = sql.SQL("SELECT count({0}), count(*) - count({0}) FROM {1}").format(sql.Identifier(vector), _as_sql(table))
    total, without = server.execute(query).fetchone() or (0, 0)
    return int(total), int(without)


def _rows(
    server: "Connection[Any]", table: str, roles: dict[str, str], most: int, seed: int
) -> Iterator[tuple[Any, ...]]:
    """Yield rows in the order of the seed: the vector as a list of numbers, then a text for each other role."""
    from psycopg import sql

    drawn = sql.Identifier(roles["id"]) if "id" in roles else _row_address(server, table)
    beside = [sql.SQL("{}::text").format(sql.Identifier(name)) for role, name in roles.items() if role != "vector"]
    query = sql.SQL(
        "SELECT {read} FROM {table} WHERE {vector} IS NOT NULL "
        "ORDER BY hashtextextended({drawn}::text, {seed}), {drawn} LIMIT {most}"
    ).format(
        read=sql.SQL(", ").join([sql.SQL("{}::real[]").format(sql.Identifier(roles["vector"])), *beside]),
        table=_as_sql(table),
        vector=sql.Identifier(roles["vector"]),
        drawn=drawn,
        seed=sql.Literal(seed),
        most=sql.Literal(most),
    )
    with server.cursor(name="telltale", binary=True) as cursor:
        yield from cursor.execute(query)


def _row_address(server: "Connection[Any]", table: str) -> Any:
    """Return the identifier of rows in a table that has no column of ids."""
    from psycopg import sql

    kind = server.execute("SELECT relkind::text FROM pg_class WHERE oid = %s::regclass", [table]).fetchone()
    if not kind or kind[0] not in ("r", "m"):
        raise InvalidVectors(
            f"{table} is a view, or is kept in parts. Set 'id_column' to a column that tells its rows apart."
        )
    return sql.SQL("ctid")


def _written(rows: Iterator[tuple[Any, ...]], roles: Sequence[str], table: str, path: Path) -> int:
    """Write rows a few thousand at a time; a file of that name is replaced once all are there, else nothing is left."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".") as temporary:
        fresh = Path(temporary) / path.name
        count = _stream(rows, roles, table, fresh)
        fresh.replace(path)
    return count


def _stream(rows: Iterator[tuple[Any, ...]], roles: Sequence[str], table: str, path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    count, writer = 0, None
    try:
        for group in grouped(rows):
            lists, *beside = zip(*group, strict=True)
            width = len(lists[0]) if writer is None else writer.schema.field("vector").type.list_size
            for row, numbers in enumerate(lists, count):
                if len(numbers) != width:
                    raise differing(table, row, len(numbers), width)
            values = pa.array(stacked(lists, count, table, width).ravel(), pa.float32())
            vectors = pa.FixedSizeListArray.from_arrays(values, width)
            texts = [pa.array([one or "" for one in column], pa.string()) for column in beside]
            batch = pa.record_batch([vectors, *texts], names=list(roles))
            writer = writer or pq.ParquetWriter(path, batch.schema)
            writer.write_batch(batch)
            count += len(group)
    finally:
        if writer is not None:
            writer.close()
    return count


def _as_sql(table: str) -> Any:
    """Return a name that the server itself wrote, quoted where it must be."""
    from psycopg import sql

    return sql.SQL(table)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(name[:60] for name in names[:_LISTED])
