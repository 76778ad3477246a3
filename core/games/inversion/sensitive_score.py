"""The score of inversion on words that matter: how many names, numbers, addresses and chosen keywords are read."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.games.inversion.contract import Answer
from core.games.inversion.permutation import Occurrences, held_to_dealt, orders
from core.result import Estimate
from core.runtime.seeding import generator
from core.statistics.intervals import mean_share
from core.statistics.wording.naming import LENGTHS
from core.text.secrets import Keyword
from core.text.sensitive import KINDS, by_length, sensitive_words
from core.text.word_sets import word_set

Items = dict[str, frozenset[frozenset[str]]]
"""By kind, the items of a text, each as the words that must all be named."""
_BETTER_GUESS = "Chance is the better of two guesses: the most frequent words, or what is named from another vector."


def is_dealt(recall: Estimate) -> bool:
    """Return whether chance is also what the adversary names from other vectors; in older results, it is not."""
    return recall.help.endswith(_BETTER_GUESS)


def keyword_name(number: int) -> str:
    """Return what the recall of one keyword is called after: its number among those chosen, from 0.

    >>> keyword_name(0)
    'keyword_1'
    """
    return f"keyword_{number + 1}"


def estimates(
    victims: Sequence[str], answer: Answer, frequent: Sequence[str], seed: int, *, lengths: bool = False
) -> dict[str, Estimate]:
    """Return the recall of each kind that the victims have; of numbers, if asked for, also by their number of digits.

    Chance is the better of two guesses: the words that the frequency baseline names for every text, or what the same
    adversary names from the vector of another victim. An interval lies above it only where dealt answers never reach
    the figure (`core.games.inversion.permutation`).
    """
    kinds = {kind: (kind, description) for kind, description in KINDS.items()}
    if lengths:
        kinds |= {f"numbers_{name}": (f"numbers {label}", KINDS["numbers"]) for name, label in LENGTHS.items()}
    return _recalls(kinds, _found(tuple(victims), lengths), answer, frequent, seed)


def of_keywords(
    keywords: Sequence[str], victims: Sequence[str], answer: Answer, frequent: Sequence[str], seed: int
) -> dict[str, Estimate]:
    """Return the recall of keywords in the victims' texts that have them, of all together and of each by its number.

    A phrase is named where all its words are.
    """
    sought = [(Keyword(keyword), word_set(keyword)) for keyword in keywords]
    of_victims: list[Items] = []
    for text in victims:
        read = [frozenset({words}) if keyword.read(text) else frozenset() for keyword, words in sought]
        of_victims.append(
            {"keywords": frozenset().union(*read), **{keyword_name(at): one for at, one in enumerate(read)}}
        )
    meaning = "words of your choice; a phrase counts where all its words are named"  # a report withholds which
    kinds = {"keywords": ("keywords", meaning)}
    kinds |= {keyword_name(at): (f"mentions of keyword {at + 1}", meaning) for at in range(len(sought))}
    return _recalls(kinds, of_victims, answer, frequent, seed)


@lru_cache(maxsize=2)
def _found(victims: tuple[str, ...], lengths: bool) -> tuple[Items, ...]:
    """Return what each text has of each kind; the games of an audit ask about the same texts."""
    of_victims: list[Items] = [dict(sensitive_words(text)) for text in victims]
    for items in of_victims if lengths else ():
        items |= {f"numbers_{name}": numbers for name, numbers in by_length(items["numbers"]).items()}
    return tuple(of_victims)


def _recalls(
    kinds: Mapping[str, tuple[str, str]],
    of_victims: Sequence[Items],
    answer: Answer,
    frequent: Sequence[str],
    seed: int,
) -> dict[str, Estimate]:
    """Return the recall of each kind.

    Args:
        kinds: By name, what to call the items in a sentence, and what they are.
        of_victims: By victim and kind, the items of its text, each as the words that must all be named.
        answer: What the adversary names for each victim.
        frequent: The words of the frequency baseline.
        seed: Source of the resampling.
    """
    usual = set(frequent)
    recalls: dict[str, Estimate] = {}
    for kind, (called, description) in kinds.items():
        items = [by_kind.get(kind, frozenset()) for by_kind in of_victims]
        present = np.array([len(some) for some in items], np.float64)
        has = present > 0
        if not has.any():
            continue
        there, named = _nameable(items, answer)
        named_by_own = there.named(named, np.arange(len(of_victims)))
        hits = np.asarray(np.bincount(there.victims, named_by_own, len(of_victims)), np.float64)
        recall = mean_share(hits[None, has], present[None, has], generator(seed, "sensitive", kind))
        guessed = sum(words <= usual for some in items for words in some)
        chance = float(max(guessed, there.named_from_others(named)) / present.sum())
        if recall.low > chance:
            dealt = orders(len(of_victims), generator(seed, "sensitive, dealt", kind))
            counts = np.array([there.named(named, order).sum() for order in dealt], np.float64)
            recall = held_to_dealt(recall, chance, counts / present.sum())
        recalls[f"recall_{kind}"] = Estimate(
            **recall._asdict(),
            chance=chance,
            unit=f"share of the {called}",
            decisions=int(present.sum()),
            help=f"Share of the {called} of the victims' texts that are named: {description}. {_BETTER_GUESS}",
        )
    return recalls


def _nameable(items: Sequence[frozenset[frozenset[str]]], answer: Answer) -> tuple[Occurrences, NDArray[np.bool_]]:
    """Return where the items stand that the adversary can name, and from which vectors it does, (victims, items)."""
    columns = {word: column for column, word in enumerate(answer.words)}
    nameable = [words for words in frozenset().union(*items) if columns.keys() >= words]
    numbers = {words: number for number, words in enumerate(nameable)}
    named = np.zeros((len(items), len(numbers)), np.bool_)
    for words, number in numbers.items():
        named[:, number] = answer.predicted[:, [columns[word] for word in words]].all(axis=1)
    pairs = [(victim, numbers[words]) for victim, some in enumerate(items) for words in some if words in numbers]
    victims, numbered = np.array(pairs, np.int64).reshape(-1, 2).T
    return Occurrences(victims, numbered), named
