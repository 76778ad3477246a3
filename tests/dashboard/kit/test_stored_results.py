"""Estimates of stored results: read as the whole result is, or not at all."""

import json

import pytest

from core.errors import StoreError
from core.runtime.store import Store
from dashboard.kit import stored_results
from tests.dashboard.next_word import samples


def test_estimates_of_another_schema_are_as_absent_as_their_result(monkeypatch: pytest.MonkeyPatch) -> None:
    samples.completing().save(Store(), "current")
    assert stored_results.estimates("current") == samples.completing().estimates
    with monkeypatch.context() as former:
        former.setattr("core.result.SCHEMA", 0)
        samples.completing().save(Store(), "former")
    assert stored_results.load("former") is None
    assert stored_results.estimates("former") == {}


def test_estimates_that_cannot_be_read_are_an_error_unless_only_readable_ones_are_wanted() -> None:
    samples.completing().save(Store(), "odd")
    files = Store().get_files("odd") or {}
    summary = {**json.loads(files["result.json"]), "estimates": {"accuracy": {}}}
    Store().put_files("odd", {**files, "result.json": json.dumps(summary).encode()})
    with pytest.raises(StoreError, match="is intact but cannot be read"):
        stored_results.estimates("odd")
    assert stored_results.readable_estimates("odd") == {}
