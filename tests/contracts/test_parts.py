"""What every part promises, checked on every part there is."""

import re
import sys
import typing
from collections import Counter
from importlib import import_module
from inspect import isabstract
from pathlib import Path

import pytest
from annotated_types import Ge, Gt, Le, MaxLen
from pydantic.fields import FieldInfo

from core.datasets import Card, Dataset
from core.errors import InvalidSpec
from core.experiment import Experiment, misfit
from core.games import Game
from core.games.attack import Attack
from core.registry import FOLDERS, Part, names, part, parts
from core.spec import Spec, parameter
from core.text.bitext import Bitext
from core.text.contents import Documents, Patterns, Utterances, Words
from core.text.corpus import words_of
from core.text.marked import MarkedDocuments
from core.text.vectors import Vectors

EVERY = [cls for kind in FOLDERS for cls in parts(kind)]
_OF_ONE_DATASET = re.compile("mail|person|London|knee|nucleotide|date of birth")
_UPLOADED = ("documents", "embeddings", "marked_documents", "own_requests", "parallel_text")
"""Datasets that a user brings, who knows what to cite."""
IDS = [f"{cls.kind}:{cls.part_name()}" for cls in EVERY]


@pytest.fixture(params=EVERY, ids=IDS)
def cls(request: pytest.FixtureRequest) -> type[Part]:
    return request.param


def test_it_is_found_by_its_file_name_and_says_what_it_is(cls: type[Part]) -> None:
    assert part(cls.kind, cls.part_name()) is cls
    assert getattr(cls, "title", ""), (
        f'{_named(cls)} has no title. Declare: title: ClassVar[str] = "…", as pages say it.'
    )
    assert cls.__doc__, f"{_named(cls)} has no docstring. Open its class with one sentence that says what it is."


@pytest.mark.parametrize("attack", names("attack"))
def test_the_file_of_an_attack_opens_with_its_title(attack: str) -> None:
    cls = part("attack", attack)
    first_line = str(sys.modules[cls.__module__].__doc__)
    assert first_line.startswith(f"{cls.title}: "), (
        f"{_named(cls)} must open with its title, a colon and one sentence: {cls.title}: … Got {first_line!r} instead."
    )


def test_its_defaults_are_valid_and_its_key_is_stable(cls: type[Part]) -> None:
    try:
        made = _made(cls)
    except InvalidSpec as error:
        pytest.fail(f"{_named(cls)} must be made of its defaults; only a text may be required. {error}")
    again = cls.parse({name: value for name, value in made.as_dict().items() if name != "part"})
    assert again == made, f"{_named(cls)} read back from its as_dict() must equal it, as links and stored results do."
    assert again.key == made.key, (
        f"{_named(cls)} has two keys for equal fields. identity() must depend on its fields alone."
    )
    assert len(made.key) == 16, (
        f"A key has 16 hex digits. Got {made.key!r} of {cls.part_name()} instead: leave key alone."
    )
    assert hash(made) == hash(again), (
        f"{_named(cls)} has two hashes for equal fields. Parameters are values: tuples, not lists."
    )


def test_a_key_leaves_out_the_value_that_results_before_the_parameter_had() -> None:
    class Before(Spec):
        words: int = parameter(4, "Words.")

        @classmethod
        def part_name(cls) -> str:
            return "one"

    class After(Before):
        copies: tuple[int, ...] = parameter((3,), "Copies.", implied=())

    assert After(copies=()).key == Before().key
    assert len({After(copies=()).key, After().key, After(copies=(5,)).key}) == 3


def test_its_version_is_part_of_its_key(cls: type[Part], monkeypatch: pytest.MonkeyPatch) -> None:
    before = _made(cls).key
    monkeypatch.setattr(cls, "version", cls.version + 1)
    assert _made(cls).key != before, (
        f"{_named(cls)} keeps the key {before} when its version is raised, which must retire its results. identity() "
        "must hold what super().identity() returns."
    )


