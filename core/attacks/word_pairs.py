"""The word-pair attack: adjacent words of a target move together in an embedding that was trained on it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, WordVectors
from core.adversaries.pairs.adversaries import PairAdversary, VectorAdversary
from core.adversaries.pairs.evidence import (
    SCHEMAS,
    Evidence,
    as_word_vectors,
    distance_table,
    map_table,
    pair_table,
    path_table,
)
from core.adversaries.pairs.plan import Distance, plan
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import Shadows, train_shadow
from core.adversaries.pairs.student import PATH, Penalty, Student
from core.errors import Incompatible
from core.games.membership.contract import Adversary, Briefing, MembershipAttack
from core.result import Schema
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.word_vectors import WordModel

if TYPE_CHECKING:
    import pandas as pd

_STEPS = (5, 10, 25, 50, 100, 200, 400, 800)


class WordPairs(MembershipAttack):
    """Membership inference by the distances of adjacent words (Mahloujifar et al. 2021, Algorithms 1 and 2).

    Shadow models with and without the target are trained; LASSO finds the few adjacent word pairs of the target whose
    distance tells them apart, and the sign of that linear function decides about a target model, which is asked only
    for the vectors of the words in those pairs:

        l(M) = b + sum over pairs of a_j * distance(M(w_j), M(w_j+1)),   member if l(M) > 0.

    Where the paper is silent or its numbers disagree:

    - *Penalty.* Algorithm 1 adds ``lambda * |a|_1`` to a plain sum of squares, and section 3.2 says that lambda =
      1/sqrt(k) keeps at most 50 pairs. With a plain sum it would keep hundreds; with the mean that scikit-learn
      minimises, on standardised distances, it keeps about 20 to 50 (`core.adversaries.pairs.sparse_linear.fit_path`).
    - *Pairs.* The dummy word and repeated words make no pair, a pair counts once in either order, and both words must
      be so frequent that shadow models without the target know them too (`core.adversaries.pairs.plan.plan`).
    - *Distance.* The paper's l2 distance ranks better than it decides. Trainer and adversary draw from disjoint halves;
      a word's vector is the longer the more frequent the word, so that the halves' word frequencies move all l2
      distances of a target at once and its scores with them. Dividing by the lengths of both vectors takes that out
      and needs no further query. On Enron e-mails at the paper's setting, k = 200, it raises accuracy for 1, 10 and 100
      e-mails from 0.54, 0.67, 0.76 to 0.56, 0.75, 0.95 and AUC from 0.55, 0.73, 0.95 to 0.60, 0.85, 1.00 (CBOW), and
      accuracy from 0.66, 0.79, 0.95 to 0.70, 0.94, 0.98 (skip-gram). Both are reported side by side, the
      paper's as the variant ``l2_distance`` (`python -m core precompute --only "figure_3*"`).
    - *Mode.* The paper does not say which mode of word2vec it attacks. Its text gives about 90 % accuracy and no values
      of its curves; skip-gram reaches that for 10 and 100 e-mails, CBOW for 100 only. No penalty on the path closes
      the gap for a single e-mail, which leaves 10 to 200 pairs to choose from.
    - *Threshold.* What is left is a shift of the scores towards "member" (CBOW, 10 e-mails: means of -0.30 and +0.58).
      LASSO prefers pairs that happen to be missing from the adversary's half, and in the trainer's half some of them
      occur. ``sampling="bootstrap"`` was meant to vary the shadows as fresh samples would, but does not help (demo with
      ``distance="l2"``: accuracy 0.78, without it 0.79).
    - *Proxy* (Figure 4). R help mail is far from business mail: accuracy for 1, 10 and 100 e-mails is 0.49, 0.54, 0.65
      (CBOW) and 0.51, 0.64, 0.75 (skip-gram), AUC 0.51, 0.59, 0.68 and 0.55, 0.71, 0.86, with the l2 distance at chance
      throughout. Non-members, too, score above 0 on average: pairs that R users never write look as if they had been
      trained on.
    - *Adaptive adversary* (Figure 5). When half of each user's mail is used, the adversary who subsamples too does
      select a more diverse set, as the paper says: 97 pairs a target of 100 e-mails, not 48 (skip-gram). By ranking it
      is the stronger one: AUC 0.98 against 0.89 (skip-gram), 0.89 against 0.88 (CBOW). By its decisions it is not:
      accuracy 0.77 against 0.80 and 0.70 against 0.78, because the shift of the scores grows with the number of
      pairs (non-members score -0.04 on average, not -0.40; CBOW +0.11, not -0.37). It also needs more shadows: with
      CBOW its AUC is 0.80 at k = 100 and still rises at 200.
    """

    title: ClassVar[str] = "Word pairs"
    question: ClassVar[str] = "Was this person's mail among the text that the word embedding was trained on?"
    threat: ClassVar[str] = (
        "The adversary holds the documents in question, can train models of the same kind on similar documents, and "
        "may ask the target model for the vector of any word. It sees neither the training data nor the secret."
    )
    needs: ClassVar[type[Access]] = WordVectors
    tables: ClassVar[dict[str, Schema]] = SCHEMAS
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "word2vec", "dimension": 32, "minimum_count": 5, "epochs": 10},
            "game": {"target_sizes": [20], "targets": 8, "plays": 20, "documents": 1000},
            "attack": {"shadow_pairs": 50},
        },
        "paper": {
            "dataset": {"part": "enron"},
            "model": {"part": "word2vec", "dictionary": {"part": "common_words"}},
        },
    }

    shadow_pairs: int = parameter(
        200,
        "Shadow models with each target, and as many without it.",
        label="Shadow pairs (k)",
        unit="pairs",
        ge=2,
        le=2000,
    )
    scheme: Literal["pool", "per_target"] = parameter(
        "pool",
        "One pool of shadow models serves every target, each being in one model of every two; or, as in the paper, "
        "every target has shadow models of its own.",
    )
    sampling: Literal["without_replacement", "bootstrap"] = parameter(
        "without_replacement", "How a shadow model's other documents are drawn from the adversary's.", advanced=True
    )
    distance: Distance = parameter(
        "scaled",
        "Distance of two words: l2 as in the paper, or l2 over the lengths of both vectors, which takes out how "
        "frequent the words are.",
    )
    standardise: bool = parameter(True, "Give every distance unit variance over the shadows first.", advanced=True)
    penalty: Penalty = parameter(
        "inverse_root", "LASSO penalty: 1/sqrt(k) as in the paper, or chosen on held-out shadow models.", advanced=True
    )
    adaptive: bool = parameter(
        True, "The adversary knows the trainer's defense and applies it to the shadow models.", advanced=True
    )
    baselines: bool = parameter(
        True, "Also let two weaker adversaries play, who look at raw word vectors.", advanced=True
    )

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train shadow models, and yield a stronger adversary whenever enough of them are there."""
        if not isinstance(briefing.model, WordModel):
            raise Incompatible(f"{self.part_name()} needs a model of word vectors.")
        shadows = Shadows(briefing, briefing.model, self.shadow_pairs, self.scheme, self.sampling, self.adaptive)
        measures = plan(briefing, briefing.model, generator(briefing.seed, "plan"))
        steps = [step for step in _STEPS if step < self.shadow_pairs] + [self.shadow_pairs]
        missing = {step: set(shadows.items(step)) for step in steps}
        trainings = context.train(
            "Training shadow models",
            shadows.key(),
            train_shadow,
            shadows.items(self.shadow_pairs),
            {"shadows": shadows, "plan": measures},
        )
        with Rows(context.store, measures.width) as rows:
            student = Student(shadows, measures, rows, self.penalty, self.standardise)
            made = _Adversaries(self, student)
            for item, arrays in trainings:
                rows.write(item, arrays["row"])
                for step in steps:
                    missing[step].discard(item)
                while len(steps) > 1 and not missing[steps[0]]:
                    yield from made.growing(steps.pop(0))
            context.progress.stage("Fitting the linear functions")
            if self.baselines:
                yield made.baseline("all_vectors")
                yield made.baseline("target_words")
            yield from made.rivals(self.shadow_pairs)
            answer = made.answer()
            yield from answer.path
            yield answer

    def explain(
        self,
        briefing: Briefing,
        answer: Adversary,
        accesses: Sequence[Access],
        members: NDArray[np.bool_],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Say which pairs were selected, how far apart each model puts them, and where their words lie."""
        import pandas as pd

        if not isinstance(answer, _Answer):
            raise TypeError("explain() takes the answer that prepare() ended with")
        models = answer.models
        measures = {"shadows": models, "plan": answer.plan}
        kept = {
            item: arrays["vectors"]
            for item, arrays in context.train(
                "Drawing the word maps", models.key(), train_shadow, models.kept, measures
            )
        }
        maps = []
        for target in range(len(briefing.targets)):
            with_target, without = sorted(models.serving(target, 1), key=lambda item: not models.members(item)[target])
            maps.append(map_table(answer, target, kept[without], kept[with_target], briefing.seed % 2**31))
        return {
            "pairs": pair_table(answer, answer.evidence),
            "path": path_table(answer.path, len(briefing.targets)),
            "distances": distance_table(answer, answer.evidence, as_word_vectors(accesses), members),
            "word_map": pd.concat(maps, ignore_index=True),
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class _Answer(PairAdversary):
    """The final adversary, with what it learnt from."""

    models: Shadows
    path: Sequence[PairAdversary]
    evidence: Sequence[Evidence]


@dataclass(frozen=True)
class _Adversaries:
    """Makes adversaries of what a student has learnt.

    Attributes:
        attack: How.
        student: What learns.
    """

    attack: WordPairs
    student: Student

    def growing(self, pairs: int) -> Iterator[PairAdversary]:
        """Yield the adversaries that have seen the first ``pairs`` shadow pairs, the attack's own last."""
        yield from self.rivals(pairs)
        yield self.adversary(pairs, self.attack.distance, self.attack.part_name())

    def rivals(self, pairs: int) -> Iterator[PairAdversary]:
        """Yield the paper's adversary, unless that is the attack itself."""
        if self.attack.distance != "l2":
            yield self.adversary(pairs, "l2", "l2_distance")

    def adversary(self, pairs: int, distance: Distance, variant: str) -> PairAdversary:
        """Return an adversary that has seen the first ``pairs`` shadow pairs."""
        functions = [self.student.function(target, pairs, distance) for target in self.student.targets]
        return PairAdversary(self.student.plan, functions, variant, pairs, distance=distance)

    def answer(self) -> _Answer:
        """Return the adversary that has seen all shadow pairs, and its evidence."""
        pairs = self.attack.shadow_pairs
        found = self.adversary(pairs, self.attack.distance, self.attack.part_name())
        evidence = []
        for target in self.student.targets:
            measured, member = self.student.distances(target, pairs, self.attack.distance)
            evidence.append(Evidence(measured[:, found.functions[target].features], member))
        return _Answer(
            plan=found.plan,
            functions=found.functions,
            variant=found.variant,
            shadows=pairs,
            distance=found.distance,
            models=self.student.shadows,
            path=list(self.path()),
            evidence=evidence,
        )

    def path(self) -> Iterator[PairAdversary]:
        """Yield the adversary at every penalty of the path, strongest penalty first."""
        pairs, distance = self.attack.shadow_pairs, self.attack.distance
        fitted = [self.student.path(target, pairs, distance) for target in self.student.targets]
        for place, penalty in enumerate(PATH):
            functions = [path[place] for path in fitted]
            yield PairAdversary(self.student.plan, functions, self.attack.part_name(), pairs, float(penalty), distance)

    def baseline(self, variant: str) -> VectorAdversary:
        """Return the adversary that reads raw coordinates of word vectors with the same LASSO."""
        pairs, plan = self.attack.shadow_pairs, self.student.plan
        functions = []
        for target in self.student.targets:
            columns = plan.everywhere_vectors() if variant == "all_vectors" else plan.within_vectors(target)
            functions.append(self.student.fit(*self.student.measured(target, columns, pairs), pairs))
        return VectorAdversary(plan, functions, variant, pairs)
