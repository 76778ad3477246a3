"""Slots in tagged requests, and how well they are found."""

from collections.abc import Iterable, Sequence


def spans(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    """Return the slots of a request: first word, the word after the last, and type.

    A slot begins with a B, or with an I that does not go on with what stands before it, as in CoNLL's evaluation and
    seqeval's.

    >>> sorted(spans(["B-city", "I-city", "O", "I-date", "B-date"]))
    [(0, 2, 'city'), (3, 4, 'date'), (4, 5, 'date')]
    """
    found = set()
    start, inside = 0, ""
    for place, tag in enumerate([*tags, "O"]):
        mark, _, kind = tag.partition("-")
        if inside and (mark != "I" or kind != inside):
            found.add((start, place, inside))
            inside = ""
        if mark != "O" and not inside:
            start, inside = place, kind
    return found


def slot_f1(true: Iterable[Sequence[str]], said: Iterable[Sequence[str]]) -> float:
    """Return the harmonic mean of precision and recall of slots, over all requests together; 1 where there are none.

    Args:
        true: The tags of each request.
        said: What a model says they are.
    """
    hits = total = 0
    for right, guess in zip(true, said, strict=True):
        wanted, found = spans(right), spans(guess)
        hits += len(wanted & found)
        total += len(wanted) + len(found)
    return 2 * hits / total if total else 1.0
