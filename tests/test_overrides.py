"""Parameters written as text are read as they were meant, or refused by name."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.overrides import flattened, nested, overridden, qualified, value_of, with_assignments

NAMES = st.text(st.sampled_from("ab."), max_size=6)


@pytest.fixture(scope="module")
def demo() -> Experiment:
    return Experiment.preset("word_pairs", "demo")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("0.5", 0.5),
        ("true", True),
        ("null", None),
        ("1,10", [1, 10]),
        ("[1, 10]", [1, 10]),
        ("cbow", "cbow"),
        ('"5"', "5"),
        ("a,b", "a,b"),
        ("", ""),
        ("[" * 100_000, "[" * 100_000),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_values_are_json_where_they_can_be(text: str, value: Any) -> None:
    assert value_of(text) == value


def test_an_empty_value_is_an_empty_text_or_list(demo: Experiment) -> None:
    emptied = overridden(demo, {"dataset": "documents", "dataset.owner_column": "", "defenses": ""})
    assert (emptied.dataset.owner_column, emptied.defenses) == ("", ())  # type: ignore[attr-defined]


def test_a_name_is_understood_by_what_the_help_says(demo: Experiment) -> None:
    with pytest.raises(InvalidSpec, match="Did you mean 'source'"):
        qualified("path", overridden(demo, {"dataset": "documents"}))


@given(st.text())
def test_any_text_is_a_value(text: str) -> None:
    value_of(text)


@given(st.recursive(st.integers() | st.booleans() | st.text(max_size=3), lambda below: st.lists(below, max_size=3)))
def test_json_comes_back(value: Any) -> None:
    assert value_of(json.dumps(value)) == value


@given(st.dictionaries(NAMES, st.integers() | st.text(max_size=2) | st.lists(st.integers(), max_size=2), max_size=5))
def test_nesting_never_breaks(flat: dict[str, Any]) -> None:
    try:
        nested(flat)
    except InvalidSpec as error:
        assert error.field in flat


@pytest.mark.parametrize(
    ("flat", "says"),
    [({"a.": 1}, "not the name"), ({"": 1}, "not the name"), ({"a": 5, "a.b": 1}, "has no parameters")],
)
def test_impossible_names_are_refused(flat: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidSpec, match=says):
        nested(flat)


def test_a_spec_comes_back_from_its_flat_form(demo: Experiment) -> None:
    assert Experiment.parse(nested(flattened(demo))) == demo


def test_the_last_part_of_a_name_is_enough_where_it_is_the_only_one(demo: Experiment) -> None:
    assert qualified("shadow_pairs", demo) == "attack.shadow_pairs"
    on_documents = overridden(Experiment.preset("keyword_inference", "demo"), {"dataset": "documents"})
    assert qualified("source", on_documents) == "dataset.source", "the one that is yet to be given"
    assert qualified("seed", demo) == "seed"
    assert qualified("anything.below", demo) == "anything.below"


@pytest.mark.parametrize(
    ("attack", "name", "reads"),
    [
        ("word_pairs", "path", "; --dataset documents --set source=FILE reads your own."),
        ("keyword_inference", "owner_column", "; --dataset documents --set source=FILE reads your own."),
        ("canary_extraction", "source", "; --dataset own_requests --set source=FILE reads your own."),
        ("translation_overlap", "file", "; --dataset parallel_text --set source=FILE reads your own."),
        ("pattern_reconstruction", "path", " is no data of yours."),
    ],
)
def test_who_names_a_file_is_told_what_reads_it(attack: str, name: str, reads: str) -> None:
    with pytest.raises(InvalidSpec, match=f"no parameter '{name}'.*{re.escape(reads)}$"):
        with_assignments(Experiment.preset(attack, "demo"), [f"{name}=x.csv"])


def test_what_reads_a_file_of_ones_own_names_its_parameters() -> None:
    audit = Experiment.preset("word_pair_audit", "demo", dataset={"part": "marked_documents", "source": "x.csv"})
    chosen = with_assignments(audit, ["near_copies=left out"])
    assert flattened(chosen)["dataset.near_copies"] == "left out"
    with pytest.raises(
        InvalidSpec, match=r"no parameter 'sample'.*Your own marked documents: its parameters are source,"
    ):
        with_assignments(audit, ["sample=5"])


@pytest.mark.parametrize(
    ("name", "says"),
    [("shadow_pear", "Did you mean 'shadow_pairs'"), ("source", "Write the whole name"), ("", "no parameter")],
)
def test_names_that_are_none_or_several_are_refused(demo: Experiment, name: str, says: str) -> None:
    documents = {"part": "documents", "source": "x"}
    both = demo.replace(dataset=documents, attack={**demo.attack.as_dict(), "shadow_data": documents})
    with pytest.raises(TelltaleError, match=says):
        qualified(name, both)


@pytest.mark.parametrize(
    ("text", "secret"), [("4711", "4711"), ("0007", "0007"), ("4 7 1 1", "4 7 1 1"), ('"1234"', "1234")]
)
def test_digits_are_a_text_where_a_text_is_declared(text: str, secret: str) -> None:
    game = {"secret": value_of(text), "patterns": value_of("pin, call")}
    experiment = Experiment.preset("canary_extraction", "demo", game=game)
    assert flattened(experiment)["game.secret"] == secret
    assert flattened(experiment)["game.patterns"] == ["pin", "call"], (
        "words with commas are a list where one is declared"
    )


def test_a_parameter_of_a_defense_is_named_alone_or_behind_it(demo: Experiment) -> None:
    defended = demo.replace(defenses=["subsampling", "vector_noise"])
    changed = with_assignments(defended, ["fraction=0.25", "vector_noise.scale=3"]).as_dict()["defenses"]
    assert [(step.get("fraction"), step.get("scale")) for step in changed] == [(0.25, None), (None, 3)]
    assert with_assignments(defended, ["vector_noise.scale=3"]).defenses[0] == defended.defenses[0]
    twice = demo.replace(defenses=["subsampling", "subsampling"])
    with pytest.raises(InvalidSpec, match=r"could be any of subsampling\.fraction"):
        with_assignments(twice, ["fraction=0.25"])


def test_a_name_that_another_part_has_needs_the_defense_before_it() -> None:
    defended = Experiment.preset("canary_extraction", "demo").replace(defenses=["dropout"])
    changed = with_assignments(defended, ["hidden=32", "dropout.hidden=0.3"]).as_dict()
    assert changed["model"]["hidden"] == 32
    assert changed["defenses"][0]["hidden"] == 0.3
    assert with_assignments(defended, ["hidden=32"]).defenses == defended.defenses
