"""Keeps the score of a membership game about translations: overall, by subcorpus, by group and over training."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.games.translation_membership.contract import Answer, Briefing, Method, Observed, TranslationAdversary
from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics import decisions
from core.statistics.clustered import Clustered, Interval
from core.statistics.grouped import Grouped, decide
from core.targets.trained_target import Epoch
from core.text.bitext import Bitext
from core.text.corpus import words_of

if TYPE_CHECKING:
    import pandas as pd

WATERMARKS = "watermarks"
"""Name of the subcorpus of pairs that the adversary could have planted."""
GROUP = 30
"""Probes that are decided about together, in the figure that is reported first."""
_GROUPS = (1, 2, 5, 10, 20, 30, 50, 100, 200, 500)
_RESAMPLES = 200
_RANDOM, _TELLING = 6, 4
_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-3, 1, 41)]))
_QUANTILES = {"lowest": 0.05, "lower": 0.25, "median": 0.5, "upper": 0.75, "highest": 0.95}

_METHOD = {
    "features": Column("str", "What is looked at."),
    "rule": Column("str", "A classifier, 'one_threshold' or 'likelihood_ratio'."),
    "answer": Column("bool", "Whether the adversary trusts it: of the classifiers, the best on its validation split."),
}
_ACCURACY = {
    "accuracy": Column("float64", "Share of right guesses."),
    "accuracy_low": Column("float64", "Lower end of its 95 % interval."),
    "accuracy_high": Column("float64", "Upper end of its 95 % interval."),
}
_AUC = {
    "auc": Column("float64", "Area under the ROC curve; chance is 0.5."),
    "auc_low": Column("float64", "Lower end of its 95 % interval."),
    "auc_high": Column("float64", "Upper end of its 95 % interval."),
}
_CORPUS = {
    "corpus": Column("str", "Name of the subcorpus."),
    "title": Column("str", "What people call it."),
    "role": Column("str", "'shared' with the adversary, 'private' to the trainer, or 'foreign' to both."),
}
SCHEMAS: dict[str, Schema] = {
    "sets": {
        "holder": Column("str", "'target' for the trainer's models, 'shadow' for the adversary's, 'everyone'."),
        "use": Column("str", "'training', 'in_probes', 'out_probes', 'foreign_probes' or 'validation'."),
        **_CORPUS,
        "pairs": Column("int32", "Pairs for one model, on average."),
    },
    "training": {
        "holder": Column("str", "'target' or 'shadow'."),
        "model": Column("int32", "Number of the model."),
        "passes": Column("int32", "Passes over its training data by then."),
        "loss": Column("float64", "Mean training loss of a token in that pass, in nats."),
        "perplexity": Column("float64", "On validation pairs after it."),
    },
    "methods": {
        **_METHOD,
        **_ACCURACY,
        **_AUC,
        "found": Column("float64", "Members found when at most 1 % of non-members are accused; chance is 0.01."),
        "found_low": Column("float64", "Lower end of its 95 % interval."),
        "found_high": Column("float64", "Upper end of its 95 % interval."),
    },
    "classifiers": {
        **_METHOD,
        "on": Column("str", "'target', or the adversary's splits for 'train', 'validation' and 'test'."),
        **_ACCURACY,
        "members_in": Column("int32", "Members called members."),
        "members_out": Column("int32", "Members called non-members."),
        "others_in": Column("int32", "Non-members called members."),
        "others_out": Column("int32", "Non-members called non-members."),
    },
    "corpora": {**_CORPUS, **_METHOD, **_ACCURACY, **_AUC},
    "bleu": {
        **_CORPUS,
        "member": Column("bool", "Whether the model was trained on the pairs."),
        "pairs": Column("int32", "Translations."),
        "corpus_bleu": Column("float64", "BLEU of all translations together, from 0 to 100."),
        **{
            name: Column("float64", f"Sentence BLEU, from 0 to 1: {share:.0%} of the translations have less.")
            for name, share in _QUANTILES.items()
        },
    },
    "unknown_words": {
        "asked": Column("str", "'test' for the probes of the adversary's last split, 'target' for the real ones."),
        "side": Column(
            "str",
            "Where a word stands that the shadow model was not trained on: 'source', 'reference', "
            "'both', or 'neither'.",
        ),
        **_METHOD,
        "share": Column("float64", "Share of the probes that have one."),
        "members": Column("float64", "Share of members among those."),
        **_ACCURACY,
    },
    "groups": {
        "size": Column("int32", "Probes decided about together: all members or all not, of one subcorpus."),
        **_METHOD,
        "decision": Column("str", "'majority' of the single decisions, or 'mean' of the scores."),
        "members": Column("int32", "Groups of members that the probes make at once."),
        "others": Column("int32", "Groups of non-members."),
        **_ACCURACY,
        **_AUC,
    },
    "roc": {
        **_METHOD,
        "false_positive_rate": Column("float64", "Share of non-members called members."),
        "true_positive_rate": Column("float64", "Share of members called members."),
        "low": Column("float64", "Lower end of the 95 % band."),
        "high": Column("float64", "Upper end of the 95 % band."),
    },
    "course": {
        "passes": Column("int32", "Passes of training by then; 0 for models that were never trained."),
        **_METHOD,
        **_ACCURACY,
        **_AUC,
        "auc_chance_low": Column("float64", "Lower end of the range in which 95 % of areas lie by chance alone."),
        "auc_chance_high": Column("float64", "Upper end of that range."),
        "accuracy_chance_low": Column("float64", "Lower end of the range in which 95 % of accuracies lie so."),
        "accuracy_chance_high": Column("float64", "Upper end of that range."),
        "group_auc": Column("float64", f"Area under the ROC curve for groups of {GROUP}; NaN where probes are fewer."),
    },
    "quality": {
        "passes": Column("int32", "Passes of training by then."),
        "corpus": Column("str", "Name of the subcorpus."),
        "member": Column("bool", "Whether the model was trained on the pairs."),
        "corpus_bleu": Column("float64", "BLEU of all translations together, from 0 to 100; mean over target models."),
    },
    "shown": {
        "example": Column("int32", "Number of the example."),
        "row": Column("int32", "Row of the pair in the dataset; those of watermarks follow its last."),
        **_CORPUS,
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


Rows = list[dict[str, Any]]
"""Of a table, each with its values by column."""


@dataclass(frozen=True)
class Split:
    """Who has which pairs.

    Attributes:
        bitext: All of them, watermarks at the end.
        asked: (asked,) rows in question, in a random order.
        member: (models, asked) the secret: whether each target model was trained on each.
        couple: (models,) number of the couple of each target model.
        validation: Rows by which training is judged.
        training: For each target model, the rows it is trained on; a row as often as it has copies.
        own: Rows that the adversary has.
        splits: For each of its splits, two sets of probes, as rows of its own.
    """

    bitext: Bitext
    asked: NDArray[np.int64]
    member: NDArray[np.bool_]
    couple: NDArray[np.int64]
    validation: NDArray[np.int64]
    training: tuple[NDArray[np.int64], ...]
    own: NDArray[np.int64]
    splits: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]

    @cached_property
    def corpus(self) -> NDArray[np.int64]:
        """Number of the subcorpus of each pair in question, (asked,)."""
        return np.asarray(self.bitext.corpus[self.asked])

    @cached_property
    def balanced(self) -> NDArray[np.bool_]:
        """Whether each pair in question is a member for one model of each couple, (asked,)."""
        roles = np.array([corpus.role for corpus in self.bitext.corpora])
        return np.asarray(roles[self.corpus] != "foreign")

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """Whether a pair counts for the figures over all: the balanced ones that are no watermarks, (asked,)."""
        names = np.array([corpus.name for corpus in self.bitext.corpora])
        return np.asarray(self.balanced & (names[self.corpus] != WATERMARKS))

    @cached_property
    def shadow_training(self) -> tuple[NDArray[np.int64], ...]:
        """For each shadow model, two of a split, what it is trained on: all of the adversary's but its out-probes."""
        everything = np.arange(len(self.own))
        return tuple(np.setdiff1d(everything, out) for first, second in self.splits for out in (second, first))

    def about(self, place: int) -> dict[str, str]:
        """Return what a table says of a subcorpus."""
        corpus = self.bitext.corpora[place]
        return {"corpus": corpus.name, "title": corpus.title, "role": corpus.role}


