"""Inversion by relaxation: words are mixed at each position until the embedding of the mixture matches the text's."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.adversaries.linear_map import LinearMap
from core.adversaries.white_box_inversion import WhiteBoxInversion
from core.encoders.opened import OpenEncoder
from core.encoders.own_embeddings import COPIES
from core.games.inversion.contract import Answer, Auxiliary, Examined, InversionAdversary, shared_presets
from core.keys import key_of
from core.networks.perceptron import moments
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.text import word_sets

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from core.networks.relaxed_texts import Schedule


_LEFT_OUT = 0.25
_MOST_LEFT_OUT = 60
_EVIDENCE_RIDGE = 100.0
_HOT = 1.0
_LEAST = 1e-3
"""Least share of a word in a mixture at the start."""
_SPREAD = 0.1
_RECORDED = 12
_BLOCK = 32


class RelaxedInversion(WhiteBoxInversion):
    """White-box inversion by continuous relaxation (Song and Raghunathan 2020, Equation 5).

    The adversary, who holds the encoder f, searches for a text with the released embedding. The word at position i is
    relaxed to a mixture of all words, with logits z_i and a temperature T that falls geometrically from 1:

        minimise over z:  | f(V' softmax(z_1 / T), ..., V' softmax(z_l / T)) - f(text) |^2,

    by Adam through the encoder, with the words' input vectors as rows of V. A word's score is its largest share at any
    position. Deviations, and choices that the paper leaves open:

    - *Positions.* One a word (the mean of its tokens' vectors), not a token; ridge regression predicts their number.
    - *Start.* Frequencies of words in the auxiliary texts, with noise; ``evidence`` (ours): what a linear
      regression of the words of those texts on their embeddings predicts.
    - *Threshold.* The best F1 on 60 held-out auxiliary texts.
    - *Defenses.* An adaptive adversary first maps embeddings to undefended ones, by ridge regression.
    """

    title: ClassVar[str] = "Inversion by relaxation"
    question: ClassVar[str] = "Which words, put into the encoder, give this embedding?"
    claim: ClassVar[str] = (
        "Given the embedding of a text and the whole encoder, the adversary names the words that give it"
    )
    tables: ClassVar[dict[str, Schema]] = {
        "settling": {
            "steps": Column("int32", "Steps taken by then."),
            "temperature": Column("float64", "Temperature of the mixtures."),
            "mixed": Column(
                "float64",
                "Squared distance of the mixture's embedding to the target, as a share of that "
                "of the mean embedding; mean over the adversary's held-out texts.",
            ),
            "spelt": Column("float64", "The same with the likeliest word alone in each place."),
        },
        "choices": {
            "threshold": Column("float64", "Words above it are named."),
            "left_out_f1": Column("float64", "F1 on the adversary's held-out texts."),
            "words": Column("float64", "Words named for one of them, on average."),
            "places": Column("float64", "Places searched for one of them, on average."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = shared_presets(demo_victims=100, paper_victims=300, steps=120)

    start: Literal["frequencies", "evidence"] = parameter(
        "frequencies", "Where the search starts: at word frequencies, or at a linear prediction from the embedding."
    )
    steps: int = parameter(200, "Steps of the optimiser.", unit="steps", ge=2, le=10_000)
    temperature: float = parameter(0.05, "Temperature at the last step; it starts at 1.", gt=0, le=1, advanced=True)
    learning_rate: float = parameter(0.1, "Adam’s step size.", gt=0, le=10, advanced=True)

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Learn to predict lengths; choose the threshold on the held-out texts."""
        encoder = self.opened(access).encoder
        texts = self.examine(auxiliary, access, _LEFT_OUT, _MOST_LEFT_OUT)
        undo: _Map = _unchanged
        if auxiliary.defended:
            plain_access = SentenceEmbeddings(access.victims, encoder.encode, encoder.encode)
            plain = self.examine(auxiliary, plain_access, _LEFT_OUT, _MOST_LEFT_OUT)
            rng, taught = generator(auxiliary.seed, "noise"), plain.vectors[: texts.taught]
            copies = texts.known.select(np.arange(texts.taught)).copies(COPIES, rng)
            undo = LinearMap.ridge(copies, np.tile(taught, (len(copies) // len(taught), 1)))
            texts = replace(texts, vectors=undo(texts.vectors))
        return _Searcher.fitted(texts, _Search.plan(self, texts, encoder, auxiliary.seed), undo, context)


_Map = Callable[[NDArray[np.float32]], NDArray[np.float32]]


@dataclass(frozen=True)
class _Search:
    """The search for texts with given embeddings.

    Attributes:
        encoder: The encoder, opened.
        vectors: (words, input dimension) what its first layer makes of the words that may be mixed.
        course: How mixtures settle.
        length: Predicts from embeddings the logarithm of 1 + the number of different words.
        longest: Most positions.
        start: Predicts from embeddings the share of each word at the start, (texts or 1, words).
        seed: Source of the noise at the start.
    """

    encoder: OpenEncoder
    vectors: NDArray[np.float32]
    course: "Schedule"
    length: LinearMap
    longest: int
    start: _Map
    seed: int

    @classmethod
    def plan(cls, attack: RelaxedInversion, texts: Examined, encoder: OpenEncoder, seed: int) -> "_Search":
        """Learn from undefended auxiliary texts where a search starts."""
        from core.networks.relaxed_texts import Schedule

        taught = slice(texts.taught)
        vectors, present, sizes = texts.vectors[taught], texts.present[taught], texts.sizes[taught]
        return cls(
            encoder,
            encoder.word_vectors(texts.words),
            Schedule(attack.steps, _HOT, attack.temperature, attack.learning_rate, _RECORDED),
            LinearMap.ridge(vectors, np.log1p(sizes)),
            max(int(sizes.max()), 1),
            _evidence(vectors, present) if attack.start == "evidence" else _frequencies(present),
            seed,
        )

    def lengths(self, targets: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the number of positions searched for each text, (texts,)."""
        predicted = np.expm1(np.clip(self.length(targets), 0, np.log1p(self.longest)))
        return np.asarray(np.maximum(np.rint(predicted), 1), np.int64)

    def run(self, targets: NDArray[np.float32], context: RunContext) -> Arrays:
        """Search all texts, those of similar lengths together; return what `_settle` does, of all of them."""
        lengths, start = self.lengths(targets), self.start(targets)
        order = np.argsort(lengths, kind="stable")
        key = key_of(
            {
                "relaxed inversion": 2,
                "encoder": self.encoder.identity,
                "course": asdict(self.course),
                "contents": content_key(self.vectors, targets, lengths, start),
                "seed": self.seed,
            }
        )
        shared = {
            **{name: getattr(self, name) for name in ("encoder", "vectors", "course", "seed")},
            "targets": targets[order],
            "lengths": lengths[order],
            "start": start,
            "rows": order if len(start) > 1 else np.zeros_like(order),
        }
        blocks = range(-(-len(order) // _BLOCK))
        settled = dict(context.train("Searching for words with these embeddings", key, _settle, blocks, shared))
        back = np.argsort(order)
        return {name: np.concatenate([settled[block][name] for block in blocks])[back] for name in settled[0]}


@dataclass(frozen=True)
class _Searcher(InversionAdversary):
    """A search, and the threshold above which words are predicted.

    Attributes:
        words: The words that it can predict.
        search: The search.
        undo: Maps defended embeddings to undefended ones.
        context: Where texts are searched.
        threshold: Words above it are predicted.
        rows: Rows of the attack's tables, from the held-out texts.
    """

    words: tuple[str, ...]
    search: _Search
    undo: _Map
    context: RunContext
    threshold: float
    rows: Mapping[str, list[dict[str, Any]]]

    @classmethod
    def fitted(cls, texts: Examined, search: _Search, undo: _Map, context: RunContext) -> "_Searcher":
        """Return the searcher with the best F1 on the held-out texts.

        Args:
            texts: The auxiliary texts, with embeddings that ``undo`` has mapped already.
            search: The search.
            undo: Maps defended embeddings to undefended ones.
            context: Where texts are searched.
        """
        vectors, present, sizes = texts.left_out
        settled = search.run(vectors, context)
        shares = settled["shares"].astype(np.float32)
        threshold, f1 = word_sets.best_threshold(shares, present, sizes)
        words = float((shares > threshold).sum(axis=1).mean())
        chosen = {"threshold": threshold, "left_out_f1": f1, "words": words, "places": search.lengths(vectors).mean()}
        variance = max(float(np.square(vectors - vectors.mean(axis=0)).sum(axis=1).mean()), 1e-9)
        mixed, spelt = (settled[name].mean(axis=0) / variance for name in ("mixed", "spelt"))
        settling = [
            {"steps": step + 1, "temperature": search.course.temperature(step), "mixed": soft, "spelt": hard}
            for step, soft, hard in zip(search.course.marks.tolist(), mixed, spelt, strict=True)
        ]
        return cls(texts.words, search, undo, context, threshold, {"settling": settling, "choices": [chosen]})

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Search each text, and name the words with the largest shares."""
        if not len(embeddings):
            empty = np.empty((0, len(self.words)), np.float32)
            return Answer(self.words, empty, empty > self.threshold)
        shares = self.search.run(self.undo(embeddings), self.context)["shares"].astype(np.float32)
        return Answer(self.words, shares, shares > self.threshold)

    def explain(self) -> Tables:
        """Return how mixtures settled on the held-out texts, and the threshold chosen there."""
        return {name: table(schema, self.rows[name]) for name, schema in RelaxedInversion.tables.items()}


def _settle(
    item: int,
    encoder: OpenEncoder,
    vectors: NDArray[np.float32],
    course: "Schedule",
    seed: int,
    targets: NDArray[np.float32],
    lengths: NDArray[np.int64],
    start: NDArray[np.float32],
    rows: NDArray[np.int64],
) -> Arrays:
    """Search one block of texts; return the largest share of each word, and the distances on the way, texts first."""
    from core.networks.relaxed_texts import settle

    block = slice(item * _BLOCK, (item + 1) * _BLOCK)
    lengths = lengths[block]
    logits = np.log(np.maximum(start[rows[block]], np.float32(_LEAST)))[:, None]  # (texts, 1, words)
    noise = generator(seed, "start", item).normal(0, _SPREAD, (len(lengths), lengths.max(), len(vectors)))
    settled = settle(encoder.embed, vectors, targets[block], lengths, logits + noise.astype(np.float32), course)
    return {"shares": settled.shares.astype(np.float16), "mixed": settled.mixed.T, "spelt": settled.spelt.T}


def _unchanged(embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return embeddings that no defense has changed."""
    return embeddings


def _frequencies(present: "csr_array") -> _Map:
    """Return a map from any texts to the share of texts that have each word, (1, words)."""
    shares = np.asarray(present.mean(axis=0), np.float32).reshape(1, -1)
    return lambda _: shares


def _evidence(inputs: NDArray[np.float32], present: "csr_array") -> LinearMap:
    """Return a linear regression of the words of texts on their embeddings."""
    center, scale = moments(inputs)
    standardised = (inputs - center) / scale
    gram = standardised.T @ standardised + _EVIDENCE_RIDGE * np.eye(standardised.shape[1], dtype=np.float32)
    weights = np.linalg.solve(gram, np.asarray(present.T @ standardised).T)
    return LinearMap(center, scale, weights, np.asarray(present.mean(axis=0), np.float32).reshape(1, -1))
