"""The address bar: an experiment as flat, readable text, and back from whatever was typed there."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

from core.audits import plan
from core.datasets.embeddings import Embeddings
from core.encoders.records import RECORDS
from core.errors import InvalidSpec, TelltaleError, suggestion
from core.experiment import Experiment
from core.games.attack import Attack
from core.models.encoder import Encoder
from core.registry import Part
from core.runtime.store import Store
from core.spec import Spec
from dashboard import navigation
from dashboard.kit import address, landing, stored_results
from dashboard.kit.inputs import allowed, plain_text, uploads
from dashboard.kit.inputs.declared import Parameter, offers, parameters

COMPARED = "view.results"
"""Parameter of the address that holds the keys of compared results."""
AUDIT_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "vector_column": "vector_column",
        "text_column": "column",
        "query_column": "query_column",
        "owner_column": "owner_column",
        "label_column": "label_column",
        "storage": "storage",
        "scale": "scale",
        "zero": "zero",
    }
)
"""Fields of stored vectors that an audit's page asks for beside files, each with its name in the address."""
_MOST = 100
_AS_THEY_ARE = ",/:;@$?"
"""Letters that mean nothing within a value of an address."""
_AS_USUAL = "No setting of this link can be used, so the page opens as usual."
_STORED = "Part of this link cannot be read; a stored result that agrees with the other parts is shown instead."
_NUMBER_OF_ITEM = re.compile(r"\.[0-9]+$")
_S = TypeVar("_S", bound=Spec)


@dataclass
class LinkedExperiment:
    """The experiment of a link, always valid.

    Attributes:
        experiment: The experiment.
        problems: An error for each unreadable field.
        instead: A sentence: what replaces the values that could not be read.
    """

    experiment: Experiment
    problems: list[TelltaleError] = field(default_factory=list)
    instead: str = "Part of this link cannot be read; the default is used instead."


@dataclass
class _Node:
    text: str | None = None
    inner: "dict[str, _Node]" = field(default_factory=dict)


def written(experiment: Experiment, store: Store) -> dict[str, str]:
    """Return what differs from the declared defaults, by dotted name; dataset, model, a shared page's attack always."""
    query = _written(experiment, "", store)
    page = navigation.page_of(experiment.attack.part_name())
    for implied in ("game",) if page is not None and len(page.attacks) > 1 else ("attack", "game"):
        query.pop(implied, None)
    return query


def read(query: Mapping[str, str], attack: str, store: Store) -> LinkedExperiment:
    """Read a link to an attack's page.

    An empty link stands for the experiment that the attack opens on (`dashboard.kit.landing`); ``preset=name``
    starts from a preset. `written` names dataset and model always, and leaves out declared defaults; a link that lacks
    one of them was typed, and starts from the demo, as the command line does. An unreadable value is reported, and the
    others are kept. Its default replaces it or, where that experiment has no result, the value of a stored result that
    agrees with the others. A link without a readable value stands for the experiment that the attack opens on.
    """
    fields = {name: text for name, text in query.items() if not name.startswith(address.VIEW)}
    if fields.get("attack") == attack:
        del fields["attack"]
    if not fields:
        return LinkedExperiment(landing.experiment(attack))
    problems: list[TelltaleError] = []
    if len(fields) > _MOST:
        problems.append(InvalidSpec(f"The link has {len(fields)} parameters. The first {_MOST} are read."))
    tree = _Node()
    for name, text in list(fields.items())[:_MOST]:
        node = tree
        for step in name.split(".", 8):
            node = node.inner.setdefault(step, _Node())
        node.text = text
    base = _base(tree, attack, problems)
    reader = _Reader(Attack.by_name(attack), store, problems)
    experiment = reader.spec(base, tree.inner, "")
    wrong = {field_of(problem) for problem in problems}
    if problems and not _right(fields, wrong):
        return LinkedExperiment(landing.experiment(attack), problems, _AS_USUAL)
    if not problems or stored_results.readable(experiment.key) is not None:
        return LinkedExperiment(experiment, problems)
    readable = _right(written(experiment, store), wrong)
    stored = landing.stored(attack, lambda other: _right(written(other, store), wrong) == readable)
    return LinkedExperiment(experiment, problems) if stored is None else LinkedExperiment(stored, problems, _STORED)


