"""What is the same for every session is computed once; what only looks the same is not."""

import gc
import importlib
import inspect
import pkgutil
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.result import Result
from dashboard import kit, topics
from dashboard.kit import shared
from dashboard.kit.drawing import Drawing, Finished


def figure_modules() -> list[ModuleType]:
    module_names = [
        module.name
        for package in (kit, topics)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    return [importlib.import_module(name) for name in module_names if ".figures." in name]


TABLE = pd.DataFrame({"size": [1, 2], "accuracy": [0.5, 0.75]})


class Counted:
    """A function that says how often it was called."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        return args[0].copy() if isinstance(args[0], pd.DataFrame) else (args, kwargs, self.calls)


@dataclass(frozen=True)
class Held:
    """A value inside another."""

    value: Any


def remembered() -> tuple[Counted, Any]:
    counted = Counted()

    def function(*args: Any, **kwargs: Any) -> Any:
        return counted(*args, **kwargs)

    return counted, shared.once(function)


@pytest.mark.parametrize("args", [(1,), ("a", None), ((1, "b"), 0.5), ([1, 2],), ({"a": [1]},), (pd.DataFrame,)])
def test_equal_values_are_found_again(args: tuple[Any, ...]) -> None:
    counted, function = remembered()
    assert function(*args) is function(*args)
    assert function(*args, key=1) is not function(*args)
    assert counted.calls == 2


@pytest.mark.parametrize(
    "one, other",
    [
        *((1, True), (1, 1.0), ("1", 1), ((1,), [1]), (("a", "b"), "ab"), ({"a": 1}, (("a", 1),)), (0, None)),
        *((np.int64(1), np.bool_(True)), (0.0, -0.0), (Held(1), Held(True))),
    ],
)
def test_values_of_different_kinds_are_different_arguments(one: Any, other: Any) -> None:
    counted, function = remembered()
    function(one), function(other)
    assert counted.calls == 2


def test_a_shared_table_counts_by_identity_and_so_does_what_is_derived_from_it() -> None:
    counted, function = remembered()
    table = shared.share(TABLE.copy())
    derived = function(table)
    assert function(table) is derived
    assert function(derived) is function(derived)
    assert counted.calls == 2
    function(shared.share(TABLE.copy()))
    assert counted.calls == 3, "an equal table is another one"


@pytest.mark.parametrize("fresh", [TABLE, TABLE["size"], TABLE["size"].to_numpy(), {"tables": {"own": TABLE}}])
def test_what_was_made_for_one_call_is_never_kept(fresh: Any) -> None:
    counted, function = remembered()
    function(fresh), function(fresh)
    assert counted.calls == 2


def test_the_tables_of_a_shared_result_are_shared(made_up: Result) -> None:
    counted, function = remembered()
    shared.share(made_up)
    for table in made_up.tables.values():
        assert function(table) is function(table)
    assert function(made_up) is function(made_up)
    assert counted.calls == len(made_up.tables) + 1


def test_a_table_that_is_gone_is_not_mistaken_for_one_at_its_place() -> None:
    counted, function = remembered()
    for size in range(200):
        table = shared.share(pd.DataFrame({"size": [size]}))
        assert function(table)["size"].tolist() == [size]
        del table
    assert counted.calls == 200


def test_an_error_is_not_kept() -> None:
    calls = []

    @shared.once
    def failing(number: int) -> int:
        calls.append(number)
        raise ValueError(number)

    for _ in range(2):
        with pytest.raises(ValueError, match="1"):
            failing(1)
    assert calls == [1, 1]


def test_sessions_that_ask_at_once_share_one_computation() -> None:
    calls, entered, done = [], threading.Event(), threading.Event()

    @shared.once
    def slow(number: int) -> int:
        calls.append(number)
        entered.set()
        done.wait()
        return number

    threads = [threading.Thread(target=slow, args=(1,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    entered.wait()
    assert calls == [1]
    done.set()
    for thread in threads:
        thread.join()
    assert calls == [1]


def test_values_are_bounded_by_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared._values, "_Cache__maxsize", 100_000)
    calls = []

    @shared.once
    def text(number: int) -> str:
        calls.append(number)
        return str(number) * 30_000

    for number in (1, 2, 3, 3, 4, 4, 1):
        text(number)
    assert calls == [1, 2, 3, 4, 1], "the newest are still there, the oldest is not"


def test_a_table_is_not_kept_for_being_an_argument() -> None:
    _, function = remembered()
    table = shared.share(TABLE.copy())
    function(table)
    gone = weakref.ref(table)
    del table
    gc.collect()
    assert gone() is None


def test_nan_is_found_again() -> None:
    counted, function = remembered()
    function(float("nan")), function(float("nan"))
    assert counted.calls == 1


def test_a_finished_figure_is_what_was_drawn() -> None:
    drawing = Drawing({"xaxis": {"title": {"text": "Size"}}})
    drawing.add_scatter(x=TABLE["size"], y=TABLE["accuracy"].to_numpy(), text=["a", float("nan")])
    finished = Finished({"data": drawing.traces, "layout": drawing.layout})
    values = finished.to_dict()
    assert values["data"][0]["y"] == [0.5, 0.75]
    assert values["data"][0]["text"] == ["a", None]
    changed = finished.update_layout(xaxis={"range": [0, 1]})
    assert changed.to_dict()["layout"]["xaxis"] == {"title": {"text": "Size"}, "range": [0, 1]}
    assert finished.to_dict() == values


def tables_read(function: Any) -> bool:
    """Whether a function takes a table or a result, and returns something to keep; bytes are a download."""
    hints = inspect.get_annotations(function)
    returned = str(hints.pop("return", None))
    takes = any("DataFrame" in str(hint) or "Result" in str(hint) for hint in hints.values())
    return (
        takes
        and returned not in ("None", "<class 'bytes'>")
        and "Iterator" not in returned
        and "Drawing" not in str(hints)
    )


def test_every_public_function_of_a_figure_module_is_computed_once() -> None:
    modules = figure_modules()
    assert len(modules) > 100
    assert [name for module in modules for name in computed_again(module)] == []


def computed_again(module: ModuleType) -> Iterator[str]:
    """Yield the public functions of a module that read tables, and whose values are not remembered."""
    for name, member in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(member) or hasattr(member, "__wrapped__"):
            continue
        if member.__module__ == module.__name__ and tables_read(member):
            yield f"{module.__name__}.{name}"
