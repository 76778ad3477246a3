"""Values that are the same for every session, such as figures and tables derived from results: computed once, shared.

`once` remembers a function's values. Arguments are compared by value, but tables and results by identity, and only if
they are shared themselves: `share` marks them. What `once` returns is shared in turn, so that a figure of a table that
was derived from a stored result is remembered, too. Nobody may change a shared value. The size of all values together
is bounded, and being an argument keeps no table in memory.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import wraps
from threading import Condition
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary, ref

import numpy as np
import pandas as pd
from cachetools import LRUCache, cached

from core.result import Result
from dashboard.kit.drawing import Finished

_P = ParamSpec("_P")
_T = TypeVar("_T")

MOST = 200_000_000
"""Bytes that all values may take together, roughly; the least recently used is dropped first."""

_shared: "WeakValueDictionary[int, object]" = WeakValueDictionary()


class _Fresh(Exception):
    """An argument was made for this call only."""


class _Same:
    """An argument that is compared by identity, as long as it exists."""

    __slots__ = ("number", "value")

    def __init__(self, value: object) -> None:
        self.number, self.value = id(value), ref(value)

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value() is not None and self.value() is other.value()


def share(value: _T) -> _T:
    """Mark a table, a result with its tables, or each item of a tuple as shared, and return it."""
    if isinstance(value, pd.DataFrame | Result):
        _shared[id(value)] = value
    if isinstance(value, Result):
        share(tuple(value.tables.values()))
    elif isinstance(value, tuple):
        for item in value:
            share(item)
    return value


def once(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Remember the values of a function of its arguments alone; sessions wait for values that another computes."""

    def key(*args: Any, **kwargs: Any) -> Hashable:
        return function, _counting_all(args), _counting(kwargs)

    @cached(_values, key=key, condition=_changed)
    def computed(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return share(function(*args, **kwargs))

    @wraps(function)
    def remembered(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return computed(*args, **kwargs)
        except _Fresh:
            return function(*args, **kwargs)

    return remembered


def forget() -> None:
    """Forget every value."""
    with _changed:
        _values.clear()


def _size(value: Any) -> int:
    """Return about how many bytes a value takes."""
    if isinstance(value, pd.DataFrame):
        return _ENTRY + sum(_column_size(column) for _, column in value.items())
    if isinstance(value, str | bytes | Finished):
        return _ENTRY + len(value)
    if isinstance(value, Mapping):
        return _ENTRY + sum(map(_size, value.values()))
    return _ENTRY * (1 + len(value)) if isinstance(value, Sequence) else _ENTRY


def _column_size(column: "pd.Series[Any]") -> int:
    """Return about how many bytes a column takes."""
    if column.dtype != object:
        return int(column.array.nbytes)
    head = column.iloc[:_MEASURED]  # measuring every object of a column takes longer than reading it
    return int(head.memory_usage(index=False, deep=True)) * len(column) // max(len(head), 1)


_PLAIN = {str, bytes, int, bool, type(None)}
"""Types whose values are compared as they are: nearly all arguments."""
_ENTRY = 500
_MEASURED = 100
"""Rows by which the size of a column of objects is estimated."""
_values: LRUCache[Hashable, Any] = LRUCache(MOST, getsizeof=_size)
_changed = Condition()


def _counting(value: Any) -> Hashable:
    """Return what an argument is compared by; raise `_Fresh` for a table of this call, or what has no such value."""
    if (kind := type(value)) in _PLAIN:
        return kind, value
    if isinstance(value, pd.DataFrame | Result):
        if _shared.get(id(value)) is not value:
            raise _Fresh
        return _Same(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return float, repr(value)
    if isinstance(value, str | bytes | int | None):
        return type(value), value
    if isinstance(value, Mapping):
        return Mapping, _counting_all(value.items())
    if isinstance(value, Sequence):
        return type(value), _counting_all(value)
    if isinstance(value, Iterator | Set):
        raise _Fresh
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), _counting_all(getattr(value, field.name) for field in fields(value))
    try:
        hash(value)
    except TypeError:
        raise _Fresh from None
    return value  # type: ignore[no-any-return]


def _counting_all(values: Iterable[Any]) -> tuple[Hashable, ...]:
    return tuple(_counting(value) for value in values)
