"""What cannot be erased is said in an error that callers expect."""

import pytest

from core.errors import StoreError
from core.jobs import Jobs
from core.jobs.erasing import erase
from core.runtime.store import Store


def test_a_log_that_cannot_be_removed_is_an_error_of_the_store(store: Store) -> None:
    jobs = Jobs(store)
    jobs.note({}, "a", 0.0)
    jobs.log("a").mkdir(parents=True)
    with pytest.raises(StoreError):
        erase(jobs, ["a"])
