"""Forms and links: what is declared is what is shown, and nothing typed into the address bar breaks a page."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Annotated, Any, cast

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.datasets import Dataset
from core.errors import InvalidDocuments, InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.games import Game
from core.games.attack import Attack
from core.registry import part, parts
from core.runtime.store import Store
from core.spec import Holds, Spec
from core.spec import parameter as declared
from core.text.contents import Documents, Words
from dashboard.kit import links
from dashboard.kit.forms import widgets
from dashboard.kit.inputs import kept_uploads, uploads
from dashboard.kit.inputs.declared import Parameter, offers, parameters

ATTACKS = [cast(type[Attack], cls) for cls in parts("attack")]
WORD_PAIRS = Attack.by_name("word_pairs")
CHARACTERS = st.characters(exclude_categories=["Cs"])
PLAIN = st.text(CHARACTERS, max_size=20)
HOSTILE = st.one_of(
    st.text(CHARACTERS, max_size=60),
    st.sampled_from(["none", "true", "", ",", "1,,2", "-0", "1e999", "nan", "9" * 400, "../..", "/etc/passwd", "\0"]),
    st.integers().map(str),
    st.floats().map(repr),
)


def names_of(cls: type[Spec], attack: type[Attack], prefix: str = "", depth: int = 0) -> list[str]:
    paths = []
    for name, parameter in parameters(cls).items():
        paths.append(prefix + name)
        inner = [attack] if name == "attack" else offers(parameter, attack)
        for nested in inner if depth < 2 else []:
            inner_prefix = f"{prefix}{name}.{nested.part_name()}." if parameter.kind == "parts" else f"{prefix}{name}."
            paths += names_of(nested, attack, inner_prefix, depth + 1)
    return list(dict.fromkeys(paths))


NAMES = {attack: names_of(Experiment, attack) for attack in ATTACKS}
each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.part_name())
each_form = pytest.mark.parametrize(
    "attack",
    [attack for attack in ATTACKS if attack.game not in ("audit", "answers", "calibrated_audit")],
    ids=lambda attack: attack.part_name(),
)
"""The page of an audit has a form of its own; an audit by answers has none."""
UPLOADED = (
    *("documents", "parallel_text", "own_requests", "own_word_vectors", "own_language_model"),
    *("answered_classifier", "answered_language_model", "own_encoder", "own_translator", "own_classifier"),
)
"""What a browser reads of uploads only, if at all."""


def drawn(examples: int) -> Any:
    """Let hypothesis draw, however long an example takes on a slow machine."""
    return settings(max_examples=examples, suppress_health_check=list(HealthCheck))


FITTING = {
    "source": st.sampled_from(["small_bert", "minilm"]),
    "candidates": st.lists(
        st.sampled_from(["@last", "@first", "gpt2", "bert@first"]), min_size=1, max_size=3, unique=True
    ),
    "revision": st.just(""),
    "secret": st.sampled_from(["", "4711"]),
}
"""Texts that only the name of an encoder, or a secret, will do for."""


def values_of(parameter: Parameter, attack: type[Attack], name: str) -> st.SearchStrategy[Any]:
    if name in FITTING and parameter.kind != "int":
        return FITTING[name]
    if parameter.encoders and parameter.kind == "str":
        return st.sampled_from([name for name, _ in parameter.bundled]) if parameter.bundled else FITTING["source"]
    if parameter.kind in ("part", "parts"):
        fitting = [attack] if name == "attack" else list(offers(parameter, attack))
        one = st.sampled_from(fitting).flatmap(lambda cls: specs(cls, attack)) if fitting else st.nothing()
        if parameter.kind == "parts":
            most = (parameter.longest or 3) if fitting else 0
            return st.lists(one, max_size=most, unique_by=lambda item: item["part"])
        return st.none() | one if parameter.optional else one
    if parameter.kind == "choice":
        return st.sampled_from(parameter.choices)
    if parameter.kind == "tuple" and parameter.item == "choice":
        return st.lists(st.sampled_from(parameter.choices), min_size=parameter.shortest or 0, unique=True)
    if parameter.kind == "tuple":
        items = [st.text("abc", min_size=1, max_size=9)]
        if parameter.item == "int":
            items = [st.integers(1, most) for most in (100, 10_000)]
        lengths = parameter.shortest or 0, parameter.longest or 5
        return st.one_of(st.lists(item, min_size=lengths[0], max_size=lengths[1], unique=True) for item in items)
    if parameter.kind == "int":
        return st.integers(int(parameter.low or 0), int(parameter.high or 10**6))
    if parameter.kind == "float":
        lowest = parameter.low if parameter.above is None else parameter.above
        return st.floats(lowest, parameter.high, exclude_min=parameter.above is not None, allow_nan=False)
    return st.booleans() if parameter.kind == "bool" else PLAIN


@cache
def specs(cls: type[Spec], attack: type[Attack]) -> st.SearchStrategy[dict[str, Any]]:
    fields = {
        name: values_of(parameter, attack, name)
        for name, parameter in parameters(cls).items()
        if not (cls.__module__.endswith(UPLOADED) and name in ("source", "second", "words", "base"))
    }
    plain = st.fixed_dictionaries(fields)
    if {"dimension", "heads"} <= fields.keys():
        plain = plain.map(divided)
    return plain if cls is Experiment else plain.map(lambda values: {"part": cls.part_name(), **values})  # type: ignore[attr-defined]


def divided(values: dict[str, Any]) -> dict[str, Any]:
    """Give each head of a transformer an even part of the state, as most drawn by chance would not."""
    parts = 2 * values["heads"]
    return {**values, "dimension": max(1, values["dimension"] // parts) * parts}


@st.composite
def experiments(draw: st.DrawFn, attack: type[Attack]) -> Experiment:
    try:
        return Experiment.parse(draw(specs(Experiment, attack)))
    except TelltaleError:
        reject()


@cache
def links_of(attack: type[Attack]) -> st.SearchStrategy[dict[str, str]]:
    names = st.sampled_from(NAMES[attack]) | st.text(CHARACTERS, max_size=40)
    return st.dictionaries(names, HOSTILE, max_size=6)


def read(query: dict[str, str], attack: type[Attack] = WORD_PAIRS) -> links.LinkedExperiment:
    return links.read(query, attack.part_name(), Store())


def same_after_a_link(experiment: Experiment, attack: type[Attack]) -> None:
    reading = read(links.written(experiment, Store()), attack)
    assert not reading.problems
    assert reading.experiment == experiment


@each_attack
def test_a_link_that_lacks_the_dataset_or_the_model_starts_from_the_demo(attack: type[Attack]) -> None:
    demo = Experiment.preset(attack.part_name(), "demo", seed=7)
    assert read({"seed": "7"}, attack).experiment == demo, "as the command line does"
    dataset = demo.dataset.part_name()
    assert read({"seed": "7", "dataset": dataset}, attack).experiment == demo.replace(dataset=type(demo.dataset)())


@each_attack
@given(data=st.data())
@drawn(2)
def test_a_link_says_the_whole_experiment(attack: type[Attack], data: st.DataObject) -> None:
    same_after_a_link(data.draw(experiments(attack)), attack)


@pytest.mark.sampled(every=2)
@each_attack
@given(data=st.data())
@drawn(6)
def test_no_link_is_worse_than_refused(attack: type[Attack], data: st.DataObject) -> None:
    reading = read(data.draw(links_of(attack)), attack)
    assert isinstance(reading.experiment, Experiment)
    for problem in reading.problems:
        assert isinstance(problem, TelltaleError)
        assert len(str(problem)) < 2000
    same_after_a_link(reading.experiment, attack)


def form_alone() -> None:
    """Draw the form and nothing else, all of it unfolded."""
    import streamlit as st

    from dashboard.kit.forms import form

    attack = st.query_params.pop("attack", "word_pairs")
    for title in ("Model parameters", "Rules of the game", "Fine settings"):
        st.session_state[f"form/{attack}/unfolded/{title}"] = True
    experiment = form.experiment_form(attack)
    st.session_state["said"] = None if experiment is None else experiment.as_dict()


@pytest.mark.sampled(every=3)
@each_form
@given(data=st.data())
@drawn(2)
def test_the_form_says_what_the_link_says(attack: type[Attack], data: st.DataObject) -> None:
    experiment = data.draw(experiments(attack))
    page = AppTest.from_function(form_alone)
    for name, text in {"attack": attack.part_name(), **links.written(experiment, Store())}.items():
        page.query_params[name] = text
    page.run()
    assert not page.exception
    if any(
        f"'part': '{uploaded}'" in str(experiment.as_dict())
        for uploaded in ("documents", "parallel_text", "own_requests")
    ):
        assert page.session_state["said"] is None, "documents of one's own have to be uploaded first"
    else:
        assert page.session_state["said"] == experiment.as_dict()


@pytest.mark.parametrize("name", ["dataset", "defenses", "seed", "game.target_sizes", "dataset.name", "x" * 100_000])
def test_a_long_value_in_the_address_is_not_repeated_whole(name: str) -> None:
    page = AppTest.from_function(form_alone)
    page.query_params["dataset"] = "documents"
    page.query_params[name] = "y" * 100_000
    page.run()
    assert not page.exception
    assert page.warning and all(len(warning.value) < 1_000 for warning in page.warning)


@pytest.mark.parametrize("name", [name for name in NAMES[WORD_PAIRS] if name not in ("defenses",)])
def test_a_refused_value_names_its_field(name: str) -> None:
    owner = {"defenses": name.split(".")[1]} if name.startswith("defenses") else {}
    owner |= {"dataset": "documents"} if name.endswith(("source", "text_column", "owner_column")) else {}
    owner |= {"dataset": "enron_spam"} if name.endswith(("label", "parts")) else {}
    for inner in ("model.dictionary", "attack.shadow_data"):
        if name.startswith(f"{inner}."):
            owner = {inner: _holder(name, inner)}
    reading = read({**owner, name: "\x01" * 9000})
    assert reading.problems, f"{name} was accepted"
    for problem in reading.problems:
        assert isinstance(problem, InvalidSpec)
        assert problem.field == name
        assert name in str(problem)


def _holder(name: str, inner: str) -> str:
    last = name.removeprefix(f"{inner}.")
    return next(cls.part_name() for cls in parts("dataset") if last in parameters(cls))


def held(field: Parameter, attack: type[Attack] | None = None) -> set[type]:
    return {cast(type[Dataset], cls).holds for cls in offers(field, attack)}


@each_attack
def test_datasets_are_offered_where_they_fit(attack: type[Attack]) -> None:
    assert held(parameters(Experiment)["dataset"], attack) == {attack.reads}


def test_word_models_take_documents_and_a_dictionary() -> None:
    assert held(parameters(Experiment)["dataset"], WORD_PAIRS) == {Documents}
    assert held(parameters(WORD_PAIRS)["shadow_data"], WORD_PAIRS) == {Documents}
    for name in ("word2vec", "fasttext"):
        assert held(parameters(part("model", name))["dictionary"], WORD_PAIRS) == {Words}


def test_what_a_field_must_hold_is_declared_on_it_and_changes_no_key() -> None:
    class Plain(Spec):
        public: Dataset | None = declared(None, "A public dictionary.")

    class Told(Spec):
        other: Annotated[Dataset | None, Holds(Words)] = declared(None, "Another.")
        public: Annotated[Dataset | None, Holds(Words)] = declared(None, "A public dictionary.")

    assert held(parameters(Told)["other"]) == {Words}
    assert (
        Told.parse({"public": "common_words"}).identity()["public"]
        == Plain.parse({"public": "common_words"}).identity()["public"]
    )
    with pytest.raises(InvalidSpec, match=r"holds Words .* lee_news holds Documents") as refusal:
        Told.parse({"public": "lee_news"})
    assert refusal.value.field == "public"


def test_every_declaration_can_be_shown() -> None:
    for cls in (cls for kind in ("attack", "dataset", "model", "defense", "game") for cls in parts(kind)):
        for parameter in parameters(cls).values():
            assert parameter.label, f"{cls.__name__}.{parameter.name} has no label"
            assert parameter.help, f"{cls.__name__}.{parameter.name} has no help"


def test_uploads_stay_in_their_folder(home: Path) -> None:
    store = Store()
    secret = home / "secret.csv"
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text("text\nhidden\n")
    upload = uploads.save(store, [("../../mail box.csv", b"text\nhello\n")])
    path = Path(uploads.locate(store, upload, "dataset.source"))
    assert path.read_bytes() == b"text\nhello\n"
    assert path.is_relative_to(kept_uploads.folder(store))
    assert uploads.save(store, [("../../mail box.csv", b"text\nhello\n")]) == upload
    for outside in ("../secret.csv", str(secret), "/etc/passwd", ".", "x\0y", "a" * 5000, upload + "x"):
        with pytest.raises(InvalidSpec, match=r"dataset\.source"):
            uploads.locate(store, outside, "dataset.source")


def test_files_whose_names_become_alike_are_all_kept() -> None:
    names = ["a-2.txt", "a.txt", "a!.txt", "A.TXT", "a.txt"]
    store, files = Store(), [(name, str(number).encode()) for number, name in enumerate(names)]
    folder = Path(uploads.locate(store, uploads.save(store, files), "dataset.source"))
    assert {path.read_bytes() for path in folder.iterdir()} == {content for _, content in files}


def test_two_sessions_may_upload_the_same_at_once() -> None:
    store = Store()
    with ThreadPoolExecutor(4) as sessions:
        saved = {*sessions.map(lambda _: uploads.save(store, [("mail.csv", b"text\nhello\n")]), range(20))}
    (upload,) = saved
    assert Path(uploads.locate(store, upload, "dataset.source")).read_bytes() == b"text\nhello\n"
    assert [path.name for path in kept_uploads.folder(store).iterdir()] == [upload.partition("/")[0]]


@pytest.mark.parametrize("names", [[], ["a.exe"], ["a.csv", "b.csv"], ["a.csv", "a.csv"], ["a.csv", "b.txt"]])
def test_uploads_that_are_no_documents_are_refused(names: list[str]) -> None:
    with pytest.raises(InvalidDocuments):
        uploads.save(Store(), [(name, b"") for name in names])


@pytest.mark.parametrize("name", ["documents", "parallel_text", "own_requests"])
def test_a_link_reaches_uploads_only(name: str) -> None:
    dataset = part("dataset", name)()
    assert [name for name, parameter in parameters(type(dataset)).items() if parameter.is_path] == ["source"]


def test_a_link_to_an_upload_does_not_tell_the_machine_s_paths(home: Path) -> None:
    store = Store()
    upload = uploads.save(store, [("one.txt", b"hello"), ("two.txt", b"world")])
    reading = read({"dataset": "documents", "dataset.source": upload})
    assert not reading.problems
    query = links.written(reading.experiment, store)
    assert query["dataset.source"] == upload
    assert not any(str(home) in text for text in query.values())


@pytest.fixture
def page(app: AppTest, without_sections: None) -> AppTest:
    return app.switch_page("views/word_pairs.py")


def test_the_form_starts_from_the_address(page: AppTest) -> None:
    page.query_params["seed"] = "77"
    page.query_params["attack.shadow_pairs"] = "9"
    page.run()
    assert not page.exception
    assert page.sidebar.number_input(key="word_pairs/seed").value == 77
    assert page.sidebar.number_input(key="word_pairs/attack.shadow_pairs").value == 9


def test_a_change_goes_into_the_address(page: AppTest) -> None:
    page.run()
    page.sidebar.number_input(key="word_pairs/seed").set_value(5).run()
    assert page.query_params["seed"] == "5"
    page.sidebar.selectbox(key="word_pairs/dataset").set_value("enron_spam").run()
    assert page.query_params["dataset"] == "enron_spam"
    assert not page.exception


def test_a_preset_fills_the_form(page: AppTest) -> None:
    page.run()
    page.main.segmented_control(key="form/word_pairs/preset").set_value("paper").run()
    assert not page.exception
    assert page.sidebar.selectbox(key="word_pairs/dataset").value == "enron"
    assert page.query_params["dataset"] == "enron"


@pytest.mark.parametrize(
    ("name", "text", "field"),
    [
        ("seed", "-1", "Seed: "),
        ("dataset", "common_words", "Dataset: "),
        ("dataset.source", "/etc/passwd", "Source: "),
        ("attack.shadow_pairs", "1e9", "Shadow pairs (k): "),
        ("game.target_sizes", "1,x", "Target sizes: "),
        ("defenses", "nothing,nothing", "Defenses: "),
        ("![x](http://example.org/x.png)", "<script>", "There is no setting “![x](http"),
    ],
)
def test_a_hostile_link_is_refused_in_one_sentence(page: AppTest, name: str, text: str, field: str) -> None:
    if name == "dataset.source":
        page.query_params["dataset"] = "documents"
    page.query_params[name] = text
    page.run()
    assert not page.exception
    warnings = "\n".join(warning.value for warning in page.warning)
    assert field in warnings.replace("\\", "")
    assert "](http" not in warnings


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (
            "attack.shadow_pairs",
            99_999,
            "Shadow pairs (k): “99999” is not a whole number from 2 to 2,000. The nearest is 2,000.",
        ),
        ("seed", -5, "Seed: “-5” is not a whole number from 0 to 2,147,483,647. The nearest is 0."),
        ("model.learning_rate", 3.5, "“3.5” is not a number above 0 and at most 1. The nearest is 1."),
    ],
)
def test_a_number_beyond_its_bounds_is_told_the_rule_and_the_nearest(
    page: AppTest, field: str, value: float, message: str
) -> None:
    for title in ("Model parameters", "Fine settings"):
        page.session_state[f"form/word_pairs/unfolded/{title}"] = True
    page.run()
    before = dict(page.query_params)
    page.sidebar.number_input(key=f"word_pairs/{field}").set_value(value).run()
    assert not page.exception
    assert [error for error in page.sidebar.error if message in error.value.replace("\\", "")], "below its field"
    assert [warning for warning in page.main.warning if message in warning.value.replace("\\", "")], "and on the page"
    assert dict(page.query_params) == before, "the page stays at the experiment before"


def test_a_list_that_is_none_is_refused_beside_the_form(page: AppTest) -> None:
    page.session_state["form/word_pairs/unfolded/Rules of the game"] = True
    page.run()
    page.sidebar.text_input(key="word_pairs/game.target_sizes").set_value("one, two").run()
    assert not page.exception
    assert any("Target sizes: this must be" in warning.value.replace("\\", "") for warning in page.warning)
    assert any("Target sizes" in error.value for error in page.sidebar.error), "the message stands below its field, too"


@pytest.mark.usefixtures("without_sections")
def test_what_only_the_whole_experiment_refuses_stands_below_its_field(app: AppTest) -> None:
    page = app.switch_page("views/keyword_inference.py").run()
    for typed, message in ((", ,", "one comma between two. Got “, ,”"), ("x" * 61, "60 characters")):
        page.sidebar.text_input(key="keyword_inference/attack.keywords").set_value(typed).run()
        assert not page.exception
        (beside,) = (error.value.replace("\\", "") for error in page.sidebar.error)
        assert beside.startswith("Keywords: this must be")
        assert message in beside
    page.sidebar.text_input(key="keyword_inference/attack.keywords").set_value("war").run()
    assert not page.sidebar.error


def test_what_is_folded_away_keeps_its_value(page: AppTest) -> None:
    page.query_params["preset"] = "demo"
    page.query_params["game.plays"] = "7"
    page.query_params["model.negatives"] = "3"
    page.run()
    keys = [widget.key for widget in page.sidebar.number_input]
    assert "word_pairs/game.plays" not in keys
    assert page.query_params["game.plays"] == "7"
    page.session_state["form/word_pairs/unfolded/Rules of the game"] = True
    page.session_state["form/word_pairs/unfolded/Fine settings"] = True
    page.run()
    assert page.sidebar.number_input(key="word_pairs/game.plays").value == 7
    page.sidebar.number_input(key="word_pairs/model.negatives").set_value(4).run()
    assert page.query_params["model.negatives"] == "4"
    assert page.query_params["game.plays"] == "7"


CANARIES = Attack.by_name("canary_extraction")
SECRETS = "canary_extraction/game.patterns"


def test_a_tuple_of_choices_knows_its_choices() -> None:
    patterns = parameters(Game.by_name("extraction"))["patterns"]
    assert (patterns.kind, patterns.item) == ("tuple", "choice")
    assert set(patterns.choices) == {"call", "pin", "color"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pin,cal", r"must be one of call, pin, color\. Got 'cal' instead\. Did you mean 'call'"),
        ("pin,pin", r"must be names that differ, of call, pin, color\. Got 'pin,pin' instead"),
        ("", r"at least 1"),
    ],
)
def test_choices_in_a_link_are_checked(text: str, message: str) -> None:
    (problem,) = read({"game.patterns": text}, CANARIES).problems
    with pytest.raises(InvalidSpec, match=message):
        raise problem


@pytest.fixture
def several(app: AppTest, without_sections: None) -> AppTest:
    """The form with a tuple of choices, all rules of the game unfolded."""
    app.switch_page("views/canary_extraction.py")
    app.query_params["preset"] = "demo"
    app.session_state["form/canary_extraction/unfolded/Rules of the game"] = True
    return app.run()


def test_several_choices_are_lit_and_go_into_the_address(several: AppTest) -> None:
    pills = several.sidebar.button_group(key=SECRETS)
    assert pills.value == ["pin", "color", "call"]
    pills.set_value(["call", "color"]).run()
    assert not several.exception
    assert several.query_params["game.patterns"] == "color,call", "the declared order, whichever was lit first"
    several.sidebar.button_group(key=SECRETS).set_value(["color", "call", "pin"]).run()
    assert "game.patterns" not in several.query_params, "all of them are the default again"


def test_the_order_of_choices_in_a_link_is_kept(several: AppTest) -> None:
    several.query_params["game.patterns"] = "call,pin"
    several.run()
    assert not several.exception
    assert several.sidebar.button_group(key=SECRETS).value == ["call", "pin"]
    assert several.query_params["game.patterns"] == "call,pin"


def test_nothing_chosen_is_refused_beside_the_form(several: AppTest) -> None:
    several.sidebar.button_group(key=SECRETS).set_value([]).run()
    assert not several.exception
    warnings = [warning.value.replace("\\", "") for warning in several.warning]
    assert any("must hold at least 1 of call, pin, color. Got none instead" in text for text in warnings), warnings


def test_choosing_an_encoder_proposes_the_length_that_its_makers_give_embeddings(monkeypatch):
    state = {"keyword_inference/model.source": "minilm", "keyword_inference/model.length": "raw"}
    monkeypatch.setattr(widgets.st, "session_state", state)
    widgets.propose_length("keyword_inference/model.source")
    assert state["keyword_inference/model.length"] == "unit"
    state["keyword_inference/model.source"] = "small_bert"
    widgets.propose_length("keyword_inference/model.source")
    assert state["keyword_inference/model.length"] == "raw"
