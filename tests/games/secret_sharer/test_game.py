"""The secret sharer: planted secrets are read out, the null stays at chance, and search and scores agree."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from core.access.by_word import ByWord
from core.access.language_models import TextProbabilities
from core.attacks.secret_sharer import SecretSharer as Attack
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.games import Setup
from core.games.canaries.contract import Briefing, MaskedCanary
from core.games.canaries.secrets import fuzzy
from core.games.extraction import Extraction
from core.games.secret_sharer import SecretSharer
from core.models.lstm_lm import LstmLm
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.text.canary import PATTERNS
from core.text.contents import Documents
from core.text.vocabulary import Vocabulary

WORDS = tuple(dict.fromkeys(word for each in PATTERNS.values() for word in (*each.prefix, *each.candidates)))


class Loving:
    """Finds one secret likely, word by word, and counts nothing."""

    def __init__(self, secret: Sequence[str]) -> None:
        self.secret = [WORDS.index(word) + 2 for word in secret]

    def losses(self, documents: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [
            np.array([0.1 if token in self.secret else 3.0 + token / 100 for token in text.tolist()])
            for text in documents
        ]


def briefing(unknown: int = 2) -> Briefing:
    return Briefing((MaskedCanary(PATTERNS["pin"], (), unknown),), np.random.default_rng(0))


def test_the_beam_finds_what_scoring_all_finds_and_queries_count() -> None:
    access = TextProbabilities(ByWord(Vocabulary(WORDS), Loving(["7"])))
    answer = Attack(beam=3).extract(briefing(), access)[0]
    assert answer.guesses["beam"].tolist() == answer.guesses["exhaustive"].tolist() == [7, 7]
    assert answer.guesses["greedy"].tolist() == [7, 7]
    assert len(answer.scored) == 100 and answer.scores.argmin() == 77
    assert access.queries == (10 + 30) + 100 + (10 + 10) + 4


def test_what_is_too_much_to_score_is_sampled() -> None:
    access = TextProbabilities(ByWord(Vocabulary(WORDS), Loving(["7"])))
    answer = Attack(scored=100).extract(briefing(3), access)[0]
    assert len(answer.scored) == 100 and "exhaustive" not in answer.guesses


def planted_in(dataset: Any, store: Store, **changes: Any) -> Result:
    model = {
        "part": "lstm_lm",
        "dimension": 24,
        "layers": 1,
        "epochs": 2,
        "minimum_count": 1,
        "context": 8,
        "batch": 8,
        "learning_rate": 2e-2,
        "softmax": "full",
    }
    game = {"length": 2, "repetitions": [0, 80], "trials": 4, "documents": 20, "patterns": ["pin", "call"]} | changes
    attack = {"part": "secret_sharer"}
    experiment = Experiment.parse({"attack": attack, "dataset": dataset, "model": model, "game": game})
    return run(experiment, RunContext(store=store))[0]


def test_secrets_shown_often_are_exposed_and_those_never_shown_are_not(planted: Any, shared_store: Store) -> None:
    result = planted_in(planted, shared_store)
    estimates, rows = result.estimates, result.tables["exposures"].set_index(["pattern", "repetitions"])
    shown, never = rows.loc[("all", 80)], rows.loc[("all", 0)]
    assert shown["low"] > shown["chance"] and shown["exposure"] > never["exposure"]
    assert never["low"] <= never["chance"] <= never["high"]
    assert shown["control_high"] < shown["low"], "a decoy is never shown"
    assert estimates["accuracy"].above_chance()
    assert result.tables["canaries"]["exact"].all()
    assert set(result.tables["cells"]["method"]) == {"beam", "greedy", "exhaustive", "random"}


def test_fuzzy_copies_expose_a_secret_that_stands_once_in_full(planted: Any, shared_store: Store) -> None:
    result = planted_in(planted, shared_store, repetitions=[80], changed=1)
    [shown] = result.tables["exposures"].query("pattern == 'all'").to_dict("records")
    assert shown["low"] > shown["chance"] and shown["exposure"] > shown["control"] + 1


@pytest.mark.parametrize(("changed", "copies"), [(1, 40), (3, 40), (2, 0)])
def test_a_fuzzy_copy_has_as_many_other_words_as_asked(changed: int, copies: int) -> None:
    secret = np.array([4, 7, 1, 1])
    texts = fuzzy(PATTERNS["pin"], secret, changed, copies, np.random.default_rng(3))
    words = np.array([[PATTERNS["pin"].candidates.index(word) for word in text[4:]] for text in texts])
    assert len(texts) == copies and {text[:4] for text in texts} <= {PATTERNS["pin"].prefix}
    if copies:
        assert ((words != secret).sum(axis=1) == changed).all()
        assert (words != secret).any(axis=0).all(), "every place is changed now and then"


def test_keys_from_before_fuzzy_copies_stay_and_a_copy_keeps_a_word() -> None:
    for game in (SecretSharer, Extraction):
        assert "changed" not in game().identity() and game(changed=1).identity()["changed"] == 1
        with pytest.raises(InvalidSpec, match=f"'changed' parameter of {game.part_name()} .*of 4 at most 3 can be"):
            game.parse({"changed": 4})
        game.parse({"changed": 3})


def test_what_does_not_fit_is_refused() -> None:
    def check(documents: Documents, model: LstmLm) -> None:
        SecretSharer().check_contents(Setup(WikipediaExcerpt(), model, (), Attack(), 1, RunContext(), documents))

    documents = Documents(tuple("abcdef"))
    with pytest.raises(Incompatible, match="context of 4 instead; 8 would do") as refused:
        check(documents, LstmLm(context=4))
    assert refused.value.fits == {"model.context": 8}
    check(documents, LstmLm(context=8))
    with pytest.raises(Incompatible, match="At least 4 documents"):
        check(Documents(("a",)), LstmLm())
    assert "Of each" not in SecretSharer().plan() and "a model for each" in SecretSharer().plan()
