"""Work whose outcome is the same for every session is done once and shared: tables derived from results, figures.

`once` remembers a function's values. Arguments count by value, except that a table or a result counts by identity, and
only where it is shared itself: `share` marks it. What `once` returns is shared in turn, so that a figure drawn from a
table that was derived from a stored result is found again, too. Nobody may change what is shared.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from threading import Condition
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

import pandas as pd
from cachetools import LRUCache, cached

from core.result import Result

_P = ParamSpec("_P")
_T = TypeVar("_T")

MOST = 512
"""Values that each function keeps; the least recently used goes first."""

_shared: "WeakValueDictionary[int, object]" = WeakValueDictionary()
_kept: list[LRUCache[Hashable, Any]] = []


class _Fresh(Exception):
    """An argument was made for this call only."""


class _Same:
    """An argument that counts by identity."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


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
    """Remember the values of a function that depends on nothing but its arguments; sessions wait for one another's."""
    cache: LRUCache[Hashable, _T] = LRUCache(MOST)
    _kept.append(cache)

    @cached(cache, key=_key, condition=Condition())
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
    for cache in _kept:
        cache.clear()


def _key(*args: Any, **kwargs: Any) -> Hashable:
    return _each(args), _counting(kwargs)


def _counting(value: Any) -> Hashable:
    """Return what an argument counts by.

    Raises:
        _Fresh: It is a table of this call only, or something that has no value to compare.
    """
    if isinstance(value, pd.DataFrame | Result):
        if _shared.get(id(value)) is not value:
            raise _Fresh
        return _Same(value)
    if isinstance(value, str | bytes | int | float | None):
        return type(value), value
    if isinstance(value, Mapping):
        return Mapping, _each(value.items())
    if isinstance(value, Sequence):
        return type(value), _each(value)
    if isinstance(value, Iterator):
        raise _Fresh
    try:
        hash(value)
    except TypeError:
        raise _Fresh from None
    return value  # type: ignore[no-any-return]


def _each(values: Iterable[Any]) -> tuple[Hashable, ...]:
    return tuple(_counting(value) for value in values)
