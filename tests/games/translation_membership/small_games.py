"""Translators whose memory is known, to play games of translation with."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import ScoringTranslator
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.trained_target import Epoch, TrainedTarget, Utility
from core.targets.training_job import TranslationJob
from core.targets.translator import OnEpoch, TranslationModel
from core.text.bitext import Bitext, Role, Subcorpus


def bitext(
    pairs: int = 120, roles: Sequence[Role] = ("shared", "shared", "private", "foreign"), seed: int = 0
) -> Bitext:
    """Sentences of random words, each with a translation that has other words in the same order."""
    rng = generator(seed, "bitext")
    corpora = tuple(Subcorpus(f"corpus_{number}", f"Corpus {number}", role) for number, role in enumerate(roles))
    words = rng.integers(200, size=(pairs * len(roles), 8))
    sources = tuple(" ".join(f"w{'abcdefghij'[w % 10]}{'klmnopqrstuvwxyzabcd'[w // 10]}" for w in row) for row in words)
    targets = tuple(" ".join(word[::-1] for word in text.split()) for text in sources)
    return Bitext(sources, targets, corpora, np.repeat(np.arange(len(roles)), pairs))


class Given:
    """A dataset that holds what it is given."""

    title = "given pairs"

    def __init__(self, pairs: Bitext) -> None:
        self._pairs = pairs

    def load(self) -> Bitext:
        return self._pairs

    def identity(self) -> dict[str, Any]:
        return {"pairs": len(self._pairs)}


@dataclass
class Memory:
    """Translates what it knows as it learnt it, and garbles a part of the words of everything else."""

    known: dict[str, str]
    recall: float
    seed: int

    def translate(self, sources: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
        translations = [self._said(text) for text in sources]
        return translations, np.array([-1.0 - ("?" in text) for text in translations])

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        return np.array([-1.0 - 0.2 * _noise(self.seed, text) + self.recall * (text in self.known) for text in sources])

    def _said(self, text: str) -> str:
        needed, garbled = _garbled(self.seed, text, text in self.known)
        return self.known[text] if needed < self.recall else garbled


@cache
def _noise(seed: int, text: str) -> float:
    return float(generator(seed, "noise", text).random())


@cache
def _garbled(seed: int, text: str, known: bool) -> tuple[float, str]:
    """Return the recall that it takes to know a text, and what is said without it."""
    rng = generator(seed, "said", text)
    needed = rng.random() if known else math.inf
    return needed, " ".join(word[::-1] if rng.random() < 0.5 else "?" for word in text.split())


class Memoriser(TranslationModel):
    """A translator that recalls a share of its training pairs."""

    title: ClassVar[str] = "memoriser"

    recall: float = parameter(1.0, "Share of the training pairs that it recalls.", ge=0, le=1)
    ends: int = parameter(2, "Passes of its training.", ge=1, le=9)

    @classmethod
    def part_name(cls) -> str:
        return "memoriser"

    def train_targets(self, job: TranslationJob, context: RunContext, on_epoch: OnEpoch) -> list[TrainedTarget]:
        pairs = dict(zip(job.bitext.sources, job.bitext.targets, strict=True))

        def access(rows: NDArray[np.int64], recall: float, number: int) -> ScoringTranslator:
            chosen = job.bitext.select(np.unique(rows)).sources
            return ScoringTranslator(Memory({text: pairs[text] for text in chosen}, recall, number))

        def release(rows: NDArray[np.int64], number: int) -> TrainedTarget:
            last = access(rows, self.recall, number)
            before = {passes: access(rows, self.recall * passes / self.ends, number) for passes in range(self.ends)}
            course = {passes: one for passes, one in before.items() if passes in job.snapshot_epochs}
            quality = {"perplexity": Utility(2.0, "pieces", "")}
            passes = tuple(Epoch(one + 1, 2.0 / (one + 1), 4.0 - one) for one in range(self.ends))
            return TrainedTarget(last, quality, {**course, self.ends: last}, passes)

        return [release(rows, number) for number, rows in enumerate(job.selections)]
