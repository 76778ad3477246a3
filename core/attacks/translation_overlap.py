"""Translation membership: a translator repeats the reference of a sentence pair that it was trained on."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from core.access import Access, ScoringTranslator, Translator
from core.adversaries.translation.features import PERTURBED, REFERENCE, SCORE, overlaps, without_a_word
from core.adversaries.translation.rules import CALIBRATED, CENTRED, Adversary
from core.errors import InvalidSpec
from core.games.translation_membership.contract import Briefing, Features, Observed, TranslationAttack
from core.result import Tables
from core.spec import parameter
from core.text.bitext import Bitext

_CLAIM = (
    "Given a sentence with its human translation, and a service that gives {given}, the adversary tells whether the "
    "translator learnt from the pair"
)
_THREAT = (
    "The adversary has a sentence and its translation by a human, and may query the service for {what}. It has other "
    "pairs of the same kind, and trains shadow translators on them."
)
_SCORED = "the translation of any sentence and for the probability of any translation"
_CENTRED = "knows the subcorpus of each pair, and that half of each subcorpus is in"
_OUT = "Quantile regression knows some pairs to be out."


class TranslationOverlap(TranslationAttack):
    """Membership of sentence pairs by the overlap of translation and reference (Hisamoto et al. 2020, section 5).

    Features of a pair are the modified n-gram precisions for n = 1 to 4 and sentence BLEU (smoothed after Lin and Och
    2004); with scores of the service its log-probability (Table 3); with ``queries`` above one also BLEU when a word is
    left out (ours). The paper's classifiers, and a random forest, are trained on shadow splits 1 to 3; the one with the
    best accuracy on split 4 is the answer. For comparison, thresholds from the shadow models on

    - sentence BLEU, and the mean log-probability of the reference;
    - the same less its mean over the shadows, and the likelihood ratio of two Gaussians, as in offline LiRA (Carlini et
      al. 2022), with the distance of their means from pairs that one of two shadows was trained on;
    - *centred* (ours): shadows say little about a subcorpus that they never saw, so that difference is counted from its
      median over each subcorpus, in standard deviations. It presumes that half of each subcorpus is in, and that each
      pair's is known; *calibrated*, which has its threshold from the adversary's own data, presumes neither.

    ``quantile``, off by default, adds one without shadow models: `core.adversaries.translation.quantile_reference`.
    """

    title: ClassVar[str] = "Translation membership"
    question: ClassVar[str] = "Was this sentence pair used to train the translator?"
    claim: ClassVar[str] = _CLAIM.format(given="translations and probabilities")
    threat: ClassVar[str] = (
        f"{_THREAT.format(what=_SCORED)} One of the attacks compared, calibration by subcorpus, also {_CENTRED}."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "toy_translations", "pairs": 400},
            "model": {
                "part": "seq2seq",
                "layers": 1,
                "dimension": 64,
                "feed_forward": 256,
                "pieces": 800,
                "epochs": 12,
                "batch_tokens": 512,
                "learning_rate": 4e-3,
                "warm_up": 50,
            },
            "game": {"splits": 3, "probes": 50, "shadow_probes": 40, "validation": 60, "course": [0, 2, 5]},
        },
        "paper": {
            "dataset": {"part": "german_english", "pairs": 60_000},
            "model": {"part": "seq2seq", "layers": 3, "epochs": 1},
            "attack": {"shadow_model": {"part": "seq2seq", "tying": "none", "epochs": 1}},
        },
        "over_trained": {
            "dataset": {"part": "german_english", "pairs": 3000},
            "model": {"part": "seq2seq", "layers": 3, "epochs": 20},
            "game": {"probes": 300, "watermarks": 25},
            "attack": {"shadow_model": {"part": "seq2seq", "tying": "none", "epochs": 5}},
        },
    }

    service: Literal["translations", "scores"] = parameter(
        "scores", "Whether the service gives translations only, or probabilities too.", label="The service gives"
    )
    queries: int = parameter(
        1,
        "Translations for each pair: of the sentence, and of it with one word left out.",
        label="Queries for each pair",
        unit="queries",
        ge=1,
        le=20,
    )

    quantile: bool = parameter(
        False,
        "Also compare with a quantile of pairs known to be out, those for validation, by regression: no shadow models.",
        label="Quantile regression",
        advanced=True,
        implied=False,
    )

    @model_validator(mode="after")
    def _quantiles_need_scores(self) -> Self:
        if self.quantile and self.service != "scores":
            raise InvalidSpec(
                f"The 'quantile' parameter of {self.part_name()} needs probabilities: a service of 'scores'. Got "
                f"{self.service!r} instead.",
                "quantile",
            )
        return self

    @property
    def asks_outside(self) -> bool:
        """Whether target models are also asked about pairs that no model is trained on."""
        return self.quantile

    @property
    def claimed(self) -> str:
        """The claim, which says what the service gives."""
        return self.claim if self.service == "scores" else _CLAIM.format(given="translations only")

    @property
    def assumed(self) -> str:
        """The threat model, which says what the service gives, and what single attacks know besides."""
        if self.service == "translations":
            return self.assuming(_THREAT.format(what="the translation of any sentence"))
        return self.assuming(f"{self.threat} {_OUT}" if self.quantile else self.threat)

    def remark(self, tables: Tables) -> str:
        """Return what one of the adversaries knows besides, where the result has it."""
        presuming = (tables["methods"]["features"] == CENTRED).any()
        return f"The adversary of {CENTRED} {_CENTRED}; that of {CALIBRATED} knows neither." if presuming else ""

    def access(self) -> type[Access]:
        """Return a service that gives translations, with scores or without."""
        return ScoringTranslator if self.service == "scores" else Translator

    def prepare(self, briefing: Briefing) -> Adversary:
        """Fit all methods on the shadow models."""
        return Adversary(briefing)

    def compare(self, pairs: Bitext, access: Access) -> Features:
        """Return a shadow model's log-probabilities of the references, where the service gives them."""
        if not isinstance(access, ScoringTranslator):
            return {}
        return {REFERENCE: access.log_probabilities(pairs.sources, pairs.targets)}

    def observe(self, pairs: Bitext, access: Access, rng: np.random.Generator) -> Observed:
        """Return the translations of pairs, and their features."""
        service = cast(Translator, access)
        features: dict[str, NDArray[np.float64]] = {}
        if isinstance(service, ScoringTranslator):
            translations, features[SCORE] = service.scored(pairs.sources)
            features[REFERENCE] = service.log_probabilities(pairs.sources, pairs.targets)
        else:
            translations = service.translate(pairs.sources)
        features |= overlaps(translations, pairs.targets)
        if self.queries > 1:
            changed = [
                overlaps(service.translate([without_a_word(text, rng) for text in pairs.sources]), pairs.targets)
                for _ in range(self.queries - 1)
            ]
            bleu = np.stack([overlap["bleu"] for overlap in changed])
            features |= dict(zip(PERTURBED, (bleu.mean(axis=0), bleu.min(axis=0)), strict=True))
        return Observed(tuple(translations), features)
