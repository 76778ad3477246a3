"""Made-up translations between two languages with small grammars, on six topics."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from core.datasets import Card, Dataset
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.bitext import ROLES, Bitext, Subcorpus, prepared

SUBCORPORA = (
    Subcorpus("harbour", "Talk of the harbour"),
    Subcorpus("market", "Talk of the market"),
    Subcorpus("school", "Talk of the school"),
    Subcorpus("clinic", "Talk of the clinic", "private"),
    Subcorpus("court", "Talk of the court", "foreign"),
    Subcorpus("forest", "Talk of the forest", "foreign"),
)
"""The topics."""
FEWEST, MOST = 4, 10
"""Fewest and most words of a sentence, on either side."""

Kind = Literal["noun", "verb", "adjective", "time", "place"]

_COMMON: Mapping[Kind, int] = {"noun": 24, "verb": 14, "adjective": 12, "time": 8, "place": 6}
"""Number of things common to all topics, by kind."""
_SPECIAL: Mapping[Kind, int] = {"noun": 24, "verb": 10, "adjective": 8}
"""Number of things special to a topic, by kind."""
_SPECIAL_SHARE = {"shared": 0.6, "private": 0.6, "foreign": 0.95}
"""Probability that a word is special to the topic."""
_SYNONYMS = (1, 1, 2, 2, 3)
"""Numbers of synonyms in the second language, all equally likely."""

_OPEN = [first + second for first, second in product("bdgklmnprstv", "aeiou")]
_CLOSED = ["".join(parts) for parts in product(("f", "h", "sh", "th", "w", "y", "z", "ch"), "aeiou", ("nd", "x", "ck"))]
_ENDINGS = (("na", "nari"), ("so", "sori"))
"""Endings of articles and adjectives in the first language: by noun class, singular and plural."""
_TENSES = (("te", "", ""), ("du", "a", ""), ("mi", "", "zal"))
"""Present, past and future: the verb's ending in the first language, its ending and auxiliary in the second."""


class Thing(NamedTuple):
    """A thing: its word in the first language, its synonyms in the second, and its noun class."""

    word: str
    translations: tuple[str, ...]
    noun_class: int

    def translated(self, rng: np.random.Generator) -> str:
        """Return a random synonym of the second language."""
        return self.translations[int(rng.integers(len(self.translations)))]


class ToyTranslations(Dataset):
    """Sentences of a made-up language and their translations into another, on six topics, no two the same.

    The first language puts the verb last, adjectives after nouns and time first; articles and adjectives agree with the
    noun in class and number, and verbs with the subject. The second puts the verb after the subject, adjectives before
    nouns and time last. It has up to three synonyms for a thing, chosen at random each time, so that only a model that
    memorised a sentence can predict them. Within a kind, the word of rank r has a probability proportional to 1/r.

    Three topics are shared, one is private to the trainer and two are foreign, with special words.

    Use: in place of the subcorpora of Hisamoto et al. 2020, section 4.1, without a network or with little time.
    """

    title: ClassVar[str] = "Made-up translations"
    card: ClassVar[Card] = Card.generated(
        "Made-up sentences and their translations into another made-up language, six topics of 600 each.",
        "Stands in for the subcorpora of S. Hisamoto, M. Post, K. Duh (2020). Membership Inference Attacks on "
        "Sequence-to-Sequence Models: Is My Data In Your Machine Translation System? TACL.",
    )
    holds: ClassVar[type] = Bitext

    pairs: int = parameter(600, "Number of sentences of each topic.", unit="pairs", ge=50, le=20_000)
    seed: int = parameter(
        0, "Seed of the sentences; the languages stay the same.", ge=0, le=1_000_000, label="Seed of the sentences"
    )

    def load(self) -> Bitext:
        """Return the pairs by topic, each topic drawn from its own generator."""
        pairs = {topic: self._generate(topic) for topic in SUBCORPORA}
        return prepared(pairs, MOST, dict.fromkeys(ROLES, self.pairs))

    def _generate(self, topic: Subcorpus) -> Iterator[tuple[str, str]]:
        """Yield pairs without end."""
        speaker = _Speaker(topic, generator(self.seed, self.part_name(), topic.name))
        while True:
            sides = speaker.sentence()
            if all(FEWEST <= len(words) <= MOST for words in sides):
                yield " ".join(sides[0]), " ".join(sides[1])


