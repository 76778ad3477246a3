"""Membership of documents in the training data of a language model, of which only the next word is seen."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, NextWords
from core.attacks import Adversary, Challenge, Guess, MembershipAttack, Target
from core.corpus import DUMMY, Corpus
from core.datasets import Dataset, Words
from core.lab import Lab
from core.models.word2vec import Word2vec
from core.pairs.plan import Distance, Plan, plan
from core.pairs.rows import Rows
from core.pairs.shadows import Shadows, train_shadow
from core.pairs.student import Student
from core.result import Column, Schema, table
from core.seeding import generator
from core.spec import Holds, parameter

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 5
"""Contexts of a pair that are kept."""

_OWN = 1000
"""Documents of the adversary's own that are asked about, at most, to know what is usual outside."""

_SETS = 1000
"""Sets drawn from them."""

_LEVEL = 0.05
"""Share of those who are out that a threshold may accuse."""

_Wanted = Callable[[str, str], bool]
"""Whether two adjacent words, in this order, are a pair to ask about."""


class NextWord(MembershipAttack):
    """Completes a user's telltale word pairs with a language model (Mahloujifar et al. 2021, Algorithm 5).

    The pairs are those that the word-pair attack's preparation chooses for the user: shadow word embeddings, LASSO,
    no language model. Wherever one of them stands in the user's documents, the model is shown what stands before its
    second word; if it ever suggests that word, the user is called a member. The score is the share of contexts that
    it completes, which the paper does not use.

    Most rivals differ in the pairs only: ``all_pairs`` takes every two adjacent words (the paper's baseline 1),
    ``uncommon_pairs`` those with a word that the public dictionary lacks (baseline 2, where the paper's dictionary is
    GloVe's), and, our own, ``other_pairs`` as many random pairs of the user as the attack takes, and ``unseen_pairs``
    those that never stand in the adversary's own documents, for which no shadow is needed. ``full_text``, also ours,
    asks for every word of the documents and calls a user a member when the model completes a larger share than in 95 %
    of as large sets of the adversary's own documents, which it knows to be out: the average accuracy with a threshold
    of Song and Shmatikov 2019, without their shadow models. ``calibrated_pairs`` brings the same knowledge to the
    attack's own pairs: it also asks where they stand in the adversary's own documents, and accuses when the model
    completes more of the user's contexts than that rate explains (binomial test at 5 %). A model that has learnt much
    by heart completes some pair of everybody, so that any completion convicts all; what is unusual still tells.

    On Enron mailboxes of 100 messages, 25 of 50 in each of five LSTMs, it is right in 0.58, the baselines in 0.50, the
    paper in 0.708 (Table 5). Ours learn 2,500 messages by heart (perplexity 34 on them, 293 on others, the paper's 95
    and 108), and so complete some pair of every user: recall is 1, precision 0.54. The share completed still ranks
    members (AUC 0.97); ``calibrated_pairs`` is right in 0.72 with 114 questions, ``full_text`` in 0.95 with 15,000.

    The paper asks with the beginning of the sentence; documents here have no sentences, so the context is what stands
    before in the document, as far as the model can see. Algorithm 5 stops at the first word completed; here all
    contexts are asked and counted, as the page shows them all.
    """

    title: ClassVar[str] = "Through a language model"
    question: ClassVar[str] = "Does a keyboard’s next word tell whose mail it learnt from?"
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and similar ones, trains small word embeddings on them, and may "
        "ask the target model which word it suggests next. It sees no probability and trains no language model."
    )
    needs: ClassVar[type[Access]] = NextWords
    compared: ClassVar[tuple[str, ...]] = ("accuracy", "precision", "recall", "queries")
    findings: ClassVar[dict[str, Schema]] = {
        "pairs": {
            "target": Column("int32", "Number of the target."),
            "rank": Column("int32", "Place by absolute weight, from 0."),
            "first": Column("str", "One word of the pair."),
            "second": Column("str", "The other word."),
            "weight": Column("float64", "Weight in the linear function; negative when closeness betrays membership."),
            "contexts": Column("int32", "How often the pair stands in the target’s documents, in either order."),
            "completed_in": Column("float64", "Share of models with the target that complete it at least once."),
            "completed_out": Column("float64", "The same of models without the target."),
        },
        "contexts": {
            "target": Column("int32", "Number of the target."),
            "rank": Column("int32", "Rank of the pair; at most five contexts of each, those that tell most."),
            "document": Column("int32", "Number of the document among the target’s."),
            "place": Column("int32", "Number of the word that was asked for, in the document."),
            "before": Column("str", "The pair’s word that stands there first."),
            "word": Column("str", "The word that was asked for."),
            "completed_in": Column("float64", "Share of models with the target that suggest it."),
            "completed_out": Column("float64", "Share of models without the target that do."),
            "said_out": Column("str", "What models without the target suggest most often."),
        },
        "verdicts": {
            "target": Column("int32", "Number of the target."),
            "play": Column("int32", "Number of the target model."),
            "member": Column("bool", "Whether the model was trained on the target."),
            "completed": Column("int32", "Contexts that the model completes."),
            "asked": Column("int32", "Contexts that were asked about."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "lstm_lm", "dimension": 64, "epochs": 18, "batch": 16, "learning_rate": 6e-3},
            "game": {
                "rules": "half", "users": "owners", "target_sizes": [20], "targets": 20, "plays": 5, "documents": 200,
            },
            "attack": {
                "shadow_pairs": 10,
                "embedding": {"mode": "skip_gram", "dimension": 32, "minimum_count": 5, "epochs": 10},
            },
        },
        "paper": {
            "dataset": {"part": "enron_mailboxes"},
            "model": {"part": "lstm_lm", "epochs": 8},
            "game": {
                "rules": "half", "users": "owners", "target_sizes": [100], "targets": 50, "plays": 5,
                "documents": 2500,
            },
            "attack": {"dictionary": {"part": "common_words"}},
        },
    }  # fmt: skip

    shadow_pairs: int = parameter(
        100, "Shadow embeddings with each target, and as many without it.", label="Shadow pairs (k)", unit="pairs",
        ge=5, le=2000,
    )  # fmt: skip
    dictionary: Annotated[Dataset | None, Holds(Words)] = parameter(
        None,
        "Words that baseline 2 calls common; none means all words of the adversary’s own documents.",
        label="Common words",
    )
    distance: Distance = parameter(
        "scaled", "Distance by which the pairs are chosen: l2, or l2 over the lengths of both vectors.", advanced=True
    )
    embedding: Word2vec = parameter(
        Word2vec(), "How shadow embeddings are trained.", label="Shadow embedding", advanced=True
    )

    def prepare(self, challenge: Challenge, lab: Lab) -> Iterator[Adversary]:
        """Train shadow embeddings, choose pairs, and yield the baselines and then the attack."""
        shadows = Shadows(challenge, self.embedding, self.shadow_pairs, "pool", "without_replacement", adaptive=True)
        measures = plan(challenge, self.embedding, generator(challenge.seed, "plan"))
        items = shadows.items(self.shadow_pairs)
        shared = {"shadows": shadows, "plan": measures}
        with Rows(lab.store, measures.width) as rows:
            for item, arrays in lab.train("Training shadow embeddings", shadows.key(), train_shadow, items, shared):
                rows.write(item, arrays["row"])
            lab.progress.stage("Choosing the pairs")
            student = Student(shadows, measures, rows)
            chosen = [self._chosen(target, student) for target in student.targets]
        lab.progress.stage("Asking the language models")
        texts = [_texts(challenge.corpus, target) for target in challenge.targets]
        public, seen = self._public(challenge), _adjacent(challenge)
        others = [
            _others(measures, target, chosen[target], generator(challenge.seed, "other pairs", target))
            for target in student.targets
        ]
        wanted: dict[str, Sequence[_Wanted]] = {
            "all_pairs": [lambda first, second: True] * len(texts),
            "uncommon_pairs": [lambda first, second: not {first, second} <= public] * len(texts),
            "unseen_pairs": [lambda first, second: (first, second) not in seen] * len(texts),
            "other_pairs": [_one_of(pairs) for pairs in others],
            self.part_name(): [_one_of(pairs) for pairs in chosen],
        }
        own = _own(challenge)
        yield _Reading("full_text", self.shadow_pairs, texts=texts, own=own, seed=challenge.seed)
        for variant, tests in wanted.items():
            places = [[_places(words, test) for words in text] for text, test in zip(texts, tests, strict=True)]
            answer = _Completing(variant, self.shadow_pairs, texts=texts, places=places, pairs=chosen)
            if variant == self.part_name():
                elsewhere = [[_places(words, test) for words in own] for test in tests]
                yield _Calibrated("calibrated_pairs", self.shadow_pairs, asks=answer, own=own, places=elsewhere)
            yield answer

    def _public(self, challenge: Challenge) -> frozenset[str]:
        if self.dictionary is not None:
            return frozenset(self.dictionary.load().words)
        counts = challenge.corpus.select(challenge.auxiliary).counts()
        return frozenset(challenge.corpus.words[word] for word in np.flatnonzero(counts))

    def _chosen(self, target: int, student: Student) -> list["Pair"]:
        function = student.function(target, self.shadow_pairs, self.distance)
        start, measures = student.plan.pairs(target).start, student.plan
        return [
            Pair(measures.words[measures.left[start + at]], measures.words[measures.right[start + at]], float(weight))
            for at, weight in zip(function.features.tolist(), function.weights, strict=True)
        ]

    def explain(
        self, challenge: Challenge, answer: Adversary, accesses: Sequence[Access], members: NDArray[np.bool_], lab: Lab
    ) -> "dict[str, pd.DataFrame]":
        """Say which pairs were asked about, in which contexts, and which models completed them."""
        if not isinstance(answer, _Completing):
            raise TypeError("explain() takes the answer that prepare() ended with")
        pairs: list[dict[str, Any]] = []
        contexts: list[dict[str, Any]] = []
        verdicts: list[dict[str, Any]] = []
        for target in range(len(challenge.targets)):
            asked = answer.asked(target)
            said = np.array([answer.said(target, access) for access in accesses]).reshape(len(accesses), len(asked))
            right = said == np.array([context.word for context in asked], dtype=np.str_)  # (plays, contexts)
            inside = members[:, target]
            verdicts += [
                {"target": target, "play": play, "member": member, "completed": int(row.sum()), "asked": len(asked)}
                for play, (row, member) in enumerate(zip(right, inside, strict=True))
            ]
            for rank, pair in enumerate(answer.pairs[target]):
                own = np.array([at for at, context in enumerate(asked) if context.of(pair)], dtype=np.int64)
                pairs.append(
                    {
                        "target": target, "rank": rank, "first": pair.first, "second": pair.second,
                        "weight": pair.weight, "contexts": len(own),
                        "completed_in": _share(right[inside][:, own].any(axis=1)),
                        "completed_out": _share(right[~inside][:, own].any(axis=1)),
                    }
                )  # fmt: skip
                told = right[inside][:, own].sum(axis=0) - right[~inside][:, own].sum(axis=0)
                shown = own[np.argsort(-np.abs(told), kind="stable")[:_SHOWN]].tolist()
                contexts += [
                    {
                        "target": target, "rank": rank, "document": asked[at].document, "place": asked[at].place,
                        "before": asked[at].before, "word": asked[at].word,
                        "completed_in": _share(right[inside, at]), "completed_out": _share(right[~inside, at]),
                        "said_out": _commonest(said[~inside, at].tolist()),
                    }
                    for at in shown
                ]  # fmt: skip
        return {
            "pairs": table(self.findings["pairs"], pairs),
            "contexts": table(self.findings["contexts"], contexts),
            "verdicts": table(self.findings["verdicts"], verdicts),
        }


