"""Tables of decisions about single pairs: by method, by classifier and split, by subcorpus, and by unknown words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.translation_membership.contract import Answer
from core.games.translation_membership.score.answers import ACCURACY, METHOD, Answers
from core.games.translation_membership.split import CORPUS
from core.result import Column, Schema
from core.statistics.clustered import SCORES
from core.statistics.intervals import UNKNOWN, mean_share, with_interval
from core.statistics.measures import AUC, ROC
from core.text.bitext import Bitext
from core.text.corpus import words_of

_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-3, 1, 41)]))

SCHEMAS: dict[str, Schema] = {
    "methods": {
        **METHOD,
        **ACCURACY,
        **AUC,
        **with_interval(
            "found", "Members found when at most 1% of non-members are falsely taken for members; chance is 0.01."
        ),
    },
    "classifiers": {
        **METHOD,
        "on": Column("str", "'target', or the adversary's splits for 'train', 'validation' and 'test'."),
        **ACCURACY,
        "members_in": Column("int32", "Members taken for members."),
        "members_out": Column("int32", "Members taken for non-members."),
        "others_in": Column("int32", "Non-members taken for members."),
        "others_out": Column("int32", "Non-members taken for non-members."),
    },
    "corpora": {**CORPUS, **METHOD, **ACCURACY, **AUC},
    "unknown_words": {
        "asked": Column("str", "'test' for the probes of the adversary's last split, 'target' for the real ones."),
        "side": Column(
            "str",
            "Where a word stands that the shadow model was not trained on: 'source', 'reference', "
            "'both', or 'neither'.",
        ),
        **METHOD,
        "share": Column("float64", "Share of the probes that have one."),
        "members": Column("float64", "Share of members among those."),
        **ACCURACY,
    },
    "scores": {
        **METHOD,
        "corpus": Column("str", "Name of the subcorpus; its foreign pairs and watermarks are in no overall figure."),
        "pair": Column("int32", "Number of the pair in question."),
        **SCORES,
    },
    "roc": {**METHOD, **ROC},
}


@dataclass(frozen=True)
class _Judged:
    """Answers about the probes of one translator.

    Attributes:
        pairs: (probes,) number of the pair behind each.
        member: (probes,) whether the translator was trained on it.
        answer: By method, (probes,) scores.
    """

    pairs: NDArray[np.int64]
    member: NDArray[np.bool_]
    answer: Answer


def _of_targets(answers: Answers) -> list[_Judged]:
    """Return the answers about each target model, for the pairs that count."""
    split, counted = answers.split, answers.split.judged
    return [
        _Judged(split.pair_rows[counted], member[counted], {method: score[counted] for method, score in answer.items()})
        for member, answer in zip(split.member, answers.by_model, strict=True)
    ]


def _of_shadows(answers: Answers) -> list[_Judged]:
    """Return the answers about each shadow model, for its own probes."""
    shadows = answers.briefing.shadows
    return [
        _Judged(shadow.probes, shadow.member, answer)
        for shadow, answer in zip(shadows, answers.adversary.shadow_answers, strict=True)
    ]


def methods(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the figures of every method over all pairs that count."""
    for method in answers.by_model[0]:
        figures = answers.figures.get(method) or answers.measured(method)
        yield {
            **answers.columns(method),
            **figures["accuracy"].columns("accuracy"),
            **figures["auc"].columns("auc"),
            **figures["tpr_at_1pct_fpr"].columns("found"),
        }


