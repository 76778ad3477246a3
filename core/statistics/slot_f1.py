"""Slots of tagged requests, and the F1 score of predicted slots."""

from collections.abc import Iterable, Sequence


def spans(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    """Return the slots of a request: first word, the word after the last, and type.

    A slot begins with a B, or with an I that does not continue the slot before it, as in the evaluations of CoNLL and
    seqeval.

    >>> sorted(spans(["B-city", "I-city", "O", "I-date", "B-date"]))
    [(0, 2, 'city'), (3, 4, 'date'), (4, 5, 'date')]
    """
    slots = set()
    start, inside = 0, ""
    for position, tag in enumerate([*tags, "O"]):
        mark, _, kind = tag.partition("-")
        if inside and (mark != "I" or kind != inside):
            slots.add((start, position, inside))
            inside = ""
        if mark != "O" and not inside:
            start, inside = position, kind
    return slots


def slot_f1(true: Iterable[Sequence[str]], predicted: Iterable[Sequence[str]]) -> float:
    """Return the harmonic mean of precision and recall of slots over all requests; 1 without slots."""
    hits = total = 0
    for tags, guess in zip(true, predicted, strict=True):
        slots, predicted_slots = spans(tags), spans(guess)
        hits += len(slots & predicted_slots)
        total += len(slots) + len(predicted_slots)
    return 2 * hits / total if total else 1.0
