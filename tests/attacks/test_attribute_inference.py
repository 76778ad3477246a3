"""Authors are inferred where their words differ, and not where nothing does."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from core import drawings
from core.access import SentenceEmbeddings
from core.adversaries import author_map
from core.attacks.attribute_inference import AttributeInference
from core.datasets import Card, Dataset
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.games import Setup
from core.games.inference import Inference
from core.games.inference.contract import Answer, Briefing, Truth
from core.games.inference.score import Scorer
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.spec import parameter
from core.text.contents import Documents
from core.text.secrets import Authorship
from core.text.vectors import Vectors
from tests.stand_ins import CARD, WORDS, Constant, Drowning, Noise, Turning, WordBag, context

ATTACK = AttributeInference(authors=4, labels=8, texts=24)


@pytest.fixture
def linear_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay embeddings out by PCA only: UMAP takes its time, and is no matter here."""
    monkeypatch.setattr(author_map, "METHODS", ("pca",))


pytestmark = pytest.mark.usefixtures("linear_maps")


class Letters(Dataset):
    """Texts of authors, each of whom has favourite words; or nobody has any."""

    title: ClassVar[str] = "letters"
    card: ClassVar[Card] = CARD

    authors: int = parameter(6, "How many.", ge=1, le=100)
    texts: int = parameter(30, "Of each.", ge=1, le=1000)
    habits: bool = parameter(True, "Whether authors have favourite words.")

    def load(self) -> Documents:
        rng = generator(0, "letters")
        texts, owners = [], []
        for author in range(self.authors):
            favourites = WORDS[3 * author : 3 * author + 3] if self.habits else WORDS
            for _ in range(self.texts):
                words = [*rng.choice(np.array(WORDS), 4), *rng.choice(np.array(favourites), 3)]
                texts.append(" ".join([*words, f"n{len(texts)}"]))
                owners.append(f"author {author}")
        return Documents(tuple(texts), owners=tuple(owners))


def experiment(**changes: Any) -> Experiment:
    game = {"part": "inference", "shadow_share": 0.5, "victims": 500}
    values = {"attack": ATTACK, "dataset": Letters(), "model": WordBag(dimension=64), "game": game, **changes}
    return Experiment.parse(values)


def play(store: Store, **changes: Any) -> Result:
    return run(experiment(**changes), context(store))[0]


def drawn(store: Store, **changes: Any) -> pd.DataFrame:
    """Draw the map of a result that is in the store."""
    of = experiment(**changes)
    drawings.draw(of, context(store))
    author_points = drawings.load(store, of.key, "map", of.drawings["map"])
    assert author_points is not None and list(author_points) == list(author_map.SCHEMA)
    return author_points


def test_authors_with_favourite_words_are_inferred(shared_store: Store) -> None:
    result = play(shared_store)
    accuracy = result.estimates["accuracy"]
    assert accuracy.low > 0.7 > 0.4 > accuracy.chance
    last = result.tables["by_labels"].query("labels == 8").set_index("reader")
    assert last.loc["embedding", "accuracy"] == accuracy.value
    assert last.loc["words", "accuracy"] > 0.7
    assert result.estimates["queries"].value == 32, "eight texts of each of four"


@pytest.mark.parametrize("model", [Noise(), Constant()], ids=["noise", "constant"])
def test_an_embedding_that_keeps_nothing_gives_chance(store: Store, model: Any) -> None:
    accuracy = play(store, model=model).estimates["accuracy"]
    assert accuracy.low <= accuracy.chance + 0.05 and accuracy.value < 0.45


def test_authors_without_habits_are_not_inferred(store: Store) -> None:
    result = play(store, dataset=Letters(habits=False))
    accuracy = result.estimates["accuracy"]
    assert accuracy.low <= accuracy.chance and accuracy.value < 0.5
    words = result.tables["by_labels"].query("reader == 'words'")
    assert (words["low"] <= words["chance"]).all(), "nor are they by their words"


