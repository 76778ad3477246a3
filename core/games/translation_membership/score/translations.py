"""How good the target models' translations are, by subcorpus and membership, and a few of them in full."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.translation_membership.score.answers import Answers
from core.games.translation_membership.split import CORPUS
from core.result import Column, Estimate, Schema
from core.runtime.seeding import generator
from core.statistics.wording import units

_RESAMPLES = 200
_RANDOM, _TELLING = 6, 4
"""Pairs of a subcorpus that are shown: at random, and those that the first couple translates most differently."""
_QUANTILES = {"lowest": 0.05, "lower": 0.25, "median": 0.5, "upper": 0.75, "highest": 0.95}
_FEATURES = ("precision_1", "precision_2", "precision_3", "precision_4", "bleu", "score", "reference")

SCHEMAS: dict[str, Schema] = {
    "bleu": {
        **CORPUS,
        "member": Column("bool", "Whether the model was trained on the pairs."),
        "pairs": Column("int32", "Translations."),
        "corpus_bleu": Column("float64", "BLEU of all translations together, from 0 to 100."),
        **{
            name: Column("float64", f"Sentence BLEU, from 0 to 1: {share:.0%} of the translations have less.")
            for name, share in _QUANTILES.items()
        },
    },
    "shown": {
        "example": Column("int32", "Number of the example."),
        "row": Column("int32", "Row of the pair in the dataset; those of watermarks follow its last."),
        **CORPUS,
        "telling": Column("bool", "Whether it was picked because translations differ most, not at random."),
        "model": Column("int32", "Number of the target model."),
        "member": Column("bool", "Whether that model was trained on it."),
        "translation": Column("str", "What it made of the sentence."),
        "precision_1": Column("float64", "Share of its words that stand in the reference."),
        "precision_2": Column("float64", "The same for pairs of words."),
        "precision_3": Column("float64", "The same for three words in a row."),
        "precision_4": Column("float64", "The same for four words in a row."),
        "bleu": Column("float64", "Smoothed sentence BLEU, from 0 to 1."),
        "score": Column("float64", "Mean log-probability of a token of the translation, in nats; NaN where not given."),
        "reference": Column("float64", "The same of the reference."),
        "answer": Column("float64", "Score by the adversary's own method; above 0 it says member."),
        "ratio": Column("float64", "Log likelihood ratio by the reference; above 0 it says member; NaN without."),
    },
}


@dataclass(frozen=True)
class Quality:
    """Quality of all target models' translations of one subcorpus' members, or of its non-members.

    Attributes:
        corpus: Number of the subcorpus.
        member: Whether the models were trained on the pairs.
        sentence_bleu: (translations,) from 0 to 1.
        corpus_bleu: Mean over the models, from 0 to 100.
    """

    corpus: int
    member: bool
    sentence_bleu: NDArray[np.float64]
    corpus_bleu: float


def qualities(answers: Answers) -> list[Quality]:
    """Return the quality of translations, by subcorpus and membership."""
    from sacrebleu.metrics.bleu import BLEU

    split = answers.split
    references = [split.bitext.targets[row] for row in split.pair_rows]
    measured = []
    for corpus in np.unique(split.corpus).tolist():
        for member in (True, False):
            sentences, scores = [], []
            for observed, members in zip(answers.observed, split.member, strict=True):
                rows = np.flatnonzero((split.corpus == corpus) & (members == member))
                if len(rows):
                    sentences.append(observed.features["bleu"][rows])
                    translations = [observed.translations[row] for row in rows]
                    true = [references[row] for row in rows]
                    scores.append(BLEU(force=True).corpus_score(translations, [true]).score)
            if scores:
                measured.append(Quality(corpus, member, np.concatenate(sentences), float(np.mean(scores))))
    return measured


def bleu(answers: Answers, measured: list[Quality]) -> list[dict[str, Any]]:
    """Return BLEU by subcorpus and membership: Figure 6."""
    return [
        {
            **answers.split.about(quality.corpus),
            "member": quality.member,
            "pairs": len(quality.sentence_bleu),
            "corpus_bleu": quality.corpus_bleu,
            **dict(zip(_QUANTILES, np.quantile(quality.sentence_bleu, list(_QUANTILES.values())), strict=True)),
        }
        for quality in measured
    ]


def bleu_estimates(answers: Answers, measured: list[Quality]) -> dict[str, Estimate]:
    """Return BLEU of each subcorpus of the trainer's, on pairs that a target model was not trained on."""
    corpora = answers.split.bitext.corpora
    return {
        f"bleu_{corpora[quality.corpus].name}": _bleu_estimate(answers, quality)
        for quality in measured
        if corpora[quality.corpus].role != "foreign" and not quality.member
    }


def _bleu_estimate(answers: Answers, quality: Quality) -> Estimate:
    """Return corpus BLEU on non-members, with sentences resampled for its interval."""
    from sacrebleu.metrics.bleu import BLEU

    split, measure = answers.split, BLEU(effective_order=True)
    counted = []
    for observed, members in zip(answers.observed, split.member, strict=True):
        for row in np.flatnonzero((split.corpus == quality.corpus) & ~members):
            score = measure.sentence_score(observed.translations[row], [split.bitext.targets[split.pair_rows[row]]])
            counted.append([*score.counts, *score.totals, score.sys_len, score.ref_len])
    rng = generator(answers.seed, "bleu", quality.corpus)
    times = rng.multinomial(len(counted), np.full(len(counted), 1 / len(counted)), _RESAMPLES)
    sums = times @ np.array(counted, np.int64)
    drawn = [BLEU.compute_bleu(row[:4], row[4:8], row[8], row[9], smooth_method="exp").score for row in sums.tolist()]
    low, high = np.quantile(drawn, [0.025, 0.975])
    title = split.bitext.corpora[quality.corpus].title
    return Estimate(
        value=quality.corpus_bleu,
        low=float(low),
        high=float(high),
        chance=None,
        unit=units.BLEU,
        decisions=len(quality.sentence_bleu),
        help=f"How good translations of {title} are that are new to the target models.",
    )


def examples(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield some pairs of each subcorpus, at random, and those that the first couple translates most differently."""
    split = answers.split
    rng = generator(answers.seed, "shown")
    first, second = (observed.features["bleu"] for observed in answers.observed[:2])
    ratio = next((method for method in answers.methods if method.kind == "ratio"), None)
    gap = np.where(split.member[0], first - second, second - first)
    number = 0
    for corpus in np.unique(split.corpus).tolist():
        rows = np.flatnonzero(split.corpus == corpus)
        random = rng.permutation(rows)[:_RANDOM]
        telling = np.setdiff1d(rows, random) if split.balanced[rows[0]] else rows[:0]
        telling = telling[np.argsort(-gap[telling], kind="stable")][:_TELLING]
        for row in (*random.tolist(), *telling.tolist()):
            for model, (observed, answer) in enumerate(zip(answers.observed, answers.by_model, strict=True)):
                yield {
                    "example": number,
                    "row": split.pair_rows[row],
                    **split.about(corpus),
                    "telling": row in telling,
                    "model": model,
                    "member": split.member[model, row],
                    "translation": observed.translations[row],
                    **{name: observed.features[name][row] for name in _FEATURES if name in observed.features},
                    "answer": answer[answers.adversary.answer][row],
                    "ratio": float("nan") if ratio is None else answer[ratio][row],
                }
            number += 1
