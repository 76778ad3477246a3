"""Membership of a set of documents in the training data of a model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core import metrics
from core.access import WordVectors
from core.attacks import Adversary, Attack, Challenge, MembershipAttack, Target
from core.corpus import Corpus
from core.datasets import Dataset, Documents
from core.defenses import Defense
from core.embedding import Embedding
from core.errors import Incompatible
from core.games import Game
from core.lab import Arrays, Lab
from core.metrics import Trials
from core.models import Model, WordModel
from core.result import Column, Estimate, Schema, table
from core.seeding import generator
from core.spec import key_of, parameter

if TYPE_CHECKING:
    import pandas as pd

_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-3, 1, 61)]))


class Membership(Game):
    """The security experiments of Mahloujifar et al. 2021, Figures 1 and 2, played for many targets at once.

    All documents but the targets' are divided into two disjoint halves, one for the trainer and one for the
    adversary. In each play the secret bits are drawn, one a target; the trainer's model is trained on the documents of
    the targets that are in and on others of its half, to a fixed total, so that a target that is out is replaced by
    fresh documents of the same distribution. With ``rules="independent"`` each bit is a fair coin: seen from any one
    target this is Figure 1, the other targets being among the users D_1 to D_n-1. With ``rules="half"`` exactly half
    of the targets of each size are in: Figure 2. The paper trains one model for each target and play, 150 for its
    three sizes; here one model serves all targets, which is as fair to each and lets 50 models give 500 decisions a
    size. Intervals resample models and targets, since decisions that share one are not independent.
    """

    title: ClassVar[str] = "membership of a user's documents"
    findings: ClassVar[dict[str, Schema]] = {
        "targets": {
            "target": Column("int32", "Number of the target."),
            "label": Column("str", "Whose documents they are."),
            "size": Column("int32", "Number of documents."),
            "documents": Column("object", "Rows of the documents in the dataset."),
        },
        "curve": {
            "variant": Column("str", "The attack, or the baseline."),
            "size": Column("int32", "Documents a target; 0 for all sizes together."),
            "shadows": Column("int32", "Shadow models the adversary trained."),
            "penalty": Column("float64", "Weight of the penalty, where it was varied."),
            "accuracy": Column("float64", "Share of right guesses; chance is 0.5."),
            "low": Column("float64", "Lower end of the accuracy's 95 % interval."),
            "high": Column("float64", "Upper end of the accuracy's 95 % interval."),
            "auc": Column("float64", "Area under the ROC curve; chance is 0.5."),
            "auc_low": Column("float64", "Lower end of the area's 95 % interval."),
            "auc_high": Column("float64", "Upper end of the area's 95 % interval."),
        },
        "scores": {
            "target": Column("int32", "Number of the target."),
            "size": Column("int32", "Documents of the target."),
            "play": Column("int32", "Number of the target model."),
            "member": Column("bool", "Whether the model was trained on the target."),
            "score": Column("float64", "The adversary's score; a member is guessed above 0."),
            "guess": Column("bool", "What the adversary guessed."),
        },
        "roc": {
            "size": Column("int32", "Documents a target; 0 for all sizes together."),
            "false_positive_rate": Column("float64", "Share of non-members called members."),
            "true_positive_rate": Column("float64", "Share of members called members."),
            "low": Column("float64", "Lower end of the 95 % band."),
            "high": Column("float64", "Upper end of the 95 % band."),
        },
    }

    rules: Literal["independent", "half"] = parameter(
        "independent", "Each target is in by a fair coin (Figure 1), or exactly half of them are (Figure 2)."
    )
    users: Literal["emulated", "owners"] = parameter(
        "emulated", "A target is a random set of documents, as in the paper, or documents of one real owner."
    )
    target_sizes: tuple[Annotated[int, Field(ge=1, le=10_000)], ...] = parameter(
        (1, 10, 100), "Documents in a target, one group of targets for each size.", unit="documents", min_length=1,
        max_length=8,
    )  # fmt: skip
    targets: int = parameter(10, "Targets of each size.", unit="targets", ge=2, le=500)
    plays: int = parameter(50, "Target models; each decides every target once.", unit="models", ge=2, le=2000)
    documents: int = parameter(
        10_000, "Documents a model is trained on.", label="Training set", unit="documents", ge=20, le=10_000_000
    )

    def play(
        self, dataset: Dataset, model: Model, defenses: tuple[Defense, ...], attack: Attack, seed: int, lab: Lab
    ) -> "tuple[dict[str, Estimate], dict[str, pd.DataFrame]]":
        """Play the game.

        Raises:
            Incompatible: The parts do not fit this game, or the dataset is too small for it.
        """
        if not isinstance(attack, MembershipAttack) or not isinstance(model, WordModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of membership.")
        lab.progress.stage(f"Reading {dataset.title}")
        documents: Documents = dataset.load()
        deal = self._deal(documents, seed)
        challenge = self._challenge(documents, deal, model, defenses, attack, seed, lab)
        members = self._secret(seed)
        accesses = self._target_models(dataset, documents, deal, members, model, defenses, seed, lab)

        scorer = _Scorer(members, np.array([target.size for target in deal.targets]), generator(seed, "intervals"))
        answer: Adversary | None = None
        for adversary in attack.prepare(challenge, lab):
            scorer.add(adversary, accesses)
            if adversary.variant == attack.part_name() and np.isnan(adversary.penalty):
                answer = adversary
                lab.progress.partial(scorer.rows)
        if answer is None:
            raise Incompatible(f"{attack.part_name()} prepared no adversary.")
        scorer.add_model_free(challenge, answer.shadows)
        lab.progress.stage("Reading the evidence")
        findings = {
            "targets": table(
                self.findings["targets"],
                [
                    {"target": number, "label": target.label, "size": target.size, "documents": list(target.documents)}
                    for number, target in enumerate(deal.targets)
                ],
            ),
            **scorer.tables(answer),
            **attack.explain(challenge, answer, accesses, members, lab),
        }
        return scorer.estimates(answer), findings

    def _deal(self, documents: Documents, seed: int) -> "_Deal":
        rng = generator(seed, "deal")
        sizes = [size for size in self.target_sizes for _ in range(self.targets)]
        needed = sum(sizes) + 2 * self.documents if self.users == "emulated" else 2 * self.documents
        if needed > len(documents):
            fits = max(20, (len(documents) - (needed - 2 * self.documents)) // 2)
            raise Incompatible(
                f"Two disjoint halves of {self.documents} documents and the targets need {needed} documents. The "
                f"dataset has {len(documents)}. The nearest training set that fits is {fits}."
            )
        if self.users == "owners":
            targets, left = self._owners(documents, sizes, rng)
        else:
            shuffled = rng.permutation(len(documents))
            ends = np.cumsum(sizes)
            targets = [
                Target(f"user {number + 1}", size, tuple(sorted(shuffled[end - size : end].tolist())))
                for number, (size, end) in enumerate(zip(sizes, ends, strict=True))
            ]
            left = shuffled[ends[-1] :]
        half = len(left) // 2
        if half < self.documents:
            raise Incompatible(
                f"Each half holds {half} documents once the targets' owners are set aside. A training set of "
                f"{self.documents} does not fit; {half} does."
            )
        return _Deal(tuple(targets), np.sort(left[:half]), np.sort(left[half:]))

    def _owners(
        self, documents: Documents, sizes: list[int], rng: np.random.Generator
    ) -> tuple[list[Target], NDArray[np.int64]]:
        if not documents.owners:
            raise Incompatible("This dataset does not say whose documents are whose. Choose emulated users instead.")
        owned: dict[str, list[int]] = {}
        for row, owner in enumerate(documents.owners):
            owned.setdefault(owner, []).append(row)
        targets: list[Target] = []
        for size in sizes:
            free = sorted(owner for owner, rows in owned.items() if len(rows) >= size)
            if not free:
                raise Incompatible(
                    f"Too few owners have {size} documents for {self.targets} targets of each of the sizes "
                    f"{', '.join(map(str, self.target_sizes))}. Use fewer targets or smaller sizes."
                )
            owner = free[int(rng.integers(len(free)))]
            rows = owned.pop(owner)
            targets.append(Target(owner, size, tuple(sorted(rng.choice(rows, size, replace=False).tolist()))))
        taken = {target.label for target in targets}
        left = np.array([row for row, owner in enumerate(documents.owners) if owner not in taken], dtype=np.int64)
        return targets, rng.permutation(left)

    def _secret(self, seed: int) -> NDArray[np.bool_]:
        rng = generator(seed, "secret")
        groups = len(self.target_sizes)
        if self.rules == "independent":
            return rng.random((self.plays, groups * self.targets)) < 0.5
        half = np.arange(self.targets) < self.targets // 2
        return np.array([np.concatenate([rng.permutation(half) for _ in range(groups)]) for _ in range(self.plays)])

    def _challenge(
        self,
        documents: Documents,
        deal: "_Deal",
        model: WordModel,
        defenses: tuple[Defense, ...],
        attack: MembershipAttack,
        seed: int,
        lab: Lab,
    ) -> Challenge:
        lab.progress.stage("Preparing the shadow documents")
        if attack.shadow_data is None:
            known = [documents.texts[row] for row in deal.adversary]
        else:
            known = list(attack.shadow_data.load().texts)
        place = len(known)
        targets = []
        for target in deal.targets:
            targets.append(Target(target.label, target.size, tuple(range(place, place + target.size))))
            place += target.size
        held = [documents.texts[row] for target in deal.targets for row in target.documents]
        return Challenge(
            corpus=Corpus.encode([*known, *held], model.vocabulary()),
            targets=tuple(targets),
            auxiliary=np.arange(len(known)),
            documents=self.documents,
            model=model,
            defenses=defenses,
            seed=int(generator(seed, "adversary").integers(2**62)),
        )

    def _target_models(
        self,
        dataset: Dataset,
        documents: Documents,
        deal: "_Deal",
        members: NDArray[np.bool_],
        model: WordModel,
        defenses: tuple[Defense, ...],
        seed: int,
        lab: Lab,
    ) -> list[WordVectors]:
        rows = np.concatenate([deal.trainer, *(target.documents for target in deal.targets)]).astype(np.int64)
        place = {int(row): number for number, row in enumerate(rows)}
        corpus = Corpus.encode([documents.texts[row] for row in rows], model.vocabulary())
        selections = []
        for play in range(self.plays):
            rng = generator(seed, "trainer", play)
            chosen: list[int] = []
            for target, member in zip(deal.targets, members[play], strict=True):
                kept: Sequence[int] = target.documents
                for defense in defenses:
                    kept = defense.on_data(kept, rng)
                if member:
                    chosen.extend(place[row] for row in kept)
            if len(chosen) > self.documents:
                raise Incompatible(
                    f"The targets that are in fill {len(chosen)} documents, more than the training set of "
                    f"{self.documents}. Use fewer or smaller targets."
                )
            rest = rng.choice(len(deal.trainer), self.documents - len(chosen), replace=False)
            selections.append(np.concatenate([np.array(chosen, dtype=np.int64), rest]))
        identity = {
            "trained target": 1,
            "dataset": dataset.identity(),
            "model": model.identity(),
            "defenses": [defense.identity() for defense in defenses],
            "game": self.identity(),
            "seed": seed,
        }
        shared = {"model": model, "corpus": corpus, "selections": selections, "seed": seed}
        trained = lab.train("Training the target models", key_of(identity), _train_target, range(self.plays), shared)
        embeddings = {play: Embedding.from_arrays(arrays) for play, arrays in trained}
        accesses = []
        for play in range(self.plays):
            access = WordVectors(embeddings[play])
            for defense in defenses:
                access = defense.on_release(access, generator(seed, "release", play))
            accesses.append(access)
        return accesses


@dataclass(frozen=True)
class _Deal:
    """Rows of the dataset: whose membership is asked, what only the trainer has, what only the adversary has."""

    targets: tuple[Target, ...]
    trainer: NDArray[np.int64]
    adversary: NDArray[np.int64]


def _train_target(
    play: int, model: WordModel, corpus: Corpus, selections: list[NDArray[np.int64]], seed: int
) -> Arrays:
    return model.train(corpus.select(selections[play]), generator(seed, "target model", play)).as_arrays()


class _Scorer:
    """Holds the secret bits, lets adversaries guess, and keeps the score."""

    def __init__(self, members: NDArray[np.bool_], sizes: NDArray[np.int64], rng: np.random.Generator) -> None:
        self._members = members
        self._sizes = sizes
        self._rng = rng
        self._trials: dict[Adversary, Trials] = {}
        self._model_free: Trials | None = None
        self._queries: dict[Adversary, float] = {}
        self.rows: list[dict[str, Any]] = []

    def add(self, adversary: Adversary, accesses: Sequence[WordVectors]) -> None:
        """Let an adversary guess every target from every access, and score it."""
        before = sum(access.queries for access in accesses)
        guesses = [
            [adversary.guess(target, access) for target in range(self._members.shape[1])] for access in accesses
        ]
        asked = sum(access.queries for access in accesses) - before
        trials = Trials(
            self._members,
            np.array([[guess.score for guess in row] for row in guesses], dtype=np.float64),
            np.array([[guess.member for guess in row] for row in guesses], dtype=np.bool_),
        )
        self._trials[adversary] = trials
        self._queries[adversary] = asked / self._members.size
        self._score(adversary.variant, adversary.shadows, adversary.penalty, trials)

    def add_model_free(self, challenge: Challenge, shadows: int) -> None:
        """Score the guess that never looks at a model.

        A logistic regression reads each target's texts and is told the true bits of all *other* targets: far more
        than any adversary knows. Only a split that gives itself away lifts it above chance.
        """
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        look = _text_features(challenge)
        plays, targets = self._members.shape
        score = np.zeros((plays, targets))
        for target in range(targets):
            others = np.delete(np.arange(targets), target)
            bits = self._members[:, others].ravel()
            if bits.all() or not bits.any():
                continue
            classifier = make_pipeline(StandardScaler(), LogisticRegression(C=1.0))
            classifier.fit(np.tile(look[others], (plays, 1)), bits)
            score[:, target] = classifier.decision_function(look[[target]])[0]
        self._model_free = Trials(self._members, score, score > 0)
        self._score("model_free", shadows, float("nan"), self._model_free)

    def estimates(self, answer: Adversary) -> dict[str, Estimate]:
        """Return the figures of the answer for all sizes together and each alone, and those of the baselines."""
        found: dict[str, Estimate] = {}
        for suffix, trials in self._by_size(self._trials[answer]):
            for name, (statistic, chance, unit, says) in _STATISTICS.items():
                if np.isfinite(value := statistic(trials)):
                    found[name + suffix] = self._estimate(value, statistic, trials, chance, unit, says)
        others = {adversary: trials for adversary, trials in self._trials.items() if _is_baseline(adversary, answer)}
        named = [(adversary.variant, trials) for adversary, trials in others.items()]
        if self._model_free is not None:
            named.append(("model_free", self._model_free))
        for variant, all_trials in named:
            for suffix, trials in self._by_size(all_trials):
                statistic, chance, unit, says = _STATISTICS["accuracy"]
                found[f"accuracy_{variant}{suffix}"] = self._estimate(
                    statistic(trials), statistic, trials, chance, unit, f"{says} Of the variant {variant!r}."
                )
        asked = self._queries[answer]
        found["queries"] = Estimate(
            value=asked, low=asked, high=asked, chance=None, unit="queries",
            help="Words asked of a target model for one decision, on average.",
        )  # fmt: skip
        return found

    def tables(self, answer: Adversary) -> "dict[str, pd.DataFrame]":
        """Return the game's findings other than the targets."""
        trials = self._trials[answer]
        plays, targets = np.indices(self._members.shape)
        scores = {
            "target": targets.ravel(),
            "size": self._sizes[targets.ravel()],
            "play": plays.ravel(),
            "member": trials.member.ravel(),
            "score": trials.score.ravel(),
            "guess": trials.decision.ravel(),
        }
        curves = []
        for suffix, part in self._by_size(trials):
            rate, low, high = metrics.roc_band(part, _RATES, self._rng)
            size = int(suffix[1:]) if suffix else 0
            curves.extend(
                {"size": size, "false_positive_rate": x, "true_positive_rate": y, "low": a, "high": b}
                for x, y, a, b in zip(_RATES, rate, low, high, strict=True)
            )
        return {
            "curve": table(Membership.findings["curve"], self.rows),
            "scores": table(Membership.findings["scores"], scores),
            "roc": table(Membership.findings["roc"], curves),
        }

    def _score(self, variant: str, shadows: int, penalty: float, trials: Trials) -> None:
        for suffix, part in self._by_size(trials):
            low, high = metrics.interval(part, metrics.accuracy, self._rng, 400)
            auc_low, auc_high = metrics.interval(part, metrics.auc, self._rng, 200)
            self.rows.append(
                {
                    "variant": variant,
                    "size": int(suffix[1:]) if suffix else 0,
                    "shadows": shadows,
                    "penalty": penalty,
                    "accuracy": metrics.accuracy(part),
                    "low": low,
                    "high": high,
                    "auc": metrics.auc(part),
                    "auc_low": auc_low,
                    "auc_high": auc_high,
                }
            )

    def _by_size(self, trials: Trials) -> Iterator[tuple[str, Trials]]:
        everyone = np.arange(len(self._members))
        yield "", trials
        for size in np.unique(self._sizes):
            yield f"_{size}", trials.take(everyone, np.flatnonzero(self._sizes == size))

    def _estimate(
        self, value: float, statistic: metrics.Statistic, trials: Trials, chance: float, unit: str, says: str
    ) -> Estimate:
        low, high = metrics.interval(trials, statistic, self._rng)
        inside = int(trials.member.sum())
        return Estimate(
            value=value, low=low, high=high, chance=chance, unit=unit, help=says, members=inside,
            nonmembers=trials.member.size - inside,
        )  # fmt: skip


