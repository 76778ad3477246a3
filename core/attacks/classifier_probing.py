"""Classifier probing: words appended to documents flip a classifier's labels, depending on the embedding below it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from core.access import Access, DocumentLabels
from core.adversaries.pairs import probing
from core.adversaries.pairs.plan import Distance, plan
from core.adversaries.pairs.probing import ProbeLabels, Prober, ProbingAdversary, train_shadow_classifier
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.pairs.student import Student
from core.adversaries.shadows.shadow_pairs import Scheme, scheme_parameter, shadow_count, shadow_pairs_parameter
from core.defenses import DataDefense, Defense
from core.errors import Incompatible
from core.games.membership.contract import Adversary, Briefing, MembershipAttack, Played
from core.keys import key_of
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.document_model import DocumentModel

_STEPS = (10, 25, 50, 100, 200, 400, 800)
_MOST_PROBES = 10


class ClassifierProbing(MembershipAttack):
    """Membership inference through a classifier built on the embedding (Mahloujifar et al. 2021, section 4).

    The word-pair attack chooses words w of the target. On every shadow embedding a classifier is trained as the trainer
    would, and labels documents q_i with each word appended j = 0 to 5 times. A random forest is trained on these
    labels, and predicts membership from those of the target model (Algorithms 3 and 4):

        S = { q_i with w appended j times },   member if forest(C(S)) > 1/2.

    Where the paper is silent, or we deviate:

    - *Shadows.* One pool serves every target, one classifier an embedding; the paper has 500 a target (``per_target``).
    - *Words.* LASSO at 1/sqrt(k) on scaled distances; the paper's penalty is 0.1. At most ``words``.
    - *Features.* Per document and word the number of positive labels, since a label changes at most once with j.
    - *Queries.* Shadow classifiers are evaluated from sums of word scores; a target model counts every document.
    """

    title: ClassVar[str] = "Classifier probing"
    question: ClassVar[str] = "Does a classifier that returns only a label still reveal whose texts it was built on?"
    claim: ClassVar[str] = (
        "Given only labels, the adversary tells whether a target’s documents were among those behind a classifier"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question with their true classes, can train models and classifiers of "
        "the same kind on similar documents, and may query the target classifier for the label of any document. It "
        "sees no score and no vector."
    )
    needs: ClassVar[type[Access]] = DocumentLabels
    trains_behind: ClassVar[tuple[type[Defense], ...]] = (DataDefense,)
    tables: ClassVar[dict[str, Schema]] = {
        "words": {
            "target": Column("int32", "Number of the target."),
            "rank": Column("int32", "Rank of the word, 0 for one of the heaviest pair."),
            "word": Column("str", "The word."),
            "flips_in": Column(
                "float64", "Mean share of probes with it whose label differs from that without, target in."
            ),
            "flips_out": Column("float64", "The same in shadow models without the target."),
        },
        "probes": {
            "target": Column("int32", "Number of the target."),
            "rank": Column("int32", "0 for the probe that tells most in the shadow models; the first ten only."),
            "document": Column("int32", "Number of the probed document."),
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
            # Enron-Spam without near copies has no more than 7,900 documents in each half and 6 targets of each size.
            "game": {"target_sizes": [10, 100, 1000], "targets": 6, "documents": 7900},
        },
    }

    shadow_pairs: int = shadow_pairs_parameter(200)
    scheme: Scheme = scheme_parameter(implied="pool")
    documents: int = parameter(
        100, "Auxiliary documents that words are appended to.", label="Documents", unit="documents", ge=1, le=2000
    )
    repetitions: int = parameter(5, "How often a word is appended at most.", unit="times", ge=1, le=100)
    words: int = parameter(100, "Most words of a target that are appended.", unit="words", ge=2, le=1000, advanced=True)
    distance: Distance = parameter(
        "scaled", "Distance by which the pairs are chosen: L2, or L2 over the lengths of both vectors.", advanced=True
    )
    trees: int = parameter(300, "Trees of the random forest.", unit="trees", ge=10, le=5000, advanced=True)
    control: bool = parameter(True, "Also run a control that appends random words.", advanced=True)
    """The variant ``other_words``, which is not the paper's: its words are in no pair of the target."""

    def shadow_models(self, targets: int) -> int:
        """Return the shadow models of one pool, or of each target."""
        return shadow_count(self.shadow_pairs, self.scheme, targets)

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train shadow embeddings with classifiers, and yield stronger adversaries as they come."""
        if briefing.labelled is None or not isinstance(briefing.model, DocumentModel):
            raise Incompatible(f"{self.part_name()} needs a model that classifies documents.")
        shadows = ShadowModels(
            briefing, briefing.model, self.shadow_pairs, self.scheme, "without_replacement", adaptive=True
        )
        rng = generator(briefing.seed, "documents asked about")
        chosen = rng.choice(len(briefing.labelled), min(self.documents, len(briefing.labelled)), replace=False)
        documents = briefing.labelled.corpus.select(np.sort(chosen)).texts()
        measures = plan(briefing, briefing.model, generator(briefing.seed, "plan"))
        key = key_of({"probed shadows": 1, "shadows": shadows.key(), "asked": documents})
        shared = {"shadows": shadows, "plan": measures, "documents": documents}
        context.progress.stage("Loading what trains the forests")
        probing.load()
        trainings = context.train(
            "Training shadow models with classifiers",
            key,
            train_shadow_classifier,
            shadows.items(self.shadow_pairs),
            shared,
            then="Training forests on the shadow models so far",
        )
        sums: dict[int, Arrays] = {}

        def recorded() -> Iterator[tuple[int, Arrays]]:
            for item, arrays in trainings:
                sums[item] = {name: arrays[name] for name in ("scores", "totals", "counts", "bias")}
                yield item, arrays

        with Rows(context.store, measures.width) as rows:
            student = Student(shadows, measures, rows)
            prober = Prober(student, documents, sums, self.distance, self.words, self.repetitions, self.trees)
            for pairs in student.growing(recorded(), _STEPS):
                yield prober.adversary(pairs, self.part_name())
            final = replace(prober, on_forest=context.progress.advance)
            context.progress.stage("Training the forests", total=(1 + self.control) * len(student.targets))
            if self.control:
                yield final.adversary(self.shadow_pairs, "other_words", control=True)
            yield final.adversary(self.shadow_pairs, self.part_name())

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the appended words, and the probes that differ most."""
        answer = played.answer
        if not isinstance(answer, ProbingAdversary):
            raise TypeError("explain() takes the answer that prepare() ended with")
        return {
            name: table(
                self.tables[name],
                [
                    row
                    for target, probes in enumerate(answer.probes)
                    for row in rows(target, answer.words[target], probes)
                ],
            )
            for name, rows in (("words", _word_rows), ("probes", _probe_rows))
        }


