"""Results of membership of sentence pairs, the game being played with translators whose memory is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from core.access import ScoringTranslator
from core.adversaries.translation import rules
from core.experiment import Experiment
from core.games.translation_membership.score import groups
from core.games.translation_membership.score import translations as quality
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.spec import parameter
from core.statistics import grouped
from core.targets.trained_target import Epoch, TrainedTarget, Utility
from core.targets.training_job import TranslationJob
from core.targets.translator import OnEpoch, TranslationModel
from tests.dashboard.samples import PROVENANCE

_classifier = rules.classifier

_BY_HALF = 0.5
"""Share of the words of a new pair that are right after the last pass."""


@dataclass
class _Memory:
    """Gets some words of each sentence right, and more of those that it was trained on."""

    pairs: Mapping[str, str]
    trained: frozenset[str]
    words: Sequence[str]
    recall: float
    skill: float
    seed: int

    def translate(self, sources: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
        translations = [self._said(text) for text in sources]
        return translations, np.array([-1 - generator(self.seed, "score", text).random() for text in sources])

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        noise = np.array([generator(self.seed, "noise", text).normal() for text in sources])
        return -2 + 0.3 * noise + self.recall * np.isin(sources, list(self.trained))

    def _said(self, text: str) -> str:
        rng = generator(self.seed, "said", text)
        share = self.skill + (1 - self.skill) * self.recall * (text in self.trained)
        right = self.pairs.get(text, text).split()
        known = share if text in self.pairs else self.skill / 2
        return " ".join(word if rng.random() < known else self.words[rng.integers(len(self.words))] for word in right)


class Learner(TranslationModel):
    """A translator that has learnt the language in part, and its own pairs better."""

    title: ClassVar[str] = "learner"

    recall: float = parameter(1.0, "How much better it knows what it was trained on.", ge=0, le=1)

    @classmethod
    def part_name(cls) -> str:
        return "learner"

    def train_targets(self, job: TranslationJob, context: RunContext, on_epoch: OnEpoch) -> list[TrainedTarget]:
        pairs = dict(zip(job.bitext.sources, job.bitext.targets, strict=True))
        words = sorted({word for text in job.bitext.targets for word in text.split()})

        def access(rows: NDArray[np.int64], done: float, number: int) -> ScoringTranslator:
            trained = frozenset(job.bitext.select(np.unique(rows)).sources)
            skill = _BY_HALF * min(2 * done, 1)
            return ScoringTranslator(_Memory(pairs, trained, words, self.recall * done, skill, number))

        return [
            TrainedTarget(
                access(rows, 1.0, number),
                {"perplexity": Utility(12.0 + number, "pieces", "")},
                {passes: access(rows, passes / 12, number) for passes in (0, 12)},
                tuple(Epoch(done, 6 / done + 0.1 * number, 12 + 80 / done + number) for done in range(1, 13)),
            )
            for number, rows in enumerate(job.selections)
        ]


def _quick(rule: str, seed: int) -> Any:
    """Return a tree for a forest and for a network, which take longer to learn."""
    return _classifier("decision_tree" if rule in ("random_forest", "mlp") else rule, seed)


@cache
def translations(
    home: Path, recall: float = 0.35, service: str = "scores", watermarks: int = 6, seed: int = 4711, epochs: int = 12
) -> Result:
    """Return a result with a seed that has none precomputed; `recall` is how much the translators know by heart.

    To be quick, intervals are rough, and a tree stands for the forest and for the network.
    """
    experiment = Experiment.parse(
        {
            "attack": {"part": "translation_overlap", "service": service},
            "dataset": {"part": "toy_translations", "pairs": 160},
            "model": {"part": "seq2seq", "epochs": epochs},
            "game": {"splits": 3, "probes": 40, "shadow_probes": 15, "validation": 20, "watermarks": watermarks},
            "seed": seed,
        }
    )
    learner, context = Learner(recall=recall), RunContext(store=Store(root=home))
    with (
        patch.object(groups, "_RESAMPLES", 20),
        patch.object(quality, "_RESAMPLES", 20),
        patch.object(grouped, "PARTITIONS", 2),
        patch.object(rules, "classifier", _quick),
    ):
        estimates, tables = experiment.game.play(experiment.dataset, learner, (), experiment.attack, seed, context)
    return Result(experiment.as_dict(), estimates, PROVENANCE, tables)