def page_link(experiment: Experiment, label: str, icon: str | None = None) -> None:
    """Link the page of an experiment, or of the audit that the experiment is a step of; nothing without a page."""
    if (audit := audit_of(experiment, Store())) is not None:
        st.page_link(navigation.FOLDER / "vector_audit.py", label=label, icon=icon, query_params=audit)
    elif (page := navigation.page_of(experiment.attack.part_name())) is not None:
        st.page_link(page.path, label=label, icon=icon, query_params=written(experiment, Store()))


def address_of(experiment: Experiment) -> str:
    """Return the address of the page of an experiment, relative to that of any page; empty without a page.

    Plotly encodes the links of a figure once more, but for letters that may stand in an address as they are.
    """
    page = navigation.page_of(experiment.attack.part_name())
    return "" if page is None else f"{page.name}?{urlencode(written(experiment, Store()), safe=_AS_THEY_ARE)}"


def audit_of(experiment: Experiment, store: Store) -> dict[str, str] | None:
    """Return the address of the audit of uploaded vectors that an experiment is a step of, or None.

    The columns of texts and queries are always named: the form proposes others than the defaults.
    """
    profile = plan.profile_of(experiment)
    dataset, model = experiment.dataset, experiment.model
    if profile is None or not isinstance(dataset, Embeddings):
        return None
    if not (vectors := uploads.called(store, dataset.source)):
        return None
    # Leaked pairs are read without the encoder, even where it is known: the page then recognises it.
    known = isinstance(model, Encoder) and model.source in RECORDS
    encoder = {"encoder": RECORDS[model.source].title} if known and isinstance(model, Encoder) else {}
    chosen = {
        shown: str(value)
        for name, shown in AUDIT_FIELDS.items()
        if (value := getattr(dataset, name)) != getattr(Embeddings(), name)
    }
    texts, queries = (uploads.called(store, path) for path in (dataset.texts, dataset.queries))
    keywords = ", ".join(getattr(experiment.game, "keywords", ()))
    named = {"vectors": vectors, "texts": texts, "queries": queries, "keywords": keywords}
    asked = (dataset.query_column or dataset.text_column) if queries else ""
    columns = {"column": dataset.text_column, "query_column": asked}
    fields = {**named, **encoder, "profile": profile.name, **chosen, **columns}
    return {f"{address.VIEW}{name}": text for name, text in fields.items() if text}


def comparison(key: str) -> None:
    """Offer the page that compares results, in another tab, with the result that has a key on it."""
    link = f"compare?{COMPARED}={key}"
    st.link_button("Compare with other results in a new tab", link, icon=":material/compare_arrows:", type="tertiary")


def _written(spec: Spec, prefix: str, store: Store) -> dict[str, str]:
    query: dict[str, str] = {}
    for name, parameter in parameters(type(spec)).items():
        value, path = getattr(spec, name), prefix + name
        if value == parameter.default:
            continue
        if parameter.kind == "parts":
            query[path] = ",".join(item.part_name() for item in value)
            for item in value:
                query.update(_written(item, f"{path}.{item.part_name()}.", store))
        elif isinstance(value, Spec):
            query[path] = value.part_name()
            query.update(_written(value, f"{path}.", store))
        elif parameter.is_path:
            query[path] = uploads.called(store, value)
        else:
            query[path] = plain_text.formatted(value)
    return query


def field_of(problem: TelltaleError) -> str:
    """Return the dotted path of the field that is wrong in a link; empty where the error names none."""
    return _NUMBER_OF_ITEM.sub("", str(getattr(problem, "field", "")))


def _right(query: Mapping[str, str], wrong: Iterable[str]) -> dict[str, str]:
    """Return the fields of a link without the wrong ones and those below them."""
    below = tuple(f"{path}." for path in wrong)
    return {name: text for name, text in query.items() if not f"{name}.".startswith(below)}


