"""Classifiers of texts that an adversary trains itself, with each target and without it."""

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.answers import ClassLabels, ClassProbabilities
from core.adversaries.damaged_copies import Copies
from core.games.answers.contract import AnswersBriefing
from core.keys import key_of
from core.runtime.context import RunContext, content_key
from core.runtime.seeding import generator
from core.statistics.likelihood_ratio import Rule, ShadowStatistics

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_VERSION = 1
_MOST_WORDS = 50_000
_LEAST = 1e-5
"""Smallest probability that counts, and the least distance of the largest from 1: services round."""


@dataclass(frozen=True)
class ShadowClassifiers:
    """The shadow classifiers of an adversary: logistic regressions on TF-IDF weights of words.

    Classifiers 2j and 2j+1 form pair j, and a coin for each target decides which of the two is trained on it.

    Attributes:
        briefing: The adversary's briefing.
        pairs: Number of pairs.
        strength: Inverse strength of the penalty on weights.
        copies: How damaged copies are made, some of which were asked about in a second round.
    """

    briefing: AnswersBriefing
    pairs: int
    strength: float
    copies: Copies

    def key(self) -> str:
        """Key of all that determines the classifiers, except their number."""
        briefing, digest = self.briefing, hashlib.sha256()
        for values in (briefing.documents.texts, briefing.documents.labels):
            for value in values:
                digest.update(f"{len(value)} {value}".encode())
        again = {"copies": content_key(self._again[1]), "made": repr(self.copies)} if self.briefing.again else {}
        return key_of(
            {
                "shadow classifiers": _VERSION,
                "documents": digest.hexdigest(),
                "targets": [list(target.documents) for target in briefing.targets],
                "size": briefing.size,
                "strength": self.strength,
                "seed": briefing.seed,
                **again,
            }
        )

    def members(self, item: int) -> NDArray[np.bool_]:
        """Return which targets a classifier is trained on, (targets,)."""
        pair, side = divmod(item, 2)
        coins = generator(self.briefing.seed, "coins", pair).random(len(self.briefing.targets)) < 0.5
        return coins ^ bool(side)

    def rows(self, item: int) -> NDArray[np.int64]:
        """Return the rows of the documents that a classifier is trained on."""
        briefing = self.briefing
        chosen = [
            row
            for target, held in zip(briefing.targets, self.members(item), strict=True)
            for row in target.documents
            if held
        ]
        room = min(max(briefing.size - len(chosen), 0), len(briefing.auxiliary))
        others = generator(briefing.seed, "shadow documents", item).choice(briefing.auxiliary, room, replace=False)
        return np.concatenate([np.array(chosen, np.int64), others])

    def trained(self, context: RunContext) -> "ClassifierScores":
        """Train all classifiers, and return how sure each is of the class of each document in question."""
        documents, asked = self.briefing.documents, self.briefing.asked
        classes = np.unique(documents.labels, return_inverse=True)[1]
        copies, of_copy = self._again
        weights, weights_again = _weights(documents.texts, copies)
        asked_rows = np.array(asked)
        shared = {"shadows": self, "weights": weights, "classes": classes, "asked": asked_rows}
        shared |= {"weights_again": weights_again, "again": asked_rows[of_copy]}
        items = range(2 * self.pairs)
        read = dict(context.train("Training shadow classifiers", self.key(), train_classifier, items, shared))
        return ClassifierScores(
            briefing=self.briefing,
            member=np.array([self.members(item) for item in items]),
            probability=np.array([read[item]["probability"] for item in items]),
            likeliest=np.array([read[item]["likeliest"] for item in items]),
            copies=copies,
            of_copy=of_copy,
            likeliest_again=np.array([read[item]["again"] for item in items]) if copies else None,
        )

    @cached_property
    def _again(self) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """The copies that were asked about, and the position of the document in question that each is of."""
        briefing, asked = self.briefing, set(self.briefing.again)
        chosen: list[tuple[str, int]] = []
        for number, row in enumerate(briefing.asked if asked else ()):
            made = self.copies.of(briefing.documents.texts[row], briefing.seed)
            if asked.issuperset(made):
                chosen += [(copy, number) for copy in made]
        return tuple(copy for copy, _ in chosen), np.array([number for _, number in chosen], np.int64)