def test_it_is_frozen(cls: type[Part]) -> None:
    made = _made(cls)
    for name in cls.model_fields:
        try:
            setattr(made, name, getattr(made, name))
        except ValueError as error:
            assert "frozen" in str(error)
        else:
            pytest.fail(f"{_named(cls)} must be frozen, but its {name!r} can be changed. Leave model_config alone.")


def test_every_parameter_has_help_and_numbers_have_bounds(cls: type[Part]) -> None:
    for name, field in cls.model_fields.items():
        which = f"The parameter {name!r} of {cls.part_name()}"
        declare = f'Declare: {name}: … = parameter(default, "One sentence.", …).'
        assert field.description, f"{which} has no help. {declare}"
        assert not re.search(r"\d %", field.description), "a percent sign stands at its number"
        assert field.description.endswith("."), (
            f"The help of {name!r} must end in a full stop. Got {field.description!r}."
        )
        if field.annotation in (int, float):
            low, high = (any(isinstance(bound, kinds) for bound in field.metadata) for kinds in (Ge | Gt, Le))
            assert low, f"{which} is a number without a lower bound. Give parameter(…) ge or gt."
            assert high, f"{which} is a number without an upper bound. Give parameter(…) le."
        if typing.get_origin(field.annotation) is tuple:
            endless = not any(isinstance(bound, MaxLen) for bound in field.metadata)
            assert not endless, f"{which} is a list that may be endless. Give parameter(…) max_length."


def test_a_value_out_of_bounds_is_refused_by_name(cls: type[Part]) -> None:
    for name, field in cls.model_fields.items():
        for value in _beyond(field):
            error, expected = _refusal(cls, name, value), f"'{name}' parameter of {cls.part_name()} must be"
            assert expected in str(error) and error is not None and error.field == name, (
                f"{_named(cls)} must refuse {name}={value!r} with “The {expected} …”. Got: {error}. A validator of its "
                "own sees values within their bounds (mode='after'), and changes none."
            )


def test_an_unknown_parameter_is_refused_with_the_nearest(cls: type[Part]) -> None:
    for name in cls.model_fields:
        error, expected = _refusal(cls, f"{name}_", 1), f"Did you mean '{name}'"
        assert expected in str(error), (
            f"{_named(cls)} must refuse the unknown parameter '{name}_' with “{expected}?”. Got: {error}. Leave "
            "model_config alone, and give no two parameters names that differ in one letter."
        )


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_file_is_a_part(kind: str) -> None:
    folder = Path(__file__).parents[2] / FOLDERS[kind].replace(".", "/")
    files = [path.stem for path in folder.glob("**/*.py") if path.stem != "__init__"]
    lost = Counter(_folders_with_games(folder) if kind == "game" else files) - Counter(names(kind))
    assert not lost, (
        f"{', '.join(sorted(lost))} below {FOLDERS[kind]} is not found as a {kind}. A subfolder needs an __init__.py, "
        "that of a game declares its class, and no two parts may have one name."
    )


@pytest.mark.parametrize("cls", parts("dataset"), ids=names("dataset"))
def test_a_dataset_has_a_card(cls: type[Dataset]) -> None:
    name, card = cls.part_name(), getattr(cls, "card", None)
    assert isinstance(card, Card), (
        f"{name} has no card. Declare: card: ClassVar[Card] = Card(summary=…, licence=…, citation=…)."
    )
    assert card.summary.endswith("."), f"The summary on the card of {name} must be one sentence. Got {card.summary!r}."
    assert card.licence, f"The card of {name} has no licence. Give the SPDX identifier or the publisher's words."
    cited = card.citation or card.synthetic or name in _UPLOADED
    assert cited, f"The card of {name} has no citation. Say how to cite it, or synthetic=True of generated data."
    known = (Bitext, Documents, MarkedDocuments, Patterns, Utterances, Vectors, Words)
    assert cls.holds in known, (
        f"{name} holds {cls.holds.__name__}. Its load() must return one of {[one.__name__ for one in known]}."
    )
    for word in cls.keywords:
        assert words_of(word) == [word], f"A keyword is one word in lower case. Got {word!r} of {name} instead."
    assert len(set(cls.keywords)) == len(cls.keywords), (
        f"The keywords of {name} must differ. Got {cls.keywords} instead."
    )


