"""Word pair audit: which documents are in the word vectors that somebody holds, by the distances of adjacent words."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from core.access import Access, OwnWordVectors
from core.adversaries.pairs.adversaries import PairAdversary
from core.adversaries.pairs.calibrated import PairLikelihoodRatio, Usual
from core.adversaries.pairs.plan import Distance, Plan, plan
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import ShadowModels, train_shadow
from core.adversaries.pairs.student import Penalty, Student
from core.adversaries.shadows.shadow_pairs import shadow_pairs_parameter
from core.errors import Incompatible
from core.games.audit.contract import AuditAttack
from core.games.membership.contract import Adversary, Briefing
from core.keys import key_of
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.word_vectors import WordModel


class WordPairAudit(AuditAttack):
    """The attack of `core.attacks.word_pairs` on one model, with scores that can be compared among documents.

    Shadow models, trained as the model was, hold each target or not. LASSO selects the adjacent word pairs of a target
    whose distances tell them apart (Mahloujifar et al. 2021, Algorithm 1). Of one model each target gives one score, so
    scores of different targets must share a scale: the answer is the log likelihood ratio of the score with and without
    the target in training, by Gaussians fitted to shadow models that the linear function has not seen (LiRA, Carlini et
    al. 2022). The paper has many models and ranks the scores of one target among them.

    Variants, from the same shadow models: ``uncalibrated``, the linear function itself, and ``l2_distance``, the same
    by the paper's distance, which word frequencies shift.
    """

    title: ClassVar[str] = "Word pair audit"
    question: ClassVar[str] = "Which of your documents give away that your word vectors were trained on them?"
    claim: ClassVar[str] = (
        "Given the word vectors that you hold, the adversary tells whether a document was among their training texts"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and others of their kind, half of your training documents among "
        "them but unmarked, trains word vectors on them as you did, and may ask your model for the vector of any word."
    )
    needs: ClassVar[type[Access]] = OwnWordVectors
    variants: ClassVar[tuple[str, ...]] = ("uncalibrated", "l2_distance")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "marked_excerpt"},
            "model": {"part": "own_word_vectors", "mode": "skip_gram", "epochs": 10, "minimum_count": 6},
            "attack": {"shadow_pairs": 50},
        }
    }

    shadow_pairs: int = shadow_pairs_parameter(100)
    penalty: Penalty = parameter(
        "inverse_root", "LASSO penalty: 1/sqrt(k) as in the paper, or chosen on held-out shadow models.", advanced=True
    )

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train the shadow models, and yield the variants and then the attack."""
        if not isinstance(briefing.model, WordModel):
            raise Incompatible(f"{self.part_name()} needs a model of word vectors.")
        pairs = self.shadow_pairs
        shadows = ShadowModels(briefing, briefing.model, pairs, "pool", "without_replacement", adaptive=True)
        measures = _distances_only(plan(briefing, briefing.model, generator(briefing.seed, "plan")))
        shared = {"shadows": shadows, "plan": measures}
        key = key_of({"of distances only": shadows.key()})
        trainings = context.train("Training shadow models", key, train_shadow, shadows.items(pairs), shared)
        with Rows(context.store, measures.width) as rows:
            student = Student(shadows, measures, rows, self.penalty)
            for _ in student.growing(trainings, ()):
                pass
            context.progress.stage("Fitting the linear functions", total=3 * len(student.targets))

            def functions(distance: Distance) -> list[Any]:
                fitted = []
                for target in student.targets:
                    fitted.append(student.function(target, pairs, distance))
                    context.progress.advance()
                return fitted

            yield PairAdversary(measures, functions("l2"), "l2_distance", pairs, distance="l2")
            scaled = functions("scaled")
            yield PairAdversary(measures, scaled, "uncalibrated", pairs)
            usual = []
            for target in student.targets:
                usual.append(Usual.of(student, target, pairs, "scaled"))
                context.progress.advance()
            yield PairLikelihoodRatio(measures, scaled, self.part_name(), pairs, usual=usual)


def _distances_only(measures: Plan) -> Plan:
    """Return a plan without whole vectors, which only the baselines of `core.attacks.word_pairs` use."""
    nothing = np.empty(0, np.int64)
    return replace(measures, everywhere=nothing, within=(nothing,) * len(measures.within))
