"""What the examples in docstrings print is what stands below them."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for folder in ("core", "dashboard")
    for file in (ROOT / folder).rglob("*.py")
    if ">>>" in file.read_text()
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_print_what_they_promise(module: str) -> None:
    done = doctest.testmod(importlib.import_module(module))
    assert done.attempted and not done.failed
