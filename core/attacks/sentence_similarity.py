"""Sentence and user membership: neighbouring sentences have closer embeddings if an encoder was trained on them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access import Access, TextEmbeddings
from core.errors import Incompatible
from core.games.example_membership.contract import COURSE, ExampleAttack, Examples, Population, Revealed, Wording
from core.result import Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.unit_length import scaled
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.segments import neighbours, segmented

_FEWEST_OWNERS = 20
_LEAST_PAIRED = 0.5
"""Share of the sentences of a run that must be followed by the next one in the same text."""


class SentenceSimilarity(ExampleAttack):
    """Membership of sentence pairs, and of people, by similarity (Song and Raghunathan 2020, Algorithm 5).

    For consecutive sentences ``x_1 ... x_n`` of one person, the statistic is the mean cosine of neighbours:

        1 / (n - 1)  sum over i of  cos(Φ(x_i), Φ(x_i+1)).

    A person's texts train a model together or not at all. The end of one text and the start of the next are no pair.

    - *Learned similarity* (Equation 10). On pairs of people whose membership the adversary knows, a projection W is
      trained so that the cosine of W'Φ(x_a) and W'Φ(x_b) predicts membership, by a logistic function whose slope and
      offset are learnt too (not stated in the paper). These people are not attacked.
    - *Decision.* The paper uses one threshold; the likelihood ratio over shadow models is reported as well.
    - *Excluded.* Neighbouring sentences that several people wrote, which may be in and out at once.
    """

    title: ClassVar[str] = "Sentence and user membership"
    needs: ClassVar[type[Access]] = TextEmbeddings
    question: ClassVar[str] = "Were these sentences in the training text of a sentence encoder?"
    claim: ClassVar[str] = (
        "Given consecutive sentences and their vectors, the adversary tells whether they were trained on"
    )
    threat: ClassVar[str] = (
        "The adversary has consecutive sentences, queries the encoder for their vectors, and has shadow encoders of "
        "the same kind. For the learned similarity it knows of some people whether the encoder was trained on them."
    )
    tables: ClassVar[dict[str, Schema]] = COURSE
    wording: ClassVar[Wording] = Wording(
        one="passage", unit="sentence", grouping="Sentences in a passage", which="of {}"
    )
    answers: ClassVar[Literal["all", "last"]] = "last"
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "dual_encoder", "epochs": 5, "batch": 64, "learning_rate": 3e-3},
            "game": {"couples": 4},
            "attack": {"each": 24},
        },
        "paper": {"dataset": {"part": "r_mailing_lists"}, "model": {"part": "dual_encoder"}},
    }

    sizes: tuple[Annotated[int, Field(ge=2, le=1000)], ...] = parameter(
        (2, 5, 10, 20),
        "Consecutive sentences of a person in an example; one group of examples for each number.",
        unit="sentences",
        min_length=1,
        max_length=8,
        each_once=True,
    )
    people: int = parameter(
        400, "Most people whose texts are split between models.", unit="people", ge=_FEWEST_OWNERS, le=100_000
    )
    each: int = parameter(
        40,
        "Stop taking a person’s texts at this many sentences.",
        label="Sentences of a person",
        unit="sentences",
        ge=2,
        le=10_000,
    )
    revealed: float = parameter(
        0.2,
        "Share of the people whose membership the adversary knows; 0 for no learned similarity.",
        label="Known people",
        ge=0,
        le=0.8,
    )

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw people with as many sentences as the largest size, and return rows of their texts.

        Raises:
            Incompatible: Too few people have that many.
        """
        sentences = np.bincount(segmented(documents, "sentences")[1][:, 0], minlength=len(documents))
        owner = self.owner(documents)
        most = max(self.sizes)
        totals = np.bincount(owner, sentences)
        eligible = np.flatnonzero(totals >= most)
        if len(eligible) < _FEWEST_OWNERS:
            fits = int(np.sort(totals)[-_FEWEST_OWNERS]) if len(totals) >= _FEWEST_OWNERS else 0
            nearest = f"The largest size that fits is {fits}." if fits >= 2 else "Take a larger dataset."
            sizes = [size for size in self.sizes if size <= fits] or [fits]
            raise Incompatible(
                f"At least {_FEWEST_OWNERS} people must have {most} sentences each. {len(eligible)} have. {nearest}",
                {"attack.sizes": sizes} if fits >= 2 else {},
            )
        chosen = rng.permutation(eligible)[: self.people]
        rows = np.flatnonzero(np.isin(owner, chosen))
        order = rows[np.argsort(owner[rows], kind="stable")]
        counted = np.cumsum(sentences[order]) - sentences[order]
        first = np.concatenate([[True], owner[order][1:] != owner[order][:-1]])
        before = counted - counted[first][np.cumsum(first) - 1]
        return np.sort(order[before < max(self.each, most)])

    def owner(self, documents: Documents) -> NDArray[np.int64]:
        """Return a number for each document's owner; for each document where the dataset names no owners."""
        if not documents.owners:
            return np.arange(len(documents))
        return np.unique(documents.owners, return_inverse=True)[1].astype(np.int64)

    def revealed_share(self) -> float:
        """Return the share of the people whose membership the adversary knows."""
        return self.revealed

    def examples(self, population: Population, rng: np.random.Generator) -> Examples:
        """Draw runs of sentences of one person without overlap, equally many of each size where possible.

        Raises:
            Incompatible: There is no run of these sizes.
        """
        texts, positions = segmented(population.documents, "sentences")
        sizes = sorted(set(self.sizes))
        stream = _Stream.of(texts, positions, self.owner(population.documents), population.eligible)
        drawn, pool, usable = [], [], []
        for size in sizes:
            runs, free = stream.runs(size)
            pool.append(len(runs))
            usable.append(len(free))
            drawn.append(np.sort(rng.permutation(free)[: population.most]))
        starts = np.concatenate(drawn)
        if not len(starts):
            raise Incompatible(
                f"No person has {sizes[0]} consecutive sentences that only they wrote. Take a larger dataset."
            )
        group = np.repeat(np.arange(len(sizes)), list(map(len, drawn)))
        chosen = [stream.read(start, sizes[number]) for start, number in zip(starts, group, strict=True)]
        first = positions[stream.order[starts]]
        return Examples(
            rows=first[:, 0],
            positions=first[:, 1],
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
        """Return the mean cosine of neighbours in each example, as is and after the learned projection."""
        pairs = [pair for sentences in examples.texts for pair in pairwise(sentences) if all(pair)]
        several = np.array([sum(all(pair) for pair in pairwise(sentences)) for sentences in examples.texts])
        first, second = _directions(pairs, cast(TextEmbeddings, access))
        statistics = {"similarity": _means(np.einsum("nd,nd->n", first, second), several)}
        texts, positions = segmented(revealed.documents, "sentences")
        known = neighbours(positions)
        if not len(known):
            return statistics
        from core.networks.projection import learn

        rows = positions[known, 0]
        training = _directions([(texts[row], texts[row + 1]) for row in known], cast(TextEmbeddings, access))
        owner = self.owner(revealed.documents)[rows]
        weight = learn(*training, revealed.member[rows], owner, generator(0, "projection"))
        return {**statistics, "projection": _means(_cosines(first @ weight, second @ weight), several)}


@dataclass(frozen=True)
class _Stream:
    """All sentences, person by person, in the order of their texts.

    Attributes:
        texts: The sentences.
        order: (sentences,) their numbers, person by person.
        owner: (sentences,) number of the person, in that order.
        pair: (sentences,) whether the next one follows at once in the same text.
        free: (sentences,) whether it may be in an example: nobody else wrote it with the next one, and the adversary
            does not know the membership of the person.
    """

    texts: Sequence[str]
    order: NDArray[np.int64]
    owner: NDArray[np.int64]
    pair: NDArray[np.bool_]
    free: NDArray[np.bool_]

    @classmethod
    def of(
        cls, texts: Sequence[str], positions: NDArray[np.int64], owner: NDArray[np.int64], eligible: NDArray[np.bool_]
    ) -> "_Stream":
        """Sort sentences by person.

        Args:
            texts: The sentences.
            positions: (sentences, 2) text and sentence where each stands.
            owner: (texts,) person who wrote each text.
            eligible: (texts,) whether it may be in an example.
        """
        order = np.argsort(owner[positions[:, 0]], kind="stable")
        writer = owner[positions[order, 0]]
        pair = np.isin(order, neighbours(positions))
        writers: dict[tuple[str, ...], set[int]] = {}
        normal = [" ".join(words_of(text)) for text in texts]
        keys = [(normal[row], normal[row + 1]) if paired else () for row, paired in zip(order, pair, strict=True)]
        for key, person in zip(keys, writer.tolist(), strict=True):
            writers.setdefault(key, set()).add(person)
        alone = np.array([not key or len(writers[key]) == 1 for key in keys], np.bool_)
        return cls(texts, order, writer, pair, alone & eligible[positions[order, 0]])

    def runs(self, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the starts of runs of sentences of one person, and those of them that may be examples."""
        begins = np.concatenate([[0], np.flatnonzero(np.diff(self.owner)) + 1, [len(self.owner)]])
        starts = np.concatenate([np.arange(low, high - size + 1, size) for low, high in pairwise(begins)])
        paired = _within(self.pair, starts, size - 1) >= _LEAST_PAIRED * (size - 1)
        starts = starts[paired].astype(np.int64)
        return starts, starts[_within(self.free, starts, size) == size]

    def read(self, start: int, size: int) -> tuple[str, ...]:
        """Return the sentences of a run, with an empty one between two texts."""
        sentences: list[str] = []
        for number in range(start, start + size):
            sentences.append(self.texts[self.order[number]])
            if not self.pair[number] and number + 1 < start + size:
                sentences.append("")
        return tuple(sentences)


def _within(flags: NDArray[np.bool_], starts: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Return the number of set flags within a length from each start."""
    counted = np.concatenate([[0], np.cumsum(flags)])
    return np.asarray(counted[starts + length] - counted[starts])


def _directions(
    pairs: Sequence[tuple[str, str]], access: TextEmbeddings
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the unit-length embeddings of both sides of pairs, (pairs, dimension) each; each text is queried once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    row = {text: number for number, text in enumerate(texts)}
    vectors = scaled(access.query(texts))
    first, second = (vectors[[row[pair[side]] for pair in pairs]] for side in (0, 1))
    return first, second


def _cosines(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    product = np.einsum("nd,nd->n", first, second)
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.asarray(product / np.maximum(lengths, 1e-12))


def _means(values: NDArray[np.float32], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean of each example, whose values follow one another; ``sizes`` says how many each has."""
    example = np.repeat(np.arange(len(sizes)), sizes)
    return np.asarray(np.bincount(example, values, minlength=len(sizes)) / sizes, np.float64)


def _rarity(examples: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
    """Return the mean negative log frequency of the words of each example."""
    words = [words_of(" ".join(sentences)) for sentences in examples]
    counts = Counter(word for example in words for word in example)
    total = counts.total()
    surprise = {word: np.log(total / count) for word, count in counts.items()}
    return np.array([np.mean([surprise[word] for word in example]) if example else 0.0 for example in words])
