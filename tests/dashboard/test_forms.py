"""Forms and links: what is declared is what is shown, and nothing typed into the address bar breaks a page."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.attacks import Attack
from core.datasets import Documents, Words
from core.errors import InvalidDocuments, InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.registry import part, parts
from core.spec import Spec
from core.store import Store
from dashboard import links, uploads
from dashboard.declared import Parameter, offers, parameters

ATTACKS = [cls.part_name() for cls in parts("attack")]
PLAIN = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
HOSTILE = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["none", "true", "", ",", "1,,2", "-0", "1e999", "nan", "9" * 400, "../..", "/etc/passwd", "\0"]),
    st.integers().map(str),
    st.floats().map(repr),
)


def names_of(cls: type[Spec], attack: type[Attack], prefix: str = "", depth: int = 0) -> list[str]:
    found = []
    for name, parameter in parameters(cls).items():
        found.append(prefix + name)
        inner = [attack] if name == "attack" else offers(parameter, attack)
        for nested in inner if depth < 2 else []:
            place = f"{prefix}{name}.{nested.part_name()}." if parameter.kind == "parts" else f"{prefix}{name}."
            found += names_of(nested, attack, place, depth + 1)
    return list(dict.fromkeys(found))


NAMES = {name: names_of(Experiment, part("attack", name)) for name in ATTACKS}  # type: ignore[arg-type]


def values_of(parameter: Parameter, attack: type[Attack], name: str) -> st.SearchStrategy[Any]:
    if parameter.kind in ("part", "parts"):
        fitting = [attack] if name == "attack" else list(offers(parameter, attack))
        one = st.sampled_from(fitting).flatmap(lambda cls: specs(cls, attack)) if fitting else st.nothing()
        if parameter.kind == "parts":
            return st.lists(one, max_size=parameter.longest or 3, unique_by=lambda item: item["part"])
        return st.none() | one if parameter.optional else one
    if parameter.kind == "choice":
        return st.sampled_from(parameter.choices)
    if parameter.kind == "tuple":
        assert parameter.item == "int"
        return st.lists(st.integers(1, 10_000), min_size=parameter.shortest or 0, max_size=parameter.longest or 5)
    if parameter.kind == "int":
        return st.integers(int(parameter.low or 0), int(parameter.high or 10**6))
    if parameter.kind == "float":
        lowest = parameter.low if parameter.above is None else parameter.above
        return st.floats(lowest, parameter.high, exclude_min=parameter.above is not None, allow_nan=False)
    return st.booleans() if parameter.kind == "bool" else PLAIN


def specs(cls: type[Spec], attack: type[Attack]) -> st.SearchStrategy[dict[str, Any]]:
    fields = {
        name: values_of(parameter, attack, name)
        for name, parameter in parameters(cls).items()
        if not (cls.__module__.endswith("documents") and name == "source")
    }
    plain = st.fixed_dictionaries(fields)
    return plain if cls is Experiment else plain.map(lambda values: {"part": cls.part_name(), **values})  # type: ignore[attr-defined]


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_link_says_the_whole_experiment(attack: str, data: st.DataObject) -> None:
    values = data.draw(specs(Experiment, part("attack", attack)))  # type: ignore[arg-type]
    try:
        experiment = Experiment.parse(values)
    except TelltaleError:
        assume(False)
        raise
    query = links.written(experiment, Store())
    reading = links.read(query, attack, Store())
    assert not reading.problems
    assert reading.experiment == experiment


@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_link_is_worse_than_refused(attack: str, data: st.DataObject) -> None:
    names = st.sampled_from(NAMES[attack]) | st.text(max_size=40)
    reading = links.read(data.draw(st.dictionaries(names, HOSTILE, max_size=6)), attack, Store())
    assert isinstance(reading.experiment, Experiment)
    for problem in reading.problems:
        assert isinstance(problem, TelltaleError)
        assert len(str(problem)) < 2000
    again = links.read(links.written(reading.experiment, Store()), attack, Store())
    assert again.experiment == reading.experiment
    assert not again.problems


def form_alone() -> None:
    """Draw the form and nothing else, all of it unfolded."""
    import streamlit as st

    from dashboard import forms

    attack = st.query_params.pop("attack", "word_pairs")
    for title in ("Model parameters", "Rules of the game", "Fine settings"):
        st.session_state[f"form/{attack}/unfolded/{title}"] = True
    experiment = forms.experiment_form(attack)
    st.session_state["said"] = None if experiment is None else experiment.as_dict()


@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_form_says_what_the_link_says(attack: str, data: st.DataObject) -> None:
    values = data.draw(specs(Experiment, part("attack", attack)))  # type: ignore[arg-type]
    try:
        experiment = Experiment.parse(values)
    except TelltaleError:
        assume(False)
        raise
    page = AppTest.from_function(form_alone, default_timeout=120)
    for name, text in {"attack": attack, **links.written(experiment, Store())}.items():
        page.query_params[name] = text
    page.run()
    assert not page.exception
    if "'part': 'documents'" in str(values):
        assert page.session_state["said"] is None, "documents of one's own have to be uploaded first"
    else:
        assert page.session_state["said"] == experiment.as_dict()


@pytest.mark.parametrize("name", [name for name in NAMES["word_pairs"] if name not in ("defenses",)])
def test_a_refused_value_names_its_field(name: str) -> None:
    owner = {"defenses": "subsampling"} if name.startswith("defenses") else {}
    owner |= {"dataset": "documents"} if name.endswith(("source", "text_column", "owner_column")) else {}
    owner |= {"dataset": "enron_spam"} if name.endswith(("label", "parts")) else {}
    for inner in ("model.dictionary", "attack.shadow_data"):
        if name.startswith(f"{inner}."):
            owner = {inner: _holder(name, inner)}
    reading = links.read({**owner, name: "\x01" * 9000}, "word_pairs", Store())
    assert reading.problems, f"{name} was accepted"
    for problem in reading.problems:
        assert isinstance(problem, InvalidSpec)
        assert problem.field == name
        assert name in str(problem)


def _holder(name: str, inner: str) -> str:
    last = name.removeprefix(f"{inner}.")
    kind = "dataset"
    return next(cls.part_name() for cls in parts(kind) if last in parameters(cls))


def test_datasets_are_offered_where_they_fit() -> None:
    attack = part("attack", "word_pairs")
    datasets = offers(parameters(Experiment)["dataset"], attack)  # type: ignore[arg-type]
    dictionaries = offers(parameters(part("model", "word2vec"))["dictionary"])
    assert {cls.holds for cls in datasets} == {Documents}  # type: ignore[attr-defined]
    assert {cls.holds for cls in dictionaries} == {Words}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "cls", [cls for kind in ("attack", "dataset", "model", "defense", "game") for cls in parts(kind)]
)
def test_every_declaration_can_be_shown(cls: type[Spec]) -> None:
    for parameter in parameters(cls).values():
        assert parameter.label
        assert parameter.help, f"{cls.__name__}.{parameter.name} has no help"


def test_uploads_stay_in_their_folder(home: Path) -> None:
    store = Store()
    secret = home / "secret.csv"
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text("text\nhidden\n")
    place = uploads.save(store, {"../../mail box.csv": b"text\nhello\n"})
    path = Path(uploads.locate(store, place, "dataset.source"))
    assert path.read_bytes() == b"text\nhello\n"
    assert path.is_relative_to(uploads.folder(store))
    assert uploads.save(store, {"../../mail box.csv": b"text\nhello\n"}) == place
    for outside in ("../secret.csv", str(secret), "/etc/passwd", ".", "x\0y", "a" * 5000, place + "x"):
        with pytest.raises(InvalidSpec, match=r"dataset\.source"):
            uploads.locate(store, outside, "dataset.source")


@pytest.mark.parametrize("files", [{}, {"a.exe": b""}, {"a.csv": b"", "b.csv": b""}, {"a.csv": b"", "b.txt": b""}])
def test_uploads_that_are_no_documents_are_refused(files: dict[str, bytes]) -> None:
    with pytest.raises(InvalidDocuments):
        uploads.save(Store(), files)


def test_a_link_to_an_upload_does_not_tell_the_machine_s_paths(home: Path) -> None:
    store = Store()
    place = uploads.save(store, {"one.txt": b"hello", "two.txt": b"world"})
    reading = links.read({"dataset": "documents", "dataset.source": place}, "word_pairs", store)
    assert not reading.problems
    query = links.written(reading.experiment, store)
    assert query["dataset.source"] == place
    assert not any(str(home) in text for text in query.values())


@pytest.fixture
def page(app: AppTest) -> AppTest:
    return app.run().switch_page("views/word_pairs.py")


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
    page.sidebar.segmented_control(key="form/word_pairs/preset").set_value("paper").run()
    assert not page.exception
    assert page.sidebar.selectbox(key="word_pairs/dataset").value == "enron"
    assert page.query_params["dataset"] == "enron"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("seed", "-1"),
        ("dataset", "common_words"),
        ("dataset.source", "/etc/passwd"),
        ("attack.shadow_pairs", "1e9"),
        ("game.target_sizes", "1,x"),
        ("defenses", "nothing,nothing"),
        ("![x](http://example.org/x.png)", "<script>"),
    ],
)
def test_a_hostile_link_is_said_calmly(page: AppTest, name: str, text: str) -> None:
    if name == "dataset.source":
        page.query_params["dataset"] = "documents"
    page.query_params[name] = text
    page.run()
    assert not page.exception
    said = "\n".join(warning.value for warning in page.warning)
    assert name.split("(")[0].strip("![]").split(".")[-1].replace("_", "\\_") in said
    assert "](http" not in said


def test_a_list_that_is_none_is_refused_beside_the_form(page: AppTest) -> None:
    page.session_state["form/word_pairs/unfolded/Rules of the game"] = True
    page.run()
    page.sidebar.text_input(key="word_pairs/game.target_sizes").set_value("one, two").run()
    assert not page.exception
    assert any("target" in warning.value for warning in page.warning)


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
