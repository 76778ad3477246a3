"""The choice of an adversary among its ways to prepare, on texts of its own."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from core.access import SentenceEmbeddings
from core.games.embedding_defenses import practice
from core.games.inference.contract import Answer, Briefing, InferenceAttack
from core.games.kinds_of_adversary import AdversaryKind
from core.runtime.context import RunContext
from core.runtime.seeding import generator


@dataclass(frozen=True)
class Prepared:
    """What an adversary has answered after one way to prepare.

    Attributes:
        attack: The attack that it played.
        briefing: What it was given.
        access: What it could query.
        answers: Its answers about the victims.
    """

    attack: InferenceAttack
    briefing: Briefing
    access: SentenceEmbeddings
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Choice:
    """Ways to prepare, and the adversary's choice among them on its own texts; the truth has no part in it.

    Attributes:
        attack: The attack.
        briefing: What the adversary is given.
        access: What it may query.
        context: Where it trains.
        defended: Whether a defense acts at release, so that it chooses between two kinds of embeddings to train on.
        on_answer: Called with each answer at once where there is nothing to choose.
    """

    attack: InferenceAttack
    briefing: Briefing
    access: SentenceEmbeddings
    context: RunContext
    defended: bool
    on_answer: Callable[[AdversaryKind, Answer], None]

    @property
    def several(self) -> bool:
        """Whether there is more than one way to prepare."""
        return self.defended or len(self.attack.candidates) > 1

    def infer(self, adversary: AdversaryKind, defended: bool) -> tuple[Prepared, float]:
        """Prepare, answer about the victims, and return the success on the adversary's own texts behind the defenses.

        Where the attack stands for several, the adaptive adversary takes the best of them behind the defenses, the
        naive one that on plain embeddings.
        """
        briefing = replace(self.briefing, defended=defended, practises=self.several)
        if not self.several:
            for answer in self._answers(self.attack, briefing, self.access):
                self.on_answer(adversary, answer)
            return Prepared(self.attack, briefing, self.access, ()), float("nan")
        left_out = self.attack.practice(briefing)
        plain = copy(self.access).known(left_out.texts).vectors  # counted below: texts are embedded once
        behind_defenses = practice(self.access, left_out.texts, generator(briefing.seed, "practice"))
        draws = len(behind_defenses) // max(len(left_out.texts), 1)
        tried = []
        for attack in self.attack.candidates:
            access = self.access.beside(np.concatenate([plain, behind_defenses]))
            answers = tuple(self._answers(attack, briefing, access))
            final = [answer for answer in answers if answer.final and answer.variant == attack.part_name()]
            behind = left_out.success(final, draws)
            aware = adversary == "adaptive"
            success = (
                behind if aware else left_out.success([_without(answer, len(behind_defenses)) for answer in final], 1)
            )
            about = tuple(_without(answer, len(plain) + len(behind_defenses)) for answer in answers)
            tried.append((success, behind, access, Prepared(attack, briefing, access, about)))
        _, behind, access, best = max(tried, key=lambda entry: entry[0])
        self.access.queries = access.queries
        return best, behind

    def _answers(self, attack: InferenceAttack, briefing: Briefing, access: SentenceEmbeddings) -> Iterator[Answer]:
        """Yield the answers of an attack.

        Raises:
            Incompatible: About some secret there was no final answer under the name of the attack.
        """
        variants, answered = [], set()
        for answer in attack.infer(briefing, access, self.context):
            yield answer
            variants.append(answer.variant)
            if answer.final and answer.variant == attack.part_name():
                answered.add(answer.secret)
        for number, secret in enumerate(briefing.secrets):
            if number not in answered:
                raise attack.unanswered(f"a final answer about {secret.name!r}", variants)


def _without(answer: Answer, last: int) -> Answer:
    """Return an answer without its last rows."""
    return replace(answer, probabilities=answer.probabilities[: len(answer.probabilities) - last])
