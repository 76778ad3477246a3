"""What is wrong with a link, in the words of the page, with the nearest valid choice."""

import math
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from core.errors import InvalidSpec, TelltaleError, offered
from core.experiment import Experiment
from core.games.attack import Attack
from core.registry import Part
from core.spec import Spec, whole_beside
from core.statistics.wording.naming import capitalised, spoken
from dashboard import navigation
from dashboard.kit import links
from dashboard.kit.forms import needed, widgets
from dashboard.kit.inputs import allowed, plain_text
from dashboard.kit.inputs.declared import Parameter, offers, parameters
from dashboard.kit.words import curled

_LONGEST = 40
_INTEGER = re.compile(r"[+-]?[0-9]{1,300}", re.ASCII)
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_NAMED = re.compile(r"(?:(?<=\b[Ss]et )|(?<=\bThe )|(?<=\bleave ))'(\w+)'")
"""A parameter, as messages name it."""
_RULE = re.compile(r"^The '[^']*' parameter(?: of \w+)? ")


def explained(
    problem: TelltaleError, query: Mapping[str, str], attack: type[Attack], shown: Experiment | None = None
) -> str:
    """Return what is wrong in a link, in one line.

    Args:
        problem: A problem of `dashboard.kit.links.read`, with the dotted path of its field.
        query: The link: names of fields to their texts.
        attack: The attack of the page.
        shown: The experiment that the page opens instead, if any.
    """
    path = links.field_of(problem)
    if not path:
        return str(problem)
    if path == "preset":
        presets = {name: spoken(name) for name in attack.presets}
        return f"Preset: there is no {quoted(query.get(path, ''))}. {nearest(query.get(path, ''), presets)}"
    *steps, last = path.split(".")
    owner = _owner(steps, query, attack)
    if owner is None or last not in parameters(owner):
        labels = {} if owner is None else {name: parameter.label for name, parameter in parameters(owner).items()}
        of = f" of {_title(owner)}" if owner is not None and owner is not Experiment else ""
        # Of an experiment, what can be typed into a link; of a part, what its form says.
        known = {name: name for name in labels} if owner is Experiment else labels
        return f"There is no setting {quoted(last)}{of}. {nearest(last, known)}".rstrip()
    parameter = parameters(owner)[last]
    wrong = _wrong(parameter, owner, query.get(path), attack) or plainly(problem)
    instead = _instead(shown, path)
    return (
        f"{parameter.label}: {wrong.replace(_default(parameter), '').rstrip()}{instead}"
        if instead
        else (f"{parameter.label}: {wrong}")
    )


def _instead(shown: Experiment | None, path: str) -> str:
    """Return the number that is shown for a field; empty where the experiment has none."""
    value: Any = shown
    for step in path.split("."):
        value = getattr(value, step, None)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f" The page shows {value:,.10g}." if is_number else ""


def _default(parameter: Parameter) -> str:
    return "" if parameter.default is None else f" The default is {parameter.default:,}."


def said(problem: TelltaleError, values: Mapping[str, Any], attack: type[Attack]) -> str:
    """Return why the values of a form make no experiment, in one line; its field comes first if one is to blame.

    Args:
        problem: Of these values.
        values: Of an experiment, parts as plain values.
        attack: The attack of the page.
    """
    if not (isinstance(problem, InvalidSpec) and problem.field):
        return str(problem)
    chosen = {name: value["part"] for name, value in values.items() if isinstance(value, dict) and "part" in value}
    return explained(problem, chosen, attack)


def labelled(problem: TelltaleError, label: str) -> str:
    """Return what is wrong with a field after its label, where the message names the field as a program does."""
    return f"{label}: {plainly(problem)}" if _RULE.match(str(problem)) else str(problem)


def with_labels(message: str, labels: Mapping[str, str]) -> str:
    """Return a message with labels in place of the parameters that it names; a column may be called as one is.

    >>> with_labels("a.csv has no column 'x'. Did you mean 'zero'? Set 'zero' to it.", {"zero": "Zero"})
    "a.csv has no column 'x'. Did you mean 'zero'? Set “Zero” to it."

    Args:
        message: What is wrong.
        labels: Labels, by the name of the parameter.
    """
    return _NAMED.sub(lambda found: f"“{labels[found[1]]}”" if found[1] in labels else found[0], message)


def plainly(problem: TelltaleError) -> str:
    """Return what is wrong with a field whose label is said before.

    >>> plainly(InvalidSpec("The 'seed' parameter of x must be a number. Got 'a' instead."))
    'this must be a number. Got “a” instead.'
    """
    return curled(_RULE.sub("this ", str(problem)))


