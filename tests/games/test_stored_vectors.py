"""Stored vectors: a game releases them as they are, and the adversary has what its threat model says, and no more."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from core.access import SentenceEmbeddings
from core.attacks.candidate_ranking import CandidateRanking
from core.datasets import Dataset
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.games.inversion import sensitive_score
from core.games.inversion.contract import Answer
from core.games.stored_vectors import AGAIN, UNCHECKED, RememberedEmbeddings, StoredVectors, require_match
from core.models.unknown_encoder import UnknownEncoder
from core.result import Result
from core.runtime.store import Store
from core.spec import parameter
from core.text.vectors import Vectors
from tests.games.inversion.small_games import MIXED, asked
from tests.stand_ins import CARD, Sentences, WordBag, context

TEXTS = Sentences(count=300, share=0, words=MIXED)
BAG = WordBag(dimension=128)


class Shelf(Dataset):
    """The vectors of a word bag, perhaps behind a secret rotation; every tenth lacks its text."""

    title: ClassVar[str] = "shelf"
    card: ClassVar[Any] = CARD
    holds: ClassVar[type] = Vectors

    texts: str = parameter("", "A table apart with the texts.")
    turned: bool = parameter(False, "Whether a secret rotation is applied.")
    gaps: bool = parameter(False, "Whether some texts are missing.")
    grown_from: int = parameter(0, "Rows that were there before; 0 for all.")
    searched: bool = parameter(False, "Whether there are queries.")
    signs: bool = parameter(False, "Whether each coordinate has one of two values.")

    def load(self) -> Vectors:
        texts = TEXTS.load().texts
        values = BAG.encode(texts, context=None)  # type: ignore[arg-type]
        if self.turned:
            values = values @ np.linalg.qr(np.random.default_rng(5).normal(size=(128, 128)))[0].astype(np.float32)
        if self.signs:
            values = np.where(values > 0, np.float32(255), np.float32(0))
        if self.gaps:
            texts = tuple(text if row % 10 else " " for row, text in enumerate(texts))
        queries = (texts[0], texts[-1]) if self.searched else ()
        return Vectors(
            values,
            np.arange(len(values)),
            len(values),
            0,
            "made up",
            texts,
            grown_from=self.grown_from,
            queries=queries,
        )


def test_an_encoder_is_asked_once_for_the_texts_that_all_games_embed() -> None:
    asked_for: list[Sequence[str]] = []

    def encode(texts: Sequence[str]) -> np.ndarray:
        asked_for.append(texts)
        return np.array([[len(text), len(texts)] for text in texts], np.float32)

    known: dict[tuple[str, ...], Any] = {}
    first, second = (RememberedEmbeddings(encode, frozenset({"a", "bb"}), known) for _ in range(2))
    both = [first(["a", "bb"]), second(("a", "bb"))]
    assert both[0] is both[1] and both[0].tolist() == [[1, 2], [2, 2]] and len(asked_for) == 1
    assert not both[0].flags.writeable, "another game reads it, too"
    assert second(["a"]).tolist() == [[1, 1]], "what an encoder returns may depend on the texts beside"
    others = [encoder(["a", "ccc"]) for encoder in (first, second)]
    assert len(asked_for) == 4 and others[0].flags.writeable and others[0] is not others[1]
    assert list(known) == [("a", "bb"), ("a",)], "texts of a search come once, and would fill the memory"


def played(store: Store, dataset: Dataset, model: Any = BAG, **others: Any) -> Result:
    return run(asked("multilabel", model=model, dataset=dataset, **others), context(store))[0]


def assert_read_alike(before: Result, after: Result) -> None:
    """Whatever is read without a format is read behind it, by both adversaries, and not everything is."""
    assert before.estimates["f1"].chance < before.estimates["f1"].value < 0.99, "what is learnt can be lost"
    for name in ("f1", "precision", "recall", "f1_content"):
        assert after.estimates[name] == before.estimates[name]
        assert after.estimates[f"{name}_naive"].value == before.estimates[name].value
    assert after.tables["words"].equals(before.tables["words"]), "it decides alike about every victim"
    assert after.estimates["queries"] == before.estimates["queries"], "each text is counted once"


def test_vectors_as_the_encoder_makes_them_are_read_as_if_they_were_made_now(store: Store) -> None:
    stored, made = played(store, Shelf()), played(store, TEXTS)
    assert stored.estimates == made.estimates
    assert stored.estimates["f1"].value > 0.95
    gaps = played(store, Shelf(gaps=True))
    assert gaps.estimates["f1"].value > 0.95
    assert gaps.estimates["queries"].value == pytest.approx(0.6 * 270, abs=1)


def test_another_encoder_than_the_adversary_knows_is_read_from_leaked_pairs_alone(store: Store) -> None:
    with pytest.raises(Incompatible, match=r"\d of 50 texts .* nearest of 300; .* another order, or another encoder"):
        played(store, Shelf(turned=True))
    apart = played(store, Shelf(turned=True, texts="apart.csv"), UnknownEncoder())
    assert UNCHECKED in apart.estimates["f1"].help
    leaked = played(store, Shelf(turned=True), UnknownEncoder())
    assert UNCHECKED not in leaked.estimates["f1"].help, "each text lies beside its vector"
    assert leaked.estimates["f1"].low > 0.9, "the pairs tell the encoder and the rotation"
    assert leaked.tables["yours"].empty, "a sentence of yours has no vector"


@pytest.mark.parametrize(
    "defense",
    [
        {"part": "quantisation", "bits": 16},
        {"part": "quantisation", "bits": 8},
        {"part": "fewer_dimensions", "share": 1.0, "kept": "first"},
        {"part": "fewer_dimensions", "share": 1.0, "kept": "principal"},
    ],
)
def test_of_leaked_pairs_a_format_that_changes_no_vector_changes_no_figure(
    store: Store, defense: dict[str, Any]
) -> None:
    before = played(store, Shelf(signs=True), UnknownEncoder(), epochs=3)
    after = played(store, Shelf(signs=True), UnknownEncoder(), epochs=3, defenses=[defense])
    assert_read_alike(before, after)


def test_of_leaked_pairs_noise_that_is_nearly_none_changes_nearly_nothing(store: Store) -> None:
    before = played(store, Shelf(signs=True), UnknownEncoder(), epochs=3)
    faint = {"part": "gaussian", "scale": 0.001}
    after = played(store, Shelf(signs=True), UnknownEncoder(), epochs=3, defenses=[faint])
    for name in ("f1", "f1_naive"):
        assert after.estimates[name].value == pytest.approx(before.estimates["f1"].value, abs=0.01)


def test_who_knows_the_encoder_learns_from_all_its_texts_behind_a_format_too(store: Store) -> None:
    whole = {"part": "fewer_dimensions", "share": 1.0, "kept": "first"}
    before = played(store, Shelf(), epochs=3)
    after = played(store, Shelf(), epochs=3, defenses=[whole])
    assert_read_alike(before, after)


def test_all_that_a_search_asks_the_encoder_counts_but_own_texts_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[Sequence[str]] = []
    known = SentenceEmbeddings.known

    def noted(self: SentenceEmbeddings, texts: Sequence[str], *, defended: bool = False) -> Any:
        asked_for.append(texts)
        return known(self, texts, defended=defended)

    monkeypatch.setattr(SentenceEmbeddings, "known", noted)
    search = {"epochs": 1, "rounds": 2, "written": 4, "asked": 3}
    half = {"part": "quantisation", "bits": 16}
    result = run(asked("corrective", model=BAG, dataset=Shelf(), defenses=[half], **search), context(store))[0]
    own = round(0.6 * 300)
    each = sum(map(len, asked_for)) / 2  # both adversaries search about alike
    assert result.estimates["queries"].value == pytest.approx(each - own, rel=0.02), "own texts were embedded twice"
    assert each - own > 1.5 * own, "others were asked for, too"


def test_the_choice_has_a_version_where_an_adversary_chooses_alone() -> None:
    """All other results keep their keys."""
    half = {"part": "quantisation", "bits": 16}
    chooses = asked("multilabel", model=BAG, dataset=Shelf(), defenses=[half])
    others = chooses.replace(defenses=()), chooses.replace(model=UnknownEncoder())
    assert [("choice_version" in each.identity()) for each in (chooses, *others)] == [True, False, False]


def test_who_cannot_run_the_encoder_has_the_vectors_of_its_own_texts_only() -> None:
    vectors = {"mine": np.float32([1, 2]), "theirs": np.float32([3, 4])}
    held = StoredVectors(vectors, lambda texts: np.zeros((len(texts), 2), np.float32)).leaked(["mine", "unstored"])
    assert list(held.vectors) == ["mine"]
    with pytest.raises(Incompatible, match=r"cannot embed others\.$"):
        held(["mine", "theirs"])


def test_what_cannot_be_is_refused_by_name(store: Store) -> None:
    with pytest.raises(Incompatible, match="set 'pieces' to 'texts'"):
        run(asked("multilabel", model=BAG, dataset=Shelf()).replace(game={"part": "inversion"}), context(store))
    with pytest.raises(ValueError, match="unknown_encoder is known from Vectors only"):
        asked("multilabel", model=UnknownEncoder(), dataset=TEXTS)
    few = {"attack": "few_shot_inversion", "dataset": Shelf(), "model": BAG, "game": {"pieces": "texts"}}
    with pytest.raises(Incompatible, match="Set 'model' to 'unknown_encoder'"):
        run(Experiment.parse(few), context(store))


def test_suspected_texts_are_found_among_stored_vectors(store: Store) -> None:
    game = {"pieces": "texts", "victims": 40, "candidates": 80}
    experiment = Experiment.parse(
        {"attack": CandidateRanking(texts=40), "dataset": Shelf(), "model": BAG, "game": game}
    )
    assert run(experiment, context(store))[0].estimates["accuracy"].value > 0.95
    with pytest.raises(Incompatible, match="Vectors and texts do not match"):
        run(experiment.replace(dataset=Shelf(turned=True)), context(store))


def test_what_is_compared_and_suspected_was_there_before_the_store_grew(store: Store) -> None:
    game = {"pieces": "texts", "victims": 40, "candidates": 80}
    experiment = Experiment.parse(
        {"attack": CandidateRanking(texts=40), "dataset": Shelf(grown_from=280), "model": BAG, "game": game}
    )
    result = run(experiment, context(store))[0]
    assert result.tables["places"]["row"].max() < 280
    texts = TEXTS.load().texts
    vectors = dict(zip(texts, BAG.encode(texts, context=None), strict=True))  # type: ignore[arg-type]
    again: list[str] = []

    def embed(some: Sequence[str]) -> Any:
        again.extend(some)
        return np.array([vectors[text] for text in some])

    require_match(vectors, texts[:60], embed, 1)
    assert len(again) == AGAIN
    assert set(again) <= set(texts[:60])


def test_a_tenth_of_the_texts_beside_the_vectors_of_others_is_refused() -> None:
    texts = TEXTS.load().texts[:50]
    values = BAG.encode(texts, context=None)  # type: ignore[arg-type]
    made = dict(zip(texts, values, strict=True))

    def match(moved: int) -> None:
        order = [*range(1, moved), 0, *range(moved, 50)] if moved else list(range(50))
        stored = dict(zip(texts, values[order], strict=True))
        require_match(stored, texts, lambda some: np.array([made[text] for text in some]), 1)

    match(0)
    match(4)
    with pytest.raises(Incompatible, match="5 of 50 texts that were embedded again have their vector beside another"):
        match(5)


def test_near_copies_are_left_out_and_kinds_of_words_counted_where_asked(store: Store) -> None:
    plain = asked("multilabel", model=BAG, dataset=Shelf())
    without_copies = plain.replace(game=plain.game.replace(near_copies="left out", sensitive=True))
    assert plain.key != without_copies.key
    assert "near_copies" not in plain.game.identity(), "results from before the choice keep their keys"
    assert not {name for name in run(without_copies, context(store))[0].estimates if name.startswith("recall_n")}
    answer = Answer(("ann", "7"), np.ones((2, 2), np.float32), np.array([[True, False], [False, False]]))
    texts = ["He met Ann at 7.", "LOVED it!\n- Great Bob, ann.lee@corp.example"]
    estimates = sensitive_score.estimates(texts, answer, ["7"], 1)
    assert (estimates["recall_names"].value, estimates["recall_names"].n, estimates["recall_names"].chance) == (
        0.5,
        2,
        0,
    )
    assert (estimates["recall_numbers"].value, estimates["recall_numbers"].chance) == (0, 1)
    assert (estimates["recall_emails"].value, estimates["recall_emails"].n) == (0, 1), (
        "an address is one, and its domain is cheap"
    )
    assert set(sensitive_score.estimates(texts, answer, ["7"], 1, lengths=True)) == {*estimates, "recall_numbers_1_2"}
    each = sensitive_score.of_keywords(["Ann", "great bob", "7", "tea"], texts, answer, ["7"], 1)
    sought = each["recall_keywords"]
    assert (sought.value, sought.chance, sought.n) == (0.25, 0.25, 4), "Ann is in both texts, and named once"
    assert {name: (one.value, one.chance, one.n) for name, one in each.items() if name != "recall_keywords"} == {
        "recall_keyword_1": (0.5, 0.5, 2),  # Ann is in the other text, too, from whose vector she is not named
        "recall_keyword_2": (0, 0, 1),
        "recall_keyword_3": (0, 1, 1),
    }
    with pytest.raises(InvalidSpec, match="must have a letter or a digit; '!!' has none"):
        plain.replace(game=plain.game.replace(keywords=["!!"]))


def test_a_full_report_has_lengths_keywords_and_the_order_of_the_nearest(store: Store) -> None:
    plain = asked("multilabel", model=BAG, dataset=Shelf())
    full = plain.replace(game=plain.game.replace(report="full", keywords=[MIXED[0]], utility="tuned"))
    assert not {"report", "keywords"} & set(plain.game.identity()), "results from before the choice keep their keys"
    estimates = run(full, context(store))[0].estimates
    assert estimates["retrieval_ndcg_at_10"].value == 1
    assert estimates["recall_keywords"].value > 0.9
    assert "exact_match" not in estimates, "a classifier of words reads no whole text"
    assert (
        run(full.replace(dataset=Shelf(searched=True)), context(store))[0]
        .estimates["retrieval_recall_at_10"]
        .help.startswith("Share of the ten nearest neighbours of your queries")
    )
