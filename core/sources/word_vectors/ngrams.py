"""The character n-grams of a word, and the buckets that fastText puts them into."""

from collections.abc import Iterator

_OFFSET, _PRIME, _ALL = 2166136261, 16777619, 0xFFFFFFFF


def buckets_of(word: str, shortest: int, longest: int, buckets: int) -> list[int]:
    """Return the bucket of each n-gram of a word between ``<`` and ``>`` (Bojanowski et al. 2017; fastText 0.9).

    Single characters at either end are left out, as fastText does.

    >>> len(buckets_of("cat", 3, 3, 1000))  # <ca cat at>
    3
    """
    return [_hash(piece) % buckets for piece in _pieces(word, shortest, longest)] if buckets else []


def _pieces(word: str, shortest: int, longest: int) -> Iterator[bytes]:
    marked = f"<{word}>"
    for start in range(len(marked)):
        for stop in range(start + shortest, min(start + longest, len(marked)) + 1):
            at_the_edge = start == 0 or stop == len(marked)
            if stop - start > 1 or not at_the_edge:
                yield marked[start:stop].encode()


def _hash(piece: bytes) -> int:
    """Return FNV-1a over bytes taken as signed, a slip of fastText's that its models depend on."""
    value = _OFFSET
    for byte in piece:
        value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * _PRIME) & _ALL
    return value
