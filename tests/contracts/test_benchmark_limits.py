"""A benchmark imports what there is, and one that has limits fails where it misses one."""

import ast
import re
from importlib import import_module
from importlib.util import find_spec

import pytest

from tests.benchmarks import limits, scale
from tests.errands import ROOT


def test_a_figure_above_its_limit_ends_the_benchmark_after_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    line = {"name": "page", "ratio": 2}
    limits.end(line, {"seconds": (1.0, 1.0), "megabytes": (12, 1500.0)})
    with pytest.raises(SystemExit, match=r"^page misses its limits: seconds 1.25, limit 1; cores nan, limit 2\.$"):
        limits.end(line, {"seconds": (1.25, 1.0), "megabytes": (12, 1500.0), "cores": (float("nan"), 2.0)})
    assert capsys.readouterr().out == '{"name": "page", "ratio": 2}\n' * 2


def test_benchmarks_import_what_there_is_here() -> None:
    """Without what they compare with, which takes seconds to import."""
    missing = []
    for file in sorted((ROOT / "tests" / "benchmarks").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(("core", "dashboard", "tests")):
                module = import_module(str(node.module))
                for name in (alias.name for alias in node.names):
                    is_module = hasattr(module, "__path__") and find_spec(f"{node.module}.{name}")
                    if not hasattr(module, name) and not is_module:
                        missing.append(f"{file.name}:{node.lineno}: {node.module}.{name}")
    assert not missing


def test_every_benchmark_with_limits_holds_them() -> None:
    texts = {file.name: file.read_text("utf-8") for file in sorted((ROOT / "tests" / "benchmarks").glob("*.py"))}
    del texts["limits.py"]
    limited = {
        name
        for name, text in texts.items()
        if re.search(r"\blimits?\b (?:is|of)\b|is the limit\b|\"limits?(?:_\w+)?\":", text)
    }
    assert len(limited) >= 10
    assert [name for name in sorted(limited) if "limits.end(line, " not in texts[name]] == []


def test_documents_past_memory_have_limits_of_memory_and_of_time_where_they_are_many() -> None:
    within = {"documents": scale.MANY, "MB a core s": 30.0, "peak memory, GB": 3.0}
    limits.hold("scale", scale._held(within))
    few = {"documents": 10_000, "MB a core s": 7.5, "peak memory, GB": 0.65}
    limits.hold("scale", scale._held(few))
    for name, figure, message in (
        ("MB a core s", 29.0, "core seconds to tokenise a megabyte, 1,000,000 documents 0.03448, limit 0.0333333"),
        ("peak memory, GB", 3.1, "GB, 1,000,000 documents 3.1, limit 3"),
    ):
        with pytest.raises(SystemExit, match=f"^scale misses its limits: {message}"):
            limits.hold("scale", scale._held({**within, name: figure}))
