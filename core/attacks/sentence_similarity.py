"""Were these sentences, or this person, in the training text? Neighbours are closer to each other where they were."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access import Access, TextEmbeddings
from core.errors import Incompatible
from core.games.example_membership.contract import COURSE, ExampleAttack, Examples, Revealed
from core.result import Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.segments import neighbours, segmented

_FEWEST_OWNERS = 20
_WHOLE = 0.5
"""Share of the sentences of a run that must be followed by the next one in the same text."""


class SentenceSimilarity(ExampleAttack):
    """Membership of pairs of sentences, and of people, by similarity (Song and Raghunathan 2020, Algorithm 5).

    For sentences ``x_1 ... x_n`` that stand one after the other in someone's texts, the statistic is the mean of the
    cosines of Φ(x_i) and Φ(x_i+1): one pair for n = 2, and the more of what one person wrote, the larger n. A person's
    texts train a model together or not at all, as in federated or consented collections. Where one text of a person
    ends and the next begins there is no pair.

    The learned similarity of Equation 10 stands beside it where the adversary is told of some people whether they were
    in: it learns a projection W on their pairs, so that the cosine of W'Φ(x_a) and W'Φ(x_b) tells members. Nobody it
    was told about is asked about. The paper does not say how a cosine becomes a probability; here a logistic function
    of it does, whose slope and place are learnt too.

    Two sentences that follow each other in the texts of several people are left out, for they may be in and out at
    once. The paper decides by one threshold; the likelihood ratio over shadow models is beside it.
    """

    title: ClassVar[str] = "Sentence and user membership"
    needs: ClassVar[type[Access]] = TextEmbeddings
    question: ClassVar[str] = "Were this person’s sentences in the training text of a sentence encoder?"
    threat: ClassVar[str] = (
        "The adversary has sentences in their order, asks the encoder for their vectors, and has other encoders of the "
        "same kind of which it knows the training text. For the learned similarity it knows of some people whether "
        "the encoder was trained on them."
    )
    tables: ClassVar[dict[str, Schema]] = COURSE
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "dual_encoder", "epochs": 5, "batch": 64, "learning_rate": 3e-3},
            "game": {"couples": 4},
            "attack": {"each": 24},
        },
        "paper": {
            "dataset": {"part": "r_mailing_lists"},
            "model": {"part": "dual_encoder"},
        },
    }

    sizes: tuple[Annotated[int, Field(ge=2, le=1000)], ...] = parameter(
        (2, 5, 10, 20),
        "Sentences of a person that are asked about together, one group of examples for each number.",
        unit="sentences",
        min_length=1,
        max_length=8,
    )
    people: int = parameter(
        400, "Most people whose texts are divided between models.", unit="people", ge=_FEWEST_OWNERS, le=100_000
    )
    each: int = parameter(
        40,
        "Texts of a person are taken until they have so many sentences.",
        label="Sentences of a person",
        unit="sentences",
        ge=2,
        le=10_000,
    )
    revealed: float = parameter(
        0.2,
        "Share of the people of whom the adversary is told whether a model was trained on them; 0 for no learned "
        "similarity.",
        label="Told about",
        ge=0,
        le=0.8,
    )

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw people with as many sentences as the largest size, and take texts of theirs.

        Raises:
            Incompatible: Too few people have so many.
        """
        sentences = np.bincount(segmented(documents, "sentences")[1][:, 0], minlength=len(documents))
        whose = self.owner(documents)
        most = max(self.sizes)
        totals = np.bincount(whose, sentences)
        able = np.flatnonzero(totals >= most)
        if len(able) < _FEWEST_OWNERS:
            fits = int(np.sort(totals)[-_FEWEST_OWNERS]) if len(totals) >= _FEWEST_OWNERS else 0
            nearest = f"The largest size that fits is {fits}." if fits >= 2 else "Take a larger dataset."
            raise Incompatible(
                f"At least {_FEWEST_OWNERS} people must have {most} sentences each. {len(able)} have. {nearest}"
            )
        chosen = rng.permutation(able)[: self.people]
        rows = np.flatnonzero(np.isin(whose, chosen))
        order = rows[np.argsort(whose[rows], kind="stable")]
        counted = np.cumsum(sentences[order]) - sentences[order]
        begins = np.concatenate([[True], whose[order][1:] != whose[order][:-1]])
        before = counted - counted[begins][np.cumsum(begins) - 1]
        return np.sort(order[before < max(self.each, most)])

    def owner(self, documents: Documents) -> NDArray[np.int64]:
        """Return a number for each document's owner; for each document where the dataset names no owners."""
        if not documents.owners:
            return np.arange(len(documents))
        return np.unique(documents.owners, return_inverse=True)[1].astype(np.int64)

    def revealed_share(self) -> float:
        """Return the share of the people of whom the adversary is told."""
        return self.revealed

    def examples(
        self,
        documents: Documents,
        asked: NDArray[np.bool_],
        accesses: Sequence[Access],
        several: int,
        rng: np.random.Generator,
    ) -> Examples:
        """Draw runs of sentences of one person, as many of each size where there are so many; none overlap.

        Raises:
            Incompatible: There is no run of the sizes asked for.
        """
        texts, places = segmented(documents, "sentences")
        sizes = sorted(set(self.sizes))
        stream = _Stream.of(texts, places, self.owner(documents), asked)
        drawn, pool, usable = [], [], []
        for size in sizes:
            runs, free = stream.runs(size)
            pool.append(len(runs))
            usable.append(len(free))
            drawn.append(np.sort(rng.permutation(free)[:several]))
        starts = np.concatenate(drawn)
        if not len(starts):
            raise Incompatible(
                f"Nobody wrote {sizes[0]} sentences in a row that nobody else wrote. Take a larger dataset."
            )
        group = np.repeat(np.arange(len(sizes)), [len(own) for own in drawn])
        chosen = [stream.read(start, sizes[place]) for start, place in zip(starts, group, strict=True)]
        first = places[stream.order[starts]]
        return Examples(
            rows=first[:, 0],
            places=first[:, 1],
            texts=tuple(chosen),
            groups=tuple(f"{size} sentences" for size in sizes),
            group=group,
            pool=np.array(pool, np.int64),
            usable=np.array(usable, np.int64),
            rarity=_rarity(chosen),
            unfit="several people wrote two of their sentences, or the adversary was told about who wrote them",
            answer=int(np.flatnonzero(usable)[-1]),
        )

    def observe(self, examples: Examples, access: Access, revealed: Revealed) -> dict[str, NDArray[np.float64]]:
        """Return the mean cosine of neighbours within each example, plainly and after the learned projection."""
        pairs = [pair for sentences in examples.texts for pair in pairwise(sentences) if all(pair)]
        several = np.array([sum(all(pair) for pair in pairwise(sentences)) for sentences in examples.texts])
        first, second = _directions(pairs, cast(TextEmbeddings, access))
        found = {"similarity": _means(np.einsum("nd,nd->n", first, second), several)}
        texts, places = segmented(revealed.documents, "sentences")
        known = neighbours(places)
        if not len(known):
            return found
        from core.networks.projection import learn

        rows = places[known, 0]
        taught = _directions([(texts[row], texts[row + 1]) for row in known], cast(TextEmbeddings, access))
        whose = self.owner(revealed.documents)[rows]
        weight = learn(*taught, revealed.member[rows], whose, generator(0, "projection"))
        return {**found, "projection": _means(_cosines(first @ weight, second @ weight), several)}