class _Speaker:
    """Generates sentences on one topic; each method returns the words in both languages."""

    def __init__(self, topic: Subcorpus, rng: np.random.Generator) -> None:
        self._topic, self._rng = topic, rng

    def sentence(self) -> tuple[list[str], list[str]]:
        """Return a subject and a verb, often with an object, a place or a time."""
        rng = self._rng
        plural = int(rng.integers(2))
        ending, tense, auxiliary = _TENSES[int(rng.integers(len(_TENSES)))]
        subject, subject_translated = self._noun_phrase(plural)
        verb = self._thing("verb")
        verbs, verbs_translated = [verb.word + ending + "k" * plural], [verb.translated(rng) + tense]
        if rng.random() < 0.15:
            verbs, verbs_translated = ["mo", *verbs], [*verbs_translated, "nix"]
        objects: list[str] = []
        objects_translated: list[str] = []
        if rng.random() < 0.7:
            objects, objects_translated = self._noun_phrase(int(rng.integers(2)))
        if rng.random() < 0.3:
            where, where_translated = self._noun_phrase(0)
            location = self._thing("place")
            objects = [*where, location.word, *objects]
            objects_translated = [*objects_translated, *location.translations, *where_translated]
        times = [self._thing("time")] if rng.random() < 0.4 else []
        verbs_translated = [*([auxiliary] if auxiliary else []), *verbs_translated]
        times_translated = [time.translated(rng) for time in times]
        return (
            [*(time.word for time in times), *subject, *objects, *verbs],
            [*subject_translated, *verbs_translated, *objects_translated, *times_translated],
        )

    def _noun_phrase(self, plural: int) -> tuple[list[str], list[str]]:
        rng = self._rng
        noun = self._thing("noun")
        ending = _ENDINGS[noun.noun_class][plural]
        article, translated = ("pe", "af") if rng.random() < 0.6 else ("ru", "ith")
        words, translation = [article + ending, noun.word + "ri" * plural], [noun.translated(rng) + "is" * plural]
        if rng.random() < 0.35:
            adjective = self._thing("adjective")
            words, translation = [*words, adjective.word + ending], [adjective.translated(rng), *translation]
        return words, [translated, *translation]

    def _thing(self, kind: Kind) -> Thing:
        special = kind in _SPECIAL and self._rng.random() < _SPECIAL_SHARE[self._topic.role]
        things = _dictionary()[self._topic.name if special else "", kind]
        return things[int(self._rng.choice(len(things), p=_zipf(len(things))))]


@cache
def _zipf(count: int) -> Sequence[float]:
    weights = 1 / np.arange(1, count + 1)
    return tuple((weights / weights.sum()).tolist())


@cache
def _dictionary() -> Mapping[tuple[str, Kind], tuple[Thing, ...]]:
    """Return the things by topic and kind, common ones under the empty topic; no two words are the same."""
    rng = generator(0, "toy_translations", "dictionary")
    used: set[str] = set()
    return {
        (topic, kind): tuple(_new_thing(kind, used, rng) for _ in range(count))
        for topic in ("", *(subcorpus.name for subcorpus in SUBCORPORA))
        for kind, count in (_SPECIAL if topic else _COMMON).items()
    }


def _new_thing(kind: Kind, used: set[str], rng: np.random.Generator) -> Thing:
    synonyms = 1 if kind == "place" else int(rng.choice(_SYNONYMS))
    word, *translations = (_new_word(syllables, used, rng) for syllables in (_OPEN, *[_CLOSED] * synonyms))
    return Thing(word, tuple(translations), int(rng.integers(2)))


def _new_word(syllables: Sequence[str], used: set[str], rng: np.random.Generator) -> str:
    while (word := "".join(rng.choice(syllables, 2))) in used:
        pass
    used.add(word)
    return word
