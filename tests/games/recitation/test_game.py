"""Recitation: who knows the passages recites all, who guesses none, models recite what they were shown often."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from core.access.by_word import ByWord
from core.access.language_models import ContinuationRates, Continuations, Sampling
from core.datasets import Card, Dataset
from core.errors import Incompatible, InvalidSpec
from core.games.recitation import Recitation
from core.games.recitation.contract import Answer, Briefing, RecitationAttack
from core.games.recitation.passages import common
from core.models.lstm_lm import LstmLm
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.vocabulary import Vocabulary
from tests.games.reachable import reachable_arrays
from tests.stand_ins import CARD, WORDS, context

SEED = 987_654_321
GAME = Recitation(prefixes=(2, 4), continuation=3, copies=(1, 9), passages=8, documents=20, plays=3)


class Random(Dataset):
    """Texts of random words; the first two share their words."""

    title: ClassVar[str] = "random"
    card: ClassVar[Card] = CARD

    def load(self) -> Documents:
        rng = generator(0, "random")
        texts = [" ".join(rng.choice(np.array(WORDS), 12)) for _ in range(80)]
        return Documents((texts[1], *texts[1:]))


class Memory:
    """Continues whatever stands in its texts often enough, by the number of copies, and repeats the first word else."""

    def __init__(self, texts: list[np.ndarray], least: int) -> None:
        self.texts, self.least = texts, least
        self.known: dict[tuple[int, int], dict[tuple[int, ...], Counter[tuple[int, ...]]]] = {}

    def continued(self, prefixes: Sequence[np.ndarray], words: int) -> np.ndarray:
        return np.stack([self._following(prefix, words) for prefix in prefixes])

    def drawn(self, prefixes: Any, words: int, top_k: int, temperature: float, rng: Any) -> np.ndarray:
        sure = rng.random((len(prefixes), 1)) < 0.5
        return np.where(sure, self.continued(prefixes, words), 2)

    def log_rates(self, prefixes: Any, following: Any, top_k: int, temperature: float) -> np.ndarray:
        continuations = self.continued(prefixes, len(following[0]))
        return np.where((continuations == np.stack(following)).all(axis=1), np.log(0.5), -np.inf)

    def _following(self, prefix: np.ndarray, words: int) -> np.ndarray:
        counts = self._known(len(prefix), words).get(tuple(prefix.tolist()), Counter())
        best, count = max(counts.items(), key=lambda of: of[1], default=((), 0))
        return np.array(best, np.int64) if count >= self.least else np.full(words, 2)

    def _known(self, length: int, words: int) -> dict[tuple[int, ...], Counter[tuple[int, ...]]]:
        """What follows each prefix of a length, and how often."""
        if (length, words) not in self.known:
            known = self.known[length, words] = defaultdict(Counter)
            for text in map(np.ndarray.tolist, self.texts):
                for start in range(len(text) - length - words + 1):
                    middle = start + length
                    known[tuple(text[start:middle])][tuple(text[middle : middle + words])] += 1
        return self.known[length, words]


class Remembering(LstmLm):
    """Remembers texts that it is shown at least so often."""

    title: ClassVar[str] = "remembering"
    least: ClassVar[int] = 1

    def train_targets(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        assert job.access is ContinuationRates
        vocabulary = Vocabulary.of(job.corpus, 1)
        models = [vocabulary.encode(job.corpus.select(rows)) for rows in job.selections]
        return [TrainedTarget(ContinuationRates(ByWord(vocabulary, Memory(texts, self.least)))) for texts in models]


class Spelling(Remembering):
    """Reads words as one token, or two where they begin early in the alphabet."""

    title: ClassVar[str] = "spelling"

    def token_counts(self, documents: Sequence[Sequence[str]]) -> list[np.ndarray]:
        return [np.array([1 + (word < "e") for word in words], np.int64) for words in documents]


class Attack(RecitationAttack):
    """Asks the model, or says what it is told."""

    title: ClassVar[str] = "told"
    says: ClassVar[Callable[[Briefing, Continuations], Answer]]
    seen: ClassVar[list[Any]]

    @property
    def sampling(self) -> Sampling:
        return Sampling(3, 1.0)

    def recite(self, briefing: Briefing, access: Continuations) -> Answer:
        self.seen[:] = [briefing, access]
        return type(self).says(briefing, access)


def asking(briefing: Briefing, access: Continuations) -> Answer:
    likeliest = {length: access.continued(texts, briefing.words) for length, texts in briefing.prefixes.items()}
    longest = briefing.prefixes[briefing.longest]
    rounds = [access.drawn(longest, briefing.words, Sampling(3, 1.0), briefing.rng) for _ in range(4)]
    return Answer(likeliest, list(zip(*rounds, strict=True)))


def guessing(briefing: Briefing, access: Continuations) -> Answer:
    def said() -> list[str]:
        return list(briefing.rng.choice(np.array(WORDS), briefing.words))

    return Answer({n: [said() for _ in texts] for n, texts in briefing.prefixes.items()}, [[said()] for _ in range(24)])


@pytest.fixture
def play(store: Store) -> Callable[..., Any]:
    def played(says: Any, *, least: int = 1, game: Recitation = GAME) -> Any:
        Attack.says, Attack.seen, Remembering.least = staticmethod(says), [], least
        return game.play(Random(), Remembering(), (), Attack(), SEED, context(store))

    return played


def test_a_model_with_a_memory_recites_what_it_was_shown_and_nothing_else(play: Callable[..., Any]) -> None:
    estimates, tables = play(asking)
    assert (estimates["accuracy"].value, estimates["control"].value, estimates["accuracy"].chance) == (1, 0, 0)
    assert estimates["accuracy"].above_chance() and estimates["accuracy"].low < 1
    assert estimates["queries"].value == 2 + 4
    curve = tables["curve"].set_index(["copies", "prefix"])
    assert curve.loc[(9, 4), "recited"] == 1 and curve.loc[(9, 4), "words"] == 1
    assert curve.loc[(0, 4), "recited"] == 0
    assert curve["passages"].sum() + curve["common"].sum() == 2 * 3 * 24
    assert set(tables["passages"]["right"]) <= {"111", "000", "100", "010", "001", "110", "101", "011"}


def test_what_is_shown_often_is_recited_and_what_is_shown_once_is_not(play: Callable[..., Any]) -> None:
    estimates, _ = play(asking, least=5)
    assert estimates["accuracy_9_copies"].value == 1
    assert estimates["accuracy_1_copies"].value == estimates["control"].value == 0
    assert estimates["accuracy"].value == pytest.approx(0.5, abs=0.02), "a common phrase counts apart"


def test_a_prefix_in_tokens_is_of_as_many_whole_words_as_fit(store: Store) -> None:
    Attack.says, Attack.seen, Remembering.least = staticmethod(asking), [], 1
    game = GAME.replace(counted_in="tokens", prefixes=(1, 5, 8))
    estimates, tables = game.play(Random(), Spelling(), (), Attack(), SEED, context(store))
    briefing = Attack.seen[0]
    longest = briefing.prefixes[8]
    for length, prefixes in briefing.prefixes.items():
        counts = [sum(1 + (word < "e") for word in words) for words in prefixes]
        assert all(words == whole[-len(words) :] for words, whole in zip(prefixes, longest, strict=True))
        assert length == 1 or set(counts) == {length, length - 1}, "one more word would not fit"
    assert {len(words) for words in briefing.prefixes[1]} == {1}, "a word at least is known"
    assert estimates["accuracy"].value == 1 and estimates["control"].value == 0
    texts = [text.split() for text in Random().load().texts]
    for row in tables["passages"].itertuples():
        known = longest[row.passage]
        assert texts[row.row][row.start : row.truth] == known, "a passage begins with its longest prefix"


def test_a_token_is_a_word_where_the_model_reads_words(play: Callable[..., Any]) -> None:
    in_words, in_tokens = (play(asking, game=GAME.replace(counted_in=unit)) for unit in ("words", "tokens"))
    assert in_words[0] == in_tokens[0]
    assert GAME.identity() == {name: value for name, value in GAME.identity().items() if name != "counted_in"}
    assert GAME.replace(counted_in="tokens").key != GAME.key
    with pytest.raises(Incompatible, match="30 tokens, and the model's context must hold the 3 words to be recited"):
        play(asking, game=GAME.replace(counted_in="tokens", prefixes=(30,)))


def test_guessing_recites_nothing(play: Callable[..., Any]) -> None:
    estimates, _ = play(guessing)
    assert estimates["accuracy"].value == estimates["control"].value == 0
    assert not estimates["accuracy"].above_chance()


def test_draws_are_counted_as_hayes_counts_them(play: Callable[..., Any]) -> None:
    estimates, tables = play(asking)
    assert estimates["discoverable_1"].value == 1, "one draw gives half, and half is enough"
    shares = tables["discoverable"].set_index(["copies", "draws", "certainty"])["share"]
    assert (shares[9, 1, 0.9], shares[9, 10, 0.9], shares[0, 10_000, 0.1]) == (0, 1, 0)
    draws = tables["draws"].set_index(["copies", "draws"])
    assert draws.loc[(9, 4), "expected"] == pytest.approx(1 - 0.5**4)
    assert draws.loc[(9, 4), "found"] == pytest.approx(1 - 0.5**4, abs=0.2)
    assert draws.loc[(9, 1), "found"] == pytest.approx(0.5, abs=0.2)


def test_the_adversary_reaches_neither_passages_nor_copies(play: Callable[..., Any]) -> None:
    play(guessing)
    copies = GAME.draw(SEED)
    assert not isinstance(Attack.seen[1], ContinuationRates)
    for array in reachable_arrays(Attack.seen):
        assert not any(np.array_equal(array, row) for row in (copies, *copies))


def test_a_common_phrase_counts_apart() -> None:
    assert common([["a", "b"], ["b", "c"]], [["a", "b", "c"], ["a", "b"]]).tolist() == [True, False]
    assert common([["a", "a"]], [["a", "a", "a"]]).tolist() == [True], "twice in one document"
    assert common([], [["a"]]).shape == (0,)


def test_each_number_of_copies_has_as_many_passages_in_every_model() -> None:
    for row in GAME.draw(1):
        assert np.unique(row, return_counts=True)[1].tolist() == [8, 8, 8]
    assert not np.array_equal(GAME.draw(1), GAME.draw(2))


def test_the_control_may_be_larger_and_then_shows_more(play: Callable[..., Any]) -> None:
    larger = GAME.replace(unseen=30)
    for row in larger.draw(1):
        assert np.unique(row, return_counts=True)[1].tolist() == [30, 8, 8]
    assert larger.key != GAME.key and GAME.replace(unseen=0).key == GAME.key
    few, many = (play(asking, game=game)[0]["control"] for game in (GAME, larger))
    assert few.value == many.value == 0 and many.decisions > 3 * few.decisions
    assert many.high < few.high / 2
    with pytest.raises(Incompatible, match="24 passages for each number of copies would fit"):
        play(asking, game=larger.replace(passages=27))


def test_what_does_not_fit_is_refused_with_what_would(play: Callable[..., Any]) -> None:
    with pytest.raises(Incompatible, match="26 passages for each number of copies would fit"):
        play(asking, game=GAME.replace(passages=27))
    with pytest.raises(Incompatible, match="context of 32 instead; 41 would do"):
        play(asking, game=GAME.replace(prefixes=(40,)))
    with pytest.raises(Incompatible, match="shorter prefixes and fewer words to be recited shorter ones"):
        play(asking, game=GAME.replace(continuation=30))
    with pytest.raises(InvalidSpec, match=r"must name each value once\. Got 2, 2 instead; 2 would do"):
        GAME.replace(copies=(2, 2))
    with pytest.raises(Incompatible, match="must continue each of 24 prefixes"):
        play(lambda briefing, access: Answer({2: [], 4: []}, []))
