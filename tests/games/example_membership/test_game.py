"""The game divides documents fairly, keeps what each model was trained on, and refuses what cannot be asked."""

from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.access import Access, WordVectors
from core.attacks.window_similarity import WindowSimilarity
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.games.example_membership import ExampleMembership
from core.games.example_membership.contract import Examples, Population, Revealed
from core.networks.word_embedding import Embedding
from core.result import Result
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.statistics.clustered import Clustered
from core.targets.word_vectors import WordModel
from core.text.corpus import Corpus
from tests.games.reachable import reachable_arrays
from tests.stand_ins import Phrases, context

GAME = {"couples": 4, "examples": 20}
ATTACK = WindowSimilarity(window=2)


class Company(WordModel):
    """Keeps for each word which words stand next to it, each as a direction of its own."""

    title: ClassVar[str] = "company"

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        directions = generator(0, "directions").normal(size=(len(corpus.words), 64))
        vectors = directions.copy()
        for number in range(len(corpus)):
            document = corpus.document(number)
            for near in (-1, 1):
                np.add.at(vectors, document, directions[np.roll(document, near)])
        met = np.bincount(corpus.tokens, minlength=len(corpus.words)) > 0
        return Embedding(
            [word for word, kept in zip(corpus.words, met, strict=True) if kept], vectors[met].astype(np.float32)
        )


class Deaf(WordModel):
    """Learns nothing of its documents: every word has a vector of its own from the start."""

    title: ClassVar[str] = "deaf"

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        return Embedding(corpus.words, rng.normal(size=(len(corpus.words), 16)).astype(np.float32))


def play(store: Store, **changes: Any) -> Result:
    values = {"attack": ATTACK, "dataset": Phrases(), "model": Company(), "game": GAME, **changes}
    return run(Experiment.parse(values), context(store))[0]


def test_a_model_that_remembers_company_gives_windows_away(shared_store: Store) -> None:
    estimates = play(shared_store).estimates
    assert estimates["accuracy"].low > 0.6 and estimates["auc"].low > 0.7
    assert estimates["advantage"].value > 0.3 > 0.1 > estimates["advantage"].chance > 0
    assert estimates["accuracy"].members == estimates["accuracy"].nonmembers


def test_a_model_that_learns_nothing_gives_chance(store: Store) -> None:
    estimates = play(store, model=Deaf()).estimates
    for name in ("accuracy", "auc", "accuracy_one_threshold", "auc_one_threshold", "auc_group_thresholds"):
        assert estimates[name].low <= 0.5 <= estimates[name].high


def test_the_texts_alone_are_right_in_exactly_half(shared_store: Store) -> None:
    estimates = play(shared_store).estimates
    for name in ("accuracy_model_free", "auc_model_free"):
        assert (estimates[name].low, estimates[name].value, estimates[name].high) == pytest.approx((0.5, 0.5, 0.5))


