"""The score of inversion on words that matter: how many names, numbers, addresses and chosen keywords are read."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from core.games.inversion.contract import Answer
from core.result import Estimate
from core.runtime.seeding import generator
from core.statistics.intervals import mean_share
from core.text.secrets import Keyword
from core.text.sensitive import KINDS, LENGTHS, by_length, sensitive_words
from core.text.word_sets import word_set

Items = dict[str, frozenset[frozenset[str]]]
"""By kind, the items of a text, each as the words that must all be named."""


def keyword_name(number: int) -> str:
    """Return what the recall of one keyword is called after: its number among those chosen, from 0.

    >>> keyword_name(0)
    'keyword_1'
    """
    return f"keyword_{number + 1}"


def estimates(
    victims: Sequence[str], answer: Answer, frequent: Sequence[str], seed: int, *, lengths: bool = False
) -> dict[str, Estimate]:
    """Return the recall of each kind that the victims have; chance names the same words for every text.

    Args:
        victims: The victims' texts.
        answer: What the adversary names for each.
        frequent: The words of the frequency baseline.
        seed: Source of the resampling.
        lengths: Whether numbers are reported by how many digits they have, too.
    """
    kinds = {kind: (kind, description) for kind, description in KINDS.items()}
    if lengths:
        kinds |= {f"numbers_{name}": (f"numbers {said}", KINDS["numbers"]) for name, said in LENGTHS.items()}
    return _recalls(kinds, _found(tuple(victims), lengths), answer, frequent, seed)


def of_keywords(
    keywords: Sequence[str], victims: Sequence[str], answer: Answer, frequent: Sequence[str], seed: int
) -> dict[str, Estimate]:
    """Return the recall of keywords in the victims' texts that have them, of all together and of each by its number.

    A phrase is named where all its words are.

    Args:
        keywords: Words or phrases.
        victims: The victims' texts.
        answer: What the adversary names for each.
        frequent: The words of the frequency baseline.
        seed: Source of the resampling.
    """
    sought = [(Keyword(keyword), word_set(keyword)) for keyword in keywords]
    found: list[Items] = []
    for text in victims:
        read = [frozenset({words}) if keyword.read(text) else frozenset() for keyword, words in sought]
        found.append({"keywords": frozenset().union(*read), **{keyword_name(at): one for at, one in enumerate(read)}})
    said = "words of your choice; a phrase counts where all its words are named"  # a report withholds which
    kinds = {"keywords": ("keywords", said)}
    kinds |= {keyword_name(at): (f"mentions of keyword {at + 1}", said) for at in range(len(sought))}
    return _recalls(kinds, found, answer, frequent, seed)


@lru_cache(maxsize=2)
def _found(victims: tuple[str, ...], lengths: bool) -> tuple[Items, ...]:
    """Return what each text has of each kind; the games of an audit ask about the same texts."""
    found: list[Items] = [dict(sensitive_words(text)) for text in victims]
    for items in found if lengths else ():
        items |= {f"numbers_{name}": numbers for name, numbers in by_length(items["numbers"]).items()}
    return tuple(found)


def _recalls(
    kinds: Mapping[str, tuple[str, str]],
    found: Sequence[Items],
    answer: Answer,
    frequent: Sequence[str],
    seed: int,
) -> dict[str, Estimate]:
    """Return the recall of each kind.

    Args:
        kinds: By name, what to call the items in a sentence, and what they are.
        found: By victim and kind, the items of its text, each as the words that must all be named.
        answer: What the adversary names for each victim.
        frequent: The words of the frequency baseline.
        seed: Source of the resampling.
    """
    usual = set(frequent)
    counted = {kind: np.zeros((3, len(found))) for kind in kinds}  # there, named, named by the baseline
    for victim, by_kind in enumerate(found):
        read = {answer.words[column] for column in np.flatnonzero(answer.predicted[victim])}
        for kind, items in by_kind.items():
            shares = (sum(words <= known for words in items) for known in (read, usual))
            counted[kind][:, victim] = len(items), *shares
    recalls: dict[str, Estimate] = {}
    for kind, (present, predicted, guessed) in counted.items():
        has = present > 0
        if not has.any():
            continue
        recall = mean_share(predicted[None, has], present[None, has], generator(seed, "sensitive", kind))
        called, description = kinds[kind]
        recalls[f"recall_{kind}"] = Estimate(
            **recall._asdict(),
            chance=float(guessed.sum() / present.sum()),
            unit=f"share of the {called}",
            decisions=int(present.sum()),
            help=f"Share of the {called} of the victims' texts that are named: {description}. Chance names the most "
            "frequent words for every text.",
        )
    return recalls
