"""Near copies: messages that share most of their runs of words with a longer one.

Shares are exact, and of the shorter message: libraries of MinHash estimate how similar two texts are, and a message is
not similar to the long reply that quotes it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.text.duplicates import runs_of

RUN = 6
"""Length in words of the runs by which messages are compared."""

SHARED = 0.8
"""Share of a message's runs in one kept message that makes it a near copy."""

KNOWN = 0.5
"""Share of a message's runs in all others together that makes it known to a model that has read those."""


def distinct(messages: Sequence[Sequence[str]], shared: float = SHARED, earlier: int | None = None) -> list[int]:
    """Return the numbers of the messages that are no near copies of a longer one, or of an earlier one as long.

    Args:
        messages: The words of each message.
        shared: Share of a message's runs in one kept message that makes it a near copy, above 0.
        earlier: Messages at the beginning, of which the same ones are kept whatever follows; of those that follow, also
            the ones are left out of which a kept one is a near copy. None for all messages.

    >>> lunch = "shall we meet for lunch at noon today".split()
    >>> distinct([lunch, ["hi", *lunch, "bob"], ["thanks"]])
    [1, 2]
    >>> distinct([lunch, ["hi", *lunch, "bob"], ["thanks"]], earlier=1)
    [0, 2]
    """
    runs, totals = _shared_runs(messages)
    holders: dict[int, list[int]] = {}
    unique = []
    border = len(messages) if earlier is None else earlier

    def least(number: int, holder: int) -> int:
        return min(totals[number], totals[holder]) if holder < border <= number else totals[number]

    for number in sorted(range(len(messages)), key=lambda number: (number >= border, -len(messages[number]), number)):
        if runs[number]:
            holder_counts = Counter(chain.from_iterable(holders.get(run, ()) for run in runs[number]))
            if any(count >= shared * least(number, holder) for holder, count in holder_counts.items()):
                continue
        unique.append(number)
        for run in runs[number]:
            holders.setdefault(run, []).append(number)
    return sorted(unique)


def of_others(messages: Sequence[Sequence[str]], read: Sequence[int], shared: float) -> list[int]:
    """Return the numbers of the messages that share a part of their runs with other messages that a model has read.

    What is returned of a message depends on the others alone, not on whether the model has read it. So where a random
    part was read, messages that were read and that were not are left out alike.

    Args:
        messages: The words of each message.
        read: Numbers of those that the model has read.
        shared: Share of a message's distinct runs that stand in the others together, from which on it is returned.

    >>> lunch = "shall we meet for lunch at noon today".split()
    >>> of_others([lunch, ["hi", *lunch], ["thanks"]], read=[0], shared=0.5)
    [1]
    """
    runs, totals = _shared_runs(messages)
    holders = Counter(chain.from_iterable(runs[number] for number in read))
    inside = frozenset(read)
    return [
        number
        for number, (own, total) in enumerate(zip(runs, totals, strict=True))
        if sum(holders[run] > (number in inside) for run in own) >= shared * total
    ]


def shares_of(messages: Sequence[Sequence[str]], others: Iterable[Sequence[str]]) -> NDArray[np.float64]:
    """Return the share of each message's distinct runs of words that stand in the others together, (messages,).

    A message without words shares nothing.

    Args:
        messages: The words of each message.
        others: The words of each of the others, of which one at a time is read.

    >>> lunch = "shall we meet for lunch at noon today".split()
    >>> shares_of([["hi", *lunch], ["thanks"]], [lunch])
    array([0.75, 0.  ])
    """
    runs = [runs_of(words, RUN) if words else set() for words in messages]
    sought = frozenset().union(*runs)
    held = {run for words in others for run in sought.intersection(runs_of(words, RUN))}
    return np.array([len(own & held) / max(1, len(own)) for own in runs])


def _shared_runs(messages: Sequence[Sequence[str]]) -> tuple[list[list[int]], list[int]]:
    """Return the numbers of each message's distinct runs that another message has too, and its number of distinct runs.

    A message shorter than a run is one run.
    """
    ids: dict[str, int] = {"": 0}
    padding = [0] * RUN
    numbers: list[int] = []
    for words in messages:
        numbers += [ids.setdefault(word, len(ids)) for word in words]
        numbers += padding[: max(0, RUN - len(words))]
    lengths = np.array([max(RUN, len(words)) for words in messages], np.int64)
    # A run's hash is the sum of its words' random codes, times a factor for each position; two runs collide by chance
    # only. The generator is fixed, so that the same messages are kept each time.
    rng = np.random.default_rng(0)
    codes = rng.integers(2**63, size=len(ids), dtype=np.uint64)[numbers]  # (words,)
    factors = rng.integers(2**63, size=RUN, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    first = len(codes) - RUN + 1
    values = sum((factor * codes[at : first + at] for at, factor in enumerate(factors)), np.zeros(first, np.uint64))
    owners = np.repeat(np.arange(len(messages)), lengths)
    inside = owners[:first] == owners[RUN - 1 :]
    values, owners = values[inside], owners[:first][inside]

    order = np.lexsort((owners, values))
    values, owners = values[order], owners[order]
    new = np.ones(len(values), bool)
    new[1:] = (values[1:] != values[:-1]) | (owners[1:] != owners[:-1])
    values, owners = values[new], owners[new]
    totals = np.bincount(owners, minlength=len(messages))
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    counts = np.diff(starts, append=len(values))
    run = np.repeat(np.arange(len(starts)), counts)
    shared = np.repeat(counts > 1, counts)
    run, owners = run[shared], owners[shared]
    by_owner = np.argsort(owners, kind="stable")
    bounds = np.searchsorted(owners[by_owner], np.arange(1, len(messages)))
    return [runs.tolist() for runs in np.split(run[by_owner], bounds)], totals.tolist()