@dataclass(frozen=True)
class _Stream:
    """All sentences, person by person, in the order in which each wrote them.

    Attributes:
        texts: The sentences.
        order: (sentences,) their numbers, person by person.
        whose: (sentences,) number of the person, in that order.
        pair: (sentences,) whether the next one follows at once in the same text.
        free: (sentences,) whether it may be asked about: nobody else wrote it with the next one, and the adversary was
            not told about the person.
    """

    texts: Sequence[str]
    order: NDArray[np.int64]
    whose: NDArray[np.int64]
    pair: NDArray[np.bool_]
    free: NDArray[np.bool_]

    @classmethod
    def of(
        cls, texts: Sequence[str], places: NDArray[np.int64], owner: NDArray[np.int64], asked: NDArray[np.bool_]
    ) -> "_Stream":
        """Sort sentences by person.

        Args:
            texts: The sentences.
            places: (sentences, 2) text and sentence where each stands.
            owner: (texts,) whose each text is.
            asked: (texts,) whether it may be asked about.
        """
        order = np.argsort(owner[places[:, 0]], kind="stable")
        whose = owner[places[order, 0]]
        pair = np.isin(order, neighbours(places))
        writers: dict[tuple[str, ...], set[int]] = {}
        said = [" ".join(words_of(text)) for text in texts]
        keys = [(said[row], said[row + 1]) if paired else () for row, paired in zip(order, pair, strict=True)]
        for key, person in zip(keys, whose.tolist(), strict=True):
            writers.setdefault(key, set()).add(person)
        alone = np.array([not key or len(writers[key]) == 1 for key in keys], np.bool_)
        return cls(texts, order, whose, pair, alone & asked[places[order, 0]])

    def runs(self, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where runs of so many sentences of one person begin, and which of them may be asked about."""
        begins = np.concatenate([[0], np.flatnonzero(np.diff(self.whose)) + 1, [len(self.whose)]])
        starts = np.concatenate([np.arange(low, high - size + 1, size) for low, high in pairwise(begins)])
        whole = _within(self.pair, starts, size - 1) >= _WHOLE * (size - 1)
        starts = starts[whole].astype(np.int64)
        return starts, starts[_within(self.free, starts, size) == size]

    def read(self, start: int, size: int) -> tuple[str, ...]:
        """Return the sentences of a run; an empty one stands between two texts."""
        found: list[str] = []
        for place in range(start, start + size):
            found.append(self.texts[self.order[place]])
            if not self.pair[place] and place + 1 < start + size:
                found.append("")
        return tuple(found)


def _within(flags: NDArray[np.bool_], starts: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Return how many flags are set from each start on, over a length."""
    counted = np.concatenate([[0], np.cumsum(flags)])
    return np.asarray(counted[starts + length] - counted[starts])


def _directions(
    pairs: Sequence[tuple[str, str]], access: TextEmbeddings
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the embeddings of both sides of pairs at length one, (pairs, dimension) each; a text is asked once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    place = {text: number for number, text in enumerate(texts)}
    vectors = access.query(texts)
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    first, second = (vectors[[place[pair[side]] for pair in pairs]] for side in (0, 1))
    return first, second


def _cosines(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    product = np.einsum("nd,nd->n", first, second)
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.asarray(product / np.maximum(lengths, 1e-12))


def _means(values: NDArray[np.float32], several: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean of so many values after so many others, for each example."""
    example = np.repeat(np.arange(len(several)), several)
    return np.asarray(np.bincount(example, values, minlength=len(several)) / several, np.float64)


def _rarity(examples: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
    """Return how rare the words of each example are among all: the mean negative log of their share."""
    words = [words_of(" ".join(sentences)) for sentences in examples]
    counted = Counter(word for own in words for word in own)
    total = sum(counted.values())
    return np.array([np.mean([np.log(total / counted[word]) for word in own]) if own else 0.0 for own in words])