@dataclass(frozen=True)
class Pair:
    """Two adjacent words of a target, and their weight in the linear function."""

    first: str
    second: str
    weight: float


@dataclass(frozen=True)
class Context:
    """A place in a target's documents where the model is asked for the next word.

    Attributes:
        document: Number of the document among the target's.
        place: Number of the word that is asked for.
        before: The word that stands before it.
        word: The word itself.
    """

    document: int
    place: int
    before: str
    word: str

    def of(self, pair: Pair) -> bool:
        """Tell whether a pair stands here, in either order."""
        return (self.before, self.word) in ((pair.first, pair.second), (pair.second, pair.first))


@dataclass(frozen=True, eq=False)
class _Completing(Adversary):
    """Asks a language model for words of a target's documents, and counts those it gets right.

    Attributes:
        texts: For each target, the words of each of its documents.
        places: For each target, the words of each document that are asked for.
        pairs: For each target, the pairs the attack chose.
    """

    variant: str
    shadows: int
    penalty: float = float("nan")
    texts: Sequence[Sequence[Sequence[str]]] = ()
    places: Sequence[Sequence[NDArray[np.int64]]] = ()
    pairs: Sequence[Sequence[Pair]] = ()

    def guess(self, target: int, access: Access) -> Guess:
        """Call a target a member when any of its words is suggested."""
        asked, said = self.asked(target), self.said(target, access)
        right = [context.word == word for context, word in zip(asked, said, strict=True)]
        return Guess(sum(right) / max(len(right), 1), any(right))

    def said(self, target: int, access: Access) -> list[str]:
        """Return what a model suggests at each place of `asked`."""
        if not isinstance(access, NextWords):
            raise TypeError(f"{self.variant} queries next words, not {type(access).__name__}")
        said = access.query(self.texts[target], self.places[target])
        return [word for words in said for word in words]

    def asked(self, target: int) -> list[Context]:
        """Return the places of a target that are asked about."""
        return [
            Context(number, place, text[place - 1], text[place])
            for number, (text, places) in enumerate(zip(self.texts[target], self.places[target], strict=True))
            for place in places.tolist()
        ]