@pytest.mark.parametrize("documents", [4, 80, 81])
def test_each_document_trains_one_of_each_couple(documents: int) -> None:
    game = ExampleMembership.parse(GAME)
    trained = game.draw(documents, 3)
    assert trained.shape == (8, documents)
    assert (trained[::2] ^ trained[1::2]).all()
    assert np.isin(trained.sum(axis=1), [documents // 2, documents - documents // 2]).all()
    assert len(np.unique(trained[::2], axis=0)) > 1 and not np.array_equal(trained, game.draw(documents, 4))


def test_no_attack_can_read_what_models_were_trained_on(store: Store) -> None:
    """Nothing that an attack is handed leads to the secret, not even through the interpreter's own references."""
    seen: list[Any] = []

    class Spy(WindowSimilarity):
        def examples(self, population: Population, rng: np.random.Generator) -> Examples:
            seen.extend([population, rng])
            return super().examples(population, rng)

        def observe(self, examples: Examples, access: Access, revealed: Revealed) -> dict[str, NDArray[np.float64]]:
            seen.extend([examples, access, revealed])
            return super().observe(examples, access, revealed)

    game = ExampleMembership.parse(GAME)
    game.play(Phrases(), Company(), (), Spy(window=2), 5, context(store))
    secret = game.draw(80, 5)
    reached = [array for array in reachable_arrays(seen) if array.size]
    assert len(reached) > 8
    for array in reached:
        rows = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
        assert not any(np.array_equal(row.astype(bool), half) for row in rows if len(row) == 80 for half in secret)


def test_equal_experiments_give_equal_bytes(store: Store, shared_store: Store) -> None:
    first, second = play(shared_store), play(store)
    for name, table in first.tables.items():
        assert table.equals(second.tables[name]), name
    assert first.estimates == second.estimates


def test_tables_agree_with_the_figures(shared_store: Store) -> None:
    result = play(shared_store)
    rules = result.tables["rules"].set_index(["statistic", "rule", "measure"])
    assert rules.loc[("cosine", "likelihood_ratio", "auc"), "value"] == result.estimates["auc"].value
    assert rules.loc[("model_free", "one_threshold", "auc"), "value"] == pytest.approx(0.5)
    groups = result.tables["groups"].query("rule == 'likelihood_ratio'")
    assert (groups["usable"] <= groups["pool"]).all() and (groups["examples"] <= groups["usable"]).all()
    left_out = 1 - groups["usable"].sum() / groups["pool"].sum()
    assert result.estimates["left_out"].value == pytest.approx(left_out)
    densities = result.tables["densities"].groupby(["statistic", "group", "member"])["share"].sum()
    assert densities.to_numpy() == pytest.approx(1.0)
    shown = result.tables["shown"]
    assert (shown.groupby("example")["member"].mean() == 0.5).all() and (shown["length"] == 5).all()
    assert shown.groupby("group")["example"].nunique().max() == 8


def test_every_figure_can_be_computed_from_the_stored_scores(shared_store: Store) -> None:
    result = play(shared_store)
    figures = result.tables["rules"].set_index(["statistic", "rule", "measure"]).sort_index()
    methods = result.tables["scores"].groupby(["statistic", "rule"])
    assert set(methods.groups) == set(figures.index.droplevel("measure"))
    for method, decisions in methods:
        member, score = (
            decisions.pivot(index="model", columns="example", values=name).to_numpy() for name in ("member", "score")
        )
        document = decisions[decisions["model"] == 0].sort_values("example")["document"].to_numpy()
        again = Clustered(member, score, np.repeat(np.arange(GAME["couples"]), 2), document)
        of_method = figures.loc[method]
        for measure, figure in again.figures(of_method.index, generator(1, "intervals")).items():
            expected = tuple(of_method.loc[measure, ["value", "low", "high"]])
            assert figure == pytest.approx(expected, nan_ok=True), (method, measure)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"dataset": Phrases(count=3)}, "At least 4 are needed; there are 3"),
        ({"dataset": Phrases(words=2000)}, "No window of 5 words"),
        ({"attack": WindowSimilarity(window=20)}, "No window of 41 words"),
    ],
)
def test_too_little_to_ask_about_is_refused(changes: dict[str, Any], says: str, store: Store) -> None:
    with pytest.raises(Incompatible, match=says):
        play(store, **changes)


def test_queries_are_the_words_asked_for_a_decision(shared_store: Store) -> None:
    """Looking which words are known is the game's business, not the adversary's."""
    result = play(shared_store)
    examples = result.tables["groups"].query("rule == 'likelihood_ratio'")["examples"].sum()
    assert result.estimates["queries"].value <= 150 / examples


def test_an_access_is_of_the_kind_asked_for(store: Store) -> None:
    assert WindowSimilarity().access() is WordVectors
    with pytest.raises(Incompatible, match="shows no vectors of words as contexts"):
        ExampleMembership.parse(GAME).play(
            Phrases(), Company(), (), WindowSimilarity(window=2, similarity="inner_output"), 5, context(store)
        )
