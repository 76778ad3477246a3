"""Likelihood ratio: a language model's loss of a target beside those of shadow models with and without it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from core.access import Access
from core.access.language_models import TextProbabilities
from core.adversaries.own_sets import Sets, set_aside
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.shadows.preparations import Prepared
from core.adversaries.shadows.shadow_language_models import LossRule, Measured, OwnModels, Ratio, Rmia
from core.adversaries.shadows.shadow_pairs import shadow_pairs_parameter
from core.adversaries.text_scores import MinK, Score, ScoreAdversary, loss, zlib_ratio
from core.attacks.loss_membership import LossMembership
from core.errors import InvalidSpec
from core.games.attack import ChoosingAttack
from core.games.membership.contract import Adversary, Briefing, MembershipAttack
from core.runtime.context import RunContext
from core.spec import parameter
from core.statistics.likelihood_ratio import likelihood_ratio, offline_ratio

_LOWEST = 0.2
"""Share of the least likely words that Min-K% looks at, the default of loss membership."""


class LikelihoodRatio(ChoosingAttack, MembershipAttack):
    """Membership by likelihood ratios of shadow language models (Carlini et al. 2022, LiRA).

    The adversary trains shadow models as the target model is trained; a naive one, as without a defense. One that knows
    a defense trains as many without it, and chooses between both for each of the statistics below but the loss alone
    (`core.adversaries.shadows.preparations`). Each shadow model holds half of the targets, so that one pool serves them
    all. The statistic is the mean log-probability of a word of the target's
    documents, less that of documents known to be out: models that are trained alike differ in how much they learn. The
    score is the log ratio of its density around the models with the target and around those without it, both Gaussian.
    Further deviations from the paper's Algorithm 1 are those of `core.statistics.likelihood_ratio`.

    Variants, from the same pool:

    - ``loss`` is the target model's loss alone, with a threshold from the adversary's own documents;
    - ``offline_ratio`` uses only models without the target (the paper's offline attack);
    - ``rmia`` compares the ratio to models without the target with that of documents known to be out (Zarifzadeh et
      al. 2024; deviations at `core.adversaries.shadows.shadow_language_models.Rmia`);
    - ``behind_defense``, where the answer is not that, has the shadow models behind the defense.
    """

    title: ClassVar[str] = "Likelihood ratio"
    question: ClassVar[str] = "Do shadow models tell whose documents a language model was trained on?"
    claim: ClassVar[str] = (
        "Given the probability of any text and shadow models, the adversary tells whether a language model learnt from "
        "a target’s documents"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and similar ones that it knows were not trained on, trains "
        "language models on them as the trainer does, and may ask the target model for the probability of any text."
    )
    needs: ClassVar[type[Access]] = TextProbabilities
    compared: ClassVar[tuple[str, ...]] = ("accuracy", "auc", "tpr_at_1pct_fpr", "queries", "epsilon_at_least")
    one_pool: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {**LossMembership.presets["demo"], "attack": {"shadow_pairs": 4, "aside": 0.15}}
    }

    shadow_pairs: int = shadow_pairs_parameter(20, least=3, most=500)
    aside: float = parameter(
        0.3,
        "Share of the adversary’s own documents that no shadow model is trained on; targets are compared with them. "
        "Where owners are known, those of eight at least, or of half of them.",
        label="Set aside",
        ge=0.05,
        le=0.8,
    )
    gamma: float = parameter(
        1.0, "By how much RMIA wants a target’s ratio to exceed others.", label="Gamma (γ)", ge=1, le=8, advanced=True
    )

    fewer_pairs: tuple[Annotated[int, Field(ge=1, le=499)], ...] = parameter(
        (),
        "Also attack with this many of the shadow pairs, and by statistics that need no shadow models.",
        unit="pairs",
        max_length=8,
        each_once=True,
        advanced=True,
        implied=(),
    )
    """The first of the shadow pairs are taken; the statistics are those of `core.attacks.loss_membership`.

    Fewer than three pairs leave none to choose a threshold on: a target is then taken for a member where the ratio
    favours it.
    """

    @model_validator(mode="after")
    def _fewer_are_fewer(self) -> Self:
        if self.fewer_pairs and max(self.fewer_pairs) >= self.shadow_pairs:
            raise InvalidSpec(
                f"The 'fewer_pairs' parameter of {self.part_name()} must be below the {self.shadow_pairs} shadow "
                f"pairs. Got {max(self.fewer_pairs)} instead; {self.shadow_pairs - 1} would do.",
                "fewer_pairs",
            )
        return self

    @property
    def owners_version(self) -> int:
        """Thresholds are those of whole owners."""
        return 1

    def shadow_models(self, targets: int) -> int:
        """Return the shadow models of the one pool; as many again, which a defense asks for, are not counted."""
        return 2 * self.shadow_pairs

    def check(self, briefing: Briefing) -> None:
        """Check that the shadow models can be trained."""
        _, remaining = set_aside(briefing, self.aside)
        OwnModels.shadows(self._pools(briefing, remaining)[0]).check()

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train the shadow models, and yield the variants and then the attack."""
        aside, remaining = set_aside(briefing, self.aside)
        pools = self._pools(briefing, remaining)
        stages = ("Training shadow models", "Training shadow models without the defense")
        models = [OwnModels.shadows(pool, stage).train(context) for pool, stage in zip(pools, stages, strict=False)]
        context.progress.stage("Reading the documents", total=sum(map(len, models)) + 1)
        corpus, owners = briefing.corpus, [briefing.owners[row] for row in aside] if briefing.owners else ()
        targets = [corpus.select(target.documents).texts() for target in briefing.targets]
        outside = corpus.select(briefing.auxiliary[aside]).texts()
        sets, k = Sets(len(aside), briefing.seed, owners), self.shadow_pairs
        free: dict[str, Score] = {"zlib_ratio": zlib_ratio, "min_k": MinK(_LOWEST)} if self.fewer_pairs else {}
        for variant, score in {"loss": loss, **free}.items():
            yield ScoreAdversary(variant, k, score=score, targets=targets, outside=outside, sets=sets)
        context.progress.advance()
        read = partial(Measured.by, targets=targets, outside=outside, on_model=context.progress.advance)
        prepared = Prepared(*map(read, pools, models))
        ratio = Ratio(likelihood_ratio)
        for fewer in sorted(self.fewer_pairs):
            yield prepared.first(fewer).better(ratio).adversary(self.part_name(), ratio)
        others: dict[str, LossRule] = {"rmia": Rmia(self.gamma, sets), "offline_ratio": Ratio(offline_ratio)}
        for variant, rule in others.items():
            yield prepared.better(rule).adversary(variant, rule)
        best = prepared.better(ratio)
        if best is not prepared.behind:
            yield prepared.behind.adversary("behind_defense", ratio)
        yield best.adversary(self.part_name(), ratio)

    def _pools(self, briefing: Briefing, remaining: NDArray[np.int64]) -> list[ShadowModels]:
        """Return each kind of shadow models, first those trained as the adversary takes target models to be."""
        others = replace(briefing, auxiliary=briefing.auxiliary[remaining])
        kinds = (replace(others, defenses=known) for known in self.preparations(briefing.defenses))
        return [
            ShadowModels(each, each.model, self.shadow_pairs, "pool", "without_replacement", adaptive=True)
            for each in kinds
        ]
