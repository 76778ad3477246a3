"""Identification of encoders: who knows the encoder scores 1, who guesses scores chance, and nothing gives it away."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games import fingerprint
from core.games.embedding_defenses import FEWEST_VICTIMS
from core.games.fingerprint import Fingerprint
from core.games.fingerprint.contract import Answer, Briefing, FingerprintAttack, labels
from core.games.fingerprint.score import Scorer
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.progress import Progress
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.targets.model import Model
from tests.games.reachable import reachable
from tests.stand_ins import Sentences, context

POOLINGS = ("mean", "last", "first")
SEED = 987_654_321


class Signing(Encoder):
    """Signs each embedding: its first number tells the pooling, the others nothing."""

    title: ClassVar[str] = "signing"

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        context.progress.stage(whose, len(texts))
        noise = [generator(0, text).normal(size=7) for text in texts]
        return np.insert(np.array(noise, np.float32).reshape(-1, 7), 0, POOLINGS.index(self.pooling), axis=1)


class Attack(FingerprintAttack):
    """Looks at what it is handed, and answers as it is told."""

    title: ClassVar[str] = "told"
    own_texts: ClassVar[Dataset] = Sentences(count=40, stream=1)
    answers: ClassVar[Callable[..., Answer]]
    seen: ClassVar[list[Any]]

    def encoders(self, model: Model) -> tuple[Encoder, ...]:
        assert isinstance(model, Encoder)
        return tuple(model.replace(pooling=pooling) for pooling in POOLINGS)

    def auxiliary(self) -> Dataset:
        return self.own_texts

    def identify(self, briefing: Briefing, candidates: Sequence[SentenceEmbeddings], context: RunContext) -> Answer:
        self.seen[:] = [briefing, *candidates]
        return type(self).answers(briefing, candidates)


def knowing(briefing: Briefing, candidates: Sequence[SentenceEmbeddings]) -> Answer:
    """Read the signature."""
    return Answer(np.eye(3, dtype=np.float32)[np.stack(briefing.victims)[:, 0].astype(int)], {})


def guessing(briefing: Briefing, candidates: Sequence[SentenceEmbeddings]) -> Answer:
    """Name any candidate."""
    return Answer(generator(briefing.seed, "guess").random((len(briefing.victims), 3), np.float32), {})


def asking(briefing: Briefing, candidates: Sequence[SentenceEmbeddings]) -> Answer:
    """Query each candidate with as many texts as its number says, and one."""
    for number, access in enumerate(candidates):
        signatures = access.query(["one text", "another", "a third"][: number + 1])[:, 0]
        assert signatures.tolist() == [number] * (number + 1), "access comes in the order of the candidates"
    return guessing(briefing, candidates)


@pytest.fixture
def play(store: Store) -> Callable[..., Any]:
    """Play with an adversary; return estimates and tables."""

    def played(answers: Callable[..., Answer], *, victims: int = 300, seed: int = SEED, dataset: Any = None) -> Any:
        Attack.answers, Attack.seen = staticmethod(answers), []
        texts = dataset or Sentences(count=400)
        return Fingerprint(victims=victims).play(texts, Signing(), (), Attack(), seed, context(store))

    return played


def test_who_knows_the_encoder_scores_one(play: Callable[..., Any]) -> None:
    estimates, tables = play(knowing)
    accuracy = estimates["accuracy"]
    assert (accuracy.value, accuracy.high, accuracy.decisions) == (1, 1, 300)
    assert accuracy.low < 1, "300 right answers do not show that all would be"
    assert accuracy.chance == estimates["accuracy_by_dimension"].value == pytest.approx(1 / 3)
    assert estimates["queries"].value == 0
    assert tables["encoders"]["encoder"].tolist() == list(labels(Attack().encoders(Signing())))
    assert tables["encoders"]["accuracy"].tolist() == [1, 1, 1]


def test_who_guesses_scores_chance_over_many_games(play: Callable[..., Any]) -> None:
    shares = [play(guessing, seed=seed)[0]["accuracy"].value for seed in range(10)]
    assert np.mean(shares) == pytest.approx(1 / 3, abs=0.04), "3,000 guesses"


def test_all_candidates_are_equally_likely_and_each_seed_draws_anew(play: Callable[..., Any]) -> None:
    first, same, other = (play(knowing, seed=seed)[1]["encoders"]["victims"].tolist() for seed in (1, 1, 2))
    assert first == same != other
    assert sum(first) == 300 and all(70 < count < 130 for count in first)


def test_queries_of_all_candidates_count(play: Callable[..., Any]) -> None:
    assert play(asking)[0]["queries"].value == 1 + 2 + 3


def test_progress_says_whose_texts_each_encoder_embeds(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: list[str] = []
    monkeypatch.setattr(Progress, "stage", lambda _, name, total=0, done=0: stages.append(name))
    play(asking)
    whose = [name for name in stages if "texts (" in name]
    assert whose == [
        f"the {holder} texts (encoder {number} of 3)" for holder in ("victims'", "adversary's") for number in (1, 2, 3)
    ]


def test_texts_of_the_same_words_are_one_victim(play: Callable[..., Any]) -> None:
    class Repeated(Sentences):
        def load(self) -> Any:
            texts = super().load()
            return type(texts)((*texts.texts, *(text.upper() for text in texts.texts)))

    assert play(knowing, victims=1000, dataset=Repeated(count=50))[0]["accuracy"].decisions == 50
    too_few = f"has {FEWEST_VICTIMS - 1} different texts. At least {FEWEST_VICTIMS} are needed"
    with pytest.raises(Incompatible, match=too_few):
        play(knowing, dataset=Repeated(count=FEWEST_VICTIMS - 1))


def test_no_adversary_can_reach_the_secret(play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither who made which embedding nor whose text it is; what is released lies in the briefing."""
    made = Mock(wraps=Scorer)
    monkeypatch.setattr(fingerprint.scoring, "Scorer", made)
    play(knowing)
    secret, texts = Scorer(*made.call_args.args), Sentences(count=400).load().texts
    victims = {texts[row] for row in secret.rows}
    assert len(victims) == 300
    for thing in reachable(Attack.seen):
        assert not (isinstance(thing, str) and thing in victims)
        assert not (isinstance(thing, int) and thing == SEED)
        if isinstance(thing, np.ndarray):
            assert not any(np.array_equal(thing, hidden) for hidden in (secret.drawn, secret.rows))
    briefing = Attack.seen[0]
    assert all(np.array_equal(*pair) for pair in zip(briefing.victims, secret.vectors, strict=True))
