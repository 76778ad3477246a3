"""Extraction: secrets inserted into the training data of networks, and read out of the trained networks."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import NetworkInternals
from core.defenses import training_options
from core.errors import Incompatible
from core.games import Setup
from core.games.attack import Attack
from core.games.canaries.contract import Answer, Briefing, MaskedCanary
from core.games.canaries.exposure import CanaryResult
from core.games.canaries.game import CanaryGame, changed_words
from core.games.canaries.score import Scorer
from core.games.canaries.secrets import DrawnSecrets, canaries, fuzzy_canaries
from core.games.canaries.tables import SCHEMAS
from core.games.extraction.contract import ExtractionAttack
from core.games.standards import OF_EXTRACTION, Standard
from core.keys import key_of
from core.models.bilstm_crf import BilstmCrf, Blueprint, RequestTrainingJob, history
from core.result import Estimate, Outcome, Schema
from core.runtime.context import Arrays
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.text.contents import Utterances
from core.text.request_vocabulary import RequestVocabulary


class Extraction(CanaryGame):
    """A secret of each pattern is inserted into the training data several times, and read out of the trained network.

    In each trial the game draws a secret for each pattern, all words equally likely. For each number of repetitions it
    trains a network on the data with that many copies of the trial's canaries: one canary a pattern, since several of
    one pattern would interfere. A tenth of the copies goes to the validation data, as in the paper; a single copy is
    trained on, and so is the exact one of fuzzy copies. The adversary gets the network, and everything about each
    canary but the secret. For each canary the game also draws a decoy that no network learns; the decoys' ranks show
    the level without memorisation.

    Intervals resample trials, so that canaries of one network stay together. All networks have the same vocabulary,
    including the canaries' words, whatever they learned.

    Source: Parikh et al. 2022, sections 4.2 and 4.3, appendix A; for a known area code, appendix C.1.
    """

    title: ClassVar[str] = "extraction of secrets from a network"
    attack_kind: ClassVar[type[Attack]] = ExtractionAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_EXTRACTION
    model_kind: ClassVar[type[Model]] = BilstmCrf
    tables: ClassVar[dict[str, Schema]] = SCHEMAS

    shown: int = parameter(
        1, "Trials of which the course of the attack is kept.", unit="trials", ge=0, le=20, advanced=True
    )
    changed: int = changed_words()

    def _play(self, setup: Setup[Utterances, BilstmCrf, ExtractionAttack]) -> Outcome:
        dataset, model, attack, seed, context = setup.dataset, setup.model, setup.attack, setup.seed, setup.context
        utterances = setup.contents
        for subset in ("train", "validation", "test"):
            if not len(utterances.of(subset)):
                raise Incompatible(f"{dataset.part_name()} has no requests for {subset}.")
        options = training_options(setup.defenses)
        request_vocabulary = RequestVocabulary.of(
            utterances.of("train"), None if options.promise is None else options.promise.words
        )
        secrets = self.draw(seed)
        cells = [(trial, repetitions) for repetitions in self.repetitions for trial in range(self.trials)]
        identity = {
            "trained target": 1,
            "dataset": dataset.identity(),
            "model": model.identity(),
            "defenses": [defense.identity() for defense in setup.defenses],
            "canaries": [list(self.patterns), self.length, list(self.repetitions), self.trials],
            "seed": seed,
            **({"secret": self.secret} if self.secret else {}),
            **({"changed": self.changed} if self.changed else {}),
        }
        vectors = model.word_vectors(utterances.of("train"), request_vocabulary, options, dataset.identity(), context)
        blueprint = Blueprint(request_vocabulary, vectors, options)
        job = RequestTrainingJob(
            utterances,
            blueprint,
            [canaries(self.patterns, secrets[trial].truths) for trial, _ in cells],
            [_copies(repetitions) for _, repetitions in cells],
            identity,
            seed,
            self._fuzzy(secrets, cells, seed),
        )
        trained = model.train(job, context)
        masked = [self.masked(drawn.truths) for drawn in secrets]
        key = key_of({"extraction": 1, "trained": dict(identity), "attack": attack.identity(), "known": self.known})
        shared = {"model": model, "attack": attack, "blueprint": blueprint, "seed": seed}
        by_network = {
            number: {"arrays": trained[number], "masked": masked[trial]} for number, (trial, _) in enumerate(cells)
        }
        answers = dict(context.train("Attacking the networks", key, _attack, range(len(cells)), shared, by_network))
        results = []
        for number, (trial, repetitions) in enumerate(cells):
            access = model.open(blueprint, trained[number])
            drawn = zip(masked[trial], secrets[trial].truths, secrets[trial].decoys, strict=True)
            for position, (canary, *words) in enumerate(drawn):
                truth, decoy = (secret[self.known :] for secret in words)
                answer = Answer.from_arrays(position, answers[number])
                losses = _losses(canary, (truth, decoy), access)
                results.append(CanaryResult(number, trial, repetitions, canary, answer, truth, decoy, losses))
        scorer = Scorer(results, attack.method, self.shown)
        queries = float(np.mean([answers[number]["queries"] for number in answers])) / len(self.patterns)
        estimates = {
            **scorer.estimates(),
            **_utility(trained, seed),
            "queries": Estimate.queries(
                queries, "Losses that the adversary asked of a network for each secret, over all methods."
            ),
        }
        return estimates, scorer.tables([row for number in trained for row in history(number, trained[number])])

    def _fuzzy(
        self, secrets: Sequence[DrawnSecrets], cells: Sequence[tuple[int, int]], seed: int
    ) -> list[tuple[Utterances, Utterances]]:
        """Return for each network the copies besides the exact one, to train on and to validate; none without any."""
        if not self.changed:
            return []
        drawn = []
        for number, (trial, repetitions) in enumerate(cells):
            rng, (training, validation) = generator(seed, "fuzzy copies", number), _copies(repetitions)
            truths = secrets[trial].truths
            trained_on, validated = (
                fuzzy_canaries(self.patterns, truths, self.changed, copies, rng)
                for copies in (max(training - 1, 0), validation)
            )
            drawn.append((trained_on, validated))
        return drawn


def _copies(repetitions: int) -> tuple[int, int]:
    """Return how many of the copies are in the training data, and how many in the validation data."""
    return repetitions - repetitions // 10, repetitions // 10


def _attack(
    item: int,
    model: BilstmCrf,
    attack: ExtractionAttack,
    blueprint: Blueprint,
    seed: int,
    arrays: Arrays,
    masked: tuple[MaskedCanary, ...],
) -> Arrays:
    """Let the adversary attack one network."""
    import torch

    torch.set_num_threads(1)
    access = model.open(blueprint, arrays)
    answers = attack.extract(Briefing(masked, generator(seed, "adversary", item)), access)
    for answer in answers:
        if attack.method not in answer.guesses:
            raise Incompatible(
                f"{attack.part_name()} must guess each secret by its own method {attack.method!r}: others are "
                f"baselines. Got guesses by {', '.join(map(repr, answer.guesses)) or 'nothing'} instead."
            )
    extracted: dict[str, NDArray[Any]] = {"queries": np.array(access.queries)}
    for number, answer in enumerate(answers):
        extracted |= answer.as_arrays(number)
    return extracted


def _losses(
    canary: MaskedCanary, secrets: Sequence[NDArray[np.int64]], access: NetworkInternals
) -> tuple[float, float]:
    """Return a network's loss with the truth and with the decoy."""
    import torch

    texts = [(*canary.beginning, *canary.pattern.spelt(secret)) for secret in secrets]
    inputs = torch.stack([access.describe(words) for words in texts])
    truth, decoy = access.losses(inputs[None], [canary.pattern.intent], [canary.slots])[0].tolist()
    return truth, decoy


def _utility(trained: Mapping[int, Arrays], seed: int) -> dict[str, Estimate]:
    """Return intent accuracy and slot F1 of the networks."""
    measured = np.stack([trained[number]["usefulness"] for number in sorted(trained)])  # (networks, 2)
    drawn = generator(seed, "usefulness").integers(len(measured), size=(2000, len(measured)))
    lows, highs = np.quantile(measured[drawn].mean(axis=1), [0.025, 0.975], axis=0)
    figures = (
        ("intent_accuracy", "share of requests", "Requests for testing of which the networks name the intent."),
        ("slot_f1", "F1", "Harmonic mean of precision and recall of the slots in requests for testing."),
    )
    return {
        name: Estimate(
            value=float(measured[:, column].mean()),
            low=float(lows[column]),
            high=float(highs[column]),
            chance=None,
            unit=unit,
            help=text,
        )
        for column, (name, unit, text) in enumerate(figures)
    }
