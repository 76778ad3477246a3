"""Membership through a classifier: words appended to documents move labels as the embedding's words lie."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, DocumentLabels
from core.adversaries.pairs.plan import Distance, Plan, measure, plan
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import Shadows
from core.adversaries.pairs.student import Student
from core.errors import Incompatible
from core.games.membership.contract import Adversary, Answer, Briefing, MembershipAttack
from core.networks.document_classifier import Sums
from core.result import Column, Schema, table
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.targets.document_model import DocumentModel

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.ensemble import RandomForestClassifier

_STEPS = (10, 25, 50, 100, 200, 400, 800)
_SHOWN = 10


class ClassifierProbing(MembershipAttack):
    """Membership inference through a classifier that was built on the embedding (Mahloujifar et al. 2021, section 4).

    The word-pair attack's preparation chooses words of the target. On every shadow embedding a classifier is trained as
    the trainer would; then documents are classified with each of the words appended 0 to 5 times. How often a word must
    be repeated before the label changes tells on which side it lies and how far out, and so, roughly, which words lie
    together. A random forest learns from the shadow classifiers' labels whether the target was in, and reads the labels
    of a target model (Algorithms 3 and 4):

        S = { q_i with w appended j times },   member if forest(C(S)) > 1/2.

    Where the paper is silent, or another choice was made:

    - *Shadows.* The models of one pool serve every target, each target being in one of every two, and each embedding
      has one classifier (`core.adversaries.pairs.shadows`). The paper trains 500 of each for every target.
    - *Words.* Those of the pairs that LASSO selects at 1/sqrt(k), on distances divided by the lengths of the vectors;
      the paper's penalty is 0.1, at most ``words`` of them, those of the heaviest pairs first.
    - *Queries.* Appending a word adds its score to a sum (`core.networks.document_classifier.Sums`), so that shadow
      classifiers are asked by array arithmetic. A target model counts every document it would have been sent.
    - *Features.* The paper's forest reads labels. Of a document and a word it reads here how many of the labels at 0 to
      5 repetitions are positive: a label changes at most once as a word is repeated, so that the count says when.
    - *Documents asked about* are drawn from the adversary's own half of the classifier's documents.
    - *Control.* The variant ``other_words`` appends as many random words that stand in no pair of the target: what it
      reaches is not owed to the chosen words.

    Reached with 100 shadow pairs and 50 target models (`python -m core precompute --only "probing_*"`) for 10, 100 and
    1,000 documents: where the classifier shares the embedding's documents (Enron-Spam), accuracy 0.56, 0.66, 0.83 and
    AUC 0.60, 0.71, 0.92; the paper's Table 2 has 0.77, 0.84, 0.91. Where it has documents of its own (embedding on R
    mailing lists), 0.56, 0.58, 0.79; Table 1 has 0.65, 0.69, 0.79. The paper trains five times the shadows, and does
    not say how long its sentences are; accuracy still rises from 50 to 100 pairs. Random words reach 0.64 and 0.67 for
    1,000 documents: so many documents move all words a little.
    """

    title: ClassVar[str] = "Through a classifier"
    question: ClassVar[str] = (
        "Does a spam filter that says only spam or not spam still tell whose mail it was built on?"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question, can train models and classifiers of the same kind on similar "
        "documents, and may ask the target classifier for the label of any document. It sees no score and no vector."
    )
    needs: ClassVar[type[Access]] = DocumentLabels
    tables: ClassVar[dict[str, Schema]] = {
        "words": {
            "target": Column("int32", "Number of the target."),
            "rank": Column("int32", "Place of the word, 0 for one of the heaviest pair."),
            "word": Column("str", "The word."),
            "flips_in": Column(
                "float64", "Mean share of probes with it whose label differs from that without, target in."
            ),
            "flips_out": Column("float64", "The same in shadow models without the target."),
        },
        "probes": {
            "target": Column("int32", "Number of the target."),
            "rank": Column("int32", "0 for the probe that tells most in the shadow models; the first ten only."),
            "document": Column("int32", "Number of the document among those asked about."),
            "word": Column("str", "What is appended."),
            "repetitions": Column("int32", "How often."),
            "share_in": Column("float64", "Share of the shadow models with the target that call it positive."),
            "share_out": Column("float64", "Share of those without it."),
            "one_in": Column("bool", "What the first shadow model with the target says."),
            "one_out": Column("bool", "What its counterpart without it says."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_people"},
            "model": {
                "part": "spam_classifier",
                "positive": "person",
                "mode": "skip_gram",
                "dimension": 32,
                "minimum_count": 5,
                "epochs": 10,
            },
            "game": {"target_sizes": [150], "targets": 4, "plays": 30, "documents": 1000},
            "attack": {"shadow_pairs": 60},
        },
        "paper": {
            "dataset": {"part": "enron_spam", "label": "both"},
            "model": {"part": "spam_classifier", "dictionary": {"part": "common_words"}},
            "game": {"target_sizes": [10, 100, 1000], "documents": 10_000},
        },
    }

    shadow_pairs: int = parameter(
        200,
        "Shadow models with each target, and as many without it.",
        label="Shadow pairs (k)",
        unit="pairs",
        ge=5,
        le=2000,
    )
    documents: int = parameter(
        100,
        "Documents of its own that the adversary appends words to.",
        label="Documents asked about",
        unit="documents",
        ge=1,
        le=2000,
    )
    repetitions: int = parameter(5, "How often a word is appended at most.", unit="times", ge=1, le=100)
    words: int = parameter(100, "Most words of a target that are appended.", unit="words", ge=2, le=1000, advanced=True)
    distance: Distance = parameter(
        "scaled", "Distance by which the pairs are chosen: l2, or l2 over the lengths of both vectors.", advanced=True
    )
    trees: int = parameter(300, "Trees of the random forest.", unit="trees", ge=10, le=5000, advanced=True)
    control: bool = parameter(True, "Also let random words be appended instead.", advanced=True)

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train shadow embeddings with classifiers, and yield stronger adversaries as they come."""
        if briefing.labelled is None or not isinstance(briefing.model, DocumentModel):
            raise Incompatible(f"{self.part_name()} needs a model that classifies documents.")
        shadows = Shadows(briefing, briefing.model, self.shadow_pairs, "pool", "without_replacement", adaptive=True)
        rng = generator(briefing.seed, "documents asked about")
        chosen = rng.choice(len(briefing.labelled), min(self.documents, len(briefing.labelled)), replace=False)
        asked = briefing.labelled.corpus.select(np.sort(chosen))
        questions = asked.texts()
        measures = plan(briefing, briefing.model, generator(briefing.seed, "plan"))
        shared = {"shadows": shadows, "plan": measures, "asked": questions}
        key = key_of({"probed shadows": 1, "shadows": shadows.key(), "asked": questions})
        steps = [step for step in _STEPS if step < self.shadow_pairs] + [self.shadow_pairs]
        missing = {step: set(shadows.items(step)) for step in steps}
        on_epoch: dict[int, Arrays] = {}
        with Rows(context.store, measures.width) as rows:
            student = _Prober(self, Student(shadows, measures, rows), questions, on_epoch)
            trainings = context.train(
                "Training shadow models with classifiers", key, _train, shadows.items(self.shadow_pairs), shared
            )
            for item, arrays in trainings:
                rows.write(item, arrays["row"])
                on_epoch[item] = {name: arrays[name] for name in ("scores", "totals", "counts", "bias")}
                for step in steps:
                    missing[step].discard(item)
                while len(steps) > 1 and not missing[steps[0]]:
                    yield student.adversary(steps.pop(0), self.part_name())
            context.progress.stage("Growing the forests")
            if self.control:
                yield student.adversary(self.shadow_pairs, "other_words")
            yield student.adversary(self.shadow_pairs, self.part_name())

    def explain(
        self,
        briefing: Briefing,
        answer: Adversary,
        accesses: Sequence[Access],
        members: NDArray[np.bool_],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Say which words were appended, and which probes tell most."""
        if not isinstance(answer, _ProbingAdversary):
            raise TypeError("explain() takes the answer that prepare() ended with")
        words: list[dict[str, Any]] = []
        probes: list[dict[str, Any]] = []
        for target, seen in enumerate(answer.seen):
            words += _word_rows(target, answer.words[target], seen)
            probes += _probe_rows(target, answer.words[target], seen)
        return {"words": table(self.tables["words"], words), "probes": table(self.tables["probes"], probes)}


@dataclass(frozen=True)
class Seen:
    """What shadow classifiers say to a target's probes.

    Attributes:
        labels: (models, documents, words, repetitions + 1) whether each probe is positive.
        member: (models,) which models hold the target.
    """

    labels: NDArray[np.bool_]
    member: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _ProbingAdversary(Adversary):
    """Sends a target model the probes of a target, and lets a forest read the labels.

    Attributes:
        variant: Name of the attack or of its control.
        shadows: Shadow pairs it learnt from.
        asked: The documents, as words.
        repetitions: How often a word is appended at most.
        words: The words of each target.
        forests: What reads the labels of each target; None where nothing varies.
        columns: Which counts each forest reads.
        seen: What the shadow models said.
    """

    variant: str
    shadows: int
    penalty: float = float("nan")
    asked: Sequence[Sequence[str]] = ()
    repetitions: int = 0
    words: Sequence[Sequence[str]] = ()
    forests: "Sequence[RandomForestClassifier | None]" = ()
    columns: Sequence[NDArray[np.int64]] = ()
    seen: Sequence[Seen] = ()

    def guess(self, target: int, access: Access) -> Answer:
        """Return how far above one half the forest thinks it that the target was in."""
        if not isinstance(access, DocumentLabels):
            raise TypeError(f"{self.variant} queries labels, not {type(access).__name__}")
        forest = self.forests[target]
        if forest is None:
            return Answer(0.0, False)
        counts = _counts(access.query(self.asked, self.words[target], self.repetitions)[None])
        score = float(forest.predict_proba(counts[:, self.columns[target]])[0, 1]) - 0.5
        return Answer(score, score > 0)


@dataclass(frozen=True)
class _Prober:
    """Chooses words, asks the shadow classifiers, and grows forests.

    Attributes:
        attack: How.
        student: Chooses the pairs.
        asked: The documents, as words.
        on_epoch: By model, what decides about its labels (`core.networks.document_classifier.Sums`).
    """

    attack: ClassifierProbing
    student: Student
    asked: Sequence[Sequence[str]]
    on_epoch: Mapping[int, Arrays]

    def adversary(self, pairs: int, variant: str) -> _ProbingAdversary:
        """Return an adversary that has seen the first ``pairs`` shadow pairs."""
        words, forests, columns, seen = [], [], [], []
        for target in self.student.targets:
            own = self._words(target, pairs)
            rows = own if variant == self.attack.part_name() else self._others(target, len(own))
            answered = self._ask(target, pairs, rows)
            forest, read = self._forest(target, answered)
            words.append([self.student.plan.words[row] for row in rows])
            forests.append(forest)
            columns.append(read)
            seen.append(answered)
        return _ProbingAdversary(
            variant,
            pairs,
            asked=self.asked,
            repetitions=self.attack.repetitions,
            words=words,
            forests=forests,
            columns=columns,
            seen=seen if variant == self.attack.part_name() else (),
        )

    def _words(self, target: int, pairs: int) -> NDArray[np.int64]:
        """Return the words of a target's selected pairs, as indices into the plan's, those of heavy pairs first."""
        plan = self.student.plan
        chosen = plan.pairs(target).start + self.student.function(target, pairs, self.attack.distance).features
        both = np.stack([plan.left[chosen], plan.right[chosen]], axis=1).ravel().tolist()
        return np.array(list(dict.fromkeys(both))[: self.attack.words], dtype=np.int64)

    def _others(self, target: int, count: int) -> NDArray[np.int64]:
        """Return as many random words of those that are measured and stand in no pair of the target."""
        plan, where = self.student.plan, self.student.plan.pairs(target)
        rng = generator(self.student.shadows.briefing.seed, "other words", target)
        free = np.setdiff1d(np.arange(len(plan.words)), [*plan.left[where], *plan.right[where]])
        return np.sort(rng.choice(free, min(count, len(free)), replace=False))

    def _ask(self, target: int, pairs: int, rows: NDArray[np.int64]) -> Seen:
        serving = self.student.shadows.serving(target, pairs)
        labels = np.array(
            [
                _sums(self.on_epoch[item]).appended(self.on_epoch[item]["scores"][rows], self.attack.repetitions)
                for item in serving
            ]
        )
        return Seen(labels, self.student.holding(target, serving))

    def _forest(self, target: int, seen: Seen) -> "tuple[RandomForestClassifier | None, NDArray[np.int64]]":
        from sklearn.ensemble import RandomForestClassifier

        counts = _counts(seen.labels)
        read = np.flatnonzero(np.ptp(counts, axis=0))
        if not len(read):
            return None, read
        seed = int(generator(self.student.shadows.briefing.seed, "forest", target).integers(2**31))
        forest = RandomForestClassifier(self.attack.trees, random_state=seed)
        return forest.fit(counts[:, read], seen.member), read


def _counts(labels: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many labels are positive for each document and word, (models, documents times words)."""
    return np.asarray(labels.sum(axis=3).reshape(len(labels), -1), dtype=np.int64)


def _sums(arrays: Arrays) -> Sums:
    return Sums(arrays["totals"], arrays["counts"], float(arrays["bias"]))


def _train(item: int, shadows: Shadows, plan: Plan, asked: Sequence[Sequence[str]]) -> Arrays:
    """Train a shadow embedding and a classifier on it; return what is measured in both."""
    briefing = shadows.briefing
    model, labelled = shadows.model, briefing.labelled
    if not isinstance(model, DocumentModel) or labelled is None:
        raise TypeError(f"{model.part_name()} has no classifier")
    rows = shadows.documents(item)
    embedding = model.train(briefing.corpus.select(rows), generator(briefing.seed, "shadow model", item))
    rng = generator(briefing.seed, "shadow classifier", item)
    classifier = model.classifier(embedding, labelled.select(model.training_rows(labelled, rows, rng)), rng)
    sums = classifier.sums(asked)
    return {
        "row": measure(plan, embedding),
        "scores": classifier.scores(plan.words),
        "totals": sums.totals,
        "counts": sums.counts,
        "bias": np.array(sums.bias),
    }


def _word_rows(target: int, words: Sequence[str], seen: Seen) -> list[dict[str, Any]]:
    flipped = (seen.labels != seen.labels[..., :1])[..., 1:].mean(axis=(1, 3))  # (models, words)
    return [
        {
            "target": target,
            "rank": rank,
            "word": word,
            "flips_in": flipped[seen.member, rank].mean(),
            "flips_out": flipped[~seen.member, rank].mean(),
        }
        for rank, word in enumerate(words)
    ]


def _probe_rows(target: int, words: Sequence[str], seen: Seen) -> list[dict[str, Any]]:
    """Return the probes whose labels differ most between models with and without the target."""
    shares = [seen.labels[side].mean(axis=0) for side in (seen.member, ~seen.member)]  # (documents, words, times) each
    one_in, one_out = (seen.labels[np.flatnonzero(side)[0]] for side in (seen.member, ~seen.member))
    apart = np.abs(shares[0] - shares[1]).max(axis=2)
    rows = []
    for rank, place in enumerate(np.argsort(-apart, axis=None, kind="stable")[:_SHOWN].tolist()):
        document, word = divmod(place, len(words))
        for times in range(seen.labels.shape[3]):
            at = document, word, times
            rows.append(
                {
                    "target": target,
                    "rank": rank,
                    "document": document,
                    "word": words[word],
                    "repetitions": times,
                    "share_in": shares[0][at],
                    "share_out": shares[1][at],
                    "one_in": one_in[at],
                    "one_out": one_out[at],
                }
            )
    return rows
