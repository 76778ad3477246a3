"""Documents that repeat others, word for word or nearly so."""

from collections.abc import Sequence


def distinct(documents: Sequence[Sequence[str]], run: int, share: float) -> list[int]:
    """Return the numbers of documents that do not repeat one before them.

    A document repeats if at least a share of its runs of words stand in documents before it that are kept. One that is
    shorter than a run is a run by itself.

    >>> distinct([["a", "b", "c"], ["x", "b", "c"], ["a", "b", "c"]], run=2, share=0.6)
    [0, 1]

    Args:
        documents: The words of each.
        run: Words of a run.
        share: Share of its runs from which on a document repeats others.
    """
    known: set[tuple[str, ...]] = set()
    kept = []
    for number, words in enumerate(documents):
        runs = runs_of(words, run)
        if len(runs & known) < share * len(runs):
            kept.append(number)
            known |= runs
    return kept


def runs_of(words: Sequence[str], run: int) -> set[tuple[str, ...]]:
    """Return the distinct runs of a document's words; one that is shorter than a run is a run by itself.

    >>> sorted(runs_of(["a", "b", "a", "b"], 2)), runs_of(["a"], 2)
    ([('a', 'b'), ('b', 'a')], {('a',)})
    """
    return {tuple(words[start : start + run]) for start in range(max(len(words) - run + 1, 1))}