def _word_rows(target: int, words: Sequence[str], probes: ProbeLabels) -> list[dict[str, Any]]:
    flipped = (probes.labels != probes.labels[..., :1])[..., 1:].mean(axis=(1, 3))  # (models, words)
    return [
        {
            "target": target,
            "rank": rank,
            "word": word,
            "flips_in": flipped[probes.member, rank].mean(),
            "flips_out": flipped[~probes.member, rank].mean(),
        }
        for rank, word in enumerate(words)
    ]


def _probe_rows(target: int, words: Sequence[str], probes: ProbeLabels) -> list[dict[str, Any]]:
    """Return the probes whose labels differ most between models with and without the target."""
    sides = [probes.labels[probes.member], probes.labels[~probes.member]]  # (models, documents, words, times) each
    shares = [labels.mean(axis=0) for labels in sides]
    difference = np.abs(shares[0] - shares[1]).max(axis=2)
    rows = []
    for rank, index in enumerate(np.argsort(-difference, axis=None, kind="stable")[:_MOST_PROBES].tolist()):
        document, word = divmod(index, len(words))
        for times in range(probes.labels.shape[3]):
            probe = document, word, times
            rows.append(
                {
                    "target": target,
                    "rank": rank,
                    "document": document,
                    "word": words[word],
                    "repetitions": times,
                    "share_in": shares[0][probe],
                    "share_out": shares[1][probe],
                    "one_in": sides[0][0][probe],
                    "one_out": sides[1][0][probe],
                }
            )
    return rows
