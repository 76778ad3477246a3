"""Inversion by generation: a decoder writes texts from the embedding, and those that come closest are edited."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from core.access import SentenceEmbeddings
from core.adversaries.search.bigram_model import BigramModel
from core.adversaries.search.guided_search import GuidedSearch, Normalisation
from core.adversaries.search.search_reader import CHOICES, SEARCH, SearchReader
from core.adversaries.search.text_search import Course, TokenRegression
from core.adversaries.search.text_writer import DECODING, Sizes, TextWriterTraining
from core.adversaries.word_classifier import LEARNING, WordClassifierTraining
from core.games.inversion.contract import (
    BLACK_BOX,
    TEXTS,
    Auxiliary,
    InversionAdversary,
    InversionAttack,
    shared_presets,
)
from core.networks.perceptron import moments
from core.result import Schema
from core.runtime.context import RunContext
from core.spec import parameter

_LEFT_OUT = 0.1
_MOST_LEFT_OUT = 40
"""Fewer than of other methods: each is searched for."""
_BATCH, _LEARNING_RATE = 256, 3e-3
"""Of the classifier."""
_BATCH_TOKENS, _DECODER_RATE = 1500, 2e-3
_SLOTS = 4
_TOKENS = 15 / 16
"""Most words and marks of an edited text, for each subword of the longest."""
_TRIED_EDITS = 8
_CLOSEST = 4

_SHARED = shared_presets(
    demo_victims=60,
    subwords=1000,
    heads=1,
    layers=2,
    epochs=6,
    classifier_epochs=10,
    written=12,
    rounds=4,
    asked=6,
)


class GenerativeInversion(InversionAttack):
    """Black-box inversion by a decoder and a search (after Morris et al. 2023, and Li et al. 2023).

    The adversary has the public encoder f embed its auxiliary texts, and learns to write each from its embedding:

    - *Decoder.* A Transformer attends to linear maps of the embedding, and predicts the text subword by subword:
      loss = - sum over t of log p(w_t | w_1 .. w_(t-1), x). A beam search gives the first proposals g for an embedding
      x, which are embedded and compared, c = cos(f(g), x).
    - *Correction.* In each round the decoder writes again, for x + (x - f(g)) with the closest g: it overshoots by what
      g lacks. Vec2Text trains a second network for that step. The closest proposals are also edited in one place, as
      in `corrective_inversion`. A search ends once a proposal has the embedding itself.
    - *Words.* They are scored by the proposals and a linear classifier, as in `corrective_inversion`.

    Cosines are of embeddings with zero mean and unit variance over the auxiliary texts. Morris et al. train on millions
    of texts, this decoder on thousands. An adaptive adversary has all its texts embedded behind the defenses.
    """

    title: ClassVar[str] = "Inversion by generation"
    question: ClassVar[str] = "Can a network write the text behind an embedding, word for word?"
    claim: ClassVar[str] = (
        "Given the embedding of a text, the adversary writes texts, corrects them towards it, and names the words"
    )
    threat: ClassVar[str] = BLACK_BOX
    needs_encoder: ClassVar[bool] = True
    tables: ClassVar[dict[str, Schema]] = {
        "learning": LEARNING,
        "decoding": DECODING,
        "texts": TEXTS,
        "search": SEARCH,
        "choices": CHOICES,
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {**_SHARED["demo"], "game": {**_SHARED["demo"]["game"], "report": "texts", "sensitive": True}},
        "paper": {
            **_SHARED["paper"],
            "attack": {"vocabulary": 8000},
            "game": {**_SHARED["paper"]["game"], "victims": 120, "report": "texts", "sensitive": True},
        },
    }

    subwords: int = parameter(
        2000, "Subwords that the decoder writes with.", unit="subwords", ge=300, le=50_000, advanced=True
    )
    heads: int = parameter(
        2,
        "Attention heads of the decoder; its hidden states have 64 numbers for each.",
        unit="heads",
        ge=1,
        le=16,
        advanced=True,
    )
    layers: int = parameter(3, "Layers of the decoder.", unit="layers", ge=1, le=24, advanced=True)
    longest: int = parameter(
        64,
        "Subwords at which the decoder cuts texts off, those it learns from and those it writes.",
        label="Longest text",
        unit="subwords",
        ge=8,
        le=512,
        advanced=True,
        implied=64,
    )
    epochs: int = parameter(7, "Epochs of the decoder.", unit="epochs", ge=1, le=1000)
    classifier_epochs: int = parameter(
        4, "Epochs of the classifier of words.", unit="epochs", ge=1, le=1000, advanced=True
    )
    written: int = parameter(
        24, "Proposals that the decoder writes at first.", label="First proposals", unit="texts", ge=1, le=256
    )
    rewritten: int = parameter(
        6, "Proposals that it writes again in each round.", label="Rewrites", unit="texts", ge=0, le=256
    )
    rounds: int = parameter(14, "How often proposals are corrected.", label="Rounds", unit="rounds", ge=0, le=1000)
    asked: int = parameter(
        10, "Edited proposals in each round.", label="Edited in a round", unit="texts", ge=1, le=1000
    )

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Train decoder and classifier; choose trust, sharpness and threshold on the held-out texts."""
        texts = self.examine(auxiliary, access, _LEFT_OUT, _MOST_LEFT_OUT)
        strings = auxiliary.shuffled
        taught = strings[: texts.taught]
        normalise = Normalisation(*moments(texts.vectors[: texts.taught]))
        sizes = Sizes(
            self.subwords, self.longest, self.layers, self.heads, _SLOTS, self.epochs, _BATCH_TOKENS, _DECODER_RATE
        )
        writer = TextWriterTraining(texts, strings, normalise, sizes, auxiliary.seed).run(context)
        training = WordClassifierTraining(texts, 0, self.classifier_epochs, _BATCH, _LEARNING_RATE, auxiliary.seed)
        classifier = training.run(context)
        context.progress.stage("Learning where words move an embedding")
        bigrams = BigramModel.of(taught, texts.words, int(_TOKENS * self.longest))
        numbers = list(map(bigrams.numbers, taught))
        regression = TokenRegression.learn(numbers, normalise(texts.vectors[: texts.taught]), len(bigrams.tokens))
        course = Course(self.written, self.rounds, self.asked, _TRIED_EDITS, _CLOSEST, self.rewritten)
        frequencies = np.asarray(texts.present[: texts.taught].mean(axis=0), np.float32).ravel()
        known = partial(access.known, defended=auxiliary.defended)
        search = GuidedSearch(
            bigrams,
            regression,
            classifier,
            frequencies,
            normalise,
            course,
            lambda some: known(some).expected[0],
            auxiliary.seed,
            writer=writer,
        )
        return SearchReader.fitted(search, texts)
