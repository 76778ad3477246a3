"""A visitor names no path of the server: not in the form, not in the address bar, not where a run is asked for."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.encoders import folders
from core.encoders.records import RECORDS
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.jobs import Jobs
from core.models.causal_lm import CausalLm
from core.models.encoder import Encoder
from core.models.own_language_model import OwnLanguageModel
from core.models.own_translator import OwnTranslator
from core.registry import FOLDERS, Part, parts
from core.runtime.store import Store
from dashboard.kit import links
from dashboard.kit.forms import form as forms
from dashboard.kit.inputs import allowed, uploads
from dashboard.kit.inputs.declared import Parameter, parameters

FOREIGN = ["/etc", "./model", "~/model", "org/name", "../small_bert", "/dev/zero/", "small_bert/"]


def asked(**model: Any) -> Experiment:
    return Experiment.preset("keyword_inference", "demo", model={"part": "encoder", **model})


def fingerprint(*candidates: str) -> Experiment:
    return Experiment.preset("encoder_fingerprint", "demo", attack={"candidates": candidates})


def few_shot(local: str) -> Experiment:
    return Experiment.preset("few_shot_inversion", "demo", attack={"local": local})


def declared(part: type[Part]) -> list[Parameter]:
    """Return the parameters by which a part names encoders."""
    return [parameter for parameter in parameters(part).values() if parameter.encoders]


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for the files of a foreign encoder, not even to find a key."""
    locate = folders.locate

    def look(source: str, revision: str = "") -> Path | None:
        assert source in RECORDS
        return locate(source, revision)

    monkeypatch.setattr("core.models.encoder.locate", look)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("source", FOREIGN)
def test_only_encoders_of_the_owner_may_be_named(source: str) -> None:
    named = (asked(source=source), fingerprint("@first", f"{source}@last"), few_shot(source))
    for experiment in (*named, asked(revision="refs/pr/1")):
        with pytest.raises(InvalidSpec, match=r"must (name an encoder that this server offers|be empty)"):
            allowed.check(experiment, Store())


@given(name=st.sampled_from(sorted(RECORDS)))
def test_every_record_may_be_named(name: str) -> None:
    allowed.check(asked(source=name), Store())
    allowed.check(fingerprint("@first", f"{name}@last"), Store())
    allowed.check(few_shot(name), Store())


def test_whatever_loads_encoders_declares_by_which_parameter_they_are_named() -> None:
    every = [part for kind in FOLDERS for part in parts(kind)]
    loading = [part for part in every if part.named_encoders is not Part.named_encoders]
    assert {part.part_name() for part in loading} >= {"encoder", "encoder_fingerprint", "few_shot_inversion"}
    for held in (OwnLanguageModel, OwnTranslator):
        loading.remove(held)  # its fields take uploads only
    assert loading == [part for part in every if declared(part)]


@pytest.mark.parametrize("source", FOREIGN)
@pytest.mark.parametrize("field", ["source", "base"])
def test_no_folder_of_a_language_model_may_be_named(field: str, source: str) -> None:
    with pytest.raises(InvalidSpec, match="must be something uploaded here"):
        allowed.check(OwnLanguageModel.parse({field: source}), Store())


@pytest.mark.parametrize("source", [*FOREIGN, "small_bert"])
def test_only_bases_of_the_owner_may_be_fine_tuned(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed.check(CausalLm(), Store())
    for refused in ({"base": source}, {"revision": "refs/pr/1"}):
        with pytest.raises(InvalidSpec, match=r"must (name an encoder that this server offers|be empty)"):
            allowed.check(CausalLm.parse(refused), Store())
    monkeypatch.setenv(allowed.VARIABLE, source)
    allowed.check(CausalLm.parse({"base": source}), Store())


@given(listed=st.lists(st.text(st.characters(exclude_characters="\0:", exclude_categories=["Cs"]), min_size=1)))
def test_the_owner_lists_folders(listed: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(allowed.VARIABLE, os.pathsep.join(listed))
        source, base = (parameters(cls)[name] for cls, name in ((Encoder, "source"), (CausalLm, "base")))
        assert allowed.sources(source) == (*RECORDS, *listed)
        assert allowed.sources(base) == ("small_lm", *listed)
        for folder in listed:
            for source, fine in ((f"/{folder}", f"/{folder}" in listed), (folder, "/" in folder)):
                if fine and len(source) <= 500:
                    allowed.check(asked(source=source), Store())


def test_a_listed_folder_may_be_named_and_its_neighbours_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = str(tmp_path / "mine")
    monkeypatch.setenv(allowed.VARIABLE, f"/elsewhere{os.pathsep}{mine}")
    allowed.check(asked(source=mine), Store())
    query = links.written(asked(source=mine), Store())
    assert links.read(query, "keyword_inference", Store()).experiment.model == asked(source=mine).model
    for source in (f"{mine}/", f"{mine}/inner", str(tmp_path), f"{mine}/../other"):
        with pytest.raises(InvalidSpec, match="this server offers"):
            allowed.check(asked(source=source), Store())


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("source", FOREIGN)
def test_the_address_bar_names_none_either(source: str) -> None:
    reading = links.read({"model": "encoder", "model.source": source}, "keyword_inference", Store())
    assert reading.experiment.model.source == "small_bert"  # type: ignore[attr-defined]
    assert "this server offers" in str(reading.problems[0])
    reading = links.read({"model": "encoder", "model.revision": "refs/pr/1"}, "keyword_inference", Store())
    assert "must be empty" in str(reading.problems[0])
    for attack in parts("attack"):
        for parameter in declared(attack):
            value = f"@first,{source}" if parameter.kind == "tuple" else source
            reading = links.read({f"attack.{parameter.name}": value}, attack.part_name(), Store())
            assert getattr(reading.experiment.attack, parameter.name) == parameter.default
            assert "this server offers" in str(reading.problems[0])


def form() -> None:
    import streamlit as st

    from dashboard.kit.forms import form as forms

    st.session_state["said"] = forms.experiment_form("keyword_inference")


@pytest.mark.usefixtures("unread")
def test_the_form_takes_none_either(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = asked(source="/etc/secret").as_dict()
    monkeypatch.setattr(forms._Form, "draw", lambda *_: typed)
    page = AppTest.from_function(form).run()
    assert page.session_state["said"] is None
    assert "this server offers" in page.warning[0].value


def ask() -> None:
    import streamlit as st

    from dashboard.kit import running as runs

    runs.start(st.session_state["asked"])


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("kind", ["encoder", "documents"])
def test_no_run_is_asked_for_that_reads_anything_else(kind: str, tmp_path: Path) -> None:
    page = AppTest.from_function(ask)
    table = tmp_path / "mine.csv"
    table.write_text("text\na")
    dataset = {"part": "documents", "source": str(table)}
    values = {"attack": "word_pairs", "dataset": dataset, "model": "word2vec"}
    page.session_state["asked"] = asked(source="/etc") if kind == "encoder" else Experiment.parse(values)
    page.run()
    assert "must" in page.error[0].value
    assert Jobs(Store()).all() == []


def test_what_was_uploaded_may_be_read() -> None:
    store = Store()
    upload = uploads.save(store, [("mine.csv", b"text\na")])
    source = uploads.locate(store, upload, "dataset.source")
    dataset = {"part": "documents", "source": source}
    allowed.check(Experiment.parse({"attack": "word_pairs", "dataset": dataset, "model": "word2vec"}), store)
