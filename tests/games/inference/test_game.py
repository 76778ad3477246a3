"""The game of inference hands over embeddings only, and scores fairly."""

import gc
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.access import SentenceEmbeddings
from core.attacks.keyword_inference import KeywordInference
from core.attacks.pattern_reconstruction import PatternReconstruction
from core.datasets.requests.atis import Atis
from core.errors import Incompatible, InvalidSpec, ModelRefused, RunCancelled
from core.experiment import Experiment, run
from core.games.inference import Inference, Split
from core.games.inference.contract import Answer, Briefing, Truth
from core.models.word2vec import Word2vec
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.targets import downstream_accuracy
from core.text.contents import Documents
from core.text.secrets import Keyword
from tests.errands import contents
from tests.stand_ins import (
    Breaking,
    Codes,
    Constant,
    Drowning,
    Noise,
    PositionCode,
    Sentences,
    Turning,
    WordBag,
    context,
)

HALF = Inference(shadow_share=0.5, victims=100)
QUICK = PatternReconstruction(samples=800, steps=160, batch=64, learning_rate=0.03, hidden="wide")
PLAIN = KeywordInference(rivals=False)


def experiment(**changes: Any) -> Experiment:
    values = {"attack": QUICK, "dataset": Codes(), "model": PositionCode(), "game": Inference(victims=60), **changes}
    return Experiment.parse(values)


class Backwards(Engine):
    """Finishes the trainings from the last to the first."""

    def map(self, function: Any, items: Any, *others: Any) -> Any:
        return super().map(function, reversed(list(items)), *others)


class Impatient(Progress):
    """Stops the run after its first training, and remembers what was shown."""

    def advance(self, items: int = 1) -> None:
        raise RunCancelled


@pytest.mark.parametrize(
    "changes",
    [
        {"attack": QUICK.replace(steps=32)},
        {
            "attack": KeywordInference(keywords=("london", "balan"), rivals=False),
            "dataset": Sentences(count=120),
            "model": WordBag(dimension=32),
            "game": HALF,
        },
    ],
    ids=["pattern", "keyword"],
)
def test_equal_experiments_give_equal_bytes_in_whatever_order_they_are_computed(
    changes: dict[str, Any], store: Store, tmp_path: Any
) -> None:
    one = experiment(**changes)
    first = context(store)
    run(one, first)
    other = Store(root=tmp_path / "other", shipped=store.shipped)
    with pytest.raises(RunCancelled):
        run(one, RunContext(store=other, engine=Backwards(workers=1), progress=Impatient()))
    resumed = RunContext(store=other, engine=Backwards(workers=1))
    _, cached = run(one, resumed)
    assert not cached
    assert contents(other, one.key) == contents(store, one.key)
    assert resumed.trainings == first.trainings - 1


def test_another_seed_draws_other_victims() -> None:
    documents, secrets = Sentences().load(), (Keyword("london"),)
    one, same, other = (HALF.split(documents, secrets, True, seed).truth.rows.tolist() for seed in (1, 1, 2))
    assert one == same
    assert one != other


@given(
    texts=st.lists(st.text(alphabet="aAbB .,\u00df\u1e9e", max_size=4), min_size=12, max_size=60),
    seed=st.integers(0, 100),
    share=st.floats(0.1, 0.9),
)
@settings(max_examples=25)
def test_no_text_is_both_a_victims_and_the_adversarys(texts: list[str], seed: int, share: float) -> None:
    game = Inference(shadow_share=share)
    try:
        split = game.split(Documents(tuple(texts)), (Keyword("a"),), False, seed)
    except Incompatible:
        return
    held, kept = (
        {" ".join(words(texts[row])) or texts[row] for row in rows} for rows in (split.adversary, split.holder)
    )
    assert not held & kept
    assert len(held) + len(kept) == len({" ".join(words(text)) or text for text in texts})
    assert set(split.truth.rows.tolist()) <= set(split.holder.tolist())
    assert split.truth.texts == tuple(texts[row] for row in split.truth.rows)


def words(text: str) -> list[str]:
    return "".join(character if character.isalnum() else " " for character in text.casefold()).split()


@given(seed=st.integers(0, 1000), most=st.integers(5, 60))
@settings(max_examples=10)
def test_balanced_victims_are_exactly_balanced(seed: int, most: int) -> None:
    documents = Sentences().load()
    secrets = (Keyword("london"), Keyword("balan"), Keyword("gumer"))
    game = Inference(shadow_share=0.3, victims=most)
    split = game.split(documents, secrets, True, seed)
    truth = split.truth
    for number, secret in enumerate(secrets):
        answers = truth.answers[number, truth.counted[number]]
        present = sum(secret.read(documents.texts[row]) for row in split.holder)
        assert (answers == 1).sum() == (answers == 0).sum() == min(most, present)
        assert truth.answers[number].tolist() == [secret.read(text) for text in truth.texts]
    assert truth.counted.any(axis=0).all(), "nobody is a victim of nothing"


