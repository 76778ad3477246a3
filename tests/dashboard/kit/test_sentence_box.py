"""The sentence box shows what each method read over the sentence, and keeps to itself what was typed."""

from collections.abc import Callable
from inspect import signature

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import ReadersUnavailable
from core.readers import client, files
from core.readers import reading as reading_module
from core.readers.files import Card, Measured
from core.readers.protocol import LONGEST, Reading
from core.readers.recipe import METHODS
from dashboard import navigation
from dashboard.kit import sentence_box, visitors
from tests.dashboard.kept_results import words

CARD = Card(
    "key",
    ("Books", "Films"),
    1200,
    64,
    {
        "keyword_inference": {"Books": Measured(0.3, 0.28, 0.32, 0.1, 900, 300)},
        "multilabel_inversion": {"Books": Measured(0.4, 0.39, 0.41, 0.2, 1000, 4000)},
    },
)
SENTENCE = "The *quokka* ate my pizza [now](http://a.example)"
PAGES = (
    "keyword_inference",
    "multilabel_inversion",
    "multiset_inversion",
    "sparse_inversion",
    "relaxed_inversion",
    "corrective_inversion",
    "decoder",
)
Asked = list[tuple[str, str]]


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Answer for the warm process, and list what it is asked."""
    queries: Asked = []

    def ask(text: str, visitor: str) -> tuple[Reading, ...]:
        queries.append((text, visitor))
        return (
            Reading("keyword_inference", ("pizza",), ("pizza",)),
            Reading("multilabel_inversion", ("the", "pizza", "war"), ("the", "ate", "my", "pizza", "now")),
        )

    monkeypatch.setattr(client, "ask", ask)
    monkeypatch.setattr(files, "card", lambda: CARD)
    return queries


def page(attack: str) -> None:
    import streamlit as st

    from core.experiment import Experiment
    from dashboard.kit import sentence_box

    sentence_box.show(Experiment.preset(attack, "demo"))
    st.write("The page goes on.")


@pytest.fixture
def opened(queries: Asked) -> Callable[..., AppTest]:
    return lambda attack: AppTest.from_function(page, args=(attack,)).run()


def typed(app: AppTest, text: str) -> AppTest:
    app.text_input(key="sentence-box").set_value(text).run()
    assert not app.exception
    return app


def test_nobody_is_asked_before_somebody_types(opened: Callable[..., AppTest], queries: Asked) -> None:
    assert not opened("multilabel_inversion").warning
    assert queries == []


@pytest.mark.parametrize("text", ["   ", "  …! ", "😀🎉"])
def test_what_has_no_word_is_told_what_is_missing(opened: Callable[..., AppTest], queries: Asked, text: str) -> None:
    app = typed(opened("multilabel_inversion"), text)
    assert [warning.value for warning in app.warning] == [sentence_box._EMPTY]
    assert queries == []
    assert "different word" not in words(app)


def test_each_method_is_a_row_over_the_sentence_the_pages_own_first(opened: Callable[..., AppTest]) -> None:
    page_text = words(typed(opened("multilabel_inversion"), SENTENCE)).replace("\\", "")
    assert page_text.index("**Inversion by classifier**") < page_text.index("**Keyword inference**")
    assert "Read: 2 of 9 different words, 1 of its 5 content words. Wrong: 1. Outside its vocabulary: 4." in page_text
    assert ":orange-background[:orange[**pizza**]]" in page_text
    assert "*:gray[quokka]*" in page_text
    assert "Read: the, pizza. Named wrongly: war." in page_text, "what colours say is said in words, too"
    assert "F1: Books 40% (39–41%), chance 20%, 1,000 sentences." in page_text
    assert "learned from 1,200 sentences (Books and Films)" in page_text


def test_the_measure_of_a_method_and_what_it_learned_from_are_those_of_its_card() -> None:
    other = Card("key", ("Mail",), 30, 64, {"decoder": {"Mail": Measured(0.05, 0.02, 0.08, 0.1, 40, 70)}})
    assert "learned from 30 sentences (Mail)" in sentence_box.disclosure(other)
    assert "learned from 1,200 sentences (Books and Films)" in sentence_box.disclosure(CARD)
    assert sentence_box.quality(other.measured["decoder"]) == (
        "It knows 70 words. F1: Mail 5% (2–8%), chance 10%, 40 sentences."
    )


def test_a_page_whose_method_is_too_slow_says_so(opened: Callable[..., AppTest]) -> None:
    assert sentence_box._SLOW in words(typed(opened("relaxed_inversion"), SENTENCE))
    assert sentence_box._SLOW not in words(typed(opened("keyword_inference"), SENTENCE))


def test_what_was_typed_is_neither_in_the_address_nor_anybody_elses(opened: Callable[..., AppTest]) -> None:
    app = typed(opened("multilabel_inversion"), SENTENCE)
    assert "quokka" in words(app)
    assert not app.query_params
    other = opened("multilabel_inversion")
    assert "quokka" not in words(other)
    assert other.text_input(key="sentence-box").value == ""


def test_a_visitor_is_known_to_the_readers_by_the_digest_of_their_browser(
    opened: Callable[..., AppTest], queries: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    for browser in ("a", "b", "a"):
        visitor = visitors.Visitor((f"digest of {browser}",))
        monkeypatch.setattr(visitors, "current", lambda visitor=visitor: visitor)
        typed(opened("decoder"), "one")
    assert [visitor for _, visitor in queries] == ["digest of a", "digest of b", "digest of a"]


def test_without_the_process_there_is_a_plain_message_and_the_page_goes_on(
    opened: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(text: str, visitor: str) -> None:
        raise ReadersUnavailable("No answer came.")

    monkeypatch.setattr(client, "ask", ask)
    app = typed(opened("multilabel_inversion"), SENTENCE)
    assert [warning.value for warning in app.warning] == [r"No answer came\."]
    assert "The page goes on." in words(app)


def test_many_wrong_words_are_counted() -> None:
    listed = sentence_box.named(frozenset({"the"}), Reading("m", tuple(f"w{number}" for number in range(411)), ()))
    assert listed.endswith("w14 and 396 more.")


def test_a_sentence_over_the_limit_stays_and_is_told_how_long_it_is(
    opened: Callable[..., AppTest], queries: Asked
) -> None:
    app = opened("decoder")
    assert f"At most {LONGEST} characters." in words(app)
    app = typed(app, "a" * (LONGEST + 1))
    box = app.text_input(key="sentence-box")
    assert box.proto.max_chars == 0, "Streamlit silently drops what is longer"
    assert box.value == "a" * (LONGEST + 1)
    assert [warning.value for warning in app.warning] == [f"At most {LONGEST} characters; this has {LONGEST + 1}."]
    assert queries == []


def test_a_sentence_of_another_language_is_told_so_and_every_wrong_word_counts(opened: Callable[..., AppTest]) -> None:
    app = typed(opened("decoder"), "今天 天气 很好 now")
    assert [info.value for info in app.info] == [sentence_box._FOREIGN]
    page_text = words(app).replace("\\", "")
    assert "Read: 0 of 4 different words" in page_text and "Wrong: 3." in page_text
    assert "Named wrongly: the, pizza, war." in page_text
    assert not typed(opened("decoder"), SENTENCE).info


def test_a_sentence_of_which_no_reader_knows_a_word_has_no_rows(
    opened: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = tuple(Reading(method, ("the",), ()) for method in CARD.measured)
    monkeypatch.setattr(client, "ask", lambda text, visitor: readings)
    app = typed(opened("decoder"), "今天天气很好")
    assert [info.value for info in app.info] == [sentence_box._UNKNOWN]
    assert "Keyword inference" not in words(app)
    assert "different word" not in words(app)


def test_whatever_reads_more_than_the_embedding_says_so() -> None:
    """The sparse coder takes the encoder's vectors of words; the others are their weights alone."""
    more = {
        cls for cls in vars(reading_module).values() if isinstance(cls, type) and issubclass(cls, reading_module.Reader)
    }
    takers = {cls.__name__ for cls in more if "encoder" in signature(cls.__init__).parameters}
    assert takers == {"Decomposer"}
    assert [method for method in METHODS if sentence_box.holds_encoder(method)] == ["sparse_inversion"]
    assert "alone" not in sentence_box._INTRODUCTION


def test_typing_redraws_the_box_alone() -> None:
    assert hasattr(sentence_box.show, "__wrapped__"), "a fragment"


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("name", PAGES)
def test_the_box_stands_on_the_page_with_and_without_a_result(app: AppTest, queries: Asked, name: str) -> None:
    page = navigation.page_of(name)
    assert page is not None
    app.switch_page(f"views/{page.name}.py")
    app.query_params["attack"] = name
    app.query_params["preset"] = "demo"
    for seed in ("1", "4711"):
        app.query_params["seed"] = seed
        app.run()
        assert not app.exception
        assert [header.value for header in app.main.header].count("Type a sentence") == 1
        assert not [box for box in app.sidebar.text_input if box.key == "sentence-box"]