class Scorer:
    """Holds the secret, and keeps what was seen over training."""

    def __init__(self, carol: Split, seed: int) -> None:
        """Start with nothing seen."""
        self.carol, self.seed = carol, seed
        self.usefulness: dict[str, Estimate] = {}
        self.training: Rows = []
        self.course: list[dict[str, Any]] = []
        self.quality: list[dict[str, Any]] = []

    def trained(self, holder: str, passes: Sequence[Sequence[Epoch]]) -> Rows:
        """Take down how each pass of the training of each model of somebody's has ended; return all that is known."""
        self.training = [row for row in self.training if row["holder"] != holder] + [
            {"holder": holder, "model": number, "passes": done.number, "loss": done.loss, "perplexity": done.perplexity}
            for number, own in enumerate(passes)
            for done in own
        ]
        return self.training

    def methods(self, verdicts: Sequence[Answer], answer: Method) -> list[Method]:
        """Return the adversary's answer, and the methods that are no classifiers of its kind."""
        return [method for method in verdicts[0] if method == answer or method.rule in _SIMPLE]

    def clustered(self, method: Method, verdicts: Sequence[Answer]) -> Clustered:
        """Return the decisions of a method about the pairs that count."""
        asked = np.flatnonzero(self.carol.judged)
        scores = _scores(method, verdicts)[:, asked]
        return Clustered(self.carol.member[:, asked], scores, self.carol.couple, asked)

    def grouped(self, size: int, score: NDArray[np.float64], threshold: float, resamples: int = 0) -> Grouped:
        """Decide about groups of probes of one subcorpus and one model, by their scores, (models, asked)."""
        carol = self.carol
        strata = [
            (member, score[model, (carol.corpus == place) & (carol.member[model] == member)])
            for model in range(len(score))
            for place in np.unique(carol.corpus[carol.judged])
            for member in (True, False)
        ]
        return decide(strata, size, threshold, generator(self.seed, "groups", size), resamples)


