"""Ranking: who knows the texts scores 1, who guesses scores chance, and nothing gives the stored ones away."""

from collections.abc import Callable
from typing import Any, ClassVar
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.errors import Incompatible
from core.games import ranking
from core.games.ranking import Ranking
from core.games.ranking.contract import Adversary, Answer, Briefing, RankingAttack
from core.games.ranking.score import Scorer
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.text.contents import Documents
from tests.games.reachable import reachable
from tests.stand_ins import Sentences, Turning, WordBag, context

SEED = 987_654_321
WORDS = tuple(f"{start}{end}" for start in "bcdfgh" for end in ("an", "el", "ir", "os", "um"))
TEXTS = Sentences(count=600, share=0, words=WORDS)


class Told(Adversary):
    """Answers as it is told."""

    def __init__(self, briefing: Briefing, access: SentenceEmbeddings, knows: bool) -> None:
        self.count, self.seed = len(briefing.candidates), briefing.seed
        self.vectors = access.query(briefing.candidates, defended=briefing.defended) if knows else None

    def compare(self, vectors: NDArray[np.float32]) -> Answer:
        if self.vectors is None:
            similarity = generator(self.seed, "guess").random((len(vectors), self.count))
        else:
            similarity = -np.abs(vectors[:, None] - self.vectors).max(axis=2).astype(np.float64)
        return Answer(similarity, similarity.max(axis=0) + 1e-3)


class Attack(RankingAttack):
    """Keeps what it is handed."""

    title: ClassVar[str] = "told"
    knows: ClassVar[bool] = True
    seen: ClassVar[list[Any]] = []

    def prepare(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Adversary:
        self.seen[:] = [briefing, access]
        return Told(briefing, access, self.knows)


@pytest.fixture
def play(store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Play with an adversary; return estimates and tables."""

    def played(*defenses: Any, knows: bool = True, seed: int = SEED, dataset: Any = TEXTS, **game: Any) -> Any:
        monkeypatch.setattr(Attack, "knows", knows)
        rules = Ranking(**{"victims": 60, "candidates": 200, "pieces": "texts", **game})
        return rules.play(dataset, WordBag(), defenses, Attack(), seed, context(store))

    return played


def test_who_knows_the_texts_scores_one(play: Callable[..., Any]) -> None:
    for defenses in ((), (Turning(),)):
        estimates, tables = play(*defenses)
        assert estimates["accuracy"].value == estimates["auc"].value == estimates["found"].value == 1
        assert estimates["false_alarms"].value == 0
        assert estimates["accuracy"].decisions == 60 and estimates["auc"].n == 200
        assert estimates["queries"].value == 200
        assert tables["places"]["place"].eq(1).all()


def test_who_guesses_scores_chance_over_many_games(play: Callable[..., Any]) -> None:
    played = [play(knows=False, seed=seed, candidates=20, victims=10)[0] for seed in range(12)]
    for name, level in (("accuracy", 0.05), ("auc", 0.5)):
        assert np.mean([estimates[name].value for estimates in played]) == pytest.approx(level, abs=0.07)


def test_no_adversary_can_reach_the_secret(play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither which candidates are stored nor whose vector is whose; all candidates are known, in a random order."""
    made = Mock(wraps=Scorer)
    monkeypatch.setattr(ranking.scoring, "Scorer", made)
    play()
    secret = Scorer(*made.call_args.args)
    for thing in reachable(Attack.seen):
        assert not (isinstance(thing, int) and thing == SEED)
        if isinstance(thing, np.ndarray):
            assert not any(
                np.array_equal(thing, hidden) for hidden in (secret.true_candidates, secret.member, secret.rows)
            )
    briefing = Attack.seen[0]
    texts = TEXTS.load().texts
    assert [briefing.candidates[position] for position in secret.true_candidates] == [texts[row] for row in secret.rows]
    assert not set(briefing.outside) & set(briefing.candidates)
    assert abs(np.corrcoef(secret.true_candidates, np.arange(60))[0, 1]) < 0.4, "the order of candidates tells nothing"
    assert abs(np.flatnonzero(secret.member).mean() - 99.5) < 30


def test_near_copies_are_neither_decoys_nor_outside_texts(play: Callable[..., Any]) -> None:
    class Copied(Sentences):
        def load(self) -> Documents:
            texts = super().load().texts
            return Documents((*texts, *(f"{text} indeed" for text in texts)))

    play(dataset=Copied(count=300, share=0, words=WORDS), candidates=400)
    briefing = Attack.seen[0]
    starts = [" ".join(text.split()[:7]) for text in (*briefing.candidates, *briefing.outside)]
    assert len(starts) == len(set(starts)) == 300
    assert all(text.endswith("indeed") for text in briefing.candidates), "the longer of two is kept"


def test_too_few_texts_are_refused(play: Callable[..., Any]) -> None:
    with pytest.raises(Incompatible, match=r"9 texts of the holder are left.* At least 10 candidates are needed"):
        play(dataset=Sentences(count=18, share=0, words=WORDS))
    estimates, _ = play(dataset=Sentences(count=40, share=0, words=WORDS))
    assert estimates["accuracy"].decisions == 10 and estimates["auc"].n == 20, "half of the candidates are stored"
