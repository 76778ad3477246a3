"""Declared parameters: the numbers that are allowed are said in one way, in forms and in what is wrong with a link."""

import pytest

from core.attacks.word_pairs import WordPairs
from core.registry import parts
from dashboard.kit.forms import mistakes, widgets
from dashboard.kit.inputs.declared import Parameter, parameters

PLAIN = {"name": "size", "label": "Size", "help": "How large.", "unit": "", "optional": False, "advanced": False}


@pytest.mark.parametrize(
    "limits, rule",
    [
        ({"low": 1, "high": 5_000}, "from 1 to 5,000"),
        ({"low": 0.5}, "from 0.5 up"),
        ({"high": 7}, "up to 7"),
        ({"above": 0, "high": 1}, "above 0 and at most 1"),
        ({"above": 0}, "above 0"),
        ({}, ""),
    ],
)
def test_bounds_are_said_alike_everywhere(limits: dict[str, float], rule: str) -> None:
    size = Parameter(**PLAIN, kind="float", default=None, **limits)
    assert size.bounds == rule
    assert widgets.help_of(size) == " ".join(
        filter(None, ("How large\\.", f"{rule[:1].upper()}{rule[1:]}." if rule else ""))
    )
    assert mistakes.off_bounds(size, "x") == f"“x” is not a number{' ' if rule else ''}{rule}."


@pytest.mark.parametrize(("text", "said"), [("-1", True), ("0", True), ("0.1", False)])
def test_a_bound_that_does_not_belong_to_the_numbers_is_told_as_such(text: str, said: bool) -> None:
    scale = Parameter(**PLAIN, kind="float", default=1.0, above=0)
    assert mistakes.off_bounds(scale, text) == (f"“{text}” is not a number {scale.bounds}." if said else "")


def test_what_is_no_number_has_no_bounds() -> None:
    assert not Parameter(**PLAIN, kind="str", default="", low=1, high=2).bounds
    assert parameters(WordPairs)["shadow_pairs"].bounds.startswith("from ")


@pytest.mark.parametrize("kind", ["dataset", "model"])
def test_every_path_of_a_user_is_marked_so_that_a_visitor_can_name_uploads_alone(kind: str) -> None:
    declared = [parameter for part in parts(kind) for parameter in parameters(part).values()]
    paths = [parameter for parameter in declared if parameter.kind == "str" and parameter.longest == 4096]
    assert len(paths) > 5
    assert all(parameter.is_path or parameter.encoders for parameter in paths), "what may be as long as a path is one"
    assert all(parameter.is_path for parameter in declared if parameter.help.startswith("Path "))