_SIMPLE = ("one_threshold", "likelihood_ratio")
_RATIO = Method("calibrated_reference", "likelihood_ratio")


@dataclass(frozen=True)
class Outcome:
    """The last word of an adversary, and the truth.

    Attributes:
        scorer: The secret.
        adversary: What it learnt from its shadows.
        seen: What each target model made of the pairs in question.
        verdicts: What it says of each target model.
        brief: What it was given.
    """

    scorer: Scorer
    adversary: TranslationAdversary
    seen: Sequence[Observed]
    verdicts: Sequence[Answer]
    brief: Briefing

    @property
    def _carol(self) -> Split:
        return self.scorer.carol

    @cached_property
    def _translated(self) -> list[tuple[int, bool, NDArray[np.float64], float]]:
        """Subcorpus, membership, sentence BLEU of all translations, and the mean corpus BLEU of the models."""
        from sacrebleu.metrics.bleu import BLEU

        carol = self._carol
        references = [carol.bitext.targets[row] for row in carol.asked]
        found = []
        for place in np.unique(carol.corpus).tolist():
            for member in (True, False):
                sentences, whole = [], []
                for model, said in enumerate(self.seen):
                    rows = np.flatnonzero((carol.corpus == place) & (carol.member[model] == member))
                    if len(rows):
                        sentences.append(said.features["bleu"][rows])
                        own, true = [said.translations[row] for row in rows], [references[row] for row in rows]
                        whole.append(BLEU(force=True).corpus_score(own, [true]).score)
                if whole:
                    found.append((place, member, np.concatenate(sentences), float(np.mean(whole))))
        return found

    @cached_property
    def _figures(self) -> dict[Method, dict[str, Interval]]:
        """Figures of the answer and of the methods that are no classifiers, over all pairs that count."""
        return {method: self._measured(method) for method in self.scorer.methods(self.verdicts, self.adversary.answer)}

    def _measured(self, method: Method) -> dict[str, Interval]:
        return self.scorer.clustered(method, self.verdicts).figures(generator(self.scorer.seed, "intervals"))

    def follow(self, passes: int) -> None:
        """Take down what this adversary says of target models that had so many passes of training."""
        scorer = self.scorer
        for method, figures in self._figures.items():
            decisions, rng = scorer.clustered(method, self.verdicts), generator(scorer.seed, "guessing")
            chance = {"auc": decisions.chance_areas(rng), "accuracy": decisions.chance_shares(rng)}
            ends = {
                f"{name}_chance_{end}": value
                for name, own in chance.items()
                for end, value in zip(("low", "high"), own, strict=True)
            }
            scorer.course.append(
                {
                    "passes": passes,
                    **self._named(method),
                    **figures["accuracy"].named("accuracy"),
                    **figures["auc"].named("auc"),
                    **ends,
                    "group_auc": scorer.grouped(GROUP, _scores(method, self.verdicts), 0.0).auc.value,
                }
            )
        for place, member, _, bleu in self._translated:
            name = self._carol.bitext.corpora[place].name
            scorer.quality.append({"passes": passes, "corpus": name, "member": member, "corpus_bleu": bleu})

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of the answer, of the methods that need one number, and how useful the models are."""
        found = self._estimates(self.adversary.answer, "", "")
        for method in self.scorer.methods(self.verdicts, self.adversary.answer):
            if method.rule in _SIMPLE:
                name = method.features if method.rule == "one_threshold" else method.rule
                found |= self._estimates(method, f"_{name}", f" By {name.replace('_', ' ')}.")
        for place, member, sentences, bleu in self._translated:
            if self._carol.bitext.corpora[place].role == "foreign" or member:
                continue
            found[f"bleu_{self._carol.bitext.corpora[place].name}"] = self._bleu(place, bleu, len(sentences))
        return {**found, **self.scorer.usefulness}

    def tables(self) -> "dict[str, pd.DataFrame]":
        """Return the game's tables."""
        rows = {
            "sets": self._sets(),
            "training": self.scorer.training,
            "methods": self._methods(),
            "classifiers": list(self._classifiers()),
            "corpora": list(self._corpora()),
            "bleu": self._bleus(),
            "unknown_words": list(self._unknown_words()),
            "groups": list(self._groups()),
            "roc": list(self._roc()),
            "course": self.scorer.course,
            "quality": self.scorer.quality,
            "shown": list(self._shown()),
        }
        return {name: table(SCHEMAS[name], own) for name, own in rows.items()}

    def _named(self, method: Method) -> dict[str, Any]:
        return _named(method, self.adversary.answer)

    def _estimates(self, method: Method, suffix: str, says: str) -> dict[str, Estimate]:
        """Return accuracy, AUC, members found at one false alarm in a hundred, and the AUC of groups, of a method."""
        figures, member = self._figures[method], self._carol.member[:, self._carol.judged]
        counts = {"members": int(member.sum()), "nonmembers": int((~member).sum())}
        found = {
            name + suffix: Estimate(
                value=figures[name].value,
                low=figures[name].low,
                high=figures[name].high,
                chance=chance,
                unit=unit,
                help=means + says,
                **counts,
            )
            for name, (chance, unit, means) in _MEASURES.items()
            if np.isfinite(figures[name].value)
        }
        grouped = self._grouped(method, GROUP)
        for name, figure in (("accuracy", grouped.accuracy), ("auc", grouped.auc)):
            if np.isfinite(figure.value):
                found[f"group_{name}{suffix}"] = Estimate(
                    value=figure.value,
                    low=figure.low,
                    high=figure.high,
                    chance=0.5,
                    unit=_MEASURES[name][1],
                    help=f"The same for {GROUP} pairs together, all members or all not, of one subcorpus.{says}",
                    **counts,
                )
        return found

    def _grouped(self, method: Method, size: int) -> Grouped:
        scores = _scores(method, self.verdicts)
        return self.scorer.grouped(size, scores, self.adversary.middle[method], _RESAMPLES)

    def _bleu(self, place: int, value: float, pairs: int) -> Estimate:
        """Return the BLEU of translations of pairs that a target model was not trained on, with sentences resampled."""
        from sacrebleu.metrics.bleu import BLEU

        carol, measure = self._carol, BLEU(effective_order=True)
        counted = []
        for model, said in enumerate(self.seen):
            rows = np.flatnonzero((carol.corpus == place) & ~carol.member[model])
            for row in rows:
                one = measure.sentence_score(said.translations[row], [carol.bitext.targets[carol.asked[row]]])
                counted.append([*one.counts, *one.totals, one.sys_len, one.ref_len])
        rng = generator(self.scorer.seed, "bleu", place)
        times = rng.multinomial(len(counted), np.full(len(counted), 1 / len(counted)), _RESAMPLES)
        sums = times @ np.array(counted, np.int64)
        drawn = [
            BLEU.compute_bleu(row[:4], row[4:8], row[8], row[9], smooth_method="exp").score for row in sums.tolist()
        ]
        low, high = np.quantile(drawn, [0.025, 0.975])
        return Estimate(
            value=value,
            low=float(low),
            high=float(high),
            chance=None,
            unit="BLEU",
            decisions=pairs,
            help=f"How good translations of {carol.bitext.corpora[place].title} are that are new to the target models.",
        )

    def _sets(self) -> list[dict[str, Any]]:
        """Return who holds how many pairs of which subcorpus: Figures 3 and 4, and Table 1."""
        carol = self._carol
        rows: list[dict[str, Any]] = []
        models = len(carol.training)
        own = carol.own
        trained = carol.shadow_training
        probes = np.concatenate([np.concatenate(pair) for pair in carol.splits])
        for place in range(len(carol.bitext.corpora)):
            corpus = carol.bitext.corpus
            asked = int((carol.corpus == place).sum())
            foreign = carol.bitext.corpora[place].role == "foreign"
            counts = {
                ("target", "training"): sum((corpus[one] == place).sum() for one in carol.training) / models,
                ("target", "in_probes"): 0 if foreign else asked / 2,
                ("target", "out_probes"): 0 if foreign else asked / 2,
                ("everyone", "foreign_probes"): asked if foreign else 0,
                ("everyone", "validation"): (corpus[carol.validation] == place).sum(),
                ("shadow", "training"): sum((corpus[own[one]] == place).sum() for one in trained) / len(trained),
                ("shadow", "in_probes"): (corpus[own[probes]] == place).sum() / len(trained),
                ("shadow", "out_probes"): (corpus[own[probes]] == place).sum() / len(trained),
            }
            rows += [
                {"holder": holder, "use": use, **carol.about(place), "pairs": round(float(count))}
                for (holder, use), count in counts.items()
                if count
            ]
        return rows

    def _methods(self) -> list[dict[str, Any]]:
        rows = []
        for method in self.verdicts[0]:
            figures = self._figures.get(method) or self._measured(method)
            rows.append(
                {
                    **self._named(method),
                    **figures["accuracy"].named("accuracy"),
                    **figures["auc"].named("auc"),
                    **figures["tpr_at_1pct_fpr"].named("found"),
                }
            )
        return rows

    def _classifiers(self) -> Iterator[dict[str, Any]]:
        """Yield how methods do on Alice's probes and on each use of the adversary's own: Tables 2 and 3, Figure 5."""
        carol = self._carol
        asked = np.flatnonzero(carol.judged)
        played: dict[str, list[tuple[NDArray[np.int64], NDArray[np.bool_], Answer]]] = {
            "target": [(asked, carol.member[model], said) for model, said in enumerate(self.verdicts)]
        }
        for shadow, said in zip(self.brief.shadows, self.adversary.own, strict=True):
            everything = np.arange(len(shadow.probes))
            played.setdefault(shadow.use, []).append((everything, shadow.member, said))
        for method in self.adversary.own[0]:
            for on, parts in played.items():
                member = np.concatenate([bits[rows] for rows, bits, _ in parts])
                called = np.concatenate([said[method][rows] > 0 for rows, _, said in parts])
                which = self._probes(on, parts)
                yield {
                    **self._named(method),
                    "on": on,
                    **self._share(called == member, which),
                    "members_in": (member & called).sum(),
                    "members_out": (member & ~called).sum(),
                    "others_in": (~member & called).sum(),
                    "others_out": (~member & ~called).sum(),
                }

    def _probes(self, on: str, parts: Sequence[tuple[NDArray[np.int64], Any, Any]]) -> NDArray[np.int64]:
        """Return the number of the pair behind each decision, so that those about one pair are resampled together."""
        if on == "target":
            return np.concatenate([self._carol.asked[rows] for rows, _, _ in parts])
        return np.concatenate([shadow.probes for shadow in self.brief.shadows if shadow.use == on])

    def _share(self, right: NDArray[np.bool_], pair: NDArray[np.int64]) -> dict[str, float]:
        """Return a share of right guesses, with pairs drawn again for its interval."""
        if not len(right):
            return dict.fromkeys(_ACCURACY, float("nan"))
        number = np.unique(pair, return_inverse=True)[1]
        hits, asked = (np.bincount(number, weights=counted)[None].astype(np.float64) for counted in (right, None))
        ends = decisions.mean_share(hits, asked, generator(self.scorer.seed, "intervals"))
        return dict(zip(_ACCURACY, ends, strict=True))

    def _corpora(self) -> Iterator[dict[str, Any]]:
        """Yield how methods do on each subcorpus, foreign ones too: Table 4."""
        carol = self._carol
        for place in np.unique(carol.corpus).tolist():
            asked = np.flatnonzero(carol.corpus == place)
            balanced = bool(carol.balanced[asked[0]])
            for method in self.verdicts[0]:
                scores = _scores(method, self.verdicts)[:, asked]
                right = (scores > 0) == carol.member[:, asked]
                found = dict.fromkeys(_AUC, float("nan"))
                if balanced:
                    decisions = Clustered(carol.member[:, asked], scores, carol.couple, asked)
                    found = decisions.figures(generator(self.scorer.seed, "intervals"))["auc"].named("auc")
                pairs = np.tile(asked, len(scores))
                yield {**carol.about(place), **self._named(method), **self._share(right.ravel(), pairs), **found}

    def _bleus(self) -> list[dict[str, Any]]:
        """Return how good translations are, by subcorpus and membership: Figure 6."""
        return [
            {
                **self._carol.about(place),
                "member": member,
                "pairs": len(sentences),
                "corpus_bleu": bleu,
                **dict(zip(_QUANTILES, np.quantile(sentences, list(_QUANTILES.values())), strict=True)),
            }
            for place, member, sentences, bleu in self._translated
        ]

    def _unknown_words(self) -> Iterator[dict[str, Any]]:
        """Yield how methods do on probes with words that no shadow model's training data have: Table 5.

        Of a shadow's probes those are outsiders by construction, as in the paper. Of Alice's they are words that none
        of the adversary's pairs has, and half of those probes are members.
        """
        carol, own = self._carol, self.brief.bitext
        kinds: dict[str, list[tuple[NDArray[np.int64], NDArray[np.bool_], list[str], Answer]]] = {}
        for number, (shadow, said) in enumerate(zip(self.brief.shadows, self.adversary.own, strict=True)):
            if shadow.use == "test":
                known = own.select(carol.shadow_training[number])
                sides = _unknown(known, own.select(shadow.probes))
                kinds.setdefault("test", []).append((shadow.probes, shadow.member, sides, said))
        asked = np.flatnonzero(carol.judged)
        sides = _unknown(own.select(np.arange(len(carol.own))), self.brief.asked)
        kinds["target"] = [
            (carol.asked, np.where(carol.balanced, carol.member[model], False), sides, said)
            for model, said in enumerate(self.verdicts)
        ]
        for name, parts in kinds.items():
            kept = asked if name == "target" else np.arange(len(parts[0][0]))
            pair, member = (
                np.concatenate([part[0][kept] for part in parts]),
                np.concatenate([part[1][kept] for part in parts]),
            )
            side = np.concatenate([np.array(part[2])[kept] for part in parts])
            for where in ("source", "reference", "both", "neither"):
                chosen = side == where if where in ("both", "neither") else (side == where) | (side == "both")
                for method in self.scorer.methods(self.verdicts, self.adversary.answer):
                    if method not in parts[0][3]:
                        continue
                    called = np.concatenate([part[3][method][kept] > 0 for part in parts])
                    yield {
                        "asked": name,
                        "side": where,
                        **self._named(method),
                        "share": chosen.mean(),
                        "members": member[chosen].mean() if chosen.any() else float("nan"),
                        **self._share((called == member)[chosen], pair[chosen]),
                    }

    def _groups(self) -> Iterator[dict[str, Any]]:
        """Yield how well groups are told by their size: Figure 7."""
        answer = self.adversary.answer
        decided = [("mean", method) for method in self.scorer.methods(self.verdicts, answer)]
        for size in _GROUPS:
            for decision, method in [("majority", answer), *decided]:
                scores = _scores(method, self.verdicts)
                if decision == "majority":
                    found = self.scorer.grouped(size, (scores > 0).astype(np.float64), 0.5, _RESAMPLES)
                else:
                    found = self.scorer.grouped(size, scores, self.adversary.middle[method], _RESAMPLES)
                if np.isfinite(found.auc.value):
                    yield {
                        "size": size,
                        **self._named(method),
                        "decision": decision,
                        "members": found.members,
                        "others": found.others,
                        **found.accuracy.named("accuracy"),
                        **found.auc.named("auc"),
                    }

    def _roc(self) -> Iterator[dict[str, Any]]:
        for method in self.scorer.methods(self.verdicts, self.adversary.answer):
            curve = self.scorer.clustered(method, self.verdicts).curve(_RATES, generator(self.scorer.seed, "intervals"))
            for rate, point in zip(_RATES, curve, strict=True):
                yield {
                    **self._named(method),
                    "false_positive_rate": rate,
                    "true_positive_rate": point.value,
                    "low": point.low,
                    "high": point.high,
                }

    def _shown(self) -> Iterator[dict[str, Any]]:
        """Yield some pairs of each subcorpus, at random, and those that the first couple translates differently."""
        carol = self._carol
        rng = generator(self.scorer.seed, "shown")
        bleu = np.stack([said.features["bleu"] for said in self.seen[:2]])
        gap = np.where(carol.member[0], bleu[0] - bleu[1], bleu[1] - bleu[0])
        number = 0
        for place in np.unique(carol.corpus).tolist():
            rows = np.flatnonzero(carol.corpus == place)
            random = rng.permutation(rows)[:_RANDOM]
            rest = np.setdiff1d(rows, random)
            telling = rest[np.argsort(-gap[rest], kind="stable")][:_TELLING] if carol.balanced[rows[0]] else rest[:0]
            for row in (*random.tolist(), *telling.tolist()):
                for model, (said, verdicts) in enumerate(zip(self.seen, self.verdicts, strict=True)):
                    features = {name: said.features[name][row] for name in _SHOWN if name in said.features}
                    ratio = verdicts.get(_RATIO)
                    yield {
                        "example": number,
                        "row": carol.asked[row],
                        **carol.about(place),
                        "telling": row in telling,
                        "model": model,
                        "member": carol.member[model, row],
                        "translation": said.translations[row],
                        **features,
                        "answer": verdicts[self.adversary.answer][row],
                        "ratio": float("nan") if ratio is None else ratio[row],
                    }
                number += 1