@dataclass(frozen=True, eq=False)
class _Calibrated(Adversary):
    """Compares how much of a target's contexts a model completes with the same pairs in documents known to be out.

    Attributes:
        asks: Asks about the target.
        own: The words of each of the adversary's own documents.
        places: For each target, the words of each of those documents that are asked for.
    """

    variant: str
    shadows: int
    penalty: float = float("nan")
    asks: _Completing = field(kw_only=True)
    own: Sequence[Sequence[str]] = ()
    places: Sequence[Sequence[NDArray[np.int64]]] = ()

    def guess(self, target: int, access: Access) -> Guess:
        """Call a target a member when chance, at the rate outside, would complete as many contexts in 5 % at most."""
        from scipy.stats import binom

        if not isinstance(access, NextWords):
            raise TypeError(f"{self.variant} queries next words, not {type(access).__name__}")
        asked, said = self.asks.asked(target), self.asks.said(target, access)
        right = sum(context.word == word for context, word in zip(asked, said, strict=True))
        outside, completed = _completed(self.own, self.places[target], access)
        rate = (completed.sum() + 1) / (outside.sum() + 2)
        chance = float(binom.logsf(right - 1, len(asked), rate))
        score = float(np.log(_LEVEL)) - chance
        return Guess(score, score > 0)


