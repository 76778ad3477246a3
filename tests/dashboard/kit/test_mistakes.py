"""A link with mistakes: each is named, in the words of the page, with the nearest valid choice."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.attack import Attack
from core.registry import part
from core.runtime.store import Store
from dashboard.kit import landing, links
from dashboard.kit.forms import mistakes


def said(attack: str, /, **query: str) -> list[str]:
    cls = Attack.by_name(attack)
    fields = {name.replace("__", "."): text for name, text in query.items()}
    return [mistakes.explained(problem, fields, cls) for problem in links.read(fields, attack, Store()).problems]


@pytest.mark.parametrize(
    "attack, query, wrong",
    [
        ("word_pairs", {"dataset": "enron_spm"}, "Dataset: there is no “enron_spm” here. Did you mean Enron-Spam?"),
        ("word_pairs", {"model": "gpt"}, "Model: there is no “gpt” here. There are FastText, GloVe and Word2vec."),
        ("word_pairs", {"preset": "papr"}, "Preset: there is no “papr”. Did you mean Paper?"),
        ("word_pairs", {"datas": "1"}, "There is no setting “datas”. Did you mean dataset?"),
        (
            "word_pairs",
            {"attack__shadow_pair": "5"},
            "There is no setting “shadow_pair” of Word pairs. Did you mean Shadow",
        ),
        (
            "word_pairs",
            {"attack__shadow_pairs": "-3"},
            "Shadow pairs (k): “-3” is not a whole number from 2 to 2,000. The",
        ),
        ("word_pairs", {"seed": "x"}, "Seed: “x” is not a whole number from 0 to 2,147,483,647. The default is 1."),
        (
            "word_pairs",
            {"seed": "1.5"},
            "Seed: “1.5” is not a whole number from 0 to 2,147,483,647. The nearest is 1 or 2.",
        ),
        (
            "word_pairs",
            {"seed": "-0.5"},
            "Seed: “-0.5” is not a whole number from 0 to 2,147,483,647. The nearest is 0.",
        ),
        (
            "word_pairs",
            {"seed": "1e999"},
            "Seed: “1e999” is not a whole number from 0 to 2,147,483,647. The default is 1.",
        ),
        (
            "word_pairs",
            {"game__target_sizes": "20,20"},
            "Target sizes: this must name each value once. Got 20, 20 instead; 20",
        ),
        (
            "word_pairs",
            {"game__target_sizes": "1,x"},
            "Target sizes: “1,x” is no list of whole numbers. The default is 1,",
        ),
        ("word_pairs", {"game__target_sizes": "1,9999999"}, "Target sizes: this must be a number from 1 to"),
        ("word_pairs", {"defenses": "nothing"}, "Defenses: there is no “nothing” here. There are"),
        ("canary_extraction", {"game__patterns": "pin,cal"}, "Secrets: there is no “cal” here. Did you mean Call?"),
        (
            "keyword_inference",
            {"model": "encoder", "model__source": "small_brt"},
            "Encoder: there is no “small_brt” here.",
        ),
    ],
)
def test_a_mistake_is_named_with_the_nearest_valid_choice(attack: str, query: dict[str, str], wrong: str) -> None:
    (only,) = said(attack, **query)
    assert only.startswith(wrong)
    named = re.sub("“.*?”", "", only)
    assert not re.search(r"\w_\w|'\w+'", named), "only what the link itself says is a name of the code"


def test_the_nearest_bound_is_named() -> None:
    assert said("word_pairs", attack__shadow_pairs="-3")[0].endswith("The nearest is 2.")
    assert said("word_pairs", seed="9999999999")[0].endswith("The nearest is 2,147,483,647.")


@pytest.mark.parametrize("text", [".", "+.", "1.2.3", "1e", "e5", "nan", "1_0", "9." * 50_000])
def test_what_is_no_number_is_told_so(text: str) -> None:
    (only,) = said("word_pairs", model__learning_rate=text)
    assert "is not a number above 0 and at most 1. The default is 0.025." in only


@pytest.mark.parametrize("text", ["1e9", "+2.", "1.5E+3", "1e999", "9" * 50_000])
def test_a_number_is_read_however_it_is_written(text: str) -> None:
    (only,) = said("word_pairs", model__learning_rate=text)
    assert "is not a number above 0 and at most 1. The nearest is 1." in only


def test_every_method_of_a_shared_page_is_offered() -> None:
    (only,) = said("multilabel_inversion", attack="nonsense")
    for name in ("multilabel_inversion", "sparse_inversion", "relaxed_inversion", "decoder"):
        assert str(getattr(part("attack", name), "title")) in only  # noqa: B009 - a part need not have one


def test_the_page_names_every_mistake_of_a_link_in_one_notice(app: AppTest) -> None:
    app.switch_page("views/keyword_inference.py")
    for name, text in {"dataset": "nope", "seed": "x", "modle": "y"}.items():
        app.query_params[name] = text
    app.run()
    assert not app.exception
    (notice,) = [warning.value.replace("\\", "") for warning in app.main.warning]
    assert notice.startswith("No setting of this link can be used, so the page opens as usual.\n\n- ")
    for wrong in ("Dataset: there is no “nope”", "Seed: “x” is not a whole number", "no setting “modle”"):
        assert f"\n- {wrong}" in notice or wrong in notice
    assert notice.count("\n- ") == 3


def kept(attack: str, query: dict[str, str]) -> links.LinkedExperiment:
    reading = links.read(query, attack, Store())
    assert len(reading.problems) == 1
    return reading


def test_a_wrong_parameter_leaves_all_others_as_they_are() -> None:
    reading = kept("word_pairs", {"preset": "demo", "attack.shadow_pairs": "21", "seed": "33", "model.epochs": "x"})
    assert reading.instead.startswith("Part of this link cannot be read; the default is used instead.")
    assert reading.experiment.seed == 33
    assert reading.experiment.as_dict()["attack"]["shadow_pairs"] == 21


def test_a_wrong_preset_leaves_the_other_parameters() -> None:
    assert kept("word_pairs", {"preset": "papr", "seed": "33"}).experiment == Experiment.preset(
        "word_pairs", "demo", seed=33
    )


@pytest.mark.parametrize("name, text", [("model.dimension", "abc"), ("game.target_sizes", "x")])
def test_where_the_rest_of_a_link_has_a_stored_result_that_is_shown(name: str, text: str) -> None:
    demo = Experiment.preset("word_pairs", "demo")
    reading = kept("word_pairs", {**links.written(demo, Store()), name: text})
    assert reading.experiment == demo
    assert "a stored result" in reading.instead


def test_a_link_of_which_nothing_is_right_opens_the_page_as_usual() -> None:
    reading = kept("word_pairs", {"dataset": "nope", "dataset.source": "x"})
    assert reading.experiment == landing.experiment("word_pairs")
    assert "as usual" in reading.instead


def test_what_is_shown_instead_of_a_wrong_number_is_what_the_page_shows() -> None:
    cls = Attack.by_name("word_pairs")
    for name, text in (("attack.shadow_pairs", "abc"), ("seed", "-4")):
        reading = links.read({name: text}, "word_pairs", Store())
        (problem,) = reading.problems
        opened = links.written(reading.experiment, Store()).get(name, "1")
        message = mistakes.explained(problem, {name: text}, cls, reading.experiment)
        assert message.endswith(f". The page shows {opened}.") and "default" not in message


def test_a_setting_that_does_not_exist_is_answered_with_names_that_a_link_can_hold() -> None:
    (only,) = said("word_pairs", foo="bar")
    assert only == "There is no setting “foo”. There are attack, dataset, model, defenses, game and seed."


def test_a_label_stands_before_a_message_that_names_the_field_alone() -> None:
    of_field = InvalidSpec("The 'seed' parameter of word_pairs must be a number. Got 'a' instead.")
    assert mistakes.labelled(of_field, "Seed") == "Seed: this must be a number. Got “a” instead."
    assert mistakes.labelled(InvalidSpec("Nothing fits."), "Seed") == "Nothing fits."