@pytest.mark.parametrize("cls", parts("attack"), ids=names("attack"))
def test_an_attack_says_what_it_asks_and_claims(cls: type[Attack]) -> None:
    name = cls.part_name()
    question, claim, threat = (getattr(cls, text, "") for text in ("question", "claim", "threat"))
    assert question.endswith("?"), f"The question of {name} must end in a question mark. Got {question!r}."
    of_one = _OF_ONE_DATASET.findall(question)
    assert not of_one, f"The question of {name} stands above results on any dataset, and must not say {of_one}."
    assert re.fullmatch("Given .*[^.]", claim), (
        f"The claim of {name} must be a clause that the estimate completes: “Given …, the adversary …”, without a full "
        f"stop. Got {claim!r}."
    )
    assert threat.endswith("."), (
        f"The threat of {name} must be one sentence on what the adversary may do. Got {threat!r}."
    )


@pytest.mark.parametrize("cls", parts("attack"), ids=names("attack"))
def test_an_attack_has_a_demo_and_a_model(cls: type[Attack]) -> None:
    name, presets = cls.part_name(), getattr(cls, "presets", {})
    assert "demo" in presets, (
        f"{name} needs a preset 'demo', on data that come with the code. Got {list(presets)} instead."
    )
    for preset in presets:
        try:
            made = Experiment.preset(name, preset)
        except InvalidSpec as error:
            pytest.fail(f"The preset {preset!r} of {name} is no experiment: {error}")
        offline = made.dataset.card.offline or preset != "demo"
        assert offline, (
            f"The demo of {name} must need no network, but {made.dataset.part_name()} is fetched. Take a dataset whose "
            "card says offline=True."
        )
    unfit = {model.part_name(): misfit(cls, model) for model in parts("model")}
    assert not all(unfit.values()), f"No model gives {name} what it needs: {unfit}. Change its 'needs', or add a model."


def _folders_with_games(folder: Path) -> list[str]:
    """Name the folders any of whose files declares a game, or passes one on."""
    held = {
        path.relative_to(folder).parts[0]
        for path in folder.glob("*/**/*.py")
        for value in vars(import_module(_module(folder, path))).values()
        if isinstance(value, type) and issubclass(value, Game) and not isabstract(value)
    }
    return sorted(held)


def _module(folder: Path, path: Path) -> str:
    inside = path.relative_to(folder).with_suffix("").parts
    return ".".join([FOLDERS["game"], *(name for name in inside if name != "__init__")])


def _named(cls: type[Part]) -> str:
    return f"The {cls.kind} {cls.part_name()}"


def _refusal(cls: type[Part], name: str, value: typing.Any) -> InvalidSpec | None:
    """Return the error of a part with one value, or None where it takes that."""
    try:
        cls.parse({**_required(cls), name: value})
    except InvalidSpec as error:
        return error
    return None


def _made(cls: type[Part]) -> Part:
    return cls.parse(_required(cls))


def _required(cls: type[Part]) -> dict[str, str]:
    return {name: "unknown" for name, field in cls.model_fields.items() if field.is_required()}


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
        ({"patterns": []}, "must be a list of at least 1 value. Got an empty list instead"),
        ({"repetitions": list(range(13))}, "must be a list of at most 12 values. Got \\[0, 1, 2"),
        ({"repetitions": [5, 1, 5]}, "must name each value once. Got 5, 1, 5 instead; 5, 1 would do"),
        ({"trials": 2.5}, "must be a whole number. Got 2.5 instead; 2 or 3 would do"),
        ({"trials": 0.2}, "must be a whole number. Got 0.2 instead; 1 would do"),
        ({"repetitions": [-0.5]}, "must be a whole number. Got -0.5 instead; 0 would do"),
        ({"secret": "1" * 200}, "must be a text of at most 120 characters. Got '111"),
    ],
)
def test_a_value_that_breaks_a_rule_is_refused_in_words_with_the_nearest(
    game: dict[str, typing.Any], says: str
) -> None:
    with pytest.raises(InvalidSpec, match=says):
        Experiment.preset("canary_extraction", "demo", game=game)
