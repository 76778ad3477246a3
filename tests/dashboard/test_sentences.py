"""Every sentence that pages say is drawn by a test from tables of its own, not only on its page."""

import ast
import doctest
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]
_ENDS = re.compile(r"\w\w.*[\w)}%”’][.?!](\s|$)", re.DOTALL)
"""Text in which a sentence ends."""
_STATES = re.compile(r"\b(is|are|was|were|be|has|have)\b")
"""Text that states something, as the middle of a sentence does."""
_RETURNS = r"\) -> (str|list\[str\])"
"""Functions that return text, in a module."""
_EXCEPT = {
    "dashboard.kit.figures.wording.is_or_are": "returns one word",
    "dashboard.kit.forms.own_documents.upload": "draws a field with its help and returns what was uploaded",
    "dashboard.kit.forms.widgets.encoder": "draws a field with its help and returns what was chosen",
    "dashboard.topics.inversion.same_texts.choose_method": "draws a field with its help and returns what was chosen",
}
"""Functions that hold a sentence and return none, with the reason."""
_WITHOUT_ARGUMENTS = {
    "dashboard.kit.forms.needed.refusal": "follows the minutes that a room allows, which its test changes",
    "dashboard.kit.inputs.kept_uploads.rule": "follows the environment, which its test changes",
    "dashboard.topics.inversion.figures.paper.printed": "reads a table of a paper, which never changes",
    "dashboard.topics.lessons.tour.bar.standing": "follows the queue of runs, which its test changes",
}
"""Functions whose sentence does not follow from their arguments, with the reason."""


@cache
def parsed(folder: str, pattern: str) -> list[tuple[str, ast.Module]]:
    """Return the modules of a folder that hold a pattern, with their full names."""
    paths = (
        (path.relative_to(ROOT).with_suffix(""), path.read_text()) for path in sorted((ROOT / folder).rglob("*.py"))
    )
    return [(".".join(path.parts), ast.parse(source)) for path, source in paths if re.search(pattern, source)]


def texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts in a piece of code, fields of an f-string as ``{}``; no docstring, no message of an error."""
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    for child in ast.iter_child_nodes(node):
        yield from texts(child)


def names(node: ast.AST) -> set[str]:
    """Return the names that stand in a piece of code."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def with_private_parts(function: ast.FunctionDef, module: ast.Module) -> list[ast.AST]:
    """Return a function with the private functions and values of its module that it uses."""
    parts: dict[str, ast.AST] = {}
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            parts[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            parts |= dict.fromkeys(names(node) if isinstance(node, ast.Assign) else names(node.target), node)
    used: dict[str, ast.AST] = {function.name: function}
    waiting: list[ast.AST] = [function]
    while waiting:
        found = {name for name in names(waiting.pop()) if name in parts and name.startswith("_")} - set(used)
        used |= {name: parts[name] for name in found}
        waiting += [parts[name] for name in found]
    return list(used.values())


def returns_prose(function: ast.FunctionDef, module: ast.Module, *, reads_figures: bool) -> bool:
    """Tell whether a public function returns text and ends a sentence; of figures, also the middle of one.

    Of figures, the private parts of its module that it uses count as its own.
    """
    if function.name.startswith("_") or not function.returns:
        return False
    if function.name.endswith("sentence"):
        return True
    if ast.unparse(function.returns) not in ("str", "str | None", "list[str]"):
        return False
    own = [part for statement in function.body for part in texts(statement)]
    if not reads_figures:
        return any(map(_ENDS.search, own))
    held = [
        text
        for part in with_private_parts(function, module)
        for child in ast.iter_child_nodes(part)
        for text in texts(child)
    ]
    return any(_ENDS.search(text) or _STATES.search(text) for text in held)


@cache
def sentences() -> set[str]:
    """Return the full names of the functions of pages and figures that return a sentence or a part of one."""
    found = {
        f"{name}.{node.name}"
        for name, module in parsed("dashboard", _RETURNS)
        for node in module.body
        if isinstance(node, ast.FunctionDef) and returns_prose(node, module, reads_figures=".figures." in name)
    }
    return found - set(_EXCEPT)


def full_name(node: ast.AST, known: dict[str, str]) -> str:
    """Return the full name of what is imported; empty for anything else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
        return f"{known[node.value.id]}.{node.attr}"
    return known.get(node.id, "") if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""


class Calls:
    """What a module calls functions with, as far as its text tells.

    Args:
        module: A module of tests, or the examples of a docstring.
        known: Full names of functions by the names that the module has for them, beside those that it imports.
    """

    def __init__(self, module: ast.Module, known: Mapping[str, str] = MappingProxyType({})) -> None:
        self.known = dict(known)
        self.scopes: dict[ast.AST, ast.FunctionDef | None] = {}
        self.by_name: dict[str, list[ast.Call]] = defaultdict(list)
        self.values: dict[tuple[ast.AST | None, str], list[ast.AST]] = defaultdict(list)
        self.looped: dict[ast.AST, frozenset[str]] = {}
        self.variants: dict[ast.AST, list[str]] = {}
        self._place(module, None, frozenset())

    def _place(self, node: ast.AST, scope: ast.FunctionDef | None, looped: frozenset[str]) -> None:
        """Note the function and the loops that a piece of code stands in, and what it calls, imports and assigns."""
        self.scopes[node], self.looped[node] = scope, looped
        match node:
            case ast.ImportFrom():
                self.known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            case ast.Call(func=ast.Name(id=name)):
                self.by_name[name].append(node)
            case ast.For():
                looped |= names(node.target)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                looped = looped.union(*(names(loop.target) for loop in node.generators))
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if node.value:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for name in names(target):
                        self.values[scope, name].append(node.value)
            case ast.FunctionDef():
                scope, looped = node, frozenset()
        for child in ast.iter_child_nodes(node):
            self._place(child, scope, looped)

    def tables(self, wanted: set[str]) -> Iterator[tuple[str, str]]:
        """Yield each wanted function with its arguments as they are written; one that is handed on counts once."""
        named = {node: name for node in self.scopes if (name := full_name(node, self.known)) in wanted}
        called = {node.func: node for node in self.scopes if isinstance(node, ast.Call) and node.func in named}
        for node, name in named.items():
            yield from ((name, text) for text in (self.written(called[node]) if node in called else ["handed on"]))

    def written(self, node: ast.AST) -> list[str]:
        """Return one or two texts of a piece of code, with what the names in it may stand for."""
        if node not in self.variants:
            text, scope = ast.unparse(node), self.scopes[node]
            self.variants[node] = [text]  # of what depends on itself
            meanings = [self.meanings(name, scope, self.looped[node]) for name in sorted(names(node))] if scope else []
            ends = {" ".join((text, *(meaning[end] for meaning in meanings if meaning))) for end in (0, -1)}
            self.variants[node] = sorted(ends)
        return self.variants[node]

    def meanings(self, name: str, scope: ast.FunctionDef, looped: frozenset[str]) -> list[str]:
        """Return what a name may stand for in a function: two things if a loop or the cases of a test give it."""
        is_parameter = any(name == part.arg for part in ast.walk(scope.args) if isinstance(part, ast.arg))
        cases = {word for mark in scope.decorator_list for text in texts(mark) for word in re.findall(r"\w+", text)}
        generated = any("given" in names(mark) for mark in scope.decorator_list)
        if name in looped or (is_parameter and (generated or name in cases)):
            return [f"one {name}", f"another {name}"]
        if is_parameter:
            calls = [] if scope.name.startswith("test") else self.by_name[scope.name]
            return sorted({text for call in calls for text in self.written(call)})
        values = [self.written(value) for value in self.values[scope, name]]
        return [" ".join(value[end] for value in values) for end in (0, -1)] if values else []


def examples() -> Iterator[Calls]:
    """Yield the examples in docstrings of functions that return a sentence; they are run as all examples are."""
    for name, module in parsed("dashboard", _RETURNS):
        functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
        known = {function: f"{name}.{function}" for function in functions}
        for function in (each for each in functions if known[each] in sentences()):
            shown = doctest.DocTestParser().get_examples(ast.get_docstring(functions[function]) or "")
            yield Calls(ast.parse("".join(example.source for example in shown)), known)


@cache
def drawn() -> dict[str, set[str]]:
    """Return how each function that returns a sentence is called in tests, see `Calls.tables`."""
    found: dict[str, set[str]] = defaultdict(set)
    tests = parsed("tests", "from dashboard")
    for calls in (*examples(), *(Calls(module) for _, module in tests)):
        for name, written in calls.tables(sentences()):
            found[name].add(written)
    return found


def test_each_sentence_is_drawn_by_a_test() -> None:
    assert len(sentences()) > 190
    assert not sentences() - set(drawn())


def test_each_sentence_is_drawn_from_two_tables() -> None:
    """Arguments are written in two ways at least, where a loop, a helper and the cases of a test count as two.

    That is no proof that the sentences differ, nor that a test compares them: the text of tests alone shows neither.
    """
    assert {name for name in sentences() if len(drawn()[name]) < 2} == set(_WITHOUT_ARGUMENTS)


def test_what_is_no_sentence_is_still_there() -> None:
    functions = {
        f"{name}.{node.name}"
        for name, module in parsed("dashboard", _RETURNS)
        for node in module.body
        if isinstance(node, ast.FunctionDef)
    }
    assert set(_EXCEPT) | set(_WITHOUT_ARGUMENTS) <= functions