def classifiers(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield accuracy on the target models and on each use of the adversary's splits: Tables 2 and 3, Figure 5."""
    judged: dict[str, list[_Judged]] = {"target": _of_targets(answers)}
    for shadow, of_shadow in zip(answers.briefing.shadows, _of_shadows(answers), strict=True):
        judged.setdefault(shadow.use, []).append(of_shadow)
    for method in answers.adversary.shadow_answers[0]:
        for on, parts in judged.items():
            member = np.concatenate([part.member for part in parts])
            positive = np.concatenate([part.answer[method] > 0 for part in parts])
            pairs = np.concatenate([part.pairs for part in parts])
            yield {
                **answers.columns(method),
                "on": on,
                **_accuracy(positive == member, pairs, answers.rng()),
                "members_in": (member & positive).sum(),
                "members_out": (member & ~positive).sum(),
                "others_in": (~member & positive).sum(),
                "others_out": (~member & ~positive).sum(),
            }


def corpora(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the figures of every method on each subcorpus, foreign ones too: Table 4."""
    split = answers.split
    for number in np.unique(split.corpus).tolist():
        of_corpus = split.corpus == number
        for method in answers.by_model[0]:
            decisions = answers.decisions(method, of_corpus)
            balanced = split.balanced[of_corpus][0]
            area = decisions.figures(["auc"], answers.rng())["auc"] if balanced else UNKNOWN
            pairs = np.tile(decisions.document, len(decisions.member))
            right = (decisions.positive == decisions.member).ravel()
            yield {
                **split.about(number),
                **answers.columns(method),
                **_accuracy(right, pairs, answers.rng()),
                **area.columns("auc"),
            }


def unknown_words(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield accuracy on probes with words that no shadow model's training data have: Table 5.

    Among a shadow model's probes those are non-members by construction, as in the paper. For target models they are
    words that none of the adversary's pairs has, and half of those probes are members.
    """
    split, briefing = answers.split, answers.briefing
    kinds: dict[str, list[tuple[_Judged, NDArray[np.str_]]]] = {}
    for number, judged in enumerate(_of_shadows(answers)):
        if briefing.shadows[number].use == "test":
            known = briefing.bitext.select(split.shadow_training[number])
            sides = _unknown_sides(known, briefing.bitext.select(judged.pairs))
            kinds.setdefault("test", []).append((judged, sides))
    known = briefing.own
    sides = _unknown_sides(known, briefing.pairs)[split.judged]
    kinds["target"] = [(judged, sides) for judged in _of_targets(answers)]
    for kind, parts in kinds.items():
        pairs, member = (np.concatenate([getattr(part, name) for part, _ in parts]) for name in ("pairs", "member"))
        side = np.concatenate([of_part for _, of_part in parts])
        for where in ("source", "reference", "both", "neither"):
            chosen = side == where if where in ("both", "neither") else (side == where) | (side == "both")
            for method in answers.methods:
                if method not in parts[0][0].answer:
                    continue
                positive = np.concatenate([part.answer[method] > 0 for part, _ in parts])
                yield {
                    "asked": kind,
                    "side": where,
                    **answers.columns(method),
                    "share": chosen.mean(),
                    "members": member[chosen].mean() if chosen.any() else float("nan"),
                    **_accuracy((positive == member)[chosen], pairs[chosen], answers.rng()),
                }


def scores(answers: Answers) -> dict[str, NDArray[Any]]:
    """Return every decision of every method about every pair in question, by column."""
    split = answers.split
    everything = np.full(len(split.pair_rows), True)
    corpus = np.array([corpus.name for corpus in split.bitext.corpora])[split.corpus]
    parts = []
    for method in answers.by_model[0]:
        decisions = answers.decisions(method, everything)
        of_method = {name: np.full(len(corpus), value) for name, value in answers.columns(method).items()}
        parts.append(decisions.columns(**of_method, corpus=corpus, pair=decisions.document))
    return {name: np.concatenate([part[name] for part in parts]) for name in SCHEMAS["scores"]}


def roc(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the ROC curves of the adversary's own method and of those that are no classifiers."""
    for method in answers.methods:
        for row in answers.decisions(method).roc(_RATES, answers.rng()):
            yield {**answers.columns(method), **row}


def _accuracy(right: NDArray[np.bool_], pairs: NDArray[np.int64], rng: np.random.Generator) -> dict[str, float]:
    """Return the share of right guesses; its interval resamples pairs, so that decisions about one stay together."""
    if not len(right):
        return UNKNOWN.columns("accuracy")
    number = np.unique(pairs, return_inverse=True)[1]
    hits, totals = (np.bincount(number, weights=weights)[None].astype(np.float64) for weights in (right, None))
    return mean_share(hits, totals, rng).columns("accuracy")


def _unknown_sides(known: Bitext, pairs: Bitext) -> NDArray[np.str_]:
    """Return on which side of each pair an unknown word stands: 'source', 'reference', 'both' or 'neither'."""
    sides: list[Sequence[bool]] = []
    for known_texts, texts in ((known.sources, pairs.sources), (known.targets, pairs.targets)):
        words = {word for text in known_texts for word in words_of(text)}
        sides.append([not words.issuperset(words_of(text)) for text in texts])
    names = {(True, False): "source", (False, True): "reference", (True, True): "both", (False, False): "neither"}
    return np.array([names[new] for new in zip(*sides, strict=True)])