def train_classifier(
    item: int,
    shadows: ShadowClassifiers,
    weights: "csr_matrix",
    classes: NDArray[np.int64],
    asked: NDArray[np.int64],
    weights_again: "csr_matrix | None",
    again: NDArray[np.int64],
) -> dict[str, NDArray[Any]]:
    """Train one shadow classifier.

    Args:
        item: Its number.
        shadows: All of them.
        weights: (documents, words).
        classes: (documents,) the number of the class of each.
        asked: Rows of the documents in question.
        weights_again: (copies, words) of the copies that were asked about again; None without any.
        again: (copies,) the row of the document that each is of.

    Returns:
        Of each document in question ``probability``, that of its class, and ``likeliest``, whether its class is; of
        each copy ``again``, whether its document's class is the likeliest.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    rows, true_classes = shadows.rows(item), classes[asked]
    known = np.unique(classes[rows])
    if len(known) < 2:
        right = true_classes == known[0]
        repeated = {} if weights_again is None else {"again": classes[again] == known[0]}
        return {"probability": right.astype(np.float64), "likeliest": right, **repeated}
    classifier = LogisticRegression(C=shadows.strength, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        classifier.fit(weights[rows], classes[rows])
    probabilities = classifier.predict_proba(weights[asked])
    column = np.searchsorted(known, true_classes).clip(max=len(known) - 1)
    of_own = np.where(known[column] == true_classes, probabilities[np.arange(len(true_classes)), column], 0.0)
    outputs = {"probability": of_own, "likeliest": known[probabilities.argmax(axis=1)] == true_classes}
    if weights_again is not None:
        outputs["again"] = classifier.predict(weights_again) == classes[again]
    return outputs


@dataclass(frozen=True, eq=False)
class ClassifierScores:
    """How sure shadow classifiers are of the classes of the documents in question.

    Attributes:
        briefing: The adversary's briefing.
        member: (classifiers, targets) which classifier was trained on which target.
        probability: (classifiers, documents) of the class of each.
        likeliest: (classifiers, documents) whether its class is the likeliest.
        copies: Copies that were asked about in a second round.
        of_copy: (copies,) position of the document in question that each is of.
        likeliest_again: (classifiers, copies) whether that document's class is the likeliest; None without copies.
    """

    briefing: AnswersBriefing
    member: NDArray[np.bool_]
    probability: NDArray[np.float64]
    likeliest: NDArray[np.bool_]
    copies: tuple[str, ...]
    of_copy: NDArray[np.int64]
    likeliest_again: NDArray[np.bool_] | None

    @property
    def first_round(self) -> "ClassifierScores":
        """The same without what was asked in a second round."""
        return replace(self, copies=(), of_copy=np.empty(0, np.int64), likeliest_again=None)

    def scored(self, rule: Rule, access: Access) -> NDArray[np.float64]:
        """Return the scores of the targets in a model by a rule, (targets,)."""
        return rule(self.observed(access), self.shadows(access))

    def shadows(self, access: Access) -> ShadowStatistics:
        """Return the statistics that the classifiers give where they answer as the model does."""
        given = self.probability if isinstance(access, ClassProbabilities) else self.likeliest.astype(np.float64)
        if self.likeliest_again is not None:
            pairs = zip(given, self.likeliest_again, strict=True)
            given = np.array([self._lasting(first, again) for first, again in pairs])
        return ShadowStatistics(
            statistic=np.array([self._statistic(row) for row in given]),
            member=self.member,
            couple=np.arange(len(given)) // 2,
            group=np.zeros(self.member.shape[1], np.int64),
        )

    def observed(self, access: Access) -> NDArray[np.float64]:
        """Return the statistic of each target, (targets,), from the model's answers. One query a document."""
        if not isinstance(access, ClassLabels):
            raise TypeError(f"classes are those of a classifier, not of {type(access).__name__}")
        documents, asked = self.briefing.documents, self.briefing.asked
        texts, classes = ([values[row] for row in asked] for values in (documents.texts, documents.labels))
        given = access.probabilities(texts, classes)
        if self.copies:
            again = access.probabilities(self.copies, [classes[number] for number in self.of_copy])
            given = self._lasting(given, again > 0.5)
        return self._statistic(given)

    def _lasting(self, first: NDArray[np.float64], again: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the share of a document and its copies whose class is the document's, (documents,).

        It is 0 where the document's own is another: of such documents no copies are asked about.

        Args:
            first: (documents,) 1 where the class is the document's, else 0.
            again: (copies,) whether it is that of the copy's document.
        """
        right = np.bincount(self.of_copy, again, minlength=len(first))
        copies = np.bincount(self.of_copy, minlength=len(first))
        return np.asarray(first * (1 + right) / (1 + copies))

    def _statistic(self, probability: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return normal scores of the targets' mean log odds of their classes, (targets,), for (documents,).

        Half of the targets trained each model, the one in question and the shadows, so that ranks among them can be
        compared where models of different kinds are differently sure.
        """
        from scipy.stats import norm, rankdata

        kept = np.clip(probability, _LEAST, 1 - _LEAST)
        sizes = [target.size for target in self.briefing.targets]
        of_target = np.repeat(np.arange(len(sizes)), sizes)
        odds = np.bincount(of_target, np.log(kept) - np.log1p(-kept)) / sizes
        return np.asarray(norm.ppf(rankdata(odds) / (len(odds) + 1)))


def _weights(texts: Sequence[str], copies: Sequence[str]) -> "tuple[csr_matrix, csr_matrix | None]":
    """Return TF-IDF weights of words, (texts, words), and of the same words in copies, None without copies."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(sublinear_tf=True, max_features=_MOST_WORDS, token_pattern=r"(?u)\w+")
    return words.fit_transform(texts), words.transform(copies) if copies else None
