"""Which functions return a sentence, by their text."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[1]
FOLDERS = ("core/audits", "core/commands", "core/games", "core/report", "core/statistics", "dashboard")
"""Where sentences of pages, reports and commands are written."""
_IN_PARTS = re.compile(r"core\.(audits|report)\.|.*\.figures\.")
"""Modules in which sentences are put together from parts."""
TEXTS = MappingProxyType(
    {
        "str": str,
        "str | None": str | None,
        "list[str]": list[str],
        "tuple[str, ...]": tuple[str, ...],
        "Iterator[str]": Iterator[str],
    }
)
"""What functions that return text return, as it is written."""
_ENDS = re.compile(r"\w\w.*[\w)}%”’][.?!](\s|$)", re.DOTALL)
"""Text in which a sentence ends."""
_STATES = re.compile(r"\b(is|are|was|were|be|has|have)\b")
"""Text that states something, as the middle of a sentence does."""


@cache
def sentences() -> frozenset[str]:
    """Return the full names of the functions that return a sentence, or a part of one that is put together."""
    found: set[str] = set()
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        in_parts = bool(_IN_PARTS.match(module))
        found |= {f"{module}.{name}" for name in sentences_of(path.read_text("utf-8"), in_parts=in_parts)}
    return frozenset(found)


def sentences_of(source: str, *, in_parts: bool = False) -> set[str]:
    """Return the names of such functions in the text of a module; the middle of a sentence is enough ``in_parts``.

    They are public, and return text. Private functions and values of their module that they use count as their own. A
    function that draws on a page returns what a visitor chose there, and counts as none.
    """
    module = ast.parse(source)
    found = set()
    for function in (node for node in module.body if isinstance(node, ast.FunctionDef)):
        if function.name.startswith("_") or not function.returns or ast.unparse(function.returns) not in TEXTS:
            continue
        parts = _with_private_parts(function, module)
        held = [text for part in parts for child in ast.iter_child_nodes(part) for text in _texts(child)]
        says = any(_ENDS.search(text) or (in_parts and _STATES.search(text)) for text in held)
        if says and "st" not in set().union(*map(_names, parts)):
            found.add(function.name)
    return found


def _texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts in a piece of code, fields of an f-string as ``{}``; no docstring, no message of an error."""
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


def _names(node: ast.AST) -> set[str]:
    """Return the names that stand in a piece of code."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _with_private_parts(function: ast.FunctionDef, module: ast.Module) -> list[ast.AST]:
    """Return a function with the private functions and values of its module that it uses."""
    parts: dict[str, ast.AST] = {}
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            parts[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            parts |= dict.fromkeys(_names(node) if isinstance(node, ast.Assign) else _names(node.target), node)
    used: dict[str, ast.AST] = {function.name: function}
    waiting: list[ast.AST] = [function]
    while waiting:
        found = {name for name in _names(waiting.pop()) if name in parts and name.startswith("_")} - set(used)
        used |= {name: parts[name] for name in found}
        waiting += [parts[name] for name in found]
    return list(used.values())
