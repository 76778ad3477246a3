"""Relaxed inversion: words are mixed in each place of a text until its embedding is the one that was released."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, OpenEncoder, SentenceEmbeddings
from core.errors import Incompatible
from core.games.inversion.contract import PRESETS, Answer, Auxiliary, Examined, InversionAdversary, InversionAttack
from core.networks.perceptron import moments
from core.result import Column, Schema, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.text import word_sets

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_array

    from core.networks.relaxed_texts import Schedule

_LEFT_OUT = 0.25
_MOST_LEFT_OUT = 60
_RIDGES = (1.0, 10.0, 100.0, 1000.0, 10_000.0)
_EVIDENCE_RIDGE = 100.0
_HOT = 1.0
_LEAST = 1e-3
"""Least share of texts that a word is taken to stand in when a search begins."""
_SPREAD = 0.1
_RECORDED = 12
_BLOCK = 32


class RelaxedInversion(InversionAttack):
    """White-box inversion by continuous relaxation (Song and Raghunathan 2020, Equation 5).

    The adversary, who holds the encoder f, searches for a text with the embedding that was released. Which word stands
    in a place i is relaxed to a mixture of all words, with logits z_i and a temperature T:

        minimise over z:  | f(V' softmax(z_1 / T), ..., V' softmax(z_l / T)) - f(text) |^2,

    with what the first layer makes of words as rows of V, by Adam through the whole encoder. The largest share of a
    word in any place is how likely it is thought. No map and no classifier is learnt, so it is the same attack whatever
    texts the adversary holds; they tell it which words there are, how frequent they are, and three numbers below. Where
    what we hold of the paper is silent, or another choice was made:

    - *Words.* Each place is a word, whatever the encoder's own tokens are; one of several tokens is the mean of theirs.
      There are no marks between words.
    - *Length.* Ridge regression tells from an embedding how many different words its text has.
    - *Start.* The logits begin at the logarithm of the share of the adversary's texts that have each word, with a
      little noise, so that places differ where an encoder does not tell them apart. ``start="evidence"``, which is not
      in the paper, begins each text at the shares that a linear regression on the adversary's texts expects from its
      embedding; then there is something to learn.
    - *Temperature.* It falls by the same factor at each step, from 1 to ``temperature``, because mixtures otherwise
      match an embedding without ever settling on words.
    - *Threshold.* The one with the best F1 on 60 texts of the adversary's own, which are read as the victims are.
    - *Defenses.* What is searched is the encoder alone, as it was trained. The adversary that adapts first maps
      embeddings back to what the encoder gave before a defense changed it, by ridge regression on its own texts, which
      it embeds with its copy too.

    Behind MiniLM, 300 restaurant reviews (the ``paper`` preset) are read back with an F1 of 46 %, 53 % for content
    words, where frequency alone gives 20 % and 9 %; the paper has 57 % for its LSTM, 36 % for its transformer and 1 %
    for BERT. What is left of the distance shows why: the mixtures match an embedding well while they are soft, and
    lose it as they settle. On longer sentences behind the small encoder (the ``demo`` preset), other words match as
    well as the right ones, and F1 is that of frequency alone, except for content words (7 % against 2 %).
    """

    title: ClassVar[str] = "Inversion by relaxation"
    question: ClassVar[str] = "Which words, put into the encoder, give this embedding?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts and the whole encoder they come from, and holds other texts. It "
        "never sees a victim’s text."
    )
    needs: ClassVar[type[Access]] = EncoderInternals
    tables: ClassVar[dict[str, Schema]] = {
        "settling": {
            "steps": Column("int32", "Steps taken by then."),
            "temperature": Column("float64", "Temperature of the mixtures."),
            "mixed": Column(
                "float64",
                "Squared distance of the mixture's embedding to the target, as a share of that "
                "of the mean embedding; mean over the adversary's texts that do not teach.",
            ),
            "spelt": Column("float64", "The same with the likeliest word alone in each place."),
        },
        "choices": {
            "threshold": Column("float64", "Words above it are named."),
            "left_out_f1": Column("float64", "F1 on the adversary's texts that do not teach."),
            "words": Column("float64", "Words named for one of them, on average."),
            "places": Column("float64", "Places searched for one of them, on average."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            **PRESETS["demo"],
            "game": {**PRESETS["demo"]["game"], "victims": 100},
            "attack": {**PRESETS["demo"]["attack"], "steps": 120},
        },
        "paper": {**PRESETS["paper"], "game": {**PRESETS["paper"]["game"], "victims": 300}},
    }

    start: Literal["frequencies", "evidence"] = parameter(
        "frequencies", "Where the search begins: at how frequent words are, or at what the embedding makes likely."
    )
    steps: int = parameter(200, "Steps of the optimiser.", unit="steps", ge=2, le=10_000)
    temperature: float = parameter(
        0.05, "Temperature at the last step; the search begins at 1.", gt=0, le=1, advanced=True
    )
    learning_rate: float = parameter(0.1, "Adam’s step size.", gt=0, le=10, advanced=True)

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Learn how long texts are; choose the threshold on texts that do not teach."""
        if not isinstance(access, EncoderInternals):
            raise Incompatible(f"{self.part_name()} needs {EncoderInternals.title}. It has {access.title}.")
        own = self.examine(auxiliary, access, _LEFT_OUT, _MOST_LEFT_OUT)
        back: _Map = _as_it_is
        if auxiliary.protected:
            held = SentenceEmbeddings(access.victims, access.encoder.encode, access.encoder.encode)
            plain = self.examine(auxiliary, held, _LEFT_OUT, _MOST_LEFT_OUT)
            back = _ridge(own.vectors[: own.taught], plain.vectors[: own.taught])
            own = replace(own, vectors=back(own.vectors))
        return _Searcher.choose(self, own, _Search.plan(self, own, access.encoder, auxiliary.seed), back, context)