@dataclass(frozen=True, eq=False)
class _Reading(Adversary):
    """Asks a language model for every word, of targets and of documents it knows to be out.

    Attributes:
        texts: For each target, the words of each of its documents.
        own: The words of each of the adversary's own documents.
        seed: Source of the sets of its own documents.
        heard: By access, how often the model was asked about each of its own documents, and how often it was right.
    """

    variant: str
    shadows: int
    penalty: float = float("nan")
    texts: Sequence[Sequence[Sequence[str]]] = ()
    own: Sequence[Sequence[str]] = ()
    seed: int = 0
    heard: dict[Access, "Counts"] = field(default_factory=dict)

    def guess(self, target: int, access: Access) -> Guess:
        """Return how far the share of words that the model completes lies above what is usual outside."""
        if not isinstance(access, NextWords):
            raise TypeError(f"{self.variant} queries next words, not {type(access).__name__}")
        asked, right = _everywhere(self.texts[target], access)
        score = float(right.sum() / max(asked.sum(), 1) - self._usual(len(self.texts[target]), access))
        return Guess(score, score > 0)

    def _usual(self, size: int, access: NextWords) -> float:
        """Return the share that 95 % of random sets of so many documents of its own do not exceed."""
        if access not in self.heard:
            self.heard[access] = _everywhere(self.own, access)
        asked, right = self.heard[access]
        rng = generator(self.seed, "sets of its own documents", size)
        sets = rng.integers(len(asked), size=(_SETS, size))
        return float(np.quantile(right[sets].sum(axis=1) / np.maximum(asked[sets].sum(axis=1), 1), 1 - _LEVEL))


