"""Canary extraction: a secret is read out of a trained network, word by word, from its loss."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from core.access import NetworkInternals
from core.adversaries.scored_secrets import scored_at_most, scored_secrets
from core.games.canaries.contract import Answer, Briefing, MaskedCanary
from core.games.extraction.contract import ExtractionAttack
from core.spec import parameter

if TYPE_CHECKING:
    from core.networks.relaxed_search import Puzzles, Schedule

_EVERY = 10
_FREE = "continuous"
_ALL = "exhaustive"
_GUESS = "random"


class CanaryExtraction(ExtractionAttack):
    """Minimise the network's loss over the unknown words of a request (Parikh et al. 2022, section 3.1, equations 1-3).

    Each unknown word is a mixture of the candidates' vectors, ``softmax(z / T) W``. Adam minimises the loss of the
    known labels over z while the temperature T falls. Of random restarts, the words with the lowest loss win.

    - *Schedules.* ``paper``: T from 0.1 by 0.997 a step, step size 6.5e-3 by 0.995, 250 steps (appendix B). The start
      of z is not stated; here it is normal with deviation 0.1. ``annealed`` (ours): T from 1 to 0.02, step size 0.05,
      deviation 0.5. ``coordinate_descent`` (ours) then replaces single words while the loss falls.
    - *Baselines.* The other schedule, descent, vectors without constraint (section 3.1), and a random guess.
    - *Exposure* (Carlini et al. 2019): log2 of the number of secrets less log2 of the rank of the true one by loss. All
      secrets are scored where they are few, and the one with the lowest loss is an answer too. Otherwise a random
      sample is scored, and exposure cannot exceed log2 of its size.
    """

    title: ClassVar[str] = "Canary extraction"
    question: ClassVar[str] = "Can a secret be read out of a network that was trained on a request with it?"
    claim: ClassVar[str] = (
        "Given a network and the beginning of a request, the adversary reads out the secret that followed in training"
    )
    threat: ClassVar[str] = (
        "The adversary holds the whole trained network, and knows how the request with the secret begins, what it is "
        "labelled as, and the candidates for the words of the secret. It sees no training data."
    )
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
    restarts: int = parameter(8, "Random restarts; the lowest final loss wins.", unit="runs", ge=1, le=256)
    steps: int = parameter(250, "Steps of the optimiser.", unit="steps", ge=1, le=10_000)
    scored: int = scored_at_most()

    @property
    def method(self) -> str:
        """Name of the attack's answer among all methods."""
        return f"{self.schedule}_descent" if self.coordinate_descent else self.schedule

    def extract(self, briefing: Briefing, access: NetworkInternals) -> list[Answer]:
        """Extract the secrets of one network, those of equal length in one optimisation."""
        questions, rng = briefing.canaries, briefing.rng
        answers: dict[int, Answer] = {}
        for numbers in _alike(questions):
            group = [questions[number] for number in numbers]
            answers |= dict(zip(numbers, self._solved(group, puzzles_of(group, access), rng), strict=True))
        return [answers[number] for number in range(len(questions))]

    def _solved(
        self, questions: Sequence[MaskedCanary], puzzles: "Puzzles", rng: np.random.Generator
    ) -> Iterator[Answer]:
        from core.networks.relaxed_search import Restarts, coordinate_descent, settle

        schedules = schedules_of(self.steps)
        starts = Restarts.draw(puzzles, list(schedules.values()), self.restarts, rng)
        settled, free = settle(puzzles, list(schedules.values()), starts, steps=self.steps, every=_EVERY)
        by_schedule = dict(zip(schedules, settled, strict=True))
        chosen = by_schedule[self.schedule]
        runs = {name: outcome.words for name, outcome in by_schedule.items()} | {_FREE: free}
        for name in dict.fromkeys(["annealed", *([self.schedule] if self.coordinate_descent else [])]):
            runs[f"{name}_descent"] = coordinate_descent(puzzles, by_schedule[name].words)
        losses = {name: puzzles.words_loss(words) for name, words in runs.items()}
        best = losses[self.method].argmin(axis=1)
        for number, question in enumerate(questions):
            scored = scored_secrets(question, self.scored, rng)
            scores = puzzles.only(number).words_loss(scored[None])[0]
            guesses = {name: words[number, losses[name][number].argmin()] for name, words in sorted(runs.items())}
            guesses[_GUESS] = rng.integers(len(question.pattern.candidates), size=question.unknown)
            if len(scored) == question.space:
                guesses[_ALL] = scored[scores.argmin()]
            guessed = puzzles.only(number).words_loss(np.stack(list(guesses.values()))[None])[0]
            yield Answer(
                guesses,
                dict(zip(guesses, guessed.tolist(), strict=True)),
                scored,
                scores,
                chosen.steps,
                chosen.mixtures[:, number, best[number]],
                runs[self.method][number],
                losses[self.method][number],
            )


def schedules_of(steps: int) -> "dict[str, Schedule]":
    """Return the schedules by name."""
    from core.networks.relaxed_search import Schedule

    return {
        "paper": Schedule(hot=0.1, cooling=0.997, learning_rate=6.5e-3, decay=0.995, spread=0.1),
        "annealed": Schedule(hot=1.0, cooling=0.02 ** (1 / steps), learning_rate=0.05, decay=1.0, spread=0.5),
    }


def _alike(questions: Sequence[MaskedCanary]) -> list[list[int]]:
    """Return the numbers of questions, grouped by length."""
    groups: dict[tuple[int, int], list[int]] = {}
    for number, question in enumerate(questions):
        groups.setdefault((len(question.beginning), question.unknown), []).append(number)
    return list(groups.values())


def puzzles_of(questions: Sequence[MaskedCanary], access: NetworkInternals) -> "Puzzles":
    """Return questions of equal length as inputs of a network."""
    import torch

    from core.networks.relaxed_search import Puzzles

    described = [access.describe(question.pattern.candidates) for question in questions]
    return Puzzles(
        torch.stack([access.describe(question.beginning) for question in questions]),
        torch.nn.utils.rnn.pad_sequence(described, batch_first=True),
        np.array(list(map(len, described))),
        questions[0].unknown,
        tuple(question.pattern.intent for question in questions),
        tuple(question.slots for question in questions),
        access.losses,
    )
