"""What every part promises, checked on every part there is."""

import re
import typing
from pathlib import Path

import pytest
from annotated_types import Ge, Gt, Le, MaxLen
from pydantic.fields import FieldInfo

from core.datasets import Card, Dataset
from core.errors import InvalidSpec
from core.experiment import Experiment, misfit
from core.games.attack import Attack
from core.registry import FOLDERS, Part, names, part, parts
from core.spec import Spec
from core.text.bitext import Bitext
from core.text.contents import Documents, Patterns, Utterances, Words
from core.text.corpus import words_of
from core.text.vectors import Vectors

EVERY = [cls for kind in FOLDERS for cls in parts(kind)]
_OF_ONE_DATASET = re.compile("mail|person|London|knee|nucleotide|date of birth")
IDS = [f"{cls.kind}:{cls.part_name()}" for cls in EVERY]


@pytest.fixture(params=EVERY, ids=IDS)
def cls(request: pytest.FixtureRequest) -> type[Part]:
    return request.param


def test_it_is_found_by_its_file_name(cls: type[Part]) -> None:
    assert part(cls.kind, cls.part_name()) is cls
    assert cls.title
    assert cls.__doc__


def test_its_defaults_are_valid_and_its_key_is_stable(cls: type[Part]) -> None:
    made = _made(cls)
    again = cls.parse({name: value for name, value in made.as_dict().items() if name != "part"})
    assert again == made
    assert again.key == made.key
    assert len(made.key) == 16
    assert hash(made) == hash(again)


def test_its_version_is_part_of_its_key(cls: type[Part], monkeypatch: pytest.MonkeyPatch) -> None:
    before = _made(cls).key
    monkeypatch.setattr(cls, "version", cls.version + 1)
    assert _made(cls).key != before


def test_it_is_frozen(cls: type[Part]) -> None:
    made = _made(cls)
    for name in cls.model_fields:
        with pytest.raises(ValueError, match="frozen"):
            setattr(made, name, getattr(made, name))


def test_every_parameter_has_help_and_numbers_have_bounds(cls: type[Part]) -> None:
    for name, field in cls.model_fields.items():
        assert field.description, f"{name} says nothing"
        assert field.description.endswith("."), f"the help of {name} is no sentence"
        if field.annotation in (int, float):
            assert any(isinstance(bound, Ge | Gt) for bound in field.metadata), f"{name} has no lower bound"
            assert any(isinstance(bound, Le) for bound in field.metadata), f"{name} has no upper bound"
        if typing.get_origin(field.annotation) is tuple:
            assert any(isinstance(bound, MaxLen) for bound in field.metadata), f"{name} may be endless"


def test_a_value_out_of_bounds_is_refused_by_name(cls: type[Part]) -> None:
    for name, field in cls.model_fields.items():
        for value in _beyond(field):
            with pytest.raises(InvalidSpec, match=f"'{name}' parameter of {cls.part_name()} must be") as caught:
                cls.parse({name: value})
            assert caught.value.field == name


def test_an_unknown_parameter_is_refused_with_the_nearest(cls: type[Part]) -> None:
    for name in cls.model_fields:
        with pytest.raises(InvalidSpec, match=f"Did you mean '{name}'"):
            cls.parse({f"{name}_": 1})


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_file_is_a_part(kind: str) -> None:
    folder = Path(__file__).parents[2] / FOLDERS[kind].replace(".", "/")
    files = [path.stem for path in folder.glob("**/*.py") if path.stem != "__init__"]
    folders = [path.name for path in folder.iterdir() if (path / "__init__.py").exists()]
    assert sorted(folders if kind == "game" else files) == list(names(kind))


@pytest.mark.parametrize("cls", parts("dataset"), ids=names("dataset"))
def test_a_dataset_has_a_card(cls: type[Dataset]) -> None:
    assert isinstance(cls.card, Card)
    assert cls.card.summary.endswith(".")
    assert cls.card.licence
    assert cls.card.citation or cls.card.synthetic or cls.part_name() in ("documents", "embeddings", "parallel_text")
    assert cls.holds in (Bitext, Documents, Patterns, Utterances, Vectors, Words)
    assert all(words_of(word) == [word] for word in cls.keywords), "a keyword is one word in lower case"
    assert len(set(cls.keywords)) == len(cls.keywords)


@pytest.mark.parametrize("cls", parts("attack"), ids=names("attack"))
def test_an_attack_has_presets_a_question_and_a_model(cls: type[Attack]) -> None:
    assert cls.question.endswith("?")
    assert not _OF_ONE_DATASET.search(cls.question), "the question stands above results on any dataset"
    assert cls.threat.endswith(".")
    for preset in ("demo", "paper"):
        assert Experiment.preset(cls.part_name(), preset).attack.part_name() == cls.part_name()
    assert Experiment.preset(cls.part_name(), "demo").dataset.card.offline
    assert any(not misfit(cls, model) for model in parts("model"))


def _made(cls: type[Part]) -> Part:
    required = {name: "unknown" for name, field in cls.model_fields.items() if field.is_required()}
    return cls.parse(required)


def _beyond(field: FieldInfo) -> list[typing.Any]:
    beyond: list[typing.Any] = []
    for bound in field.metadata:
        match bound:
            case Ge(ge=least):
                beyond.append(least - 1)
            case Gt(gt=least):
                beyond.append(least)
            case Le(le=most):
                beyond.append(most + 1)
    if field.annotation in (int, float):
        beyond += ["many", float("nan"), float("inf"), None]
    return beyond


def test_every_spec_says_where_a_wrong_value_stands() -> None:
    with pytest.raises(InvalidSpec) as caught:
        Experiment.parse({"attack": "word_pairs", "dataset": "lee_news", "model": {"part": "word2vec", "window": 0}})
    assert caught.value.field == "model.window"
    assert isinstance(Experiment.preset("word_pairs", "demo"), Spec)


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ({"patterns": []}, "must be a list of at least 1. Got \\[\\] instead"),
        ({"repetitions": list(range(13))}, "must be a list of at most 12. Got \\[0, 1, 2"),
        ({"secret": "1" * 200}, "must be a text of at most 120 characters. Got '111"),
    ],
)
def test_a_list_or_a_text_of_the_wrong_length_is_refused_in_words(game: dict[str, typing.Any], says: str) -> None:
    with pytest.raises(InvalidSpec, match=says):
        Experiment.preset("canary_extraction", "demo", game=game)
