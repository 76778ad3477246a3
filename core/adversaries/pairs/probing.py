"""Adversaries that append words to documents and learn membership from a classifier's labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.access import Access, DocumentLabels
from core.adversaries.pairs.plan import Distance, Plan, measure
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.pairs.student import Student
from core.games.membership.contract import Answer, PreparedAdversary
from core.networks.document_classifier import Sums
from core.runtime.context import Arrays
from core.runtime.seeding import generator
from core.targets.document_model import DocumentModel

if TYPE_CHECKING:
    from sklearn.ensemble import RandomForestClassifier


@dataclass(frozen=True)
class ProbeLabels:
    """Labels of a target's probes by shadow classifiers.

    Attributes:
        labels: (models, documents, words, repetitions + 1) whether each probe is positive.
        member: (models,) which models hold the target.
    """

    labels: NDArray[np.bool_]
    member: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ProbingAdversary(PreparedAdversary):
    """Queries a target model with the probes of a target, and passes the labels to a random forest.

    Attributes:
        documents: The documents, as words.
        repetitions: How often a word is appended at most.
        words: The words of each target.
        forests: The forest of each target; None where no label varies.
        columns: Which counts each forest uses.
        probes: The labels by shadow models; empty for the control.
    """

    documents: Sequence[Sequence[str]] = ()
    repetitions: int = 0
    words: Sequence[Sequence[str]] = ()
    forests: "Sequence[RandomForestClassifier | None]" = ()
    columns: Sequence[NDArray[np.int64]] = ()
    probes: Sequence[ProbeLabels] = ()

    def answer(self, target: int, access: Access) -> Answer:
        """Return by how much the forest's probability of membership exceeds one half."""
        if not isinstance(access, DocumentLabels):
            raise TypeError(f"{self.variant} queries labels, not {type(access).__name__}")
        forest = self.forests[target]
        if forest is None:
            return Answer(0.0)
        counts = _counts(access.query(self.documents, self.words[target], self.repetitions)[None])
        return Answer(probability(forest, counts[:, self.columns[target]]) - 0.5)


@dataclass(frozen=True)
class Prober:
    """Chooses words, evaluates the shadow classifiers, and trains forests.

    Attributes:
        student: Chooses the word pairs.
        documents: The documents, as words.
        sums: The shadow classifiers' sums of word scores, by number of the model.
        distance: Distance by which pairs are chosen.
        most: Most words of a target.
        repetitions: How often a word is appended at most.
        trees: Trees of a forest.
        on_forest: Called after each forest.
    """

    student: Student
    documents: Sequence[Sequence[str]]
    sums: Mapping[int, Arrays]
    distance: Distance
    most: int
    repetitions: int
    trees: int
    on_forest: Callable[[], None] = lambda: None

    def adversary(self, pairs: int, variant: str, *, control: bool = False) -> ProbingAdversary:
        """Return an adversary that uses the first ``pairs`` shadow pairs; the control appends random words."""
        words, forests, columns, probes = [], [], [], []
        for target in self.student.targets:
            rows = self._words(target, pairs)
            if control:
                rows = self._other_words(target, len(rows))
            labels = self._labels(target, pairs, rows)
            forest, varying = self._forest(target, labels)
            words.append([self.student.plan.words[row] for row in rows])
            forests.append(forest)
            columns.append(varying)
            probes.append(labels)
            self.on_forest()
        return ProbingAdversary(
            variant,
            pairs,
            documents=self.documents,
            repetitions=self.repetitions,
            words=words,
            forests=forests,
            columns=columns,
            probes=() if control else probes,
        )

    def _words(self, target: int, pairs: int) -> NDArray[np.int64]:
        """Return the words of a target's selected pairs, as indices into the plan's, those of heavy pairs first."""
        plan = self.student.plan
        selected = plan.pairs(target).start + self.student.function(target, pairs, self.distance).features
        words = np.stack([plan.left[selected], plan.right[selected]], axis=1).ravel().tolist()
        return np.array(list(dict.fromkeys(words))[: self.most], dtype=np.int64)

    def _other_words(self, target: int, count: int) -> NDArray[np.int64]:
        """Return random measured words that are in no pair of the target."""
        plan, columns = self.student.plan, self.student.plan.pairs(target)
        rng = generator(self.student.shadows.briefing.seed, "other words", target)
        free = np.setdiff1d(np.arange(len(plan.words)), [*plan.left[columns], *plan.right[columns]])
        return np.sort(rng.choice(free, min(count, len(free)), replace=False))

    def _labels(self, target: int, pairs: int, words: NDArray[np.int64]) -> ProbeLabels:
        serving = self.student.shadows.serving(target, pairs)
        arrays = [self.sums[item] for item in serving]
        labels = [
            Sums(model["totals"], model["counts"], float(model["bias"])).appended(
                model["scores"][words], self.repetitions
            )
            for model in arrays
        ]
        return ProbeLabels(np.array(labels), self.student.holding(target, serving))

    def _forest(self, target: int, probes: ProbeLabels) -> "tuple[RandomForestClassifier | None, NDArray[np.int64]]":
        from sklearn.ensemble import RandomForestClassifier

        counts = _counts(probes.labels)
        varying = np.flatnonzero(np.ptp(counts, axis=0))
        if not len(varying):
            return None, varying
        seed = int(generator(self.student.shadows.briefing.seed, "forest", target).integers(2**31))
        forest = RandomForestClassifier(self.trees, random_state=seed)
        return forest.fit(counts[:, varying], probes.member), varying


def probability(forest: "RandomForestClassifier", counts: NDArray[np.generic]) -> float:
    """Return the forest's probability of membership by one row of counts, (1, words), tree by tree.

    The bits are those of the forest itself, which would check the row anew for each tree, several times as long.
    """
    row = counts.astype(np.float32)
    return float(sum(tree.predict_proba(row, check_input=False)[0, 1] for tree in forest.estimators_) / len(forest))


def load() -> None:
    """Load what trains forests, so that the first one does not wait for it while shadow models are trained."""
    import sklearn.ensemble  # noqa: F401


def train_shadow_classifier(
    item: int, shadows: ShadowModels, plan: Plan, documents: Sequence[Sequence[str]]
) -> dict[str, NDArray[np.generic]]:
    """Train a shadow embedding and a classifier on it; return the measurements of both."""
    briefing = shadows.briefing
    model, labelled = shadows.model, briefing.labelled
    if not isinstance(model, DocumentModel) or labelled is None:
        raise TypeError(f"{model.part_name()} has no classifier")
    rows = shadows.documents(item)
    embedding = model.train(briefing.corpus.select(rows), generator(briefing.seed, "shadow model", item))
    rng = generator(briefing.seed, "shadow classifier", item)
    classifier = model.classifier(embedding, labelled.select(model.training_rows(labelled, rows, rng)), rng)
    sums = classifier.sums(documents)
    return {
        "row": measure(plan, embedding),
        "scores": classifier.scores(plan.words),
        "totals": sums.totals,
        "counts": sums.counts,
        "bias": np.array(sums.bias),
    }


def _counts(labels: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of positive labels for each document and word, (models, documents times words)."""
    return np.asarray(labels.sum(axis=3).reshape(len(labels), -1), dtype=np.int64)