Counts = tuple[NDArray[np.int64], NDArray[np.int64]]
"""For each document, at how many places a model was asked, and at how many it was right."""


def _everywhere(texts: Sequence[Sequence[str]], access: NextWords) -> Counts:
    """Ask for every word of documents."""
    return _completed(texts, [_places(words, lambda first, second: True) for words in texts], access)


def _completed(texts: Sequence[Sequence[str]], places: Sequence[NDArray[np.int64]], access: NextWords) -> Counts:
    """Ask for the words at some places of documents."""
    said = access.query(texts, places)
    right = [
        sum(words[place] == word for place, word in zip(asked.tolist(), answers, strict=True))
        for words, asked, answers in zip(texts, places, said, strict=True)
    ]
    return np.array([len(asked) for asked in places], dtype=np.int64), np.array(right, dtype=np.int64)


def _own(challenge: Challenge) -> list[list[str]]:
    """Return the words of documents of the adversary's own, so many that a threshold can be drawn from them."""
    rng = generator(challenge.seed, "documents known to be out")
    rows = rng.choice(challenge.auxiliary, min(_OWN, len(challenge.auxiliary)), replace=False)
    corpus = challenge.corpus
    return [[corpus.words[word] for word in corpus.document(int(row))] for row in np.sort(rows)]


def _texts(corpus: Corpus, target: Target) -> list[list[str]]:
    return [[corpus.words[word] for word in corpus.document(row)] for row in target.documents]


def _adjacent(challenge: Challenge) -> set[tuple[str, str]]:
    """Return every two words that stand next to each other in the adversary's own documents, in their order."""
    corpus = challenge.corpus.select(challenge.auxiliary)
    inside = np.ones(max(len(corpus.tokens) - 1, 0), dtype=np.bool_)
    ends = corpus.offsets[1:-1] - 1
    inside[ends[(ends >= 0) & (ends < len(inside))]] = False
    together = np.unique(np.stack([corpus.tokens[:-1], corpus.tokens[1:]], axis=1)[inside], axis=0)
    return {(corpus.words[first], corpus.words[second]) for first, second in together.tolist()}


def _places(words: Sequence[str], wanted: _Wanted) -> NDArray[np.int64]:
    """Return where in a document the second word of a wanted pair stands."""
    found = [
        place
        for place in range(1, len(words))
        if DUMMY not in words[place - 1 : place + 1] and wanted(words[place - 1], words[place])
    ]
    return np.array(found, dtype=np.int64)


def _one_of(pairs: Sequence[Pair]) -> _Wanted:
    either = {order for pair in pairs for order in ((pair.first, pair.second), (pair.second, pair.first))}
    return lambda first, second: (first, second) in either


def _others(plan: Plan, target: int, chosen: Sequence[Pair], rng: np.random.Generator) -> list[Pair]:
    """Return as many random pairs of a target as were chosen, none of them chosen."""
    where = plan.pairs(target)
    taken = {(pair.first, pair.second) for pair in chosen}
    pairs = [
        Pair(plan.words[left], plan.words[right], 0.0)
        for left, right in zip(plan.left[where], plan.right[where], strict=True)
    ]
    free = [pair for pair in pairs if (pair.first, pair.second) not in taken]
    drawn = rng.choice(len(free), min(len(chosen), len(free)), replace=False)
    return [free[at] for at in np.sort(drawn)]


def _share(hits: NDArray[np.bool_]) -> float:
    return float(hits.mean()) if len(hits) else float("nan")


def _commonest(words: Sequence[str]) -> str:
    """Return the word that stands there most often, the first in the alphabet among equals."""
    counted = Counter(words)
    return min(counted, key=lambda word: (-counted[word], word), default="")