def test_more_labels_tell_more(shared_store: Store) -> None:
    rows = play(shared_store).tables["by_labels"].query("reader == 'embedding'").set_index("labels")["accuracy"]
    assert rows.index.tolist() == [1, 2, 5, 8]
    assert rows[8] > rows[1]


def test_tables_show_the_confusion_and_the_maps(shared_store: Store) -> None:
    result = play(shared_store)
    documents = Letters().load()
    confusion, points = result.tables["confusion"], drawn(shared_store)
    right = confusion.query("author == guess")["victims"].sum() / confusion["victims"].sum()
    assert right == pytest.approx(result.estimates["accuracy"].value)
    assert confusion["author"].nunique() == 4
    assert {documents.owners[row] for row in points["row"]} == set(points["author"])
    assert all(documents.owners[row] == author for row, author in zip(points["row"], points["author"], strict=True))
    assert np.isfinite(points[["x", "y"]]).all().all() and set(points["method"]) == {"pca"}
    words = result.tables["by_labels"].query("reader == 'words' and labels == 8")["accuracy"].item()
    remark = AttributeInference().remark(result.tables)
    assert remark.startswith(f"From the words themselves, by 8 labelled texts of each: accuracy {words:.3f} [")


def test_a_defense_is_judged_by_an_adversary_who_knows_it(store: Store, tmp_path: Path) -> None:
    turned = play(store, defenses=(Turning(),)).estimates
    assert turned["accuracy"].value > 0.7 > turned["accuracy_naive"].value
    other = Store(root=tmp_path / "other", shipped=store.shipped)  # stand-ins share a name, and so a key
    drowned = play(other, defenses=(Drowning(),)).estimates["accuracy"]
    assert drowned.low <= drowned.chance + 0.05


def test_each_author_has_as_many_texts_and_none_is_taken_twice() -> None:
    documents = Letters(texts=30).load()
    repeated = Documents(documents.texts + documents.texts[:5], owners=documents.owners + documents.owners[30:35])
    rows = ATTACK.about(repeated, np.random.default_rng(0))
    owners = [repeated.owners[row] for row in rows]
    assert len(set(owners)) == 4 and {owners.count(owner) for owner in set(owners)} == {24}
    assert not set(documents.texts[:5]) & {repeated.texts[row] for row in rows}, "texts of two authors are nobody's"
    assert (rows == np.sort(rows)).all()


def test_of_near_copies_one_counts() -> None:
    documents = Letters(texts=30).load()
    longer = [f"{documents.texts[row]} indeed" for row in range(3)]
    repeated = Documents((*documents.texts, *longer), owners=(*documents.owners, *documents.owners[:3]))
    rows = ATTACK.replace(authors=6, texts=30).about(repeated, np.random.default_rng(0))
    assert set(rows) == set(range(3, 183))


def test_intervals_speak_of_other_authors(store: Store) -> None:
    """Half of the authors have favourite words, so that who is drawn matters more than which texts."""
    documents = Letters().load()
    secret = Authorship("author", ("a", "b", "c", "d"), {})
    answers = np.repeat(np.arange(4), 50)
    truth = Truth(documents.texts[:200], np.arange(200), answers[None], np.ones((1, 200), np.bool_))
    hit = np.where(answers < 2, answers, (answers + 1) % 4)
    probabilities = np.eye(4, dtype=np.float32)[hit]
    widths = {}
    for clusters in (None, ATTACK.clusters(truth)):
        clustered = replace(truth, clusters=clusters)
        scorer = Scorer((secret,), clustered, (), uniform=False, dealt=False, variant="attribute_inference", seed=0)
        scorer.add(Answer("attribute_inference", 0, probabilities), "adaptive")
        accuracy = scorer.estimates()["accuracy"]
        row = ATTACK._row("embedding", 8, hit, clustered, 0)
        assert (row["low"], row["high"]) == (accuracy.low, accuracy.high)
        widths[clusters is None] = accuracy.high - accuracy.low
    assert widths[False] > 3 * widths[True]


