"""Remembers what was read of texts: none is read twice."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

Text = TypeVar("Text")
Content = TypeVar("Content")


class ReadOnce(Generic[Text, Content]):
    """Reads texts, several at once, and each once.

    >>> reader = ReadOnce(lambda texts: [len(text) for text in texts], str)
    >>> reader(["one", "three", "one"])
    [3, 5, 3]
    """

    def __init__(self, read: Callable[[Sequence[Text]], Iterable[Content]], name: Callable[[Text], Hashable]) -> None:
        """Keep what reads.

        Args:
            read: Returns the content of each of several texts, no two of them equal.
            name: Returns what equal texts, and no others, have in common.
        """
        self._read = read
        self._name = name
        self._known: dict[Hashable, Content] = {}

    def __call__(self, texts: Sequence[Text]) -> list[Content]:
        """Return the content of each text; those that were read before are not read again."""
        names = [self._name(text) for text in texts]
        new = {name: text for name, text in zip(names, texts, strict=True) if name not in self._known}
        if new:
            self._known.update(zip(new, self._read(list(new.values())), strict=True))
        return [self._known[name] for name in names]
