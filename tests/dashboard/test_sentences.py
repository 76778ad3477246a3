"""Every sentence that reads a figure aloud is drawn by a test from tables of its own, not only on its page."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def parsed(folder: str) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the files of a folder that have to do with sentences."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        if "sentence" in (source := path.read_text()):
            yield path.relative_to(ROOT), ast.parse(source)


def sentences() -> set[str]:
    """Return the full names of the functions of pages and figures that return a sentence."""
    return {
        ".".join((*path.with_suffix("").parts, node.name))
        for path, module in parsed("dashboard")
        for node in module.body
        if isinstance(node, ast.FunctionDef) and node.name.endswith("sentence") and not node.name.startswith("_")
    }


def named(module: ast.Module) -> Iterator[str]:
    """Yield the full names of the functions that a module uses, by what it imports."""
    nodes = list(ast.walk(module))
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            yield f"{imported[node.value.id]}.{node.attr}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in imported:
            yield imported[node.id]


def test_each_sentence_is_drawn_by_a_test() -> None:
    drawn = sentences()
    assert len(drawn) > 100
    assert not drawn - {name for _, module in parsed("tests") for name in named(module)}
