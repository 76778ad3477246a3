"""Inversion from few pairs: leaked texts with their vectors map an unknown encoder's vectors into a known one's."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.access import SentenceEmbeddings
from core.adversaries.leaked_pairs import Blur, PairMap, drawn_folds
from core.adversaries.pair_words import PairWords, clipped
from core.adversaries.word_classifier import LEARNING, WordClassifier, WordClassifierTraining
from core.encoders.own_embeddings import OwnEmbeddings
from core.encoders.records import DEFAULT, NamesEncoders
from core.games.embedding_defenses import encoding
from core.games.inversion.contract import (
    Answer,
    Auxiliary,
    Examined,
    InversionAdversary,
    InversionAttack,
    shared_presets,
)
from core.models.encoder import Encoder
from core.result import Column, Schema, Tables, table
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.word_sets import best_threshold

_LEFT_OUT = 0.1
_WEIGHTS = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Weights of the words read through the adversary's own encoder; the first of equally good ones is taken."""
_TESTED = 5
"""At most a part of the texts as small as this is kept from the classifier by which the weights are judged."""
_MOST_ALONE = 4000
"""Most pairs that teach words without an encoder: they are held as a matrix of pairs and words."""


class FewShotInversion(InversionAttack):
    """Inversion without the encoder: from k leaked pairs of a text and its vector (the idea of ALGEN, 2025).

    The adversary cannot query the encoder. It reads words in two ways, and weighs them by what they are worth:

    1. Through an encoder of its own. Ridge regression on the k pairs maps vectors to the principal axes of its own
       embeddings; cross-validation measures what the map preserves. A classifier of words (`multilabel_inversion`)
       learns from its texts, embedded by its own encoder, with the same shrinkage and with noise of the same size.
    2. Without one. Ridge regression on the pairs predicts each word from a vector.
    3. The weight of the two log odds, and the threshold, are those with the best F1 on pairs that taught neither.

    Without at least 10 pairs, it uses word frequencies alone. The pairs leak from the store, defended as the victims'
    vectors are, so that the naive adversary equals the adaptive one.

    Source: Chen et al. 2025. It generates texts; words are named here, so that all methods are scored alike.
    """

    version: ClassVar[int] = 2
    title: ClassVar[str] = "Inversion from few pairs"
    question: ClassVar[str] = "Which words does a vector give away if only a few texts leaked with theirs?"
    claim: ClassVar[str] = "Given a few texts with their vectors, the adversary names the words behind other vectors"
    threat: ClassVar[str] = (
        "The adversary has the vectors of texts, a few of them with their text, and runs an encoder of its own. It may "
        "not query the one that made the vectors."
    )
    practises: ClassVar[bool] = False
    tables: ClassVar[dict[str, Schema]] = {
        "learning": LEARNING,
        "map": {
            "axis": Column(
                "int32", "Principal axis of the adversary's own embeddings, the one with most variance first."
            ),
            "share": Column("float64", "Share of the variance of its own embeddings along it."),
            "explained": Column("float64", "Share of that which the map predicts on pairs left out, at least 0."),
        },
        "weights": {
            "weight": Column(
                "float64", "Weight of the words read through the adversary's own encoder, beside the pairs alone."
            ),
            "left_out_f1": Column("float64", "F1 with this weight on pairs left out; the adversary takes the best."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        name: {**preset, "model": {**preset["model"], "length": "unit"}}
        for name, preset in shared_presets(epochs=15, pairs=100).items()
    }

    pairs: int = parameter(
        500,
        "Texts whose vectors leaked with them; below 10, the vectors tell nothing.",
        label="Leaked pairs",
        unit="pairs",
        ge=0,
        le=100_000,
    )
    local: Annotated[str, NamesEncoders()] = parameter(
        DEFAULT,
        "The adversary’s own encoder, by name. The command line also takes an id on the hub, or the path of a folder.",
        label="Own encoder",
        min_length=1,
        max_length=500,
    )
    epochs: int = parameter(30, "Epochs on the auxiliary texts.", unit="epochs", ge=1, le=1000)
    batch: int = parameter(256, "Texts in a batch.", unit="texts", ge=1, le=8192, advanced=True)
    learning_rate: float = parameter(
        3e-3, "Adam’s step size at the start; falls to zero along a half cosine.", gt=0, le=1, advanced=True
    )

    @field_validator("local")
    @classmethod
    def _may_be_an_encoder(cls, local: str) -> str:
        return Encoder(source=local).source

    def named_encoders(self) -> tuple[tuple[str, str], ...]:
        """Return the adversary's own encoder."""
        return ((self.local, ""),)

    def returned(self) -> str:
        """Return what it is given instead of answers to queries."""
        return "the vectors of the leaked texts only"

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the fields, and the files of the adversary's own encoder."""
        return {**super().identity(), "files": Encoder(source=self.local).identity()["files"]}

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Learn the map from the pairs, then the words behind what it would make of the adversary's texts."""
        encode = encoding(Encoder(source=self.local), context)
        own_access = SentenceEmbeddings(np.empty((0, 0), np.float32), encode, encode)
        texts = self.examine(replace(auxiliary, defended=False), own_access, _LEFT_OUT, len(auxiliary.texts))
        count = min(self.pairs, texts.taught)
        leaked = access.known(auxiliary.shuffled[:count], defended=True).vectors  # from the store, as the victims are
        folds = drawn_folds(count, generator(auxiliary.seed, "folds of the pairs"))
        mapped = PairMap.learn(leaked, texts.vectors[:count], texts.vectors[: texts.taught], folds, context)
        if not len(mapped.crossed):
            return _Reader(self._classifier(texts, mapped, 0, auxiliary.seed, context), mapped)
        present = texts.present[: min(count, _MOST_ALONE)].toarray().astype(np.float32)
        frequency = np.asarray(texts.present[: texts.taught].mean(axis=0), np.float32).ravel()
        some = slice(len(present))
        alone = PairWords.learn(leaked[some], present, texts.sizes[some], frequency, folds[some], context)
        tested = min(len(present), texts.taught // _TESTED)
        classifier = self._classifier(texts, mapped, tested, auxiliary.seed, context)
        through = classifier.probabilities(mapped.crossed[:tested])
        truth = present[:tested] > 0, texts.sizes[:tested]
        weighed = [
            (weight, *best_threshold(_mixed(through, alone.crossed[:tested], weight), *truth)) for weight in _WEIGHTS
        ]
        weight, threshold, _ = max(weighed, key=lambda tried: tried[2])
        if weight:
            classifier = self._classifier(texts, mapped, 0, auxiliary.seed, context)
        tried = tuple((weight, f1) for weight, _, f1 in weighed)
        return _Reader(classifier, mapped, alone, weight, threshold, tried)

    def _classifier(
        self, texts: Examined, mapped: PairMap, without: int, seed: int, context: RunContext
    ) -> WordClassifier:
        """Return a classifier of words behind mapped vectors, taught by all texts but the first ones."""
        blurred = OwnEmbeddings(mapped.axes(texts.vectors[without:]), Blur(mapped.shrinkage, mapped.error), seed)
        taught = replace(
            texts,
            vectors=blurred.vectors,
            known=blurred,
            present=texts.present[without:],
            sizes=texts.sizes[without:],
            taught=texts.taught - without,
        )
        settings = (0, self.epochs, self.batch, self.learning_rate, seed)
        return WordClassifierTraining(taught, *settings).run(context)


@dataclass(frozen=True)
class _Reader(InversionAdversary):
    """Reads words behind mapped vectors, from vectors alone, or both.

    Attributes:
        classifier: Of the words behind mapped vectors.
        mapped: The map into the adversary's own space.
        alone: What the pairs alone tell; None where they are too few.
        weight: Weight of what is read behind mapped vectors.
        threshold: From which probability on a word is named; that of the classifier where it alone is read.
        tried: Each weight, with its F1 on pairs left out.
    """

    classifier: WordClassifier
    mapped: PairMap
    alone: PairWords | None = None
    weight: float = 1.0
    threshold: float = 0.0
    tried: tuple[tuple[float, float], ...] = ()

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Name the words behind vectors of the unknown encoder."""
        if self.alone is None or self.weight == 1:
            return self.classifier.read(self.mapped(embeddings))
        through = self.classifier.probabilities(self.mapped(embeddings))
        probabilities = _mixed(through, self.alone.probabilities(embeddings), self.weight)
        return Answer(self.classifier.words, probabilities, probabilities > self.threshold)

    def explain(self) -> Tables:
        """Return how training went, what the map preserves, and what each weight is worth."""
        shares = zip(self.mapped.shares.tolist(), self.mapped.explained.tolist(), strict=True)
        rows = [
            {"axis": axis, "share": share, "explained": explained}
            for axis, (share, explained) in enumerate(shares, start=1)
        ]
        weights = [{"weight": weight, "left_out_f1": f1} for weight, f1 in self.tried]
        schemas = FewShotInversion.tables
        drawn = {"map": table(schemas["map"], rows), "weights": table(schemas["weights"], weights)}
        return {**self.classifier.explain(), **drawn}


def _mixed(through: NDArray[np.float32], alone: NDArray[np.float32], weight: float) -> NDArray[np.float32]:
    """Return probabilities whose log odds are the weighted mean of two others."""
    from scipy.special import expit, logit

    return np.asarray(expit(weight * logit(clipped(through)) + (1 - weight) * logit(alone)), np.float32)
