"""Language models that an adversary trains as the trainer does, and decisions by them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.language_models import GivesLosses, TextProbabilities
from core.adversaries.own_sets import LEVEL, Sets, Text
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.shadows.shadow_rule import ShadowRuleAdversary
from core.adversaries.text_scores import Parts, loss, probabilities
from core.errors import Incompatible
from core.games.membership.contract import Briefing
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.statistics.likelihood_ratio import Rule, ShadowStatistics
from core.targets.language_model import LanguageModel
from core.targets.training_job import TrainingJob


@dataclass(frozen=True)
class OwnModels:
    """Language models that an adversary is to train.

    Attributes:
        model: How they are trained.
        job: What each is trained on.
        stage: What the progress report calls the training.
    """

    model: LanguageModel
    job: TrainingJob
    stage: str

    @classmethod
    def references(
        cls, briefing: Briefing, rows: NDArray[np.int64], count: int, access: type[Access] = TextProbabilities
    ) -> "OwnModels":
        """Return models without any target, trained on the adversary's own documents as the target models are.

        Args:
            briefing: The adversary's briefing.
            rows: Rows of the documents.
            count: Number of models; each takes as many documents as a target model, or all that there are.
            access: What of them is needed.
        """
        size = min(briefing.documents, len(rows))
        drawn = [
            np.sort(generator(briefing.seed, "reference documents", number).choice(rows, size, replace=False))
            for number in range(count)
        ]
        pool = ShadowModels(
            replace(briefing, auxiliary=rows), briefing.model, 0, "pool", "without_replacement", adaptive=True
        )
        return cls._of(pool, drawn, "Training reference models", "reference models", access)

    @classmethod
    def shadows(cls, pool: ShadowModels, stage: str = "Training shadow models") -> "OwnModels":
        """Return the models of a pool, in the order of their numbers."""
        drawn = [pool.documents(item) for item in pool.items(pool.pairs)]
        return cls._of(pool, drawn, stage, "shadows")

    @classmethod
    def _of(
        cls,
        pool: ShadowModels,
        drawn: Sequence[NDArray[np.int64]],
        stage: str,
        name: str,
        access: type[Access] = TextProbabilities,
    ) -> "OwnModels":
        briefing, model, defenses = pool.briefing, pool.briefing.model, pool.known_defenses
        if not isinstance(model, LanguageModel):
            raise Incompatible(f"Losses of texts are those of a language model. {model.part_name()} is none.")
        identity: dict[str, Any] = {
            name: pool.key(),
            "training defenses": [defense.identity() for defense in defenses],
        }
        job = TrainingJob(briefing.corpus, drawn, identity, briefing.seed, defenses=defenses, access=access)
        if job.promise is not None and job.promise.unit == "owner":
            owners = briefing.owners_of_rows
            job = replace(job, owners=owners, identity={**identity, "owners": owners})
        return cls(model, job, stage)

    def check(self) -> None:
        """Check that they can be trained.

        Raises:
            Incompatible: There are too few documents for private training.
        """
        try:
            self.model.noise(self.job)
        except Incompatible as refusal:
            raise Incompatible(f"The adversary trains models of its own. {refusal}", refusal.fits) from None

    def train(self, context: RunContext) -> list[GivesLosses]:
        """Return the trained models."""
        return self.model.train_own(self.job, context, self.stage)


_LESS_THAN_A_SET = 1e-6
"""Weight of the ratio that orders equal shares."""
_BY_LUCK = 0.5
"""Share of the sets that a target exceeds where a model has learnt nothing, so that all ratios are the same."""


@dataclass(frozen=True)
class Measured:
    """Losses of shadow models on the targets' documents and on documents that are known to be out.

    Attributes:
        targets: The documents of each target.
        outside: Documents that no shadow model is trained on.
        member: (models, targets) which shadow models hold which target.
        parts: The losses of each shadow model: of the targets' documents one after the other, then of those outside.
        out: Whether the adversary knows that the target model was not trained on the documents outside either.
    """

    targets: Sequence[Text]
    outside: Text
    member: NDArray[np.bool_]
    parts: Sequence[Parts]
    out: bool = True

    @classmethod
    def by(
        cls,
        pool: ShadowModels,
        models: Sequence[GivesLosses],
        targets: Sequence[Text],
        outside: Text,
        *,
        out: bool = True,
        on_model: Callable[[], None] = lambda: None,
    ) -> "Measured":
        """Score all documents with every shadow model; ``on_model`` is called after each."""
        member = np.array([pool.members(item) for item in range(len(models))])
        parts = []
        for model in models:
            parts.append(loss(model, texts_of(targets, outside)))
            on_model()
        return cls(targets, outside, member, parts, out)

    def first(self, pairs: int) -> "Measured":
        """Return what the first pairs of shadow models give."""
        return replace(self, member=self.member[: 2 * pairs], parts=self.parts[: 2 * pairs])

    def leaving_out(self, pair: int) -> "Measured":
        """Return what all pairs of shadow models but one give."""
        others = np.flatnonzero(np.arange(len(self.parts)) // 2 != pair)
        return replace(self, member=self.member[others], parts=[self.parts[item] for item in others.tolist()])

    @property
    def pairs(self) -> int:
        """Pairs of shadow models."""
        return len(self.parts) // 2

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Documents of each target, (targets,)."""
        return np.array([len(text) for text in self.targets], np.int64)

    def read(self, access: Access) -> Parts:
        """Score all documents with a target model."""
        return loss(probabilities(access), texts_of(self.targets, self.outside))

    def of_targets(self, parts: Parts) -> NDArray[np.float64]:
        """Return the score of each target, (targets,); that of the documents outside where it has no known word."""
        ends = np.cumsum(self.sizes)
        usual = parts.of(slice(int(ends[-1]), None)).quotient
        scores = [parts.of(slice(end - size, end)).quotient for size, end in zip(self.sizes, ends, strict=True)]
        return np.where(np.isfinite(scores), scores, usual)

    def above_usual(self, parts: Parts) -> NDArray[np.float64]:
        """Return the score of each target less what is usual for the model, (targets,).

        Models that are trained alike differ in how much they learn, which shifts the scores of all texts together.
        What is usual is the score of the documents outside where these are known to be out, and otherwise the mean over
        all targets, of which every model holds about half.
        """
        scores = self.of_targets(parts)
        if not self.out:
            return np.asarray(scores - scores.mean())
        return scores - parts.of(slice(int(self.sizes.sum()), None)).quotient

    def of_sets(self, parts: Parts, sets: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the scores of sets of documents outside, (sets,), for their numbers, (sets, size)."""
        outside = parts.of(slice(int(self.sizes.sum()), None))
        return np.asarray(outside.above[sets].sum(axis=1) / np.maximum(outside.below[sets].sum(axis=1), 1))

    def adversary(self, variant: str, rule: "LossRule") -> ShadowRuleAdversary:
        """Return the adversary that decides by a rule."""
        return ShadowRuleAdversary(variant, self.pairs, scored=lambda access: rule(self, self.read(access)))

    @cached_property
    def shadows(self) -> ShadowStatistics:
        """The scores of the targets by all shadow models, less what is usual; a group has one size."""
        return ShadowStatistics(
            statistic=np.array([self.above_usual(parts) for parts in self.parts]),
            member=self.member,
            couple=np.arange(len(self.parts)) // 2,
            group=np.unique(self.sizes, return_inverse=True)[1],
        )


LossRule = Callable[[Measured, Parts], NDArray[np.float64]]
"""From the losses of shadow models and of the model in question: (targets,) scores, above 0 for supposed members."""


@dataclass(frozen=True)
class Ratio:
    """Compares scores, less what is usual for a model, by a rule of `core.statistics.likelihood_ratio`.

    Attributes:
        rule: The rule.
    """

    rule: Rule

    def __call__(self, measured: Measured, parts: Parts) -> NDArray[np.float64]:
        """Score the targets."""
        return self.rule(measured.above_usual(parts), measured.shadows)


@dataclass(frozen=True)
class Rmia:
    """Compares a target's likelihood ratio with those of documents that are out (Zarifzadeh et al. 2024, RMIA).

    The score is the share of sets of documents outside whose ratio, times ``gamma``, the target's ratio reaches. A
    target is taken for a member from 95% on, which flags about 5% of the non-members where gamma is 1. Equal shares, of
    which there are many at 100%, are ordered by the ratio; the paper takes more documents instead. Where owners are
    known, who are few, the score is how far the logarithm of the ratio, less that of ``gamma``, exceeds what sets of 5%
    of people do. The ratios of targets are to half of the shadow models, those of the sets to all: they scatter
    more, the more so the fewer the models, and more non-members are flagged.

    Probabilities are geometric means over words, since those of whole texts vanish. The paper moves the mean of models
    without a target towards 1 to stand for all models; a word's probability is so far below 1 that this correction is
    left out.

    Attributes:
        gamma: By how much a ratio must be larger.
        sets: Draws sets of documents outside.
    """

    gamma: float
    sets: Sets

    def __call__(self, measured: Measured, parts: Parts) -> NDArray[np.float64]:
        """Return the share of sets that each target exceeds, less 95%; of people, by how much it exceeds 95%."""
        without = np.exp([measured.of_targets(shadow) for shadow in measured.parts])
        without[measured.member] = np.nan
        ratios = measured.of_targets(parts) - np.log(np.nanmean(without, axis=0))

        def ratios_of(sets: NDArray[np.int64]) -> NDArray[np.float64]:
            usual = np.mean([np.exp(measured.of_sets(shadow, sets)) for shadow in measured.parts], axis=0)
            return np.asarray(measured.of_sets(parts, sets) - np.log(usual))

        scores: NDArray[np.float64] = np.empty_like(ratios)
        for size in np.unique(measured.sizes).tolist():
            of_size = measured.sizes == size
            if self.sets.owners:
                usual = self.sets.usual_of(ratios_of, size)
                scores[of_size] = [usual.beyond(ratio) for ratio in ratios[of_size] - np.log(self.gamma)]
            else:
                others = ratios_of(self.sets.drawn(size))
                scores[of_size] = [self._share(ratio - others) for ratio in ratios[of_size]]
        return scores

    def _share(self, ahead: NDArray[np.float64]) -> float:
        """Return the share of sets that a target exceeds by as much as it must, less 95%, and a little by its ratio."""
        share = float((ahead >= np.log(self.gamma)).mean()) if ahead.any() else _BY_LUCK
        return share - (1 - LEVEL) + _LESS_THAN_A_SET * float(np.tanh(ahead.mean()))


def texts_of(targets: Sequence[Text], outside: Text) -> Text:
    """Return the documents of all targets one after the other, then those outside."""
    return [*(words for text in targets for words in text), *outside]