def test_of_patterns_all_are_victims_up_to_the_most() -> None:
    patterns = Codes(count=50).load()
    split = Inference(victims=20).split(patterns, patterns.segments, False, 1)
    assert len(set(split.truth.rows.tolist())) == 20
    assert split.truth.counted.all()
    assert not len(split.adversary)
    assert len(Inference().split(patterns, patterns.segments, False, 1).truth.rows) == 50


@pytest.mark.parametrize(
    ("attack", "dataset", "model"),
    [(QUICK.replace(steps=32), Codes(), PositionCode()), (PLAIN, Sentences(), WordBag())],
)
@pytest.mark.parametrize("defenses", [(), (Turning(),)])
def test_nothing_the_adversary_holds_knows_the_truth(
    attack: Any, dataset: Any, model: Any, defenses: Any, store: Store
) -> None:
    """Not even through the interpreter's own references; with a defense, its inside is out of bounds."""
    seen: list[Any] = []

    class Spy(type(attack)):  # type: ignore[misc]
        def infer(self, briefing: Any, access: Any, context: RunContext) -> Iterator[Answer]:
            seen.extend([briefing, access])
            _holds_no_truth([briefing, access], truths[0], inside=not defenses)
            yield from super().infer(briefing, access, context)

    seed = 987_654_321
    game = Inference(shadow_share=0.5, victims=40)
    secrets = attack.secrets(dataset, dataset.load())
    truths = [game.split(dataset.load(), secrets, attack.balanced, seed)]
    spy = Spy(**{name: getattr(attack, name) for name in type(attack).model_fields})
    game.play(dataset, model, defenses, spy, seed, context(store))
    briefing, access = seen[:2]
    assert not access.victims.flags.writeable
    assert briefing.seed != seed
    beside = len(access.victims) - len(truths[0].truth.rows)
    assert beside > 0 if defenses else beside == 0, "behind a defense it reads texts of its own beside the victims"
    assert not set(briefing.texts) & set(truths[0].truth.texts)


def _holds_no_truth(roots: Sequence[Any], split: Split, inside: bool) -> None:
    victims = set(split.truth.texts)
    waiting, known = list(roots), set()
    while waiting:
        thing = waiting.pop()
        if id(thing) in known or isinstance(thing, type) or type(thing).__name__ in ("module", "frame"):
            continue
        known.add(id(thing))
        assert not isinstance(thing, Truth | Split | Documents | Inference)
        assert not (isinstance(thing, str) and thing in victims)
        assert not (isinstance(thing, int) and thing == 987_654_321)
        if isinstance(thing, np.ndarray):
            for secret in (split.truth.answers, split.truth.rows, split.holder):
                assert thing.shape != secret.shape or not np.array_equal(thing, secret)
        if isinstance(thing, FunctionType):
            cells = (thing.__closure__ or ()) if inside else ()
            waiting.extend(cell.cell_contents for cell in cells)
        else:
            waiting.extend(gc.get_referents(thing))


def play(store: Store, **changes: Any) -> tuple[Any, Any]:
    one = {"dataset": Sentences(), "model": WordBag(), "defenses": (), "attack": PLAIN, "game": HALF, **changes}
    return one["game"].play(one["dataset"], one["model"], one["defenses"], one["attack"], 1, context(store))


def test_an_adversary_who_knows_the_defense_learns_behind_it(shared_store: Store) -> None:
    estimates, tables = play(shared_store, defenses=(Turning(),))
    assert estimates["accuracy"].value == 1
    naive = estimates["accuracy_naive"]
    assert naive.value < 0.7
    assert set(tables["inferred"]["adversary"]) == {"adaptive", "naive"}
    assert set(tables["curve"]["adversary"]) == {"adaptive", "naive"}
    plain, _ = play(shared_store)
    assert not [name for name in plain if "naive" in name]


def test_a_defense_that_leaves_nothing_leaves_chance_and_no_use(
    shared_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downstream_accuracy, "_REPEATS", 1)  # further splits take time, and away the luck of one
    estimates, _ = play(shared_store, dataset=Sentences(count=360, labelled=True), defenses=(Turning(), Drowning()))
    for name in ("accuracy", "accuracy_naive"):
        assert estimates[name].low <= 0.5 <= estimates[name].high
    assert estimates["utility"].low <= estimates["utility"].chance


def test_embeddings_that_are_no_numbers_are_refused_by_the_defense_that_made_them(store: Store) -> None:
    with pytest.raises(ModelRefused, match="Behind stand_ins some are NaN"):
        play(store, defenses=(Breaking(),))


def test_the_use_of_embeddings_is_measured_where_texts_have_classes(shared_store: Store) -> None:
    estimates, _ = play(shared_store, dataset=Sentences(labelled=True))
    assert estimates["utility"].value > 0.95
    assert estimates["utility"].decisions == 50, "a quarter of the 200 texts on the victims' side"
    assert "utility" not in play(shared_store)[0]


def test_queries_are_the_texts_of_the_adversarys_own(store: Store) -> None:
    embedded: list[int] = []

    class Counting(WordBag):
        def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> Any:
            embedded.append(len(texts))
            return super().encode(texts, context)

    estimates, _ = play(store, model=Counting(), defenses=(Turning(),))
    assert {320, 80} <= set(embedded), "a fifth of its texts is kept back to choose by"
    assert estimates["queries"].value == 400, "one query a text, embedded once for both preparations"
    plain, _ = experiment().game.play(Codes(), PositionCode(), (), QUICK.replace(steps=32), 1, context(store))
    assert plain["queries"].value == QUICK.samples


