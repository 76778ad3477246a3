"""Keeps the score of a game of inference: who named which secret of which victim, beside chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.games.inference.contract import Answer, Truth
from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics import intervals
from core.text.secrets import Secret

if TYPE_CHECKING:
    import pandas as pd

_UNIT = "share of victims"
_MANY = 5

SCHEMAS: dict[str, Schema] = {
    "inferred": {
        "variant": Column("str", "The attack, or a rival."),
        "adversary": Column("str", "'adaptive' knows the defenses, 'naive' does not; both mean the same without any."),
        "secret": Column(
            "str", "What is asked; 'all' for the mean, 'whole' for several secrets of one victim at once."
        ),
        "values": Column("int64", "Number of possible answers; 0 for the mean."),
        "victims": Column("int32", "Number of victims asked about."),
        "chance": Column("float64", "Accuracy of naming the most frequent answer."),
        "accuracy": Column("float64", "Share of victims whose answer was named."),
        "low": Column("float64", "Lower end of the accuracy's 95 % interval."),
        "high": Column("float64", "Upper end of the accuracy's 95 % interval."),
        "top5_chance": Column(
            "float64", "The same chance for five guesses; NaN where there are five answers or fewer."
        ),
        "top5": Column("float64", "Share of victims whose answer was among the five likeliest."),
        "top5_low": Column("float64", "Lower end of its 95 % interval."),
        "top5_high": Column("float64", "Upper end of its 95 % interval."),
    },
    "curve": {
        "variant": Column("str", "The attack, or a rival."),
        "adversary": Column("str", "'adaptive' or 'naive', as in the table of what was inferred."),
        "secret": Column("str", "What is asked; 'all' for the mean over all secrets."),
        "epochs": Column("int32", "Passes of training by then; 0 where there are none."),
        "accuracy": Column("float64", "Share of victims whose answer was named."),
        "low": Column("float64", "Lower end of the 95 % interval."),
        "high": Column("float64", "Upper end of the 95 % interval."),
        "chance": Column("float64", "Accuracy of naming the most frequent answer."),
    },
    "guesses": {
        "victim": Column("int32", "Number of the victim."),
        "row": Column("int32", "Row of the victim's text in the dataset."),
        "secret": Column("str", "What is asked."),
        "truth": Column("str", "The true answer."),
        "guess": Column("str", "What the adversary named."),
        "probability": Column("float32", "How likely the adversary thought its guess."),
        "truth_probability": Column("float32", "How likely it thought the truth."),
        "rank": Column("int32", "Place of the truth among all answers, 1 for the likeliest."),
    },
}


@dataclass(frozen=True)
class _Ranked:
    """Ranks of the truth for the victims asked: NaN elsewhere, 1 is best."""

    ranks: NDArray[np.float64]
    values: int
    chance: float
    top_chance: float

    @property
    def asked(self) -> NDArray[np.bool_]:
        return np.isfinite(self.ranks)

    def hits(self, among: int) -> NDArray[np.bool_]:
        return np.asarray(self.ranks <= among)


class Scorer:
    """Holds the secrets, hears inferences, and keeps the score."""

    def __init__(
        self, secrets: Sequence[Secret], truth: Truth, whole: Sequence[str], uniform: bool, answer: str, seed: int
    ) -> None:
        """Begin.

        Args:
            secrets: What is asked.
            truth: The true answers.
            whole: Names of the secrets that together make one; empty when there is no such thing.
            uniform: Whether the public rule makes all answers equally likely.
            answer: The variant whose guesses are the attack's own.
            seed: Source of the resampling.
        """
        self._secrets = secrets
        self._truth = truth
        self._whole = [number for number, secret in enumerate(secrets) if secret.name in whole]
        self._uniform = uniform
        self._answer = answer
        self._seed = seed
        self._final: dict[tuple[str, str], dict[int, Answer]] = {}
        self._ranks: dict[tuple[str, str], dict[str, _Ranked]] = {}
        self._epochs: dict[tuple[str, str, int], dict[int, _Ranked]] = {}
        self.rows: list[dict[str, Any]] = []

    def add(self, inference: Answer, adversary: str) -> None:
        """Score one inference."""
        who = (inference.variant, adversary)
        ranked = self._ranked(inference)
        by_epoch = self._epochs.setdefault((*who, inference.epochs), {})
        by_epoch[inference.secret] = ranked
        self.rows.append(self._point(who, self._secrets[inference.secret].name, inference.epochs, [ranked]))
        if len(by_epoch) == len(self._secrets):
            parts = [by_epoch[number] for number in sorted(by_epoch)]
            self.rows.append(self._point(who, "all", inference.epochs, parts))
        if inference.final:
            self._final.setdefault(who, {})[inference.secret] = inference
            self._ranks.setdefault(who, {})[self._secrets[inference.secret].name] = ranked

    def answer(self) -> list[Answer]:
        """Return the last word of the attack's own variant on each secret."""
        return [inference for _, inference in sorted(self._final.get((self._answer, "adaptive"), {}).items())]

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of the attack's own variant, secret by secret, and the mean of every other."""
        means: dict[str, Estimate] = {}
        found: dict[str, Estimate] = {}
        for (variant, adversary), ranked in self._complete().items():
            own = variant == self._answer
            suffix = ("" if own else f"_{variant}") + ("" if adversary == "adaptive" else f"_{adversary}")
            means[f"accuracy{suffix}"] = self._estimate(
                list(ranked.values()), 1, "Mean share of victims whose answer was named, over the secrets."
            )
            if not own:
                continue
            whole = self._together(variant, adversary)
            for name, one in {**ranked, **({"whole": whole} if whole else {})}.items():
                found[f"accuracy_{name}{suffix}"] = self._estimate([one], 1, f"Victims whose {name} was named.")
                if one.values > _MANY:
                    found[f"top5_{name}{suffix}"] = self._estimate(
                        [one], _MANY, f"Victims whose {name} was among the five likeliest answers."
                    )
        # A secret may be called like a rival; the table tells them apart.
        return {**found, **means}

    def tables(self) -> "dict[str, pd.DataFrame]":
        """Return what was inferred, how accuracy grew, and every guess of the attack's own variant."""
        rows = []
        for (variant, adversary), ranked in self._complete().items():
            named: Mapping[str, Sequence[_Ranked]] = {name: [one] for name, one in ranked.items()}
            whole = self._together(variant, adversary)
            extra = {"whole": [whole]} if whole else {}
            for name, parts in {**named, **extra, "all": list(ranked.values())}.items():
                rows.append(self._inferred(variant, adversary, name, parts))
        return {
            "inferred": table(SCHEMAS["inferred"], rows),
            "curve": table(SCHEMAS["curve"], sorted(self.rows, key=self._place)),
            "guesses": table(SCHEMAS["guesses"], self._guesses()),
        }

    def _complete(self) -> dict[tuple[str, str], dict[str, _Ranked]]:
        names = [secret.name for secret in self._secrets]
        whole = {who: ranked for who, ranked in self._ranks.items() if len(ranked) == len(names)}
        return {who: {name: whole[who][name] for name in names} for who in sorted(whole, key=self._standing)}

    def _standing(self, who: tuple[str, str]) -> tuple[bool, str, str]:
        return who[0] != self._answer, *who

    def _place(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        names = [*(secret.name for secret in self._secrets), "all"]
        return *self._standing((row["variant"], row["adversary"])), row["epochs"], names.index(row["secret"])

    def _ranked(self, inference: Answer) -> _Ranked:
        asked = self._truth.asked[inference.secret]
        answers = self._truth.answers[inference.secret]
        told = inference.probabilities[np.arange(len(answers)), answers]
        # Ties count against the adversary: an answer it cannot tell from another is not named.
        ranks = (inference.probabilities >= told[:, None]).sum(axis=1).astype(np.float64)
        values = inference.probabilities.shape[1]
        return _Ranked(np.where(asked, ranks, np.nan), values, *self._chance(answers[asked], values))

    def _chance(self, answers: NDArray[np.int64], values: int) -> tuple[float, float]:
        if self._uniform:
            return 1 / values, min(_MANY / values, 1.0)
        shares = np.sort(np.bincount(answers, minlength=values) / max(len(answers), 1))[::-1]
        return float(shares[0]), float(shares[:_MANY].sum())

    def _together(self, variant: str, adversary: str) -> _Ranked | None:
        """Rank the true combination among all, when the parts are taken as independent."""
        final = self._final[variant, adversary]
        if not self._whole or any(number not in final for number in self._whole):
            return None
        parts = [final[number].probabilities.astype(np.float64) for number in self._whole]
        truths = [self._truth.answers[number] for number in self._whole]
        ranks = np.empty(len(truths[0]))
        for victim in range(len(ranks)):
            joint = parts[0][victim]
            for part in parts[1:]:
                joint = np.multiply.outer(joint, part[victim])
            told = joint[tuple(truth[victim] for truth in truths)]
            ranks[victim] = (joint >= told).sum()
        values = int(np.prod([part.shape[1] for part in parts]))
        return _Ranked(ranks, values, 1 / values, _MANY / values)

    def _mean(self, parts: Sequence[_Ranked], among: int) -> tuple[float, float, float]:
        hits = np.array([part.hits(among) & part.asked for part in parts], dtype=np.float64)
        asked = np.array([part.asked for part in parts], dtype=np.float64)
        return intervals.mean_share(hits, asked, generator(self._seed, "intervals"))

    def _point(self, who: tuple[str, str], name: str, epochs: int, parts: Sequence[_Ranked]) -> dict[str, Any]:
        accuracy, low, high = self._mean(parts, 1)
        chance = float(np.mean([part.chance for part in parts]))
        return {
            "variant": who[0],
            "adversary": who[1],
            "secret": name,
            "epochs": epochs,
            "accuracy": accuracy,
            "low": low,
            "high": high,
            "chance": chance,
        }

    def _inferred(self, variant: str, adversary: str, name: str, parts: Sequence[_Ranked]) -> dict[str, Any]:
        point = self._point((variant, adversary), name, 0, parts)
        del point["epochs"]
        many = all(part.values > _MANY for part in parts)
        top, low, high = self._mean(parts, _MANY) if many else (np.nan, np.nan, np.nan)
        chance = float(np.mean([part.top_chance for part in parts])) if many else np.nan
        values = parts[0].values if len(parts) == 1 else 0
        victims = int(np.any([part.asked for part in parts], axis=0).sum())
        return {
            **point,
            "values": values,
            "victims": victims,
            "top5_chance": chance,
            "top5": top,
            "top5_low": low,
            "top5_high": high,
        }

    def _estimate(self, parts: Sequence[_Ranked], among: int, says: str) -> Estimate:
        value, low, high = self._mean(parts, among)
        chance = float(np.mean([part.chance if among == 1 else part.top_chance for part in parts]))
        decisions = int(sum(part.asked.sum() for part in parts))
        return Estimate(value=value, low=low, high=high, chance=chance, unit=_UNIT, decisions=decisions, help=says)

    def _guesses(self) -> list[dict[str, Any]]:
        rows = []
        for inference in self.answer():
            number = inference.secret
            secret = self._secrets[number]
            ranks = self._ranked(inference).ranks
            for victim in np.flatnonzero(self._truth.asked[number]):
                told = inference.probabilities[victim]
                truth, guess = int(self._truth.answers[number, victim]), int(told.argmax())
                rows.append(
                    {
                        "victim": victim,
                        "row": self._truth.rows[victim],
                        "secret": secret.name,
                        "truth": secret.values[truth],
                        "guess": secret.values[guess],
                        "probability": told[guess],
                        "truth_probability": told[truth],
                        "rank": int(ranks[victim]),
                    }
                )
        return rows
