"""Reads a secret out of a trained network, word by word, from nothing but its loss."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import NetworkInternals
from core.games.extraction.contract import Answer, Briefing, ExtractionAttack
from core.result import Schema
from core.spec import parameter

if TYPE_CHECKING:
    from core.networks.relaxed_search import Puzzles, Schedule

_EVERY = 10
_SAMPLE = 10_000
_FREE = "continuous"
_ALL = "exhaustive"
_GUESS = "random"


class CanaryExtraction(ExtractionAttack):
    """Minimise the network's loss over the unknown words of a request (Parikh et al. 2022, section 3.1, equations 1-3).

    Each unknown word is a mixture of the candidates' vectors, ``softmax(z / T) W``. The loss for the known labels falls
    along its gradient for z, by Adam, while the temperature T falls, so that the mixture settles on one candidate. All
    restarts of all patterns go in one batch; of the restarts, the one whose words have the smallest loss is the answer.

    Schedules: ``paper`` has T at 0.1 and 0.997 of it after each step, a step size of 6.5e-3 and 0.995 of it after each
    step, for 250 steps (appendix B); it does not say where z begins nor how many restarts there are: here a normal
    distribution with a deviation of 0.1, and 8. ``annealed`` is ours: T from 1 to 0.02, a step size of 0.05 throughout,
    a deviation of 0.5. Then ``coordinate_descent``, also ours, replaces one word at a time by the one with the smallest
    loss, until nothing changes.

    Beside the attack stand, for the same networks: the paper's schedule, ours with descent, the continuous baseline of
    section 3.1 (vectors without any constraint, then the nearest words), a random guess, and where there are few enough
    secrets, the one with the smallest loss of all. That last scoring ranks the true secret among all others, which is
    the exposure of Carlini et al. 2019: log2 of the number of secrets less log2 of the rank. It needs no optimisation,
    and is the most that can be told from the loss. Where there are too many, a random sample is scored, and exposure
    cannot come out above log2 of its size.

    On Snips, four words, ten secrets of each pattern (`python -m core precompute --only canaries_4`), the paper's
    schedule leaves 0.10 of the colours wrong after 10 repetitions (the paper: 0.30), 0.38 of a telephone number's
    digits (0.40), and 0.38 of a PIN's after 1,000 (0.18). The last is the search, not the memory: it ends in mixtures
    whose likeliest words are not those of the smallest loss. Annealing with descent leaves 0.00, 0.38 and 0.12, scoring
    all secrets 0.00, 0.20 and 0.12; shown once, a secret has 10 to 14 bits of exposure already. All three defenses of
    the paper together bring its attack to chance there (0.88 to 1.00); here they leave it at 0.15 to 0.60, and the
    truth at a median rank of 1 to 27 among ten thousand or more (`--only "canaries_dropout_early*embeddings"`).

    Of more words the search loses its way, and the memory stays: of ten, at its best of up to 500 repetitions, the
    paper's schedule leaves 0.65 to 0.70 wrong (the paper: 0.43 to 0.59), annealing with descent 0.34 to 0.53, while
    exposure lies at 13 bits, where the sample ends (`--only canaries_10`).

    Private training with an epsilon of 8 promises something about each request, not about many that are alike. A PIN
    put ten times among them keeps 1.7 bits of exposure (10.2 without), one put 500 times all 13.3; slots are named with
    an F1 of 0.59, not 0.89 (`--only canaries_dp_sgd`). Not all of that loss is the noise's: those networks have random
    word vectors, which tell nothing of the requests, and larger batches too.
    """

    title: ClassVar[str] = "Canary extraction"
    question: ClassVar[str] = "Can a secret number be read out of a network that understood one request with it?"
    threat: ClassVar[str] = (
        "The adversary holds the whole trained network, and knows how the request with the secret begins, what it is "
        "labelled as, and which words the secret is made of. It sees no training data."
    )
    tables: ClassVar[dict[str, Schema]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "assistant_requests"},
            "model": {"part": "bilstm_crf"},
            "game": {"repetitions": [100], "trials": 2},
            "attack": {"schedule": "annealed", "coordinate_descent": True},
        },
        "paper": {
            "dataset": {"part": "snips"},
            "model": {"part": "bilstm_crf"},
            "game": {"repetitions": [0, 1, 10, 100, 500, 1000, 2000]},
        },
    }

    schedule: Literal["paper", "annealed"] = parameter(
        "paper", "How the mixture settles: as in the paper, or annealed from hot to cold.", label="Schedule"
    )
    coordinate_descent: bool = parameter(
        False, "Whether single words are replaced afterwards as long as the loss falls.", label="Coordinate descent"
    )
    restarts: int = parameter(8, "Random beginnings; the one that ends lowest counts.", unit="runs", ge=1, le=256)
    steps: int = parameter(250, "Improvements of the mixture.", unit="steps", ge=1, le=10_000)
    scored: int = parameter(
        25_000,
        "Secrets of which the loss is asked: all where there are no more, else a random 10,000 or fewer.",
        label="Scored at most",
        unit="secrets",
        ge=100,
        le=1_000_000,
        advanced=True,
    )

    @property
    def method(self) -> str:
        """What the attack's own answer is called among all methods."""
        return f"{self.schedule}_descent" if self.coordinate_descent else self.schedule

    def extract(
        self, questions: Sequence[Briefing], access: NetworkInternals, rng: np.random.Generator
    ) -> list[Answer]:
        """Answer all questions about one network, those of equal length in one optimisation."""
        answers: dict[int, Answer] = {}
        for own in _alike(questions):
            puzzles = puzzles_of([questions[number] for number in own], access)
            found = self._solved([questions[number] for number in own], puzzles, rng)
            answers |= dict(zip(own, found, strict=True))
        return [answers[number] for number in range(len(questions))]

    def _solved(self, questions: Sequence[Briefing], puzzles: "Puzzles", rng: np.random.Generator) -> Iterator[Answer]:
        from core.networks.relaxed_search import Restarts, coordinate_descent, settle

        schedules = schedules_of(self.steps)
        begun = Restarts.draw(puzzles, list(schedules.values()), self.restarts, rng)
        settled, free = settle(puzzles, list(schedules.values()), begun, steps=self.steps, every=_EVERY)
        ended = dict(zip(schedules, settled, strict=True))
        own = ended[self.schedule]
        runs = {name: one.words for name, one in ended.items()} | {_FREE: free}
        for name in dict.fromkeys(["annealed", *([self.schedule] if self.coordinate_descent else [])]):
            runs[f"{name}_descent"] = coordinate_descent(puzzles, ended[name].words)
        losses = {name: puzzles.words_loss(words) for name, words in runs.items()}
        trusted = losses[self.method].argmin(axis=1)
        for number, question in enumerate(questions):
            scored = self._scored(question, rng)
            scores = puzzles.only(number).words_loss(scored[None])[0]
            guesses = {name: words[number, losses[name][number].argmin()] for name, words in sorted(runs.items())}
            guesses[_GUESS] = rng.integers(len(question.pattern.candidates), size=question.unknown)
            if len(scored) == question.space:
                guesses[_ALL] = scored[scores.argmin()]
            found = puzzles.only(number).words_loss(np.stack(list(guesses.values()))[None])[0]
            yield Answer(
                guesses,
                dict(zip(guesses, found.tolist(), strict=True)),
                scored,
                scores,
                own.steps,
                own.mixtures[:, number, trusted[number]],
                runs[self.method][number],
                losses[self.method][number],
            )

    def _scored(self, question: Briefing, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the secrets to be scored, (scored, unknown): all in order where that is allowed, else a sample."""
        sizes = (len(question.pattern.candidates),) * question.unknown
        if question.space <= self.scored:
            return np.stack(np.unravel_index(np.arange(question.space), sizes), axis=1)
        return rng.integers(sizes[0], size=(min(_SAMPLE, self.scored), question.unknown))


def schedules_of(steps: int) -> "dict[str, Schedule]":
    """Return how mixtures settle, by the name of the schedule."""
    from core.networks.relaxed_search import Schedule

    return {
        "paper": Schedule(hot=0.1, cooling=0.997, learning_rate=6.5e-3, decay=0.995, spread=0.1),
        "annealed": Schedule(hot=1.0, cooling=0.02 ** (1 / steps), learning_rate=0.05, decay=1.0, spread=0.5),
    }


def _alike(questions: Sequence[Briefing]) -> list[list[int]]:
    """Return the numbers of questions, those of equal length together."""
    groups: dict[tuple[int, int], list[int]] = {}
    for number, question in enumerate(questions):
        groups.setdefault((len(question.beginning), question.unknown), []).append(number)
    return list(groups.values())


def puzzles_of(questions: Sequence[Briefing], access: NetworkInternals) -> "Puzzles":
    """Return questions of equal length as a network sees them."""
    import torch

    from core.networks.relaxed_search import Puzzles

    described = [access.describe(question.pattern.candidates) for question in questions]
    return Puzzles(
        torch.stack([access.describe(question.beginning) for question in questions]),
        torch.nn.utils.rnn.pad_sequence(described, batch_first=True),
        np.array([len(own) for own in described]),
        questions[0].unknown,
        tuple(question.pattern.intent for question in questions),
        tuple(question.slots for question in questions),
        access.losses,
    )