def test_partial_results_are_shown_on_the_way(store: Store) -> None:
    shown: list[int] = []

    class Watching(Progress):
        def partial(self, curve: Any) -> None:
            shown.append(len(curve))

    Inference(victims=60).play(Codes(), PositionCode(), (), QUICK, 1, context(store, progress=Watching()))
    assert shown == sorted(set(shown))
    assert len(shown) > 3


@pytest.mark.parametrize(
    ("dataset", "attack", "says"),
    [
        (
            Sentences(),
            KeywordInference(keywords=("nowhere",)),
            r"'nowhere' stands in none of the 200 texts .*At least 5 texts with it",
        ),
        (Sentences(count=12), PLAIN, "At least 5 texts with it and 5 without it are needed"),
        (Sentences(share=1.0), PLAIN, "stands in 200 of the 200 texts"),
        (Sentences(count=0), PLAIN, "has 0 texts, which leaves none for victims"),
        (Sentences(), QUICK, "pattern_reconstruction needs texts that follow a rule. stand_ins has none"),
        (Codes(count=0), QUICK, "has 0 texts"),
    ],
)
def test_what_cannot_be_played_is_refused(dataset: Any, attack: Any, says: str, store: Store) -> None:
    with pytest.raises(Incompatible, match=says):
        play(store, dataset=dataset, attack=attack)


class OtherName(KeywordInference):
    """Answers under a name of its own, about some of the secrets."""

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        for answer in super().infer(briefing, access, context):
            yield replace(answer, variant="nearest") if answer.secret else answer


@pytest.mark.parametrize("defenses", [(), [Turning()]], ids=["at once", "chosen on own texts"])
def test_an_answer_under_another_name_is_refused_with_the_name_that_counts(defenses: Any, store: Store) -> None:
    attack = OtherName(keywords=("london", "balan"), rivals=False)
    game, variant = Inference(shadow_share=0.5, victims=100), OtherName.part_name()
    with pytest.raises(Incompatible, match=f"a final answer about 'balan' .*'variant' must be '{variant}'.*'nearest'"):
        game.play(Sentences(count=120), WordBag(dimension=32), tuple(defenses), attack, 1, context(store))


def test_a_model_of_words_is_no_encoder(store: Store) -> None:
    with pytest.raises(Incompatible, match=r"model of the game inference must be a \w+\. Got word2vec, a Word2vec"):
        play(store, model=Word2vec())


@pytest.mark.parametrize(
    ("attack", "dataset", "says"),
    [
        (QUICK, Sentences(), "pattern_reconstruction reads Patterns. stand_ins holds Documents"),
        (PLAIN, Codes(), "keyword_inference reads Documents. stand_ins holds Patterns"),
        (PLAIN, Atis(), "keyword_inference reads Documents. atis holds Utterances"),
    ],
)
def test_an_experiment_on_texts_of_the_wrong_kind_names_both(attack: Any, dataset: Any, says: str) -> None:
    with pytest.raises(InvalidSpec, match=says):
        experiment(attack=attack, dataset=dataset)


@pytest.mark.parametrize(
    ("dataset", "attack", "model"),
    [
        (Codes(), QUICK.replace(steps=60), Constant()),
        (Sentences(), KeywordInference(), Constant()),
        (Sentences(), KeywordInference(), Noise()),
    ],
)
def test_without_a_leak_it_comes_out_at_chance(dataset: Any, attack: Any, model: Any, store: Store) -> None:
    """Within three and a half standard deviations of chance, for each of the figures."""
    estimates, _ = play(store, dataset=dataset, attack=attack, model=model)
    del estimates["queries"]
    for name, estimate in estimates.items():
        deviation = np.sqrt(estimate.chance * (1 - estimate.chance) / estimate.decisions)
        assert abs(estimate.value - estimate.chance) < 3.5 * deviation, name


def test_who_cannot_tell_at_all_names_the_same_for_everyone(shared_store: Store) -> None:
    """A tie is no answer; were it left at that, embeddings that say nothing would look worse than chance."""
    estimates, _ = play(shared_store, model=Constant())
    assert estimates["accuracy"].value == 0.5


@pytest.mark.exhaustive  # test_without_a_leak_it_comes_out_at_chance shows none in one game
def test_without_a_leak_no_bias_shows_over_many_games(store: Store) -> None:
    """The half of all decisions, give or take three standard deviations."""
    right = [
        Inference(shadow_share=0.5, victims=50).play(Sentences(stream=seed), Noise(), (), PLAIN, seed, context(store))[
            0
        ]
        for seed in range(4)
    ]
    decisions = sum(one["accuracy"].decisions for one in right)
    share = sum(one["accuracy"].value * one["accuracy"].decisions for one in right) / decisions
    assert abs(share - 0.5) < 1.5 / np.sqrt(decisions)
