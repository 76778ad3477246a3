"""Loss membership: documents that a language model was trained on are likelier to it than they should be."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from core.access import Access
from core.access.language_models import TextProbabilities, TopProbabilities, WholeNetwork, WordProbabilities
from core.adversaries.dataset_inference import PValue
from core.adversaries.own_sets import Sets, set_aside
from core.adversaries.shadows.shadow_language_models import OwnModels
from core.adversaries.text_scores import (
    GradientRatio,
    MinK,
    MinKPlus,
    ReferenceRatio,
    Score,
    ScoreAdversary,
    gradient_norm,
    loss,
    probabilities,
    zlib_ratio,
)
from core.adversaries.top_share import TopShare
from core.defenses import Defense, TrainingDefense
from core.errors import InvalidSpec
from core.games.membership.contract import Adversary, Briefing, MembershipAttack, Played
from core.result import Column, Schema, Tables, table
from core.runtime.context import RunContext
from core.spec import parameter
from core.targets.word_language_model import small_lstm

_PLACES = 2
"""Decimal places of the gains of words that are kept: enough to colour words by."""
_ANY = "the probability of any text"
_CLAIM = "Given {given}, the adversary tells whether a language model learnt from a target’s documents"
_THREAT = (
    "The adversary holds the documents in question and similar ones that it knows were not trained on, knows how the "
    "model was trained, and {may}."
)


class LossMembership(MembershipAttack):
    """Membership by the probability that a language model gives to a document (Carlini et al. 2021, section 5).

    The score is how much likelier the target model finds a word of the target than reference models do, on average, in
    nats: models of the same kind, trained on auxiliary documents. Without them, easy texts look like members. The words
    of all documents of a target are pooled. A member scores higher than 95% of equally large sets of auxiliary
    documents that no reference model was trained on. Where owners are known, each set is of one, and a member scores
    higher than 95% of owners would (`core.adversaries.own_sets.of_one_more`).

    Variants, from the same losses (the ratio to lower-cased text is left out, since these models read lower case):

    - ``loss`` is the mean log-probability alone (Yeom et al. 2018);
    - ``zlib_ratio`` divides it by the bytes of the compressed text (Carlini et al. 2021);
    - ``min_k`` is its mean over the least likely words of each document (Shi et al. 2024);
    - ``min_k_plus`` is the same in standard deviations from the mean at their position (Zhang et al. 2024);
    - others, where asked for: see ``gradients``, ``top_share`` and ``dataset_inference``.
    """

    version: ClassVar[int] = 2
    title: ClassVar[str] = "Loss membership"
    question: ClassVar[str] = "Was it in the training text of the language model?"
    claim: ClassVar[str] = _CLAIM.format(given=_ANY)
    threat: ClassVar[str] = _THREAT.format(may=f"may ask it for {_ANY}")
    needs: ClassVar[type[Access]] = TextProbabilities
    trains_behind: ClassVar[tuple[type[Defense], ...]] = (TrainingDefense,)
    compared: ClassVar[tuple[str, ...]] = ("accuracy", "auc", "tpr_at_1pct_fpr", "queries")
    tables: ClassVar[dict[str, Schema]] = {
        "words": {
            "target": Column("int32", "Number of the target; of its documents, the one that tells most."),
            "document": Column("int32", "Number of the document among the target’s."),
            "place": Column("int32", "Number of the word in the document."),
            "gain_in": Column("float64", "How much likelier models with the target find it than references, in nats."),
            "gain_out": Column("float64", "The same of models without the target."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": small_lstm(3000, epochs=5, batch=16, learning_rate=1e-2),
            "game": {
                "rules": "half",
                "users": "owners",
                "halves": "owners",
                "target_sizes": [1, 5],
                "targets": 20,
                "plays": 5,
                "documents": 100,
            },
            "attack": {"references": 2, "aside": 0.15},
        },
    }

    references: int = parameter(1, "Models without any target to compare with.", unit="models", ge=1, le=64)
    aside: float = parameter(
        0.3,
        "Share of the adversary’s own documents that set the threshold; the others train what it compares with. Where "
        "owners are known, those of eight at least, or of half of them.",
        label="Set aside",
        ge=0.05,
        le=0.8,
    )
    lowest: float = parameter(
        0.2, "Share of the least likely words that Min-K% looks at.", label="Min-K", gt=0, le=1, advanced=True
    )
    every_word: bool = parameter(
        True,
        "Also play Min-K%++, which needs the probability of every word at each place.",
        label="Min-K%++",
        advanced=True,
    )
    dataset_inference: bool = parameter(
        False,
        "Also test whether each target’s score is higher than those of people who are out, by a p-value.",
        label="P-values",
        advanced=True,
        implied=False,
    )
    """The variant is a p-value of the attack's score, see `core.adversaries.dataset_inference`."""
    told: Literal["any", "top"] = parameter(
        "any",
        "Whether the model tells the probability of any word, or only those of its 20 likeliest words, or tokens, at "
        "each position.",
        label="Probabilities",
        advanced=True,
        implied="any",
    )
    """Where these are the likeliest words only, another word counts as the last of these, in all models."""
    gradients: bool = parameter(
        False,
        "Also play the norms of gradients, which need the whole network.",
        label="Gradients",
        advanced=True,
        implied=False,
    )
    """The variants ``gradient_norm`` and ``gradient_ratio``: how little a document would still move the weights, alone
    and beside the references (Nasr et al. 2019).
    """
    top_share: float = parameter(
        0.0,
        "Share of a target’s documents, those that score highest, whose mean is played as one more score; 0 for none.",
        ge=0,
        le=1,
        advanced=True,
        implied=0.0,
    )
    """The variant is the mean of the attack's scores of single documents over the highest of a target."""

    @model_validator(mode="after")
    def _the_likeliest_alone(self) -> Self:
        for name in ("gradients", "every_word"):
            if self.told == "top" and getattr(self, name):
                raise InvalidSpec(
                    f"The '{name}' parameter of {self.part_name()} must be False where the model tells the "
                    "probabilities of its likeliest words only. Got True instead.",
                    name,
                )
        return self

    @property
    def claimed(self) -> str:
        """The claim, which says what of the model is given."""
        return _CLAIM.format(given=self._given)

    @property
    def assumed(self) -> str:
        """The threat model, which says what of the model is given."""
        if self.gradients:
            return _THREAT.format(may="has its weights")
        position = "" if self._given == _ANY else " at each position of any text"
        return _THREAT.format(may=f"may ask it for {self._given}{position}")

    @property
    def _given(self) -> str:
        if self.gradients:
            return "the weights"
        if self.told == "top":
            return TopProbabilities.title
        return WordProbabilities.title if self.every_word else _ANY

    def access(self) -> type[Access]:
        """Return the access that suffices: the weights for gradients, fewer or more probabilities as is told."""
        if self.gradients:
            return WholeNetwork
        if self.told == "top":
            return TopProbabilities
        return WordProbabilities if self.every_word else TextProbabilities

    @property
    def owners_version(self) -> int:
        """Thresholds are those of whole owners."""
        return 1

    def check(self, briefing: Briefing) -> None:
        """Check that the reference models can be trained."""
        self._reference_models(briefing, set_aside(briefing, self.aside)[1]).check()

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train the reference models, and yield the variants and then the attack."""
        aside, remaining = set_aside(briefing, self.aside)
        references = self._reference_models(briefing, remaining).train(context)
        corpus, owners = briefing.corpus, [briefing.owners[row] for row in aside] if briefing.owners else ()
        targets = [corpus.select(target.documents).texts() for target in briefing.targets]
        outside, sets = corpus.select(briefing.auxiliary[aside]).texts(), Sets(len(aside), briefing.seed, owners)
        scores: dict[str, Score] = {"loss": loss, "zlib_ratio": zlib_ratio, "min_k": MinK(self.lowest)}
        if self.every_word:
            scores["min_k_plus"] = MinKPlus(self.lowest)
        if self.gradients:
            scores |= {"gradient_norm": gradient_norm, "gradient_ratio": GradientRatio(references)}
        scores[self.part_name()] = ReferenceRatio(references)
        together = self.dataset_inference + (self.top_share > 0)
        context.progress.stage("Reading the documents", total=len(scores) + together)
        score = scores[self.part_name()]
        if self.dataset_inference:
            yield PValue("dataset_inference", score=score, targets=targets, outside=outside, sets=sets)
            context.progress.advance()
        if self.top_share:
            share = self.top_share
            yield TopShare("top_share", score=score, targets=targets, outside=outside, sets=sets, share=share)
            context.progress.advance()
        for variant, score in scores.items():
            yield ScoreAdversary(variant, score=score, targets=targets, outside=outside, sets=sets)
            context.progress.advance()

    def _reference_models(self, briefing: Briefing, remaining: NDArray[np.int64]) -> OwnModels:
        return OwnModels.references(briefing, briefing.auxiliary[remaining], self.references, self.access())

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return how much likelier than the references the models find each word of one document of each target."""
        answer = played.answer
        if not isinstance(answer, ScoreAdversary) or not isinstance(answer.score, ReferenceRatio):
            raise TypeError("explain() takes the answer that prepare() ended with")
        rows: list[dict[str, Any]] = []
        for target, texts in enumerate(answer.targets):
            read = [answer.score.gains(probabilities(access), texts) for access in played.accesses]
            inside = played.members[:, target]
            within, without = (
                [
                    _mean([gains[number] for gains, chosen in zip(read, side, strict=True) if chosen], texts[number])
                    for number in range(len(texts))
                ]
                for side in (inside, ~inside)
            )
            document = int(np.argmax([np.nansum(gains) / max(len(gains), 1) for gains in within]))
            pairs = zip(*(np.round(side[document], _PLACES) for side in (within, without)), strict=True)
            rows += [
                {"target": target, "document": document, "place": position, "gain_in": one, "gain_out": other}
                for position, (one, other) in enumerate(pairs)
            ]
        return {"words": table(self.tables["words"], rows)}


def _mean(gains: Sequence[NDArray[np.float64]], words: Sequence[str]) -> NDArray[np.float64]:
    """Return the mean gain of each word over models, (words,); NaN without models."""
    return np.mean(gains, axis=0) if gains else np.full(len(words), np.nan)
