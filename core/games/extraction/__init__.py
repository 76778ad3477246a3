"""Secrets put among the training data of networks: which of them can be read out again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from core.access import NetworkInternals
from core.datasets import Dataset
from core.defenses import Defense, TrainingOptions, training_options
from core.errors import Incompatible, InvalidSpec
from core.games import Game
from core.games.attack import Attack
from core.games.extraction import score as scoring
from core.games.extraction.contract import Answer, Briefing, ExtractionAttack
from core.games.extraction.exposure import CanaryResult
from core.models.bilstm_crf import BilstmCrf, RequestTrainingJob, history
from core.result import Estimate, Schema
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.targets.model import Model
from core.text.canary import COLOURS, PATTERNS, Pattern, PatternName
from core.text.contents import Utterances
from core.text.request_vocabulary import RequestVocabulary

if TYPE_CHECKING:
    import pandas as pd


class Extraction(Game):
    """A secret for each pattern, put into the training data several times, and read out of the trained network.

    In each trial the game draws a secret for each pattern, all words equally likely. For each number of repetitions it
    trains a network on the data with so many copies of the trial's canaries, one canary a pattern, since several of one
    pattern would stand in each other's way. A tenth of the copies goes to the data for validation, as in the paper; one
    copy alone is trained on. The adversary gets the network, and for each pattern everything but the secret. For each
    canary the game also draws a decoy that no network learns; where decoys rank is the level of no memory.

    The intervals draw trials again, so that canaries of one network stay together. All networks know the same words,
    those of canaries included, whatever they learnt.

    Source: Parikh et al. 2022, sections 4.2 and 4.3, appendix A; for a known area code, appendix C.1.
    """

    title: ClassVar[str] = "extraction of secrets from a network"
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    patterns: tuple[PatternName, ...] = parameter(
        ("pin", "color", "call"),
        "Which secrets: a PIN (pin), colours (color) or a telephone number (call).",
        label="Secrets",
        min_length=1,
        max_length=3,
    )
    length: int = parameter(4, "Words of each secret.", unit="words", ge=1, le=12)
    known: int = parameter(
        0,
        "How many of them, the first ones, the adversary knows, such as an area code.",
        label="Known words",
        unit="words",
        ge=0,
        le=11,
    )
    repetitions: tuple[Annotated[int, Field(ge=0, le=10_000)], ...] = parameter(
        (100,),
        "How often each secret is put among the data; a network for each number and trial.",
        unit="times",
        min_length=1,
        max_length=12,
    )
    secret: str = parameter(
        "",
        "A secret of your own for the first trial, such as 4711 or 'red blue pink red'; an empty one is drawn. "
        "Never a real one: results keep it.",
        label="Your own secret",
        max_length=120,
    )
    trials: int = parameter(10, "Secrets of each pattern.", unit="trials", ge=1, le=200)
    shown: int = parameter(
        1, "Trials of which the course of the attack is kept.", unit="trials", ge=0, le=20, advanced=True
    )

    @model_validator(mode="after")
    def _secrets_can_be_asked_for(self) -> Self:
        if self.known >= self.length:
            raise InvalidSpec(
                f"The 'known' parameter of {self.part_name()} must leave a word unknown: of {self.length} at most "
                f"{self.length - 1} can be known. Got {self.known} instead.",
                "known",
            )
        if len(set(self.patterns)) < len(self.patterns):
            raise InvalidSpec(f"The patterns must differ. Got {', '.join(self.patterns)} instead.", "patterns")
        if self.secret and not self._own():
            digits, colours = "4711073528"[: self.length], " ".join((COLOURS * 2)[: self.length])
            fits = colours if self.patterns == ("color",) else digits.ljust(self.length, "0")
            raise InvalidSpec(
                f"The 'secret' parameter of {self.part_name()} must be {self.length} words that one of the chosen "
                f"patterns is made of. Got {self.secret!r} instead; {fits!r} would do.",
                "secret",
            )
        return self

    def play(
        self,
        dataset: Dataset,
        model: Model,
        defenses: tuple[Defense, ...],
        attack: Attack,
        seed: int,
        context: RunContext,
    ) -> "tuple[dict[str, Estimate], dict[str, pd.DataFrame]]":
        """Play the game.

        Raises:
            Incompatible: The parts do not fit this game, or the dataset lacks a part.
        """
        if not isinstance(attack, ExtractionAttack) or not isinstance(model, BilstmCrf):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of extraction.")
        context.progress.stage(f"Reading {dataset.title}")
        utterances: Utterances = dataset.load()
        for part in ("train", "validation", "test"):
            if not len(utterances.of(part)):
                raise Incompatible(f"{dataset.part_name()} has no requests for {part}.")
        asked = training_options(defenses)
        request_vocabulary = RequestVocabulary.of(
            utterances.of("train"), None if asked.promise is None else asked.promise.words
        )
        secrets = self.draw(seed)
        cells = [(trial, repetitions) for repetitions in self.repetitions for trial in range(self.trials)]
        identity = {
            "trained target": 1,
            "dataset": dataset.identity(),
            "model": model.identity(),
            "defenses": [defense.identity() for defense in defenses],
            "canaries": [list(self.patterns), self.length, list(self.repetitions), self.trials],
            "seed": seed,
            **({"secret": self.secret} if self.secret else {}),
        }
        vectors = model.word_vectors(utterances.of("train"), request_vocabulary, asked, dataset.identity(), context)
        study = RequestTrainingJob(
            utterances,
            request_vocabulary,
            vectors,
            [self._canaries(secrets[trial].truths) for trial, _ in cells],
            [(repetitions - repetitions // 10, repetitions // 10) for _, repetitions in cells],
            asked,
            identity,
            seed,
        )
        trained = model.train(study, context)
        questions = [
            [self._question(PATTERNS[name], truth) for name, truth in zip(self.patterns, drawn.truths, strict=True)]
            for drawn in secrets
        ]
        key = key_of({"extraction": 1, "trained": dict(identity), "attack": attack.identity(), "known": self.known})
        shared = {
            "model": model,
            "attack": attack,
            "request_vocabulary": request_vocabulary,
            "vectors": vectors,
            "recipe": asked,
            "seed": seed,
        }
        own = {item: {"arrays": trained[item], "questions": questions[trial]} for item, (trial, _) in enumerate(cells)}
        told = dict(context.train("Attacking the networks", key, _attacked, range(len(cells)), shared, own))
        readings = []
        for item, (trial, repetitions) in enumerate(cells):
            access = model.open(request_vocabulary, vectors, asked, trained[item])
            for number, question in enumerate(questions[trial]):
                truth, decoy = (drawn[number][self.known :] for drawn in (secrets[trial].truths, secrets[trial].decoys))
                readings.append(
                    CanaryResult(
                        item,
                        trial,
                        repetitions,
                        question,
                        Answer.from_arrays(number, told[item]),
                        truth,
                        decoy,
                        _losses(question, (truth, decoy), access),
                    )
                )
        scorer = scoring.Scorer(readings, attack.method, self.shown, seed)
        queries = float(np.mean([told[item]["queries"] for item in told])) / len(self.patterns)
        estimates = {
            **scorer.estimates(),
            **_usefulness(trained, seed),
            "queries": Estimate.queries(
                queries, "Losses that the adversary asked of a network for each secret, over all methods."
            ),
        }
        return estimates, scorer.tables([row for item in trained for row in history(item, trained[item])])

    def draw(self, seed: int) -> "list[DrawnSecrets]":
        """Draw the secrets of each trial, and for each pattern a decoy that differs from it; the first may be given."""
        found = []
        for trial in range(self.trials):
            truths, decoys = [], []
            for name in self.patterns:
                rng = generator(seed, "secret", name, trial)
                candidates = len(PATTERNS[name].candidates)
                truth = decoy = rng.integers(candidates, size=self.length)
                if trial == 0:
                    truth = decoy = self._own().get(name, truth)
                while np.array_equal(truth[self.known :], decoy[self.known :]):
                    decoy = rng.integers(candidates, size=self.length)
                truths.append(truth)
                decoys.append(decoy)
            found.append(DrawnSecrets(tuple(truths), tuple(decoys)))
        return found

    def _own(self) -> dict[PatternName, NDArray[np.int64]]:
        """Return the secret that somebody gave, for each pattern that it fits."""
        read = {name: PATTERNS[name].read(self.secret) for name in self.patterns}
        return {
            name: np.array([PATTERNS[name].candidates.index(word) for word in words])
            for name, words in read.items()
            if words is not None and len(words) == self.length
        }

    def _canaries(self, secrets: Sequence[NDArray[np.int64]]) -> Utterances:
        """Return the canaries of one trial, one a pattern."""
        patterns = [PATTERNS[name] for name in self.patterns]
        return Utterances(
            tuple(
                (*pattern.prefix, *(pattern.candidates[word] for word in secret))
                for pattern, secret in zip(patterns, secrets, strict=True)
            ),
            tuple(pattern.slots(self.length) for pattern in patterns),
            tuple(pattern.intent for pattern in patterns),
            ("train",) * len(patterns),
        )

    def _question(self, pattern: Pattern, secret: NDArray[np.int64]) -> Briefing:
        known = tuple(pattern.candidates[word] for word in secret[: self.known])
        return Briefing(pattern, known, self.length - self.known)


@dataclass(frozen=True)
class DrawnSecrets:
    """The secrets of one trial, by pattern, (length,) each.

    Attributes:
        truths: What is put among the data.
        decoys: What is not.
    """

    truths: tuple[NDArray[np.int64], ...]
    decoys: tuple[NDArray[np.int64], ...]


def _attacked(
    item: int,
    model: BilstmCrf,
    attack: ExtractionAttack,
    request_vocabulary: RequestVocabulary,
    vectors: NDArray[np.float32],
    training_options: TrainingOptions,
    seed: int,
    arrays: Arrays,
    questions: Sequence[Briefing],
) -> Arrays:
    """Let the attack at one network."""
    import torch

    torch.set_num_threads(1)
    access = model.open(request_vocabulary, vectors, training_options, arrays)
    answers = attack.extract(questions, access, generator(seed, "adversary", item))
    told: dict[str, NDArray[Any]] = {"queries": np.array(access.queries)}
    for number, answer in enumerate(answers):
        told |= answer.as_arrays(number)
    return told


def _losses(question: Briefing, secrets: Sequence[NDArray[np.int64]], access: NetworkInternals) -> tuple[float, float]:
    """Return a network's loss with the truth and with the decoy."""
    import torch

    candidates = question.pattern.candidates
    inputs = torch.stack(
        [access.describe((*question.beginning, *(candidates[word] for word in secret))) for secret in secrets]
    )
    found = access.losses(inputs[None], [question.pattern.intent], [question.slots])[0].tolist()
    return found[0], found[1]


def _usefulness(trained: Mapping[int, Arrays], seed: int) -> dict[str, Estimate]:
    """Return how well the networks do their own task."""
    measured = np.stack([trained[item]["usefulness"] for item in sorted(trained)])  # (networks, 2)
    drawn = generator(seed, "usefulness").integers(len(measured), size=(2000, len(measured)))
    lows, highs = np.quantile(measured[drawn].mean(axis=1), [0.025, 0.975], axis=0)
    says = {
        "intent_accuracy": ("share of requests", "Requests for testing of which the networks name the intent."),
        "slot_f1": ("F1", "Harmonic mean of precision and recall of the slots in requests for testing."),
    }
    return {
        name: Estimate(
            value=float(measured[:, at].mean()),
            low=float(lows[at]),
            high=float(highs[at]),
            chance=None,
            unit=unit,
            help=sentence,
        )
        for at, (name, (unit, sentence)) in enumerate(says.items())
    }
