"""Texts of a dataset are remembered for a while only, and few of them."""

import ast
from pathlib import Path

import pytest

import dashboard
from core.datasets.documents import Documents
from core.errors import InvalidDocuments
from dashboard.kit.forms import upload_limit
from dashboard.kit.texts import remembered


def test_whatever_streamlit_remembers_is_bounded_and_forgotten() -> None:
    calls = []
    sources = {path: path.read_text("utf-8") for path in Path(dashboard.__file__).parent.rglob("*.py")}
    for path, source in sources.items():
        for node in ast.walk(ast.parse(source)) if "cache_data" in source or "cache_resource" in source else ():
            bare = isinstance(node, ast.FunctionDef) and any(
                isinstance(each, ast.Attribute) and each.attr in ("cache_data", "cache_resource")
                for each in node.decorator_list
            )
            assert not bare, f"{path}: without bounds"
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("cache_data", "cache_resource"):
                calls.append((path.name, {keyword.arg for keyword in node.keywords}))
    assert calls
    for name, given in calls:
        assert {"ttl", "max_entries"} <= given, name


def test_refused_uploads_are_noted_for_a_bounded_number_of_sessions() -> None:
    try:
        for number in range(5_000):
            upload_limit._refused[f"session {number}"] = True
        assert len(upload_limit._refused) <= 1_000
    finally:
        upload_limit._refused.clear()


def test_what_a_dataset_that_is_not_here_would_hold_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise InvalidDocuments("damaged")

    dataset = Documents()
    monkeypatch.setattr(remembered, "needs", lambda _: ())
    assert remembered.read_if_here(dataset, lambda: "texts") == "texts"
    assert remembered.read_if_here(dataset, refuse) is None, "it cannot be read"
    monkeypatch.setattr(remembered, "needs", lambda _: ("a file",))
    assert remembered.read_if_here(dataset, lambda: pytest.fail("read")) is None, "it is not on this machine"
