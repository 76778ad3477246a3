"""Next-word completion: membership of documents in a language model that shows only the next word."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.language_models import NextWords
from core.adversaries.own_sets import Text, asked_about
from core.adversaries.pairs.completion import (
    CalibratedCompletion,
    CompletionAdversary,
    FullText,
    VocabularyAdversary,
    Wanted,
    anywhere,
    positions,
)
from core.adversaries.pairs.evidence import PAIR
from core.adversaries.pairs.plan import Distance, plan
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import ShadowModels, train_shadow
from core.adversaries.pairs.student import Student
from core.adversaries.pairs.telltale import TelltaleAdversary, one_of, other_pairs, selected_pairs
from core.adversaries.shadows.shadow_pairs import Scheme, scheme_parameter, shadow_count, shadow_pairs_parameter
from core.datasets import Dataset
from core.defenses import DataDefense, Defense
from core.games.membership.contract import Adversary, Briefing, MembershipAttack, Played
from core.models.word2vec import Word2vec
from core.result import Column, Schema, Tables, table
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.targets.word_language_model import small_lstm
from core.text.contents import Words

_MOST_CONTEXTS = 5
"""Contexts of a pair in the tables."""

_WORDS = {"part": "common_words", "size": 10_000}
"""Vocabulary of the language models: public, so that it tells nothing."""
_OUTSIDE = 1000
"""Most auxiliary documents that the model is queried about, unless fewer are of too few owners."""


class NextWord(MembershipAttack):
    """Membership by completion of a user's telltale word pairs (Mahloujifar et al. 2021, Algorithm 5).

    Shadow word embeddings and LASSO choose the pairs (`core.attacks.word_pairs`). At every pair in the user's documents
    the model is queried for its second word; one completion makes the user a member. The score, the share of completed
    contexts, is ours. The context is the document so far, not the sentence. Variants: ``all_pairs`` (the paper's
    baseline 1), ``uncommon_pairs`` with a word outside a public dictionary (baseline 2), and ours:

    - ``other_pairs`` are random pairs of the user, ``unseen_pairs`` those absent from the auxiliary documents;
    - ``full_text`` queries every word; more words must be completed than in 95% of equally large sets of auxiliary
      documents (Song and Shmatikov 2019, without shadow models). Such sets vary less than owners do, so that owners are
      flagged too often; with ``controls``, it asks about documents of whole owners, as ``calibrated_pairs`` then does,
      and more words must be completed than of 95% of owners (`core.adversaries.own_sets.of_one_more`);
    - ``calibrated_pairs`` compares with completions of the same pairs in auxiliary documents (binomial test at 5%);
    - ``vocabulary``, one of the ``controls``, sees only which words the model knows, before any training.

    No adversary is naive. Private training of the language model changes nothing of shadow embeddings, so that they are
    the same whether it is known or not; behind subsampling, the adversary always knows the defense.
    """

    title: ClassVar[str] = "Next-word completion"
    question: ClassVar[str] = "Does a keyboard’s next word reveal whose texts it learnt from?"
    claim: ClassVar[str] = (
        "Given only next words, the adversary tells whether a keyboard learnt from a target’s documents"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and similar ones, trains small word embeddings on them, and may "
        "query the target model for the next word. It sees no probability and trains no language model."
    )
    needs: ClassVar[type[Access]] = NextWords
    trains_behind: ClassVar[tuple[type[Defense], ...]] = (DataDefense,)
    compared: ClassVar[tuple[str, ...]] = ("accuracy", "precision", "recall", "queries", "epsilon_at_least")
    tables: ClassVar[dict[str, Schema]] = {
        "pairs": {
            **PAIR,
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
        # The settings of the demo were chosen on seed 2; the stored result is of seed 1.
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": small_lstm(6000, epochs=45, batch=16, learning_rate=1e-2),
            "game": {
                "rules": "half",
                "users": "owners",
                "target_sizes": [10],
                "targets": 20,
                "plays": 5,
                "documents": 100,
            },
            "attack": {
                "shadow_pairs": 20,
                "embedding": {"mode": "skip_gram", "dimension": 32, "minimum_count": 3, "epochs": 10},
                "controls": True,
            },
        },
        "paper": {
            "dataset": {"part": "enron_mailboxes"},
            "model": {"part": "lstm_lm", "dictionary": _WORDS, "minimum_count": 0, "epochs": 8},
            "game": {
                "rules": "half",
                "users": "owners",
                "target_sizes": [100],
                "targets": 50,
                "plays": 5,
                "documents": 2500,
            },
            "attack": {"dictionary": {"part": "common_words", "size": 5000}, "controls": True},
        },
    }

    shadow_pairs: int = shadow_pairs_parameter(100, trained="Shadow embeddings")
    scheme: Scheme = scheme_parameter(implied="pool")
    dictionary: Annotated[Dataset | None, Holds(Words)] = parameter(
        None, "Common words of baseline 2; none means all words of the auxiliary documents.", label="Common words"
    )
    distance: Distance = parameter(
        "scaled", "Distance by which the pairs are chosen: L2, or L2 over the lengths of both vectors.", advanced=True
    )
    embedding: Word2vec = parameter(
        Word2vec(), "How shadow embeddings are trained.", label="Shadow embedding", advanced=True
    )

    controls: bool = parameter(
        False,
        "Also play a baseline that sees only which words the model knows, and set thresholds on documents of one owner "
        "each.",
        advanced=True,
        implied=False,
    )

    @property
    def owners_version(self) -> int:
        """With its controls, thresholds are those of whole owners."""
        return int(self.controls)

    def shadow_models(self, targets: int) -> int:
        """Return the shadow models of one pool, or of each target."""
        return shadow_count(self.shadow_pairs, self.scheme, targets)

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Train shadow embeddings, choose pairs, and yield the baselines and then the attack."""
        shadows = ShadowModels(
            briefing, self.embedding, self.shadow_pairs, self.scheme, "without_replacement", adaptive=True
        )
        measures = plan(briefing, self.embedding, generator(briefing.seed, "plan"))
        items = shadows.items(self.shadow_pairs)
        shared = {"shadows": shadows, "plan": measures}
        with Rows(context.store, measures.width) as rows:
            for item, arrays in context.train("Training shadow embeddings", shadows.key(), train_shadow, items, shared):
                rows.write(item, arrays["row"])
            student = Student(shadows, measures, rows)
            context.progress.stage("Choosing the pairs", total=len(student.targets))
            chosen = []
            for target in student.targets:
                chosen.append(selected_pairs(student, target, self.shadow_pairs, self.distance))
                context.progress.advance()
        context.progress.stage("Querying the language models")
        corpus = briefing.corpus
        texts = [corpus.select(target.documents).texts() for target in briefing.targets]
        auxiliary = corpus.select(briefing.auxiliary).texts()
        asked, sets = asked_about(briefing if self.controls else replace(briefing, owners=()), _OUTSIDE)
        outside = [auxiliary[row] for row in asked]
        public = self._public(auxiliary)
        adjacent = {pair for words in auxiliary for pair in pairwise(words)}
        random_pairs = [
            other_pairs(measures, target, chosen[target], generator(briefing.seed, "other pairs", target))
            for target in student.targets
        ]
        wanted: dict[str, Sequence[Wanted]] = {
            "all_pairs": [anywhere] * len(texts),
            "uncommon_pairs": [lambda first, second: not {first, second} <= public] * len(texts),
            "unseen_pairs": [lambda first, second: (first, second) not in adjacent] * len(texts),
            "other_pairs": [one_of(pairs) for pairs in random_pairs],
            self.part_name(): [one_of(pairs) for pairs in chosen],
        }
        queried = {
            variant: [positions(text, test) for text, test in zip(texts, tests, strict=True)]
            for variant, tests in wanted.items()
        }
        k, telltale = self.shadow_pairs, queried.pop(self.part_name())
        if self.controls:
            yield VocabularyAdversary("vocabulary", k, texts=texts, outside=outside, sets=sets)
        yield FullText("full_text", k, texts=texts, queried=queried["all_pairs"], outside=outside, sets=sets)
        for variant, numbers in queried.items():
            yield CompletionAdversary(variant, k, texts=texts, queried=numbers)
        elsewhere = [positions(outside, test) for test in wanted[self.part_name()]]
        yield CalibratedCompletion(
            "calibrated_pairs", k, texts=texts, queried=telltale, outside=outside, elsewhere=elsewhere
        )
        yield TelltaleAdversary(self.part_name(), k, texts=texts, queried=telltale, pairs=chosen)

    def _public(self, auxiliary: Text) -> frozenset[str]:
        if self.dictionary is not None:
            return frozenset(self.dictionary.load().words)
        return frozenset(word for words in auxiliary for word in words)

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the chosen pairs, their contexts, and which models completed them."""
        answer, accesses = played.answer, played.accesses
        if not isinstance(answer, TelltaleAdversary):
            raise TypeError("explain() takes the answer that prepare() ended with")
        rows: dict[str, list[dict[str, Any]]] = {name: [] for name in self.tables}
        for target in range(len(played.briefing.targets)):
            contexts = answer.contexts(target)
            suggested = [answer.completed(target, access).suggested for access in accesses]
            words = np.array([list(chain.from_iterable(texts)) for texts in suggested])
            words = words.reshape(len(accesses), len(contexts))
            right = words == np.array([context.word for context in contexts], dtype=np.str_)  # (plays, contexts)
            inside = played.members[:, target]
            rows["verdicts"] += [
                {"target": target, "play": play, "member": member, "completed": int(row.sum()), "asked": len(contexts)}
                for play, (row, member) in enumerate(zip(right, inside, strict=True))
            ]
            for rank, pair in enumerate(answer.pairs[target]):
                matching = np.array([at for at, context in enumerate(contexts) if context.of(pair)], dtype=np.int64)
                rows["pairs"].append(
                    {
                        **dict(zip(PAIR, (target, rank, *pair), strict=True)),
                        "contexts": len(matching),
                        "completed_in": _share(right[inside][:, matching].any(axis=1)),
                        "completed_out": _share(right[~inside][:, matching].any(axis=1)),
                    }
                )
                gains = right[inside][:, matching].sum(axis=0) - right[~inside][:, matching].sum(axis=0)
                rows["contexts"] += [
                    {
                        "target": target,
                        "rank": rank,
                        **contexts[at]._asdict(),
                        "completed_in": _share(right[inside, at]),
                        "completed_out": _share(right[~inside, at]),
                        "said_out": _commonest(words[~inside, at].tolist()),
                    }
                    for at in matching[np.argsort(-np.abs(gains), kind="stable")[:_MOST_CONTEXTS]].tolist()
                ]
        return {name: table(schema, rows[name]) for name, schema in self.tables.items()}


def _share(hits: NDArray[np.bool_]) -> float:
    return float(hits.mean()) if len(hits) else float("nan")


def _commonest(words: Sequence[str]) -> str:
    """Return the most frequent word, the first in the alphabet among equals."""
    counts = Counter(words)
    return min(counts, key=lambda word: (-counts[word], word), default="")
