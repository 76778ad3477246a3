"""Classifier audit: a classifier is surer of the class of a text that it was trained on than it would otherwise be."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

from core.access import Access
from core.access.answers import ClassLabels, ClassProbabilities
from core.adversaries.damaged_copies import Copies
from core.adversaries.shadows.shadow_classifiers import ShadowClassifiers
from core.adversaries.shadows.shadow_pairs import shadow_pairs_parameter
from core.adversaries.shadows.shadow_rule import ShadowRuleAdversary
from core.games.answers.contract import AnswersAttack, AnswersBriefing
from core.games.membership.contract import Adversary
from core.runtime.context import RunContext
from core.spec import parameter
from core.statistics.likelihood_ratio import likelihood_ratio, offline_ratio, one_threshold


class ClassifierAudit(AnswersAttack):
    """Likelihood ratios of a classifier's confidence, by shadow classifiers (Carlini et al. 2022, LiRA).

    The statistic is the log odds of a document's class in the answer. The adversary trains classifiers of words on its
    documents and half of those in question, so that each of these is in one of a pair and not in the other. The score
    is the log ratio of the density of the statistic around the shadow classifiers with the document and around those
    without it.

    The paper's shadows are trained as the target model is. Here nobody knows how that was, and a network is surer than
    a logistic regression; so each model's statistics become normal scores of their ranks among the documents in
    question, of which half trained each model. Where answers are only the class, the statistic is whether it is the
    document's (Yeom et al. 2018), and a second round of questions tells more (`again`). Further deviations are those of
    `core.statistics.likelihood_ratio`.

    Variants, from the same answers: ``offline_ratio`` compares with classifiers without the document only (section
    VI-A), ``confidence`` is the statistic with one threshold, and ``one_round`` the attack on the first round alone.
    """

    title: ClassVar[str] = "Classifier audit"
    question: ClassVar[str] = "Which documents give away that your classifier was trained on them?"
    claim: ClassVar[str] = (
        "Given what your classifier answers to a document, the adversary tells whether it was trained on it"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question with their classes and others of their kind, half of your "
        "training documents among them but unmarked, trains classifiers of words on them, and asks your model "
        "about each document, and where the class alone is named perhaps again about copies with words left out."
    )
    needs: ClassVar[type[Access]] = ClassLabels
    by_class: ClassVar[bool] = True
    variants: ClassVar[tuple[str, ...]] = ("confidence", "offline_ratio", "one_round")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {"dataset": {"part": "marked_documents"}, "model": {"part": "answered_classifier"}}
    }

    shadow_pairs: int = shadow_pairs_parameter(60, trained="Shadow classifiers")
    strength: float = parameter(
        10.0,
        "Inverse strength of the penalty on the weights of shadow classifiers; larger ones memorise more.",
        label="Inverse penalty (C)",
        ge=0.01,
        le=10_000,
        advanced=True,
    )
    copies: int = parameter(
        12,
        "Copies of a document, with words left out, that a second round asks about.",
        unit="copies",
        ge=1,
        le=100,
        advanced=True,
        implied=12,
    )

    def again(self, briefing: AnswersBriefing, access: Access) -> tuple[str, ...]:
        """Return copies of the documents whose answer is the right class without a probability.

        A second round is worth while where answers are only the class, since few documents differ in whether it is
        theirs (Choquette-Choo et al. 2021, section 3.3, with words left out in the place of the paper's noise). Of each
        document whose first answer is its class, ``copies`` are put to the model, from which ever more words are left
        out; of the others none, since their class does not last. The statistic is then the share of a document and its
        copies that are given its class, in the shadow classifiers as in the model.
        """
        if not isinstance(access, ClassLabels) or isinstance(access, ClassProbabilities):
            return ()
        documents, made = briefing.documents, Copies(self.copies)
        texts, classes = ([values[row] for row in briefing.asked] for values in (documents.texts, documents.labels))
        right = access.probabilities(texts, classes) > 0.5
        lasting = (text for text, is_right in zip(texts, right, strict=True) if is_right)
        return tuple(copy for text in lasting for copy in made.of(text, briefing.seed))

    def prepare(self, briefing: AnswersBriefing, context: RunContext) -> Iterator[Adversary]:
        """Train the shadow classifiers, and yield the variants and then the attack."""
        measured = ShadowClassifiers(briefing, self.shadow_pairs, self.strength, Copies(self.copies)).trained(context)
        if briefing.again:
            scored = partial(measured.first_round.scored, likelihood_ratio)
            yield ShadowRuleAdversary("one_round", self.shadow_pairs, scored=scored)
        rules = {"confidence": one_threshold, "offline_ratio": offline_ratio, self.part_name(): likelihood_ratio}
        for variant, rule in rules.items():
            yield ShadowRuleAdversary(variant, self.shadow_pairs, scored=partial(measured.scored, rule))
