"""Spec class to widgets to Spec: the form of an experiment, from and into the address bar."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import streamlit as st

from core.attacks import Attack
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.registry import Part, part
from core.spec import Spec
from core.store import Store
from dashboard import links, uploads
from dashboard.declared import Parameter, offers, parameters
from dashboard.words import literal, spoken

_SAFE = 2**53 - 1
_NONE = "none"


def experiment_form(attack: str) -> Experiment | None:
    """Draw the form of an attack's experiment in the sidebar, from and into the address bar.

    Returns:
        What the form says, or None while a field of it breaks its rule, which is then said on the page.
    """
    form = _Form(cast(type[Attack], part("attack", attack)), Store())
    form.follow_address()
    for problem in form.problems:
        st.warning(f"{literal(str(problem))} The default is used instead.", icon=":material/info:")
    with st.sidebar:
        values = form.draw()
    try:
        if form.refusals:
            raise form.refusals[0]
        experiment = Experiment.parse(values)
    except TelltaleError as error:
        st.warning(literal(str(error)), icon=":material/edit:")
        return None
    form.tell_address(experiment)
    return experiment


@dataclass
class _Later:
    spec: Spec
    values: dict[str, Any]
    path: str


@dataclass
class _Form:
    attack: type[Attack]
    store: Store
    refusals: list[TelltaleError] = field(default_factory=list)
    folded: list[_Later] = field(default_factory=list)

    @property
    def _name(self) -> str:
        return self.attack.part_name()

    @property
    def problems(self) -> list[TelltaleError]:
        """What the address bar said that could not be understood."""
        return cast(list[TelltaleError], self._kept("problems") or [])[:5]

    def follow_address(self) -> None:
        """Take over what the address bar says where somebody changed it; an empty one keeps what was last asked."""
        query = {name: text for name, text in st.query_params.to_dict().items() if not name.startswith(links.VIEW)}
        if query == self._kept("address") or (not query and self._kept("link")):
            return
        reading = links.read(query, self._name, self.store)
        self._take(links.written(reading.experiment, self.store), reading.problems)
        self._keep("address", query)

    def tell_address(self, experiment: Experiment) -> None:
        """Make the address bar a link to this experiment."""
        link = links.written(experiment, self.store)
        if link != self._kept("link"):
            self._keep("problems", [])
        self._keep("link", link)
        self._keep("address", link)
        shown = st.query_params.to_dict()
        for name in shown:
            if name not in link and not name.startswith(links.VIEW):
                del st.query_params[name]
        if changed := {name: text for name, text in link.items() if shown.get(name) != text}:
            st.query_params.update(changed)

    def draw(self) -> dict[str, Any]:
        """Draw all widgets and return what they say."""
        base = links.read(self._kept("link") or {}, self._name, self.store).experiment
        self._presets(base)
        declared = parameters(Experiment)
        values: dict[str, Any] = {}
        for name in ("dataset", "model", "defenses"):
            values[name] = self._widget(declared[name], base, "")
        with st.expander("Attack", expanded=True):
            values["attack"] = self._widget(declared["attack"], base, "")
        with st.expander("Rules of the game"):
            values["game"] = self._widget(declared["game"], base, "")
        if any(parameter.advanced for later in self.folded for parameter in parameters(type(later.spec)).values()):
            with st.expander("Fine settings"):
                for later in self.folded:
                    self._advanced(later)
        values["seed"] = self._widget(declared["seed"], base, "")
        return values

    def _kept(self, what: str) -> Any:
        return st.session_state.get(f"form/{self._name}/{what}")

    def _keep(self, what: str, value: Any) -> None:
        st.session_state[f"form/{self._name}/{what}"] = value

    def _take(self, link: dict[str, str], problems: list[TelltaleError]) -> None:
        self._keep("link", link)
        self._keep("problems", problems)
        for key in [key for key in st.session_state if str(key).startswith(f"{self._name}/")]:
            del st.session_state[key]

    def _presets(self, base: Experiment) -> None:
        key = f"form/{self._name}/preset"
        now = base.replace(seed=1)
        same = [name for name in self.attack.presets if Experiment.preset(self._name, name) == now]
        st.session_state[key] = same[0] if same else None

        def choose() -> None:
            if (name := st.session_state[key]) is not None:
                preset = Experiment.preset(self._name, name, seed=base.seed)
                self._take(links.written(preset, self.store), [])

        st.segmented_control(
            "Preset", list(self.attack.presets), format_func=spoken, key=key, on_change=choose,
            help="Sets every field below. None is lit once a field was changed.",
        )  # fmt: skip

    def _fields(self, spec: Spec, path: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, parameter in parameters(type(spec)).items():
            if not parameter.advanced:
                values[name] = self._widget(parameter, spec, path)
        self.folded.append(_Later(spec, values, path))
        return values

    def _advanced(self, later: _Later) -> None:
        folded = [parameter for parameter in parameters(type(later.spec)).values() if parameter.advanced]
        if folded:
            st.caption(getattr(later.spec, "title", spoken(later.path)))
        for parameter in folded:
            later.values[parameter.name] = self._widget(parameter, later.spec, later.path)

    def _widget(self, parameter: Parameter, owner: Spec, path: str) -> Any:
        place = path + parameter.name
        value = getattr(owner, parameter.name)
        if parameter.kind == "part":
            return self._part(parameter, value, place)
        if parameter.kind == "parts":
            return self._parts(parameter, value, place)
        if parameter.name == "source" and owner.part_name() == "documents":
            return self._upload(value, place)
        return self._plain(parameter, value, place)

    def _part(self, parameter: Parameter, value: Any, place: str) -> Any:
        known = {cls.part_name(): cls for cls in offers(parameter, self.attack)}
        if place == "attack":
            known = {self._name: self.attack}
        options = [*([_NONE] if parameter.optional else []), *known]
        chosen = options[0]
        if len(options) > 1 or place in ("dataset", "model"):
            key = self._key(place, _NONE if value is None else value.part_name(), options)
            chosen = st.selectbox(
                _label(parameter), options, format_func=lambda name: _title(known.get(name)), key=key,
                help=_help(parameter),
            )  # fmt: skip
        if chosen == _NONE:
            return None
        cls = known[chosen]
        spec = value if isinstance(value, cls) else cls.parse({}, place)
        if place != "model":
            return {"part": chosen, **self._fields(spec, f"{place}.")}
        with st.expander("Model parameters"):
            return {"part": chosen, **self._fields(spec, f"{place}.")}

    def _parts(self, parameter: Parameter, value: tuple[Part, ...], place: str) -> Any:
        known = {cls.part_name(): cls for cls in offers(parameter, self.attack)}
        if not known:
            return []
        held = {item.part_name(): item for item in value}
        key = self._key(place, [name for name in held if name in known], None)
        chosen = st.multiselect(
            _label(parameter), list(known), format_func=lambda name: _title(known.get(name)), key=key,
            help=_help(parameter), placeholder="none", max_selections=parameter.longest,
        )  # fmt: skip
        return [
            {"part": name, **self._fields(held.get(name) or known[name].parse({}, place), f"{place}.{name}.")}
            for name in chosen
        ]

    def _plain(self, parameter: Parameter, value: Any, place: str) -> Any:
        common: dict[str, Any] = {"label": _label(parameter), "help": _help(parameter)}
        if parameter.kind == "bool":
            return st.toggle(**common, key=self._key(place, value, None))
        if parameter.kind == "choice":
            return self._choice(parameter, value, place, common)
        if parameter.kind == "int":
            low = None if parameter.low is None else int(parameter.low)
            high = _SAFE if parameter.high is None else int(parameter.high)
            return st.number_input(
                **common, min_value=low, max_value=high, step=1, key=self._key(place, value, None),
            )  # fmt: skip
        if parameter.kind == "float":
            bound = parameter.low if parameter.above is None else parameter.above
            return st.number_input(
                **common, min_value=None if bound is None else float(bound), step=_step(parameter), format="%g",
                max_value=None if parameter.high is None else float(parameter.high),
                key=self._key(place, value, None),
            )  # fmt: skip
        if parameter.kind == "tuple":
            text = st.text_input(**common, key=self._key(place, links.said(value).replace(",", ", "), None))
            try:
                return links.parsed(text, parameter, place)
            except InvalidSpec as refusal:
                self.refusals.append(refusal)
                return value
        return st.text_input(**common, max_chars=parameter.longest, key=self._key(place, value, None))

    def _choice(self, parameter: Parameter, value: Any, place: str, common: Mapping[str, Any]) -> Any:
        options = list(parameter.choices)
        words = {option: _option(str(option), parameter.help) for option in options}
        key = self._key(place, value, options)
        if len(options) <= 3 and sum(map(len, words.values())) <= 30:
            return st.segmented_control(
                **common, options=options, format_func=words.__getitem__, key=key, required=True
            )
        return st.selectbox(**common, options=options, format_func=words.__getitem__, key=key)

    def _upload(self, value: str, place: str) -> str:
        kept = f"{self._name}/{place}/kept"
        files = st.file_uploader(
            "Your documents", list(uploads.TYPES), accept_multiple_files=True, key=f"{self._name}/{place}/files",
            help="One CSV, TSV or Parquet file with a column of texts, or .txt files. They stay on this machine.",
        )  # fmt: skip
        identity = tuple(file.file_id for file in files)
        if files and st.session_state.get(kept, (None, ""))[0] != identity:
            try:
                saved = uploads.save(self.store, {file.name: file.getvalue() for file in files})
                st.session_state[kept] = (identity, uploads.locate(self.store, saved, place))
            except TelltaleError as refusal:
                self.refusals.append(refusal)
                return value
        source: str = st.session_state[kept][1] if files else value
        if source and not files:
            st.caption(f"In use: {literal(uploads.called(self.store, source))}")
        elif not source:
            self.refusals.append(InvalidSpec("Upload documents of your own to go on.", place))
        return source

    def _key(self, place: str, value: Any, options: list[Any] | None) -> str:
        key = f"{self._name}/{place}"
        if key not in st.session_state or (options is not None and st.session_state[key] not in options):
            st.session_state[key] = value
        return key


def _label(parameter: Parameter) -> str:
    said = parameter.label.lower()
    return f"{parameter.label} ({parameter.unit})" if parameter.unit and parameter.unit not in said else parameter.label


def _help(parameter: Parameter) -> str:
    return f"{literal(parameter.help)}{_bounds(parameter)}"


def _bounds(parameter: Parameter) -> str:
    if parameter.kind not in ("int", "float"):
        return ""
    low, high = (None if bound is None else f"{bound:,.10g}" for bound in (parameter.low, parameter.high))
    if parameter.above is not None:
        return f" Above {parameter.above:,.10g}{f', at most {high}' if high else ''}."
    if low and high:
        return f" From {low} to {high}."
    return f" At least {low}." if low else f" At most {high}." if high else ""


def _title(cls: type[Part] | None) -> str:
    if cls is None:
        return "none"
    return cls.title[:1].upper() + cls.title[1:]


def _option(value: str, help: str) -> str:  # noqa: A002 - the word of the declarations
    """Return a choice in words, spelled as the help spells it.

    >>> _option("cbow", "from its context (CBOW)"), _option("skip_gram", "the word (skip-gram).")
    ('CBOW', 'Skip-gram')
    """
    found = re.search(rf"\b{re.escape(value).replace('_', '[-_ ]')}\b", help, re.IGNORECASE)
    said = found.group() if found else value
    return spoken(said)


def _step(parameter: Parameter) -> float:
    size = abs(parameter.default) if isinstance(parameter.default, (int, float)) and parameter.default else 1.0
    return float(10 ** math.floor(math.log10(size)) / 2)