_Map = Callable[[NDArray[np.float32]], NDArray[np.float32]]


@dataclass(frozen=True)
class _Search:
    """What a search needs to know, besides the embeddings.

    Attributes:
        encoder: The encoder, opened.
        vectors: (words, input dimension) what its first layer makes of the words that may be mixed.
        course: How mixtures settle.
        length: Tells from embeddings the logarithm of 1 + how many different words a text has.
        longest: Most places.
        expected: Tells from embeddings how likely each word is before the search, (texts or 1, words).
        seed: Source of the noise that a search begins with.
    """

    encoder: OpenEncoder
    vectors: NDArray[np.float32]
    course: "Schedule"
    length: _Map
    longest: int
    expected: _Map
    seed: int

    @classmethod
    def plan(cls, attack: RelaxedInversion, own: Examined, encoder: OpenEncoder, seed: int) -> "_Search":
        """Learn from the adversary's own texts, behind no defense, what a search begins with."""
        from core.networks.relaxed_texts import Schedule

        vectors, present, sizes = own.vectors[: own.taught], own.present[: own.taught], own.sizes[: own.taught]
        return cls(
            encoder,
            encoder.word_vectors(own.words),
            Schedule(attack.steps, _HOT, attack.temperature, attack.learning_rate, _RECORDED),
            _ridge(vectors, np.log1p(sizes)),
            max(int(sizes.max()), 1),
            _evidence(vectors, present) if attack.start == "evidence" else _frequencies(present),
            seed,
        )

    def lengths(self, targets: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return how many places of each text are searched, (texts,)."""
        told = np.expm1(np.clip(self.length(targets), 0, np.log1p(self.longest)))
        return np.asarray(np.maximum(np.rint(told), 1), np.int64)

    def run(self, targets: NDArray[np.float32], context: RunContext) -> Arrays:
        """Search all texts, those of similar lengths together; return what `_settle` does, of all of them."""
        lengths, expected = self.lengths(targets), self.expected(targets)
        order = np.argsort(lengths, kind="stable")
        key = key_of(
            {
                "relaxed inversion": 1,
                "encoder": self.encoder.identity,
                "course": asdict(self.course),
                "contents": content_key(self.vectors, targets, lengths, expected),
                "seed": self.seed,
            }
        )
        shared = {
            "encoder": self.encoder,
            "vectors": self.vectors,
            "course": self.course,
            "seed": self.seed,
            "targets": targets[order],
            "lengths": lengths[order],
            "expected": expected,
            "rows": order if len(expected) > 1 else np.zeros_like(order),
        }
        blocks = range(-(-len(order) // _BLOCK))
        found = dict(context.train("Searching for words with these embeddings", key, _settle, blocks, shared))
        back = np.argsort(order)
        return {name: np.concatenate([found[block][name] for block in blocks])[back] for name in found[0]}


@dataclass(frozen=True)
class _Searcher(InversionAdversary):
    """A search, and the threshold above which words are named.

    Attributes:
        words: What it can name.
        search: The search.
        back: What undoes the defenses, as well as a linear map can.
        context: Where texts are searched.
        threshold: Words above it are named.
        told: What was found out on the texts that it was chosen on.
    """

    words: tuple[str, ...]
    search: _Search
    back: _Map
    context: RunContext
    threshold: float
    told: Mapping[str, list[dict[str, Any]]]

    @classmethod
    def choose(
        cls, attack: RelaxedInversion, own: Examined, search: _Search, back: _Map, context: RunContext
    ) -> "_Searcher":
        """Return the one with the best F1 on the texts that do not teach.

        Args:
            attack: How texts are searched.
            own: The adversary's texts, their embeddings mapped back already.
            search: The search.
            back: What undoes the defenses.
            context: Where texts are searched.
        """
        vectors, present, sizes = own.left_out
        found = search.run(vectors, context)
        shares = found["shares"].astype(np.float32)
        threshold, f1 = word_sets.best_threshold(shares, present, sizes)
        named = float((shares > threshold).sum(axis=1).mean())
        chosen = {"threshold": threshold, "left_out_f1": f1, "words": named, "places": search.lengths(vectors).mean()}
        apart = max(float(np.square(vectors - vectors.mean(axis=0)).sum(axis=1).mean()), 1e-9)
        settling = [
            {"steps": step + 1, "temperature": search.course.temperature(step), "mixed": mixed, "spelt": spelt}
            for step, mixed, spelt in zip(
                search.course.marks.tolist(),
                found["mixed"].mean(axis=0) / apart,
                found["spelt"].mean(axis=0) / apart,
                strict=True,
            )
        ]
        return cls(own.words, search, back, context, threshold, {"settling": settling, "choices": [chosen]})

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Search each text, and name the words with the largest shares."""
        if not len(embeddings):
            empty = np.empty((0, len(self.words)), np.float32)
            return Answer(self.words, empty, empty > self.threshold)
        told = self.search.run(self.back(embeddings), self.context)["shares"].astype(np.float32)
        return Answer(self.words, told, told > self.threshold)

    def explain(self) -> "dict[str, pd.DataFrame]":
        """Return how mixtures settled, and what was chosen, on the adversary's texts that do not teach."""
        return {name: table(schema, self.told[name]) for name, schema in RelaxedInversion.tables.items()}


def _settle(
    item: int,
    encoder: OpenEncoder,
    vectors: NDArray[np.float32],
    course: "Schedule",
    seed: int,
    targets: NDArray[np.float32],
    lengths: NDArray[np.int64],
    expected: NDArray[np.float32],
    rows: NDArray[np.int64],
) -> Arrays:
    """Search one block of texts; return the largest share of each word, and the distances on the way, texts first."""
    from core.networks.relaxed_texts import settle

    block = slice(item * _BLOCK, (item + 1) * _BLOCK)
    own = lengths[block]
    likely = np.log(np.maximum(expected[rows[block]], np.float32(_LEAST)))[:, None]  # (texts, 1, words)
    noise = generator(seed, "start", item).normal(0, _SPREAD, (len(own), own.max(), len(vectors)))
    start = likely + noise.astype(np.float32)
    found = settle(encoder.embed, vectors, targets[block], own, start, course)
    return {"shares": found.shares.astype(np.float16), "mixed": found.mixed.T, "spelt": found.spelt.T}


def _as_it_is(embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return embeddings that no defense has changed."""
    return embeddings


def _ridge(inputs: NDArray[np.float32], outputs: NDArray[Any]) -> _Map:
    """Return a linear map, with the strength that generalised cross-validation chooses."""
    from sklearn.linear_model import RidgeCV

    center, scale = moments(inputs)
    fitted = RidgeCV(_RIDGES).fit((inputs - center) / scale, outputs)
    return lambda some: np.asarray(fitted.predict((some - center) / scale), np.float32)


def _frequencies(present: "csr_array") -> _Map:
    """Return what expects of every text the share of texts that have each word, (1, words)."""
    shares = np.asarray(present.mean(axis=0), np.float32).reshape(1, -1)
    return lambda _: shares


def _evidence(inputs: NDArray[np.float32], present: "csr_array") -> _Map:
    """Return what expects of each text the words that linear regression finds likely, (texts, words)."""
    center, scale = moments(inputs)
    even = (inputs - center) / scale
    shares = np.asarray(present.mean(axis=0), np.float32).reshape(1, -1)
    gram = even.T @ even + _EVIDENCE_RIDGE * np.eye(even.shape[1], dtype=np.float32)
    weights = np.linalg.solve(gram, np.asarray(present.T @ even).T)
    return lambda some: np.asarray((some - center) / scale @ weights + shares, np.float32)
