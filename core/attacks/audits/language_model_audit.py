"""Language model audit: which documents a language model that somebody holds was trained on, by their losses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from core.access import Access
from core.access.own_language_models import OwnTextProbabilities, OwnTokenProbabilities
from core.adversaries.own_sets import Sets, Text, set_aside
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.shadows.fine_tuned_models import read_by_base, read_by_shadows
from core.adversaries.shadows.shadow_language_models import LossRule, Measured, Ratio, Rmia, texts_of
from core.adversaries.text_difficulty import Unexplained, difficulties
from core.adversaries.text_scores import (
    MedianAdversary,
    MinK,
    MinKPlus,
    ReferenceRatio,
    Score,
    ScoreAdversary,
    loss,
    lower_ratio,
    zlib_ratio,
)
from core.errors import Incompatible, InvalidSpec
from core.games.audit.contract import AuditAttack
from core.games.membership.contract import Adversary, Briefing
from core.models.own_language_model import OwnLanguageModel
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.likelihood_ratio import likelihood_ratio, offline_ratio

MOST_OUTSIDE = 500
"""Documents of its own that the adversary reads with every model."""
_FEWEST_PAIRS = 3


class LanguageModelAudit(AuditAttack):
    """Membership in one language model by the probability that it gives to documents.

    What the adversary can do depends on what it has; the answer is the strongest that is possible, whatever it finds:

    - with the model before fine-tuning (the base), it fine-tunes shadow models from there, each on half of the targets,
      and takes the log likelihood ratio of a target's loss with and without it in training (LiRA, Carlini et al. 2022).
      Losses are taken less the mean over all targets, of which each model holds half;
    - without shadow models, by how much likelier the model finds a token than the base does (Carlini et al. 2021);
    - without a base, as `core.attacks.audits.log_probability_audit` (Watson et al. 2022), with the median as threshold.

    Variants, from the same losses: ``loss`` (Yeom et al. 2018), ``zlib_ratio``, ``lower_ratio`` (both Carlini et al.
    2021), ``min_k`` (Shi et al. 2024), ``min_k_plus`` (Zhang et al. 2024), ``reference``, and of shadow models
    ``offline_ratio`` and ``rmia`` (Zarifzadeh et al. 2024). Thresholds come from shadow models, or are what 95% of the
    adversary's own documents do not exceed. Some of those may have trained the model, which raises that threshold: it
    errs on the side of few false positives.
    """

    title: ClassVar[str] = "Language model audit"
    question: ClassVar[str] = "Which of your documents give away that your language model was trained on them?"
    claim: ClassVar[str] = (
        "Given the language model that you hold, the adversary tells whether a document was among its training texts"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and others of their kind, half of your training documents among "
        "them but unmarked, and may ask your model for the probability of any text; where the model before fine-tuning "
        "is named, it has that, too, and may fine-tune it as you did."
    )
    needs: ClassVar[type[Access]] = OwnTextProbabilities
    variants: ClassVar[tuple[str, ...]] = (
        *("loss", "zlib_ratio", "lower_ratio", "min_k", "min_k_plus", "reference", "rmia", "offline_ratio"),
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "marked_excerpt"},
            "model": {"part": "own_language_model", "learning_rate": 1e-3, "context": 64},
            "attack": {"shadow_pairs": 3},
        }
    }

    shadow_pairs: int = parameter(
        8,
        "Shadow models with each target, and as many without it, where a base is named; 0 for none, otherwise at "
        f"least {_FEWEST_PAIRS}.",
        label="Shadow pairs (k)",
        unit="pairs",
        ge=0,
        le=500,
    )
    aside: float = parameter(
        0.15,
        "Share of the adversary’s own documents that no shadow model is trained on; targets are compared with them.",
        label="Set aside",
        ge=0.05,
        le=0.8,
    )
    lowest: float = parameter(
        0.2, "Share of the least likely tokens that Min-K% looks at.", label="Min-K", gt=0, le=1, advanced=True
    )
    gamma: float = parameter(
        1.0, "By how much RMIA wants a target’s ratio to exceed others.", label="Gamma (γ)", ge=1, le=8, advanced=True
    )
    every_token: bool = parameter(
        True,
        "Also play Min-K%++, which needs the probability of every token at each place.",
        label="Min-K%++",
        advanced=True,
    )

    @model_validator(mode="after")
    def _none_or_enough(self) -> Self:
        if 0 < self.shadow_pairs < _FEWEST_PAIRS:
            raise InvalidSpec(
                f"The 'shadow_pairs' parameter of {self.part_name()} must be 0, or at least {_FEWEST_PAIRS}: fewer "
                f"show no spread. Got {self.shadow_pairs} instead; {_FEWEST_PAIRS} would do.",
                "shadow_pairs",
            )
        return self

    def access(self) -> type[Access]:
        """Return the access that suffices: the probabilities of every token where Min-K%++ is played."""
        return OwnTokenProbabilities if self.every_token else OwnTextProbabilities

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Yield the variants that need no other model, then those with the base, then those with shadow models."""
        model = briefing.model
        if not isinstance(model, OwnLanguageModel):
            raise Incompatible(f"{self.part_name()} needs a language model that somebody holds.")
        aside, remaining = self._own_split(briefing, bool(model.origin))
        corpus = briefing.corpus
        targets = [corpus.select(target.documents).texts() for target in briefing.targets]
        outside = corpus.select(briefing.auxiliary[aside]).texts()
        sets = Sets(len(aside), briefing.seed)
        scoring = partial(ScoreAdversary, targets=targets, outside=outside, sets=sets)
        context.progress.stage("Reading the documents with your model")
        scores: dict[str, Score] = {"loss": loss, "zlib_ratio": zlib_ratio, "lower_ratio": lower_ratio}
        scores["min_k"] = MinK(self.lowest)
        if self.every_token:
            scores["min_k_plus"] = MinKPlus(self.lowest)
        for variant, score in scores.items():
            yield scoring(variant, score=score)
        if not model.origin:
            yield self._unaided(briefing, targets)
            return
        documents, k = texts_of(targets, outside), self.shadow_pairs
        base = ReferenceRatio([read_by_base(model, documents, context)])
        yield scoring("reference" if k else self.part_name(), score=base)
        if not k:
            return
        pool = self._pool(briefing, model, remaining)
        models = read_by_shadows(pool, documents, context)
        measured = Measured.by(pool, models, targets, outside, out=False)
        rules: dict[str, LossRule] = {
            "rmia": Rmia(self.gamma, sets),
            "offline_ratio": Ratio(offline_ratio),
            self.part_name(): Ratio(likelihood_ratio),
        }
        for variant, rule in rules.items():
            yield measured.adversary(variant, rule)

    def own_documents(self, briefing: Briefing) -> int:
        """Return how many documents tell how frequent words are; 0 with a base."""
        model = briefing.model
        return len(briefing.auxiliary) if isinstance(model, OwnLanguageModel) and not model.origin else 0

    def shadow_documents(self, briefing: Briefing) -> int:
        """Return how many documents a shadow model is trained on; 0 without shadow models."""
        model = briefing.model
        if not isinstance(model, OwnLanguageModel) or not model.origin or not self.shadow_pairs:
            return 0
        return self._pool(briefing, model, self._own_split(briefing, True)[1]).briefing.documents

    def _unaided(self, briefing: Briefing, targets: Sequence[Text]) -> Adversary:
        """Return the adversary without a base: Min-K% less what the difficulty of the texts explains."""
        documents = list(chain.from_iterable(targets))
        auxiliary = [text for (text,) in briefing.corpus.select(briefing.auxiliary).texts()]
        known = difficulties([text for (text,) in documents], auxiliary)
        return MedianAdversary(
            self.part_name(),
            score=Unexplained(known, MinK(self.lowest)),
            documents=documents,
            sizes=np.array([len(texts) for texts in targets]),
        )

    def _pool(self, briefing: Briefing, model: OwnLanguageModel, remaining: NDArray[np.int64]) -> ShadowModels:
        """Return the shadow models, each of as many documents as the model, or of all that there are, each once."""
        others = replace(briefing, auxiliary=briefing.auxiliary[remaining])
        pool = ShadowModels(others, model, self.shadow_pairs, "pool", "without_replacement", adaptive=True)
        sizes = np.array([target.size for target in briefing.targets])
        fewest = min(int(sizes[pool.members(item)].sum()) for item in pool.items(self.shadow_pairs))
        return replace(pool, briefing=replace(others, documents=min(briefing.documents, len(remaining) + fewest)))

    def _own_split(self, briefing: Briefing, trains: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return positions of the adversary's own documents: those that targets are compared with, and the others."""
        everything = np.arange(len(briefing.auxiliary))
        aside, remaining = set_aside(briefing, self.aside) if trains else (everything, everything[:0])
        chosen = generator(briefing.seed, "documents compared with").permutation(aside)[:MOST_OUTSIDE]
        return np.sort(chosen), remaining
