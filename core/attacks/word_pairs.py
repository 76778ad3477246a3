"""Word pairs: adjacent words of a target move together in an embedding that was trained on it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeVar

from pydantic import model_validator

from core.access import Access, WordVectors
from core.adversaries.pairs import sparse_linear, word_map
from core.adversaries.pairs.adversaries import PairAdversary, VectorAdversary
from core.adversaries.pairs.calibrated import PairLikelihoodRatio
from core.adversaries.pairs.evidence import SCHEMAS, Evidence, as_word_vectors, distance_table, pair_table, path_table
from core.adversaries.pairs.plan import Distance, plan
from core.adversaries.pairs.preparations import both_preparations
from core.adversaries.pairs.relative import PairRmiaAdversary, check_count, with_known_outs
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import ShadowModels, train_shadow
from core.adversaries.pairs.student import PATH, Penalty, Student
from core.adversaries.shadows.shadow_pairs import Scheme, scheme_parameter, shadow_count, shadow_pairs_parameter
from core.errors import Incompatible, InvalidSpec
from core.games.attack import AdaptiveAttack, adaptive_parameter
from core.games.membership.contract import Adversary, Briefing, MembershipAttack, Played
from core.result import Drawing, Schema, Tables
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.word_vectors import WordModel

_STEPS = (5, 10, 25, 50, 100, 200, 400, 800)
_AVERAGED_VERSION = 2
_Fitted = TypeVar("_Fitted")


class WordPairs(AdaptiveAttack, MembershipAttack):
    """Membership inference by the distances of adjacent words (Mahloujifar et al. 2021, Algorithms 1 and 2).

    LASSO selects the few adjacent word pairs of a target whose distances separate shadow models with and without it;
    the sign of that function decides, with queries for the words of these pairs only:

        l(M) = b + sum over pairs of a_j * distance(M(w_j), M(w_j+1)),   member if l(M) > 0.

    - *Penalty.* 1/sqrt(k) on the mean square (`core.adversaries.pairs.sparse_linear.fit_path`) keeps the 50 pairs that
      the paper reports; on its plain sum it would keep hundreds. Only words that models without the target know count.
    - *Distance.* Frequent words have longer vectors, so word frequencies in the trainer's half shift all l2 distances
      (the paper's, variant ``l2_distance``). ``scaled`` (ours) divides by the lengths of both vectors.
    - *Calibrated* (ours). Levels of scores differ among targets, which hides a leak in a common ranking. The variant
      ``target_ratio`` compares with shadow models of the same target (`core.adversaries.pairs.calibrated`).
    - *Known outs* (ours). The variant ``known_outs`` compares with the adversary's own sets, asked of the same model
      (`core.adversaries.pairs.relative`).
    - *Averaged* (ours). Where there is a defense, the attack and its variants also train as many shadow models without
      it, and score by the mean of both functions (`core.adversaries.pairs.preparations`); baselines do not. The variant
      ``behind_defense`` has the one of the models behind the defense.
    - *Scheme.* One pool of shadow models serves all targets; ``per_target`` is the paper's.
    """

    version: ClassVar[int] = 2
    title: ClassVar[str] = "Word pairs"
    question: ClassVar[str] = "Were these documents among the text that the word embedding was trained on?"
    claim: ClassVar[str] = (
        "Given the vectors of a target’s rare word pairs, the adversary tells whether its documents were trained on"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question, can train models of the same kind on similar documents, and "
        "may query the target model for the vector of any word. It sees neither the training data nor the secret."
    )
    needs: ClassVar[type[Access]] = WordVectors
    tables: ClassVar[dict[str, Schema]] = SCHEMAS
    drawings: ClassVar[Mapping[str, Drawing]] = {"word_map": Drawing(word_map.SCHEMA, word_map.draw)}
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
            "attack": {"calibrated": True, "known_outs": 25},
        },
    }

    shadow_pairs: int = shadow_pairs_parameter(200, least=2)
    scheme: Scheme = scheme_parameter()
    sampling: Literal["without_replacement", "bootstrap"] = parameter(
        "without_replacement", "How a shadow model's other documents are drawn from the adversary's.", advanced=True
    )
    distance: Distance = parameter(
        "scaled",
        "Distance of two words: L2 as in the paper, or L2 over the lengths of both vectors, which removes the "
        "effect of word frequency.",
    )
    standardise: bool = parameter(True, "Give every distance unit variance over the shadows first.", advanced=True)
    penalty: Penalty = parameter(
        "inverse_root", "LASSO penalty: 1/sqrt(k) as in the paper, or chosen on held-out shadow models.", advanced=True
    )
    adaptive: bool = adaptive_parameter()
    baselines: bool = parameter(True, "Also run two weaker adversaries that use raw word vectors.", advanced=True)
    calibrated: bool = parameter(
        False,
        "Also run an adversary whose scores are calibrated for each target, by shadow models.",
        advanced=True,
        implied=False,
    )
    known_outs: int = parameter(
        0,
        "Also run an adversary that compares each target with this many sets of its own documents, which it knows are "
        "out, in the same model; 0 for none. Half of the shadow models hold each.",
        label="Sets known to be out",
        ge=0,
        le=200,
        advanced=True,
        implied=0,
    )
    averaged: bool = parameter(
        False,
        "Where there is a defense, also train as many shadow models without it, and score by the mean of both.",
        advanced=True,
        implied=False,
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key; from version 2 on, the mean of both preparations is the attack itself."""
        return {**super().identity(), **({"averaged_version": _AVERAGED_VERSION} if self.averaged else {})}

    def shadow_models(self, targets: int) -> int:
        """Return the shadow models of one pool, or of each target; as many again for the mean of both preparations."""
        return shadow_count(self.shadow_pairs, self.scheme, targets) * (1 + self.averaged)

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train shadow models, and yield a stronger adversary whenever enough of them are trained."""
        if not isinstance(briefing.model, WordModel):
            raise Incompatible(f"{self.part_name()} needs a model of word vectors.")
        shadows = with_known_outs(self._shadows(briefing), self.known_outs)
        measures = plan(shadows.briefing, briefing.model, generator(briefing.seed, "plan"))
        context.progress.stage("Loading what fits the functions")
        sparse_linear.load()
        with ExitStack() as opened:
            rows = opened.enter_context(Rows(context.store, measures.width))
            outs = len(shadows.briefing.targets) - len(briefing.targets)
            student = Student(shadows, measures, rows, self.penalty, self.standardise, outs)
            both = both_preparations(student, self.shadow_pairs, context)
            prepared = opened.enter_context(both) if self.averaged and shadows.defenses else student
            trainings = context.train(
                "Training shadow models",
                shadows.key(),
                train_shadow,
                shadows.items(self.shadow_pairs),
                {"shadows": shadows, "plan": measures},
                then="Fitting to the shadow models so far",
            )
            growing = _Adversaries(self, prepared)
            for pairs in student.growing(trainings, _STEPS):
                yield from growing.growing(pairs)
            adversaries = _Adversaries(self, prepared, context.progress.advance)
            context.progress.stage("Fitting the linear functions", total=adversaries.functions)
            if self.baselines:
                yield adversaries.baseline("all_vectors")
                yield adversaries.baseline("target_words")
            yield from adversaries.variants(self.shadow_pairs)
            if self.calibrated:
                yield PairLikelihoodRatio.of(prepared, self.shadow_pairs, self.distance, "target_ratio")
            if self.known_outs:
                yield PairRmiaAdversary.beside(prepared, self.shadow_pairs, self.distance)
            if prepared is not student:
                yield _Adversaries(self, student).adversary(self.shadow_pairs, self.distance, "behind_defense")
            answer = adversaries.answer()
            context.progress.stage("Deciding at each penalty", total=len(answer.path))
            for adversary in answer.path:
                yield adversary
                context.progress.advance()
            yield answer

    def check(self, briefing: Briefing) -> None:
        """Check that the adversary has the sets that are known to be out."""
        with_known_outs(self._shadows(briefing), self.known_outs)

    def _shadows(self, briefing: Briefing) -> ShadowModels:
        return ShadowModels(briefing, briefing.model, self.shadow_pairs, self.scheme, self.sampling, self.adaptive)

    @model_validator(mode="after")
    def _settings_agree(self) -> Self:
        check_count(self.known_outs, pooled=self.scheme == "pool")
        if self.averaged and not self.adaptive:
            raise InvalidSpec(
                f"The 'averaged' parameter of {self.part_name()} must be false for an adversary that does not "
                "know the defense. Got true instead; with 'adaptive' true, it may be true.",
                "averaged",
            )
        return self

    def knowing(self, *, adaptive: bool) -> Self:
        """Return the same attack by an adversary that knows the defenses, or by a naive one, which cannot average."""
        return self.replace(adaptive=adaptive, averaged=self.averaged and adaptive)

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the selected pairs and their distances in each model, and keep what maps of their words show."""
        answer, targets = played.answer, range(len(played.briefing.targets))
        if not isinstance(answer, _Answer):
            raise TypeError("explain() takes the answer that prepare() ended with")
        models = answer.models
        shared = {"shadows": models, "plan": answer.plan}
        trained = context.train("Reading two shadow models", models.key(), train_shadow, models.vector_items, shared)
        vectors = {item: arrays["vectors"] for item, arrays in trained}
        compared = [models.compared(target) for target in targets]
        context.kept["word_map"] = word_map.kept(answer, compared, vectors, played.briefing.seed % 2**31)
        context.progress.stage("Measuring the distances of the pairs")
        return {
            "pairs": pair_table(answer, answer.evidence),
            "path": path_table(answer.path, len(targets)),
            "distances": distance_table(answer, answer.evidence, as_word_vectors(played.accesses), played.members),
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class _Answer(PairAdversary):
    """The final adversary, with its shadow models and evidence."""

    models: ShadowModels
    path: Sequence[PairAdversary]
    evidence: Sequence[Evidence]


@dataclass(frozen=True)
class _Adversaries:
    """Makes adversaries from a student's linear functions.

    Attributes:
        attack: The parameters.
        student: The student.
        on_function: Called after each function, or path of functions, of a target.
    """

    attack: WordPairs
    student: Student
    on_function: Callable[[], None] = lambda: None

    @property
    def functions(self) -> int:
        """Number of functions that baselines, variants, answer and path need."""
        fitted = 2 * self.attack.baselines + (self.attack.distance != "l2") + 2
        return fitted * len(self.student.targets)

    def growing(self, pairs: int) -> Iterator[PairAdversary]:
        """Yield the adversaries that use the first ``pairs`` shadow pairs, the attack itself last."""
        yield from self.variants(pairs)
        yield self.adversary(pairs, self.attack.distance, self.attack.part_name())

    def variants(self, pairs: int) -> Iterator[PairAdversary]:
        """Yield the paper's adversary, unless that is the attack itself."""
        if self.attack.distance != "l2":
            yield self.adversary(pairs, "l2", "l2_distance")

    def adversary(self, pairs: int, distance: Distance, variant: str) -> PairAdversary:
        """Return an adversary that uses the first ``pairs`` shadow pairs."""
        functions = [self._noted(self.student.function(target, pairs, distance)) for target in self.student.targets]
        return PairAdversary(self.student.plan, functions, variant, pairs, distance=distance)

    def answer(self) -> _Answer:
        """Return the adversary that uses all shadow pairs, and its evidence."""
        pairs = self.attack.shadow_pairs
        final = self.adversary(pairs, self.attack.distance, self.attack.part_name())
        evidence = []
        for target in self.student.targets:
            measured, member = self.student.distances(target, pairs, self.attack.distance)
            evidence.append(Evidence(measured[:, final.functions[target].features], member))
        return _Answer(
            plan=final.plan,
            functions=final.functions,
            variant=final.variant,
            shadows=pairs,
            distance=final.distance,
            models=self.student.shadows,
            path=list(self.path()),
            evidence=evidence,
        )

    def path(self) -> Iterator[PairAdversary]:
        """Yield the adversary at every penalty of the path, strongest penalty first."""
        pairs, distance = self.attack.shadow_pairs, self.attack.distance
        fitted = [self._noted(self.student.path(target, pairs, distance)) for target in self.student.targets]
        for index, penalty in enumerate(PATH):
            functions = [path[index] for path in fitted]
            yield PairAdversary(self.student.plan, functions, self.attack.part_name(), pairs, float(penalty), distance)

    def baseline(self, variant: str) -> VectorAdversary:
        """Return the adversary that fits the same LASSO on raw coordinates of word vectors."""
        pairs, plan = self.attack.shadow_pairs, self.student.plan
        functions = []
        for target in self.student.targets:
            columns = plan.everywhere_vectors() if variant == "all_vectors" else plan.within_vectors(target)
            functions.append(self._noted(self.student.fit(*self.student.measured(target, columns, pairs), pairs)))
        return VectorAdversary(plan, functions, variant, pairs)

    def _noted(self, fitted: _Fitted) -> _Fitted:
        self.on_function()
        return fitted
