"""Inversion by text search: texts are proposed, embedded, and edited until they come close to the embedding."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.adversaries.search.bigram_model import BigramModel
from core.adversaries.search.guided_search import GuidedSearch, Normalisation, extended, synthetic
from core.adversaries.search.kept_trails import KeptTrails
from core.adversaries.search.search_reader import CHOICES, SEARCH, SearchReader
from core.adversaries.search.text_search import Course, TokenRegression
from core.adversaries.word_classifier import LEARNING, WordClassifierTraining
from core.games.inversion.contract import (
    BLACK_BOX,
    TEXTS,
    Auxiliary,
    InversionAdversary,
    InversionAttack,
    shared_presets,
)
from core.keys import key_of
from core.networks.perceptron import moments
from core.result import Schema
from core.runtime.context import RunContext
from core.spec import parameter

_LEFT_OUT = 0.1
_MOST_LEFT_OUT = 150
_BATCH = 256
_LEARNING_RATE = 3e-3
_TRIED_EDITS = 8
_CLOSEST = 4


class CorrectiveInversion(InversionAttack):
    """Black-box inversion by a search for texts with the same embedding (ours).

    The adversary may query the encoder f with any text (Song and Raghunathan 2020, section 3), so with made-up ones:

    - *Classifier.* A bigram model of the auxiliary texts writes synthetic ones by random edits. On both together the
      linear classifier of `multilabel_inversion` is trained.
    - *Search.* The classifier's odds guide the bigram model in writing proposals g for an embedding x. They are
      embedded and compared, c = cos(f(g), x). The closest are edited in one place; ridge regression on their words
      selects the edits to embed next. Vec2Text (Morris et al. 2023) trains a network for that step.
    - *Scores.* A word scores (1 - t) p + t q, with the classifier's probability p, and the share q of the proposals
      that have it, each weighing exp(s c). Trust t, sharpness s and threshold have the best F1 on held-out texts.

    Cosines are of embeddings with zero mean and unit variance over the auxiliary texts. An adaptive adversary has all
    its texts embedded behind the defenses.
    """

    title: ClassVar[str] = "Inversion by text search"
    question: ClassVar[str] = "Which text, embedded, comes close to this embedding, and which words does it have?"
    claim: ClassVar[str] = (
        "Given the embedding of a text, the adversary searches for a text with the same embedding, and names its words"
    )
    threat: ClassVar[str] = BLACK_BOX
    needs_encoder: ClassVar[bool] = True
    tables: ClassVar[dict[str, Schema]] = {
        "learning": LEARNING,
        "texts": TEXTS,
        "search": SEARCH,
        "choices": CHOICES,
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = shared_presets(
        demo_victims=60, made_up=2000, epochs=10, written=12, rounds=5, asked=6
    )

    made_up: int = parameter(
        80_000,
        "Texts that the adversary makes up as further training data.",
        label="Synthetic texts",
        unit="texts",
        ge=0,
        le=1_000_000,
    )
    epochs: int = parameter(15, "Epochs of the classifier of words.", unit="epochs", ge=1, le=1000)
    written: int = parameter(
        24, "Proposals written for each embedding at first.", label="First proposals", unit="texts", ge=1, le=1000
    )
    rounds: int = parameter(
        16, "How often the closest proposals are edited.", label="Rounds", unit="rounds", ge=0, le=1000
    )
    asked: int = parameter(
        12,
        "Edited proposals that are embedded for each embedding in a round.",
        label="Proposals in a round",
        unit="texts",
        ge=1,
        le=1000,
    )

    apart: bool = parameter(
        False,
        "Search for the text of each embedding by draws of its own, and keep what was found: it depends on no other "
        "embedding, and need not be searched for again.",
        advanced=True,
        implied=False,
    )

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Make texts up, learn from all, and choose trust, sharpness and threshold on the held-out texts."""
        texts = self.examine(auxiliary, access, _LEFT_OUT, _MOST_LEFT_OUT)
        known = partial(access.known, defended=auxiliary.defended)
        taught = auxiliary.shuffled[: texts.taught]
        bigrams = BigramModel.of(taught, texts.words)
        numbers = list(map(bigrams.numbers, taught))
        made_up = synthetic(bigrams, numbers, self.made_up, auxiliary.seed)
        written = list(map(bigrams.text, made_up))
        texts = extended(texts, written, known(written))
        training = WordClassifierTraining(texts, 0, self.epochs, _BATCH, _LEARNING_RATE, auxiliary.seed)
        classifier = training.run(context)
        context.progress.stage("Learning where words move an embedding")
        vectors, present = texts.vectors[: texts.taught], texts.present[: texts.taught]
        normalise = Normalisation(*moments(vectors))
        regression = TokenRegression.learn([*numbers, *made_up], normalise(vectors), len(bigrams.tokens))
        course = Course(self.written, self.rounds, self.asked, _TRIED_EDITS, _CLOSEST)

        def expected(texts: Sequence[str]) -> NDArray[np.float32]:
            return known(texts).expected[0]

        frequencies = np.asarray(present.mean(axis=0), np.float32).ravel()
        search = GuidedSearch(bigrams, regression, classifier, frequencies, normalise, course, expected, auxiliary.seed)
        if self.apart:
            determined = {"text search": 1, "classifier": training.identity, "course": asdict(course)}
            search = replace(search, kept=KeptTrails(context.store, key_of(determined), access.add_queries))
        return SearchReader.fitted(search, texts)
