"""Texts of a dataset are remembered for a while only, and few of them."""

import ast
from pathlib import Path

import dashboard
from dashboard.kit.forms import upload_limit


def test_whatever_streamlit_remembers_is_bounded_and_forgotten() -> None:
    calls = []
    for path in Path(dashboard.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
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
