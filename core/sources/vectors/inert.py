"""The content of a pickle, read as data: nothing in it is imported, called or built.

Chroma and Qdrant keep parts of their folders as pickles. To load a pickle runs what it names. Here its opcodes are only
read: a class is its name, an object is its name and its fields.
"""

import pickletools
from dataclasses import dataclass, field
from typing import Any

from core.errors import InvalidVectors


@dataclass
class Symbol:
    """A class or function that a pickle names, or an object of it.

    Attributes:
        name: Module and name.
        state: Fields that the pickle gives the object; empty for a class.
    """

    name: str
    state: dict[Any, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Return a hash by identity, so that one may stand in a set."""
        return id(self)


_CONSTANTS = {
    "NONE": None,
    "NEWTRUE": True,
    "NEWFALSE": False,
}
_EMPTY: dict[str, type] = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple, "EMPTY_SET": set}
_LITERALS = frozenset(
    {
        *("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT"),
        *("BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
    }
)
_MARK = object()


def content_of(pickle: bytes, where: str) -> Any:
    """Return what a pickle of plain values and records holds.

    Raises:
        InvalidVectors: It is damaged, or does more than hold values.
    """
    try:
        return _Reader(where).read(pickle)
    except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InvalidVectors):
            raise
        raise InvalidVectors(f"{where} is damaged: {str(error)[:100]}.") from None


class _Reader:
    def __init__(self, where: str) -> None:
        self._where = where
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def read(self, pickle: bytes) -> Any:
        for opcode, argument, _ in pickletools.genops(pickle):
            if opcode.name == "STOP":
                return self._stack.pop()
            self._do(opcode.name, argument)
        raise ValueError("it does not end")

    def _do(self, name: str, argument: Any) -> None:
        stack = self._stack
        if name in _LITERALS:
            stack.append(argument)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _EMPTY:
            stack.append(_EMPTY[name]())
        elif name == "MARK":
            stack.append(_MARK)
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            self._memo[int(argument)] = stack[-1]
        elif name == "MEMOIZE":
            self._memo[len(self._memo)] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(self._memo[int(argument)])
        elif name not in ("PROTO", "FRAME"):
            self._build(name, argument)

    def _build(self, name: str, argument: Any) -> None:
        """Run an opcode that takes values from the stack."""
        stack = self._stack
        match name:
            case "GLOBAL":
                stack.append(Symbol(argument.replace(" ", ".")))
            case "STACK_GLOBAL":
                called, module = stack.pop(), stack.pop()
                stack.append(Symbol(f"{module}.{called}"))
            case "NEWOBJ" | "REDUCE":
                stack.pop()
                stack.append(Symbol(stack.pop().name))
            case "BUILD":
                state = stack.pop()
                stack[-1].state.update(state)
            case "APPEND":
                item = stack.pop()
                stack[-1].append(item)
            case "APPENDS":
                items = self._marked()
                stack[-1].extend(items)
            case "ADDITEMS":
                items = self._marked()
                stack[-1].update(items)
            case "SETITEM":
                value, key = stack.pop(), stack.pop()
                stack[-1][key] = value
            case "SETITEMS":
                items = self._marked()
                stack[-1].update(zip(items[::2], items[1::2], strict=True))
            case "TUPLE":
                stack.append(tuple(self._marked()))
            case "TUPLE1" | "TUPLE2" | "TUPLE3":
                count = int(name[-1])
                stack[-count:] = [tuple(stack[-count:])]
            case _:
                raise InvalidVectors(f"{self._where} holds the opcode {name}, which no list of plain values needs.")

    def _marked(self) -> list[Any]:
        """Take everything above the last mark."""
        at = len(self._stack) - 1 - self._stack[::-1].index(_MARK)
        items = self._stack[at + 1 :]
        del self._stack[at:]
        return items
