"""The file of the predictions of those who learn alone, by visitor, so that a page that is loaded again has them."""

import sqlite3
import time
from dataclasses import dataclass
from typing import ClassVar

from core.runtime.shared_file import SharedFile
from dashboard.room.rooms_file import Value, Vote, oldest, row_of, vote_of

_PREDICTIONS = """
create table predictions (
    room text not null, step integer not null, visitor text not null, value text not null, moment real not null,
    is_revealed integer not null default 0, primary key (visitor, room, step)
)
"""
"""As the votes of a room, with the lesson in place of its code."""


@dataclass(frozen=True)
class AloneFile(SharedFile):
    """The predictions of a store; each lasts as long as a room."""

    NAME: ClassVar[str] = "alone.sqlite"
    CALLED: ClassVar[str] = "predictions"
    TABLES: ClassVar[tuple[str, ...]] = (_PREDICTIONS,)
    CHECKED_WHEN_READ: ClassVar[bool] = True

    def check_rows(self, database: sqlite3.Connection) -> None:
        """Refuse a file with a row that nobody wrote."""
        for row in database.execute("select * from predictions"):
            vote_of(row)

    def predictions(self, visitor: str) -> dict[tuple[str, int], tuple[Value, bool]]:
        """Return what a visitor predicted and whether its answer is shown, by lesson and step.

        Raises:
            StoreError: The file cannot be read.
        """
        statement = "select * from predictions where visitor = ?"

        def read(database: sqlite3.Connection) -> dict[tuple[str, int], tuple[Value, bool]]:
            votes = [(row, vote_of(row)) for row in database.execute(statement, (visitor,))]
            late = oldest()
            return {
                (row["room"], vote.step): (vote.value, bool(row["is_revealed"]))
                for row, vote in votes
                if vote.moment > late
            }

        return self.read(read, {})

    def lock(self, visitor: str, lesson: str, step: int, value: Value) -> None:
        """Keep a prediction, unless there is one.

        Raises:
            StoreError: It cannot be stored.
        """
        row = row_of(lesson, Vote(step, visitor, value, time.time()))

        def locked(database: sqlite3.Connection) -> None:
            _drop_late(database)
            database.execute("insert or ignore into predictions values (?, ?, ?, ?, ?, 0)", row)

        self.change(locked)

    def reveal(self, visitor: str, lesson: str, step: int) -> None:
        """Keep that the answer of a prediction is shown.

        Raises:
            StoreError: It cannot be stored.
        """
        statement = "update predictions set is_revealed = 1 where visitor = ? and room = ? and step = ?"
        self.change(lambda database: database.execute(statement, (visitor, lesson, step)))

    def expire(self) -> None:
        """Delete the predictions whose days are over.

        Raises:
            StoreError: They cannot be deleted.
        """
        if self.exists():
            self.change(_drop_late)

    def forget(self, visitor: str, lesson: str) -> None:
        """Delete the predictions of a visitor in a lesson, and overwrite them in the file.

        Raises:
            StoreError: They cannot be deleted.
        """

        def forgotten(database: sqlite3.Connection) -> None:
            database.execute("pragma secure_delete = on")
            database.execute("delete from predictions where visitor = ? and room = ?", (visitor, lesson))

        self.change(forgotten)


def _drop_late(database: sqlite3.Connection) -> None:
    """Delete what is older than a room may be, and overwrite it in the file."""
    database.execute("pragma secure_delete = on")
    database.execute("delete from predictions where moment <= ?", (oldest(),))
