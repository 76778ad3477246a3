"""Membership of documents in the training data of a language model, of which only the next word is seen."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, NextWords
from core.adversaries.pairs.completion import Calibrated, Completing, Reading, Text, Wanted, anywhere, places
from core.adversaries.pairs.evidence import words_of_pair
from core.adversaries.pairs.plan import Distance, Plan, plan
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import Shadows, train_shadow
from core.adversaries.pairs.student import Student
from core.datasets import Dataset
from core.games.membership.contract import Adversary, Briefing, MembershipAttack
from core.models.word2vec import Word2vec
from core.result import Column, Schema, table
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.text.contents import Words

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 5
"""Contexts of a pair that are kept."""

_OWN = 1000
"""Documents of the adversary's own that are asked about, at most, to know what is usual outside."""


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

    On Enron mailboxes of 100 messages, 25 of 50 in each of five LSTMs, it is right in 0.58, the baselines in 0.50,
    the paper in 0.708 (Table 5). Ours learn 2,500 messages by heart (perplexity 34 on them, 293 on others, the
    paper's 95 and 108), and so complete some pair of every user: recall is 1, precision 0.54. The share completed
    still ranks members (AUC 0.97); ``calibrated_pairs`` is right in 0.72 with 114 questions, ``full_text`` in 0.95
    with 15,000. A transformer (perplexity 60 and 238) gives 0.60, 0.69 and 0.94; on fourteen senders to the R
    mailing lists, where fifteen have so many messages, a smaller LSTM gives 0.57 with an interval that holds
    chance, 0.57 and 0.89. How long each trains was chosen in a pilot on another split, at half the size, where
    perplexity on other documents was still falling; both overfit more here, which helps the ranking and hurts the
    accuracy. ``calibrated_pairs`` was added when the AUC of the LSTM's run had been seen; its 5 % was fixed before
    and nothing in it was tuned. The demo's ten shadow pairs and its passes were chosen on seeds 11 and 12; at seed
    1 its accuracy is at chance, for its telltale pairs are common words.

    The paper asks with the beginning of the sentence; documents here have no sentences, so the context is what stands
    before in the document, as far as the model can see. Algorithm 5 stops at the first word completed; here all
    contexts are asked and counted, as the page shows them all.
    """

    title: ClassVar[str] = "Next-word completion"
    question: ClassVar[str] = "Does a keyboard’s next word tell whose mail it learnt from?"
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and similar ones, trains small word embeddings on them, and may "
        "ask the target model which word it suggests next. It sees no probability and trains no language model."
    )
    needs: ClassVar[type[Access]] = NextWords
    compared: ClassVar[tuple[str, ...]] = ("accuracy", "precision", "recall", "queries", "epsilon_at_least")
    tables: ClassVar[dict[str, Schema]] = {
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
                "rules": "half",
                "users": "owners",
                "target_sizes": [20],
                "targets": 20,
                "plays": 5,
                "documents": 200,
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
                "rules": "half",
                "users": "owners",
                "target_sizes": [100],
                "targets": 50,
                "plays": 5,
                "documents": 2500,
            },
            "attack": {"dictionary": {"part": "common_words"}},
        },
    }

    shadow_pairs: int = parameter(
        100,
        "Shadow embeddings with each target, and as many without it.",
        label="Shadow pairs (k)",
        unit="pairs",
        ge=5,
        le=2000,
    )
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

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train shadow embeddings, choose pairs, and yield the baselines and then the attack."""
        shadows = Shadows(briefing, self.embedding, self.shadow_pairs, "pool", "without_replacement", adaptive=True)
        measures = plan(briefing, self.embedding, generator(briefing.seed, "plan"))
        items = shadows.items(self.shadow_pairs)
        shared = {"shadows": shadows, "plan": measures}
        with Rows(context.store, measures.width) as rows:
            for item, arrays in context.train("Training shadow embeddings", shadows.key(), train_shadow, items, shared):
                rows.write(item, arrays["row"])
            context.progress.stage("Choosing the pairs")
            student = Student(shadows, measures, rows)
            chosen = [self._chosen(target, student) for target in student.targets]
        context.progress.stage("Asking the language models")
        corpus = briefing.corpus
        texts = [corpus.select(target.documents).texts() for target in briefing.targets]
        known = corpus.select(briefing.auxiliary).texts()
        drawn = generator(briefing.seed, "documents known to be out").choice(
            len(known), min(_OWN, len(known)), replace=False
        )
        own = [known[row] for row in np.sort(drawn)]
        public = self._public(known)
        seen = {pair for words in known for pair in pairwise(words)}
        others = [
            _others(measures, target, chosen[target], generator(briefing.seed, "other pairs", target))
            for target in student.targets
        ]
        wanted: dict[str, Sequence[Wanted]] = {
            "all_pairs": [anywhere] * len(texts),
            "uncommon_pairs": [lambda first, second: not {first, second} <= public] * len(texts),
            "unseen_pairs": [lambda first, second: (first, second) not in seen] * len(texts),
            "other_pairs": [_one_of(pairs) for pairs in others],
            self.part_name(): [_one_of(pairs) for pairs in chosen],
        }
        asked = {
            variant: [places(text, test) for text, test in zip(texts, tests, strict=True)]
            for variant, tests in wanted.items()
        }
        k, telltale = self.shadow_pairs, asked.pop(self.part_name())
        yield Reading("full_text", k, texts=texts, asked=asked["all_pairs"], own=own, seed=briefing.seed)
        for variant, numbers in asked.items():
            yield Completing(variant, k, texts=texts, asked=numbers)
        elsewhere = [places(own, test) for test in wanted[self.part_name()]]
        yield Calibrated("calibrated_pairs", k, texts=texts, asked=telltale, own=own, elsewhere=elsewhere)
        yield _Answer(self.part_name(), k, texts=texts, asked=telltale, pairs=chosen)

    def _public(self, known: Text) -> frozenset[str]:
        if self.dictionary is not None:
            return frozenset(self.dictionary.load().words)
        return frozenset(word for words in known for word in words)

    def _chosen(self, target: int, student: Student) -> list["Pair"]:
        function = student.function(target, self.shadow_pairs, self.distance)
        start = student.plan.pairs(target).start
        return [
            Pair(*words_of_pair(student.plan, start + at), float(weight))
            for at, weight in zip(function.features.tolist(), function.weights, strict=True)
        ]

    def explain(
        self,
        briefing: Briefing,
        answer: Adversary,
        accesses: Sequence[Access],
        members: NDArray[np.bool_],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Say which pairs were asked about, in which contexts, and which models completed them."""
        if not isinstance(answer, _Answer):
            raise TypeError("explain() takes the answer that prepare() ended with")
        pairs: list[dict[str, Any]] = []
        contexts: list[dict[str, Any]] = []
        verdicts: list[dict[str, Any]] = []
        for target in range(len(briefing.targets)):
            asked = answer.contexts(target)
            answers = [answer.completed(target, access).said for access in accesses]
            said = np.array([list(chain.from_iterable(words)) for words in answers]).reshape(len(accesses), len(asked))
            right = said == np.array([place.word for place in asked], dtype=np.str_)  # (plays, contexts)
            inside = members[:, target]
            verdicts += [
                {"target": target, "play": play, "member": member, "completed": int(row.sum()), "asked": len(asked)}
                for play, (row, member) in enumerate(zip(right, inside, strict=True))
            ]
            for rank, pair in enumerate(answer.pairs[target]):
                own = np.array([at for at, place in enumerate(asked) if place.of(pair)], dtype=np.int64)
                pairs.append(
                    {
                        "target": target,
                        "rank": rank,
                        "first": pair.first,
                        "second": pair.second,
                        "weight": pair.weight,
                        "contexts": len(own),
                        "completed_in": _share(right[inside][:, own].any(axis=1)),
                        "completed_out": _share(right[~inside][:, own].any(axis=1)),
                    }
                )
                told = right[inside][:, own].sum(axis=0) - right[~inside][:, own].sum(axis=0)
                shown = own[np.argsort(-np.abs(told), kind="stable")[:_SHOWN]].tolist()
                contexts += [
                    {
                        "target": target,
                        "rank": rank,
                        "document": asked[at].document,
                        "place": asked[at].place,
                        "before": asked[at].before,
                        "word": asked[at].word,
                        "completed_in": _share(right[inside, at]),
                        "completed_out": _share(right[~inside, at]),
                        "said_out": _commonest(said[~inside, at].tolist()),
                    }
                    for at in shown
                ]
        return {
            "pairs": table(self.tables["pairs"], pairs),
            "contexts": table(self.tables["contexts"], contexts),
            "verdicts": table(self.tables["verdicts"], verdicts),
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
class _Answer(Completing):
    """The attack itself.

    Attributes:
        pairs: For each target, the pairs it chose.
    """

    pairs: Sequence[Sequence[Pair]] = ()

    def contexts(self, target: int) -> list[Context]:
        """Return the places of a target that are asked about, in the order in which they are asked."""
        return [
            Context(number, place, text[place - 1], text[place])
            for number, (text, numbers) in enumerate(zip(self.texts[target], self.asked[target], strict=True))
            for place in numbers.tolist()
        ]


def _one_of(pairs: Sequence[Pair]) -> Wanted:
    either = {order for pair in pairs for order in ((pair.first, pair.second), (pair.second, pair.first))}
    return lambda first, second: (first, second) in either


def _others(plan: Plan, target: int, chosen: Sequence[Pair], rng: np.random.Generator) -> list[Pair]:
    """Return as many random pairs of a target as were chosen, none of them chosen."""
    where = plan.pairs(target)
    taken = {(pair.first, pair.second) for pair in chosen}
    pairs = [Pair(*words_of_pair(plan, at), 0.0) for at in range(where.start, where.stop)]
    free = [pair for pair in pairs if (pair.first, pair.second) not in taken]
    drawn = rng.choice(len(free), min(len(chosen), len(free)), replace=False)
    return [free[at] for at in np.sort(drawn)]


def _share(hits: NDArray[np.bool_]) -> float:
    return float(hits.mean()) if len(hits) else float("nan")


def _commonest(words: Sequence[str]) -> str:
    """Return the word that stands there most often, the first in the alphabet among equals."""
    counted = Counter(words)
    return min(counted, key=lambda word: (-counted[word], word), default="")
