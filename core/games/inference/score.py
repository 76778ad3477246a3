"""The score of inference: accuracy for each secret, beside chance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelRefused
from core.games.inference.contract import Answer, Truth
from core.games.inference.tables import SCHEMAS
from core.result import Estimate, Tables, table
from core.runtime.seeding import generator
from core.statistics.intervals import UNKNOWN, Interval, mean_share
from core.statistics.mismatched import Dealt, dealt
from core.text.secrets import Secret

_UNIT = "share of victims"
_MANY = 5
_MISMATCHED = (
    "Accuracy of the same answers dealt to other victims: what the adversary gets without looking at the embedding."
)
_LEAD = (
    "Accuracy minus that of the same answers dealt to other victims, paired by victim; above 0 if the embedding tells."
)
_MAJORITY = "Accuracy of naming the victims’ most frequent value of each secret, which this adversary does not know."


@dataclass(frozen=True)
class _Ranks:
    """Ranks of the true value.

    Attributes:
        ranks: (victims,) 1 for the likeliest value; NaN for victims that do not count.
        values: Number of possible values.
        chance: Accuracy of predicting the majority class, or of a uniform guess.
        top_chance: The same for five guesses.
        pairs: (2, victims) numbers of the likeliest and of the true value; None where several secrets form one.
    """

    ranks: NDArray[np.float64]
    values: int
    chance: float
    top_chance: float
    pairs: NDArray[np.int64] | None = None

    @property
    def counted(self) -> NDArray[np.bool_]:
        """(victims,) which victims count."""
        return np.isfinite(self.ranks)


@dataclass
class Scorer:
    """Holds the truth, and turns answers into estimates and tables.

    Attributes:
        secrets: The secrets to infer.
        truth: Their true values.
        joint: Names of the secrets that together form one; empty where none do.
        uniform: Whether the public rule makes all values equally likely.
        dealt: Whether chance of an estimate is what the adversary's answers get when they are dealt to other victims.
        variant: The variant that is the attack itself.
        seed: Source of the resampling.
        rows: The accuracies so far, as rows of the table ``curve``.
    """

    secrets: Sequence[Secret]
    truth: Truth
    joint: Sequence[str]
    uniform: bool
    dealt: bool
    variant: str
    seed: int
    rows: list[dict[str, Any]] = field(default_factory=list, init=False)
    _final: dict[tuple[str, str], dict[int, Answer]] = field(default_factory=dict, init=False)
    _epochs: dict[tuple[str, str, int], dict[int, _Ranks]] = field(default_factory=dict, init=False)

    def add(self, answer: Answer, adversary: str) -> None:
        """Score the answer of an adversary, ``adaptive`` or ``naive``, about one secret.

        Raises:
            ModelRefused: Some of its probabilities are not finite numbers.
        """
        if not np.isfinite(answer.probabilities).all():
            raise ModelRefused(f"Some probabilities that {answer.variant} gave are not finite numbers.")
        row = {"variant": answer.variant, "adversary": adversary, "epochs": answer.epochs}
        ranks = self._ranks(answer)
        by_secret = self._epochs.setdefault((answer.variant, adversary, answer.epochs), {})
        by_secret[answer.secret] = ranks
        self.rows.append({**row, "secret": self.secrets[answer.secret].name, **self._accuracy([ranks])})
        if len(by_secret) == len(self.secrets):
            parts = [by_secret[number] for number in sorted(by_secret)]
            self.rows.append({**row, "secret": "all", **self._accuracy(parts)})
        if answer.final:
            self._final.setdefault((answer.variant, adversary), {})[answer.secret] = answer

    def answer(self) -> list[Answer]:
        """Return the final answers of the attack itself, by secret."""
        return [answer for _, answer in sorted(self._final.get((self.variant, "adaptive"), {}).items())]

    def estimates(self) -> dict[str, Estimate]:
        """Return the accuracy of the attack for each secret, and the mean accuracy of every variant."""
        means: dict[str, Estimate] = {}
        by_secret: dict[str, Estimate] = {}
        for (variant, adversary), ranks in self._complete().items():
            baseline = variant != self.variant
            suffix = (f"_{variant}" if baseline else "") + ("" if adversary == "adaptive" else f"_{adversary}")
            parts = list(ranks.values())
            mean = self._estimate(parts, 1, "Mean share of victims whose answer was named, over the secrets.")
            means[f"accuracy{suffix}"] = mean
            if baseline:
                continue
            means |= {f"{name}{suffix}": estimate for name, estimate in self._beside(parts, adversary).items()}
            for name, part in {**ranks, **self._joint(variant, adversary)}.items():
                by_secret[f"accuracy_{name}{suffix}"] = self._estimate([part], 1, f"Victims whose {name} was named.")
                if part.values > _MANY:
                    by_secret[f"top5_{name}{suffix}"] = self._estimate(
                        [part], _MANY, f"Victims whose {name} was among the five likeliest answers."
                    )
        # A secret may have a baseline's name; the table tells them apart.
        return {**by_secret, **means}

    def tables(self) -> Tables:
        """Return the accuracy by secret, its course over the epochs, and every guess of the attack itself."""
        rows = []
        for (variant, adversary), ranks in self._complete().items():
            by_secret = {name: [part] for name, part in {**ranks, **self._joint(variant, adversary)}.items()}
            rows += [
                {
                    "variant": variant,
                    "adversary": adversary,
                    "secret": name,
                    **self._accuracy(parts),
                    **self._top(parts),
                }
                for name, parts in {**by_secret, "all": list(ranks.values())}.items()
            ]
        return {
            "inferred": table(SCHEMAS["inferred"], rows),
            "curve": table(SCHEMAS["curve"], sorted(self.rows, key=self._position)),
            "guesses": table(SCHEMAS["guesses"], list(self._guesses())),
        }

    def _complete(self) -> dict[tuple[str, str], dict[str, _Ranks]]:
        """Return the final ranks by secret of each variant and adversary that answered about every secret."""
        complete = {who: final for who, final in self._final.items() if len(final) == len(self.secrets)}
        return {
            who: {secret.name: self._ranks(complete[who][number]) for number, secret in enumerate(self.secrets)}
            for who in sorted(complete, key=self._order)
        }

    def _order(self, who: tuple[str, str]) -> tuple[bool, str, str]:
        """Sort the attack itself before its baselines."""
        return who[0] != self.variant, *who

    def _position(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        names = [*(secret.name for secret in self.secrets), "all"]
        return *self._order((row["variant"], row["adversary"])), row["epochs"], names.index(row["secret"])

    def _ranks(self, answer: Answer) -> _Ranks:
        counted, truth = self.truth.counted[answer.secret], self.truth.answers[answer.secret]
        values = answer.probabilities.shape[1]
        likelihood = answer.probabilities[np.arange(len(truth)), truth][:, None]
        # Ties count against the adversary: it did not single out a value that is as likely as another. Where its
        # answers are also dealt to other victims, the first of equals is the answer, for all victims alike.
        equal = np.arange(values) <= truth[:, None] if self.dealt else np.ones(values, np.bool_)
        ahead = (answer.probabilities > likelihood) | ((answer.probabilities == likelihood) & equal)
        ranks = ahead.sum(axis=1).astype(np.float64)
        pairs = np.stack([answer.probabilities.argmax(axis=1), truth])
        return _Ranks(np.where(counted, ranks, np.nan), values, *self._chance(truth[counted], values), pairs)

    def _chance(self, truth: NDArray[np.int64], values: int) -> tuple[float, float]:
        if self.uniform:
            return 1 / values, min(_MANY / values, 1.0)
        shares = np.sort(np.bincount(truth, minlength=values) / max(len(truth), 1))[::-1]
        return float(shares[0]), float(shares[:_MANY].sum())

    def _joint(self, variant: str, adversary: str) -> dict[str, _Ranks]:
        """Rank the true combination of the secrets that form one, taking them as independent; none where none do."""
        final = self._final[variant, adversary]
        numbers = [number for number, secret in enumerate(self.secrets) if secret.name in self.joint]
        if not numbers:
            return {}
        parts = [final[number].probabilities.astype(np.float64) for number in numbers]
        truths = [self.truth.answers[number] for number in numbers]
        ranks = np.empty(len(truths[0]))
        for victim in range(len(ranks)):
            joint = parts[0][victim]
            for part in parts[1:]:
                joint = np.multiply.outer(joint, part[victim])
            ranks[victim] = (joint >= joint[tuple(truth[victim] for truth in truths)]).sum()
        values = int(np.prod([part.shape[1] for part in parts]))
        return {"whole": _Ranks(ranks, values, 1 / values, _MANY / values)}

    def _mean(self, parts: Sequence[_Ranks], among: int) -> Interval:
        """Return the mean share of victims whose true value is among the likeliest, with its interval."""
        hits = np.array([(part.ranks <= among) & part.counted for part in parts], dtype=np.float64)
        counted = np.array([part.counted for part in parts], dtype=np.float64)
        return mean_share(hits, counted, generator(self.seed, "intervals"), clusters=self.truth.clusters)

    def _accuracy(self, parts: Sequence[_Ranks]) -> dict[str, float]:
        accuracy = self._mean(parts, 1).columns("accuracy", bare=True)
        return {**accuracy, "chance": float(np.mean([part.chance for part in parts]))}

    def _top(self, parts: Sequence[_Ranks]) -> dict[str, float]:
        """Return the columns about victims and five guesses."""
        many = all(part.values > _MANY for part in parts)
        top = self._mean(parts, _MANY) if many else UNKNOWN
        return {
            "values": parts[0].values if len(parts) == 1 else 0,
            "victims": int(np.any([part.counted for part in parts], axis=0).sum()),
            "top5_chance": float(np.mean([part.top_chance for part in parts])) if many else np.nan,
            **top.columns("top5"),
        }

    def _estimate(self, parts: Sequence[_Ranks], among: int, text: str) -> Estimate:
        chance = float(np.mean([part.chance if among == 1 else part.top_chance for part in parts]))
        if among == 1 and (compared := self._dealt(parts)) is not None:
            chance = compared.mismatched.value
        count = int(sum(part.counted.sum() for part in parts))
        return Estimate(**self._mean(parts, among)._asdict(), chance=chance, unit=_UNIT, decisions=count, help=text)

    def _dealt(self, parts: Sequence[_Ranks]) -> Dealt | None:
        """Compare the answers with those of other victims; None where chance is known without them."""
        pairs = [part.pairs for part in parts if part.pairs is not None]
        if not self.dealt or len(pairs) < len(parts):
            return None
        guesses, truths = np.stack(pairs, axis=1)
        counted = np.array([part.counted for part in parts])
        return dealt(guesses, truths, generator(self.seed, "dealt"), counted)

    def _beside(self, parts: Sequence[_Ranks], adversary: str) -> dict[str, Estimate]:
        """Return the estimates about answers dealt to other victims, and once about the most frequent values."""
        if (compared := self._dealt(parts)) is None:
            return {}
        truths = np.stack([part.pairs[1] for part in parts if part.pairs is not None])
        counted = np.array([part.counted for part in parts], dtype=np.float64)
        usual = truths == [[np.bincount(truth, counts).argmax()] for truth, counts in zip(truths, counted, strict=True)]
        majority = mean_share(usual * counted, counted, generator(self.seed, "intervals"), clusters=self.truth.clusters)
        measured = {
            "lead": (compared.lead, 0.0, _LEAD),
            "mismatched": (compared.mismatched, None, _MISMATCHED),
            "majority": (majority, None, _MAJORITY),
        }
        count = int(sum(part.counted.sum() for part in parts))
        return {
            name: Estimate(**interval._asdict(), chance=chance, unit=_UNIT, decisions=count, help=text)
            for name, (interval, chance, text) in measured.items()
            if name != "majority" or adversary == "adaptive"
        }

    def _guesses(self) -> Iterator[dict[str, Any]]:
        for answer in self.answer():
            secret, truths = self.secrets[answer.secret], self.truth.answers[answer.secret]
            ranks = self._ranks(answer).ranks
            for victim in np.flatnonzero(self.truth.counted[answer.secret]):
                probabilities = answer.probabilities[victim]
                truth, guess = int(truths[victim]), int(probabilities.argmax())
                yield {
                    "victim": victim,
                    "row": self.truth.rows[victim],
                    "secret": secret.name,
                    "truth": secret.values[truth],
                    "guess": secret.values[guess],
                    "probability": probabilities[guess],
                    "truth_probability": probabilities[truth],
                    "rank": int(ranks[victim]),
                }