def _wrong(parameter: Parameter, owner: type[Spec], text: str | None, attack: type[Attack]) -> str:
    """Return why a text can be no value of a parameter; empty where it could, and only does not fit other values."""
    if text is None:
        return ""
    if parameter.kind in ("int", "float"):
        return off_bounds(parameter, text)
    if parameter.kind == "bool":
        return f"{quoted(text)} is neither true nor false."
    if (known := _choices(parameter, owner, attack)) is not None:
        several = parameter.kind in ("parts", "tuple")
        unknown = [name for name in (text.split(",") if several else [text]) if name.strip() not in known]
        return f"there is no {quoted(unknown[0])} here. {nearest(unknown[0], known)}" if unknown else ""
    if parameter.kind == "tuple" and (kind := plain_text.SEVERAL[str(parameter.item)]) != "words":
        form = _INTEGER if parameter.item == "int" else _NUMBER
        if not all(form.fullmatch(item.strip()) for item in text.split(",")):
            default = ", ".join(map(str, parameter.default or ()))
            return f"{quoted(text)} is no list of {kind}. {f'The default is {default}.' if default else ''}".rstrip()
    if parameter.is_path:
        return "nothing that was uploaded here has this name. Upload it again."
    return ""


def _choices(parameter: Parameter, owner: type[Spec], attack: type[Attack]) -> Mapping[str, str] | None:
    """Return the names that a parameter may hold, with their titles; None where any text will do."""
    if (owner, parameter.name) == (Experiment, "attack"):
        page = navigation.page_of(attack.part_name())
        attacks = [Attack.by_name(name) for name in (page.attacks if page else ())]
        return {cls.part_name(): cls.title for cls in attacks or [attack]}
    if parameter.kind in ("part", "parts"):
        return {cls.part_name(): _title(cls) for cls in offers(parameter, attack)}
    if parameter.choices:
        return {str(option): widgets.option_title(str(option), parameter.help) for option in parameter.choices}
    if allowed.is_encoder(parameter):
        return {source: needed.encoder_title(source, parameter.bundled) for source in allowed.sources(parameter)}
    return None


def off_bounds(parameter: Parameter, text: str) -> str:
    """Return why a text is no number within a parameter's bounds, with the nearest that is; empty where it is one."""
    rule = f"a {'whole ' if parameter.kind == 'int' else ''}number {parameter.bounds}".rstrip()
    if not (_INTEGER if parameter.kind == "int" else _NUMBER).fullmatch(text):
        bounds = (
            -math.inf if parameter.low is None else parameter.low,
            math.inf if parameter.high is None else parameter.high,
        )
        near = whole_beside(text, *bounds) if _NUMBER.fullmatch(text) else ""
        return f"{quoted(text)} is not {rule}.{f' The nearest is {near}.' if near else _default(parameter)}"
    value = float(text)
    for bound, beyond in ((parameter.low, -1), (parameter.high, 1)):
        if bound is not None and (value - bound) * beyond > 0:
            return f"{quoted(text)} is not {rule}. The nearest is {bound:,.10g}."
    return f"{quoted(text)} is not {rule}." if parameter.above is not None and value <= parameter.above else ""


def _owner(steps: Sequence[str], query: Mapping[str, str], attack: type[Attack]) -> type[Spec] | None:
    """Return the class that declares the fields below a dotted path; None where the link names none."""
    if steps and steps[0] == "defenses":
        return _offered("defenses", Experiment, attack).get(steps[-1])
    owner: type[Spec] = Experiment
    preset: Any = Experiment.preset(attack.part_name(), next(iter(attack.presets)))
    for number, step in enumerate(steps, 1):
        preset = getattr(preset, step, None)
        known = {attack.part_name(): attack} if steps[:number] == ["attack"] else _offered(step, owner, attack)
        cls = known.get(query.get(".".join(steps[:number]), "")) or (type(preset) if isinstance(preset, Part) else None)
        if cls is None:
            return None
        owner = cls
    return owner


def _offered(name: str, owner: type[Spec], attack: type[Attack]) -> dict[str, type[Part]]:
    parameter = parameters(owner).get(name)
    return {} if parameter is None else {cls.part_name(): cls for cls in offers(parameter, attack)}


def nearest(name: str, choices: Mapping[str, str]) -> str:
    """Return the choice meant, or all of them, by title, as a sentence.

    >>> nearest("x", {"cbow": "CBOW"})
    'The only one is CBOW.'
    >>> nearest("cbwo", {"cbow": "CBOW", "skip_gram": "Skip-gram"}), nearest("x", {"cbow": "CBOW", "sg": "Skip-gram"})
    ('Did you mean CBOW?', 'There are CBOW and Skip-gram.')
    """
    titles = {**{title.lower(): title for title in choices.values()}, **choices}
    if close := get_close_matches(name[:160].lower(), titles, n=1, cutoff=0.5):
        return f"Did you mean {titles[close[0]]}?"
    known = list(choices.values())
    return offered(known) if known else ""


def _title(cls: type[Spec]) -> str:
    return capitalised(str(getattr(cls, "title", spoken(cls.part_name()))))


def quoted(text: str) -> str:
    """Return a text of a link in quotation marks, cut where it is long."""
    return f"“{text if len(text) <= _LONGEST else f'{text[:_LONGEST]}…'}”"
