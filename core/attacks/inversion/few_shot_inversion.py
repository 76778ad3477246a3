"""Inversion from few pairs: leaked texts with their vectors map an unknown encoder's vectors into a known one's."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.access import SentenceEmbeddings
from core.adversaries.leaked_pairs import Blur, PairMap
from core.adversaries.word_classifier import LEARNING, WordClassifierTraining
from core.encoders.own_embeddings import OwnEmbeddings
from core.encoders.records import DEFAULT, NamesEncoders
from core.games.embedding_defenses import encoding
from core.games.inversion.contract import Answer, Auxiliary, InversionAdversary, InversionAttack, shared_presets
from core.models.encoder import Encoder
from core.result import Column, Schema, Tables, table
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.threads import in_one_thread
from core.spec import parameter

_LEFT_OUT = 0.1


class FewShotInversion(InversionAttack):
    """Inversion without the encoder: from k leaked pairs of a text and its vector (the idea of ALGEN, 2025).

    The adversary cannot query the encoder. It runs an encoder of its own:

    1. Ridge regression on the k pairs maps vectors to the principal axes of its own embeddings.
    2. Cross-validation on the pairs measures how much of each coordinate the map preserves, and its error.
    3. A classifier of words (`multilabel_inversion`) learns from its texts, embedded by its own encoder,
       with the same shrinkage and with fresh noise of the same size in each epoch.
    4. It maps the victims' vectors and reads their words. Without at least 10 pairs, it uses word frequencies alone.

    The pairs leak from the store, defended as the victims' vectors are, so that the naive adversary equals the
    adaptive one. The baseline without a map is `multilabel_inversion` with ``texts`` = k.

    Source: Chen et al. 2025. It generates texts; words are named here, so that all methods are scored alike.
    """

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
        context.progress.stage("Learning the map from the leaked pairs")
        rng = generator(auxiliary.seed, "folds of the pairs")
        with in_one_thread():  # for matrices as small as these, threads wait for each other longer than they compute
            mapped = PairMap.learn(leaked, texts.vectors[:count], texts.vectors[: texts.taught], rng)
        blurred = OwnEmbeddings(mapped.axes(texts.vectors), Blur(mapped.shrinkage, mapped.error), auxiliary.seed)
        blurred_texts = replace(texts, vectors=blurred.vectors, known=blurred)
        training = WordClassifierTraining(blurred_texts, 0, self.epochs, self.batch, self.learning_rate, auxiliary.seed)
        return _Reader(training.run(context), mapped)


@dataclass(frozen=True)
class _Reader(InversionAdversary):
    """Maps vectors into the adversary's own space, and reads their words there."""

    classifier: InversionAdversary
    mapped: PairMap

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Name the words behind vectors of the unknown encoder."""
        return self.classifier.read(self.mapped(embeddings))

    def explain(self) -> Tables:
        """Return how training went, and what the map preserves."""
        shares = zip(self.mapped.shares.tolist(), self.mapped.explained.tolist(), strict=True)
        rows = [
            {"axis": axis, "share": share, "explained": explained}
            for axis, (share, explained) in enumerate(shares, start=1)
        ]
        return {**self.classifier.explain(), "map": table(FewShotInversion.tables["map"], rows)}