@pytest.mark.parametrize(
    ("attack", "dataset", "says"),
    [
        (ATTACK.replace(authors=7), Letters(), "7 authors with 24 different texts each are needed; 6 have them"),
        (ATTACK.replace(texts=31), Letters(), "With 4 authors, 30 texts each are there"),
    ],
)
def test_too_few_texts_are_refused_with_what_there_is(attack: Any, dataset: Any, says: str, store: Store) -> None:
    with pytest.raises(Incompatible, match=says) as refused:
        play(store, attack=attack, dataset=dataset)
    fits = {name.removeprefix("attack."): value for name, value in refused.value.fits.items()}
    Inference(shadow_share=0.5).check_contents(
        Setup(dataset, WordBag(), (), attack.replace(**fits), 1, RunContext(store=store))
    )


def test_texts_without_owners_are_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="needs texts with owners"):
        play(store, dataset={"part": "lee_news"})


def test_the_adversary_is_given_labels_of_its_own_texts_only() -> None:
    """It reads the author of nothing but what it holds."""
    documents = Letters().load()
    (secret,) = ATTACK.secrets(Letters(), documents)
    labelled: list[str] = []

    class Overheard:
        name, values = secret.name, secret.values

        def read(self, text: str) -> int:
            labelled.append(text)
            return secret.read(text)

    held, victims = documents.texts[::2], documents.texts[1::2]
    briefing = Briefing((Overheard(),), held, None, defended=False, seed=1)

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return WordBag(dimension=16).encode(texts, None)  # type: ignore[arg-type]

    access = SentenceEmbeddings(encode(victims), encode, encode)
    list(ATTACK.infer(briefing, access, context(Store())))
    assert set(labelled) <= set(held)


class Shelf(Letters):
    """The same texts with their stored vectors, of which whose texts they are is a class as well; perhaps grown."""

    title: ClassVar[str] = "shelf"
    holds: ClassVar[type] = Vectors

    grown_from: int = parameter(0, "Rows that were there before; 0 for all.")

    def load(self) -> Vectors:  # type: ignore[override]
        letters = super().load()
        values = WordBag(dimension=64).encode(letters.texts, context=None)  # type: ignore[arg-type]
        names = {"owners": letters.owners, "labels": letters.owners, "grown_from": self.grown_from}
        return Vectors(values, np.arange(len(values)), len(values), 0, "made up", letters.texts, **names)


def test_owners_and_classes_of_stored_vectors_are_inferred_alike(store: Store) -> None:
    made, owners, labels = (
        play(store, dataset=dataset, attack=ATTACK.replace(mapped=0, inferred=secret)).estimates["accuracy"]
        for dataset, secret in ((Letters(), "owner"), (Shelf(), "owner"), (Shelf(), "label"))
    )
    assert made == owners
    assert (labels.value, labels.chance) == (made.value, made.chance)
    assert not {"inferred", "fewer", "mapped"} & set(ATTACK.identity()), "earlier results keep their keys"


def test_as_many_authors_as_there_are_are_taken_where_that_is_asked_for(store: Store) -> None:
    many = ATTACK.replace(authors=30, texts=200, fewer=True, mapped=0)
    result = play(store, attack=many)
    assert result.tables["confusion"]["author"].nunique() == 6
    assert drawn(store, attack=many).empty
    with pytest.raises(Incompatible, match="30 authors with 200 different texts each are needed"):
        play(store, attack=many.replace(fewer=False))
    with pytest.raises(Incompatible, match="needs texts with classes"):
        play(store, attack=many.replace(inferred="label"))


def test_of_a_store_that_has_grown_the_texts_are_those_that_were_there(store: Store) -> None:
    grown = play(store, dataset=Shelf(grown_from=170), attack=ATTACK.replace(fewer=True, mapped=0))
    assert grown.tables["guesses"]["row"].max() < 170