def _base(tree: _Node, attack: str, problems: list[TelltaleError]) -> Experiment:
    first = Experiment.preset(attack, next(iter(Attack.by_name(attack).presets)))
    preset = tree.inner.pop("preset", None)
    if preset is None and not {"dataset", "model"} <= tree.inner.keys():
        return first
    if preset is None:
        return Experiment.parse({name: getattr(first, name).part_name() for name in ("attack", "dataset", "model")})
    try:
        return Experiment.preset(attack, (preset.text or "")[:80])
    except InvalidSpec as problem:
        problems.append(problem)
    return first


@dataclass
class _Reader:
    attack: type[Attack]
    store: Store
    problems: list[TelltaleError]

    def spec(self, base: _S, nodes: Mapping[str, _Node], prefix: str) -> _S:
        """Return the base with every readable value of the nodes."""
        declared = parameters(type(base))
        values: dict[str, Any] = {}
        for name, node in nodes.items():
            path = prefix + name
            if name not in declared:
                hint = suggestion(name[:80], declared)
                self.problems.append(InvalidSpec(f"There is no parameter {path[:80]!r}.{hint}", path))
                continue
            try:
                values[name] = self._value(base, declared[name], node, path)
            except InvalidSpec as problem:
                self.problems.append(problem)
        return self._replaced(base, values, prefix)

    def _replaced(self, base: _S, values: Mapping[str, Any], prefix: str) -> _S:
        try:
            return _changed(base, values, prefix)
        except TelltaleError:
            pass
        for name, value in values.items():
            try:
                base = _changed(base, {name: value}, prefix)
            except TelltaleError as problem:
                self.problems.append(problem)
        return base

    def _value(self, owner: Spec, parameter: Parameter, node: _Node, path: str) -> Any:
        current = getattr(owner, parameter.name)
        if parameter.kind == "part":
            return self._part(parameter, node, current, path)
        if parameter.kind == "parts":
            return self._parts(parameter, node, current, path)
        if node.text is None or node.inner:
            inner = next(iter(node.inner))
            raise InvalidSpec(f"There is no parameter {f'{path}.{inner}'[:80]!r}.", path)
        if parameter.is_path:
            return uploads.locate(self.store, node.text, path)
        value = plain_text.parsed(node.text, parameter, path)
        allowed.check_field(owner, parameter.name, value, path)
        return value

    def _part(self, parameter: Parameter, node: _Node, current: Any, path: str) -> Any:
        if node.text is not None:
            if parameter.optional and node.text == "none":
                return None
            current = self._known_part(parameter, node.text, path)
        if current is None:
            raise InvalidSpec(f"Parameters of {path[:80]!r} are given, but not which one. Set {path[:80]!r}.", path)
        return self.spec(current, node.inner, f"{path}.")

    def _parts(self, parameter: Parameter, node: _Node, current: Iterable[Part], path: str) -> tuple[Spec, ...]:
        chosen: dict[str, Spec] = {item.part_name(): item for item in current}
        if node.text is not None:
            names = [name.strip() for name in node.text.split(",", 100)] if node.text.strip() else []
            if len(set(names)) < len(names):
                raise plain_text.refused(path, "names that differ", node.text)
            chosen = {name: self._known_part(parameter, name, path) for name in names}
        for name, inner in node.inner.items():
            if name in chosen:
                chosen[name] = self.spec(chosen[name], inner.inner, f"{path}.{name}.")
            else:
                self.problems.append(InvalidSpec(f"{name[:80]!r} is not among {path!r}.", f"{path}.{name}"))
        return tuple(chosen.values())

    def _known_part(self, parameter: Parameter, name: str, path: str) -> Spec:
        known = {cls.part_name(): cls for cls in offers(parameter, self.attack)}
        if path == "attack":
            known = {self.attack.part_name(): self.attack}
        if name not in known:
            hint = suggestion(name[:80], known)
            raise InvalidSpec(
                f"The {path[:80]!r} parameter must name a part that fits. Got {plain_text.short(name)}.{hint}", path
            )
        return known[name].parse({}, path)


def _changed(base: _S, values: Mapping[str, Any], prefix: str) -> _S:
    fields = {name: getattr(base, name) for name in parameters(type(base))}
    return type(base).parse({**fields, **values}, prefix.removesuffix("."))