_STATISTICS: dict[str, tuple[metrics.Statistic, float, str, str]] = {
    "accuracy": (metrics.accuracy, 0.5, "share of decisions", "Share of right guesses."),
    "auc": (metrics.auc, 0.5, "probability", "Chance that a random member scores above a random non-member."),
    "advantage": (
        metrics.advantage, 0.0, "difference of rates",
        "Largest difference of true- and false-positive rate; slightly above 0 even for guesses, being a maximum.",
    ),
    "tpr_at_1pct_fpr": (
        lambda trials: metrics.tpr_at(trials, 0.01), 0.01, "share of members",
        "Members found when at most 1 % of non-members are accused.",
    ),
    "tpr_at_0.1pct_fpr": (
        lambda trials: metrics.tpr_at(trials, 0.001), 0.001, "share of members",
        "Members found when at most 0.1 % of non-members are accused.",
    ),
}  # fmt: skip


def _is_baseline(adversary: Adversary, answer: Adversary) -> bool:
    same_strength = adversary.shadows == answer.shadows and np.isnan(adversary.penalty)
    return same_strength and adversary.variant != answer.variant


def _text_features(challenge: Challenge) -> NDArray[np.float64]:
    corpus = challenge.corpus
    frequency = np.log(corpus.counts() + 1.0)
    features = []
    for target in challenge.targets:
        tokens = np.concatenate([corpus.document(row) for row in target.documents] or [np.empty(0, np.int32)])
        rare = frequency[tokens]
        features.append(
            [
                target.size,
                len(tokens) / target.size,
                len(np.unique(tokens)) / max(len(tokens), 1),
                rare.mean() if len(rare) else 0.0,
                rare.std() if len(rare) else 0.0,
            ]
        )
    return np.array(features, dtype=np.float64)