_MEASURES = {
    "accuracy": (0.5, "share of decisions", "Share of right guesses about single pairs."),
    "auc": (0.5, "probability", "Chance that a random member scores above a random non-member."),
    "tpr_at_1pct_fpr": (0.01, "share of members", "Members found when at most 1 % of non-members are accused."),
}
_SHOWN = ("precision_1", "precision_2", "precision_3", "precision_4", "bleu", "score", "reference")


def _scores(method: Method, verdicts: Sequence[Answer]) -> NDArray[np.float64]:
    """Return what a method makes of pairs, (models, pairs)."""
    return np.stack([said[method] for said in verdicts])


def _named(method: Method, answer: Method) -> dict[str, Any]:
    return {"features": method.features, "rule": method.rule, "answer": method == answer}


def _unknown(known: Bitext, asked: Bitext) -> list[str]:
    """Return on which side of each pair a word stands that is new: 'source', 'reference', 'both' or 'neither'."""
    sides = []
    for own, others in ((known.sources, asked.sources), (known.targets, asked.targets)):
        words = {word for text in own for word in words_of(text)}
        sides.append([not words.issuperset(words_of(text)) for text in others])
    names = {(True, False): "source", (False, True): "reference", (True, True): "both", (False, False): "neither"}
    return [names[new] for new in zip(*sides, strict=True)]
