"""The form of an experiment: widgets from its Spec classes, kept in step with the address bar."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import streamlit as st

from core.datasets import Dataset
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.games import Game
from core.games.attack import Attack
from core.registry import Part
from core.runtime.store import Store
from core.spec import Spec
from core.statistics.wording.naming import spoken
from dashboard.kit import address, links
from dashboard.kit.forms import fields, mistakes, needed, own_documents, presets, widgets
from dashboard.kit.forms.groups import Groups, paths
from dashboard.kit.forms.marks import Marks
from dashboard.kit.forms.own_files import OwnFiles
from dashboard.kit.inputs import allowed, plain_text
from dashboard.kit.inputs.declared import GROUPS, Parameter, offers, parameters
from dashboard.kit.words import curled, literal

WHERE = "“Settings” at the upper left, on a phone “Menu”, opens them"
"""How to find the form, which is folded away at the start."""
_NONE = "none"
"""Marks the fields that no preset has."""


def experiment_form(attack: str) -> Experiment | None:
    """Draw the form of an attack's experiment in the sidebar, its presets on the page, in step with the address bar.

    Returns:
        The experiment of the form, or None while a field is invalid, with its error on the page and below the field.
    """
    form = _Form(Attack.by_name(attack), Store())
    form.follow_address()
    notices, form.files.page, switch = (st.container(key=key) for key in ("notices", "asked-files", "preset"))
    if form.problems:
        lead, *details = map(literal, form.problems)
        notices.warning("\n- ".join([f"{lead}\n", *details]), icon=":material/info:")
    with st.sidebar:
        st.header("Settings", anchor=False)
        values = form.draw(form.base())
    experiment = None
    try:
        experiment = form.checked(values)
    except TelltaleError as error:
        mistake = curled(str(error)) if form.refusals else mistakes.said(error, values, form.attack)
        where = "" if form.files.asks(links.field_of(error)) else f" The field is in the settings: {WHERE}."
        if not form.files.shows(error):
            notices.warning(literal(f"{mistake}{where}"), icon=":material/edit:")
        form.marks.keep("", {} if form.refusals else {links.field_of(error): mistake})
    else:
        form.tell_address(experiment)
        form.marks.forget(but=experiment.key)
    with switch:
        presets.switch(form.attack, experiment, (experiment or form.base()).seed, fill)
    return experiment


def fill(experiment: Experiment) -> None:
    """Show an experiment in the form of its attack from its next drawing on; for callbacks."""
    store = Store()
    _Form(type(experiment.attack), store).take(links.written(experiment, store), [])


def last_valid(attack: str) -> Experiment | None:
    """Return the experiment of an attack's form before a field became invalid, or None where there was none."""
    return cast(Experiment | None, st.session_state.get(fields.kept(attack, "valid")))


@dataclass
class _Later:
    spec: Spec
    values: dict[str, Any]
    prefix: str


@dataclass
class _Form:
    attack: type[Attack]
    store: Store
    refusals: list[TelltaleError] = field(default_factory=list)
    folded: list[_Later] = field(default_factory=list)
    followed: bool = False
    groups: Groups = field(init=False)

    @property
    def _name(self) -> str:
        return self.attack.part_name()

    @cached_property
    def marks(self) -> Marks:
        """What is wrong with fields of this form."""
        return Marks(self._name)

    @cached_property
    def files(self) -> OwnFiles:
        """The uploads of this form."""
        return OwnFiles(self.store, self._name)

    @property
    def problems(self) -> list[str]:
        """What is shown instead of the address, then each error in the address; empty where it is valid."""
        return cast(list[str], self._recalled("problems") or [])

    def follow_address(self) -> None:
        """Take over a changed address bar; an empty one keeps the last experiment."""
        query = address.experiment()
        if query == self._recalled("address"):
            self._keep("before", None)
            return
        # A click right after the page opened still brings the address from before the form completed it.
        if query == self._recalled("before") or (not query and self._recalled("link")):
            return
        reading = links.read(query, self._name, self.store)
        problems = dict.fromkeys(
            mistakes.explained(problem, query, self.attack, reading.experiment) for problem in reading.problems
        )
        self.take(links.written(reading.experiment, self.store), [reading.instead, *problems] if problems else [])
        self._keep("address", query)
        self._keep("before", query)
        self.files.ask_for(reading.experiment)
        self.followed = True

    def checked(self, values: dict[str, Any]) -> Experiment:
        """Return the experiment of the widgets' values, and say below each upload what is read from it.

        Raises:
            TelltaleError: A value is refused, or an upload cannot be read.
        """
        if self.refusals:
            raise self.refusals[0]
        experiment = Experiment.parse(values)
        # Before anything asks for its key, which would read the files it names.
        allowed.check(experiment, self.store)
        self.files.tell(experiment)
        return experiment

    def tell_address(self, experiment: Experiment) -> None:
        """Make the address bar a link to this experiment."""
        link = links.written(experiment, self.store)
        if link != self._recalled("link"):
            self._keep("problems", [])
        self._keep("link", link)
        self._keep("address", link)
        self._keep("valid", experiment)
        # A link from a page to itself does not reach the browser: the address bar needs even values known here.
        address.show(link, repeated=self.followed)

    def base(self) -> Experiment:
        """Return the experiment that the widgets start from."""
        return links.read(self._recalled("link") or {}, self._name, self.store).experiment

    def draw(self, base: Experiment) -> dict[str, Any]:
        """Draw all widgets but the presets, and return their values."""
        declared = parameters(Experiment)
        values: dict[str, Any] = {}
        self.groups = Groups(self._name, self.marks.news())
        for name in ("dataset", "model", "defenses"):
            values[name] = self._widget(declared[name], base, "")
        for name, title in GROUPS.items():
            spec: Spec = self._suited(base, values["dataset"]) if name == "game" else getattr(base, name)
            if all(parameter.advanced for parameter in parameters(type(spec)).values()):
                values[name] = self._part(declared[name], spec, name)
                continue
            held = paths(spec, f"{name}.")
            with self.groups.unfolded(title, *held, expanded=name == "attack") as drawn:
                values[name] = self._part(declared[name], spec, name, drawn=drawn)
        if fine := [path for later in self.folded for path in paths(later.spec, later.prefix, advanced=True)]:
            with self.groups.unfolded("Fine settings", *fine) as drawn:
                for later in self.folded if drawn else ():
                    self._advanced(later)
        values["seed"] = self._widget(declared["seed"], base, "")
        return values

    def _suited(self, base: Experiment, dataset: Any) -> Game:
        """Return the rules of the game: for real owners exactly while the documents name them."""
        has_owners = own_documents.name_owners(Dataset.resolve(dataset))
        if has_owners == own_documents.name_owners(base.dataset):
            return base.game
        game = base.game.with_owners(has_owners)
        for name, value in game.as_dict().items():
            if value != base.game.as_dict()[name]:
                st.session_state[f"{self._name}/game.{name}"] = value
        return game

    def _recalled(self, name: str) -> Any:
        return st.session_state.get(fields.kept(self._name, name))

    def _keep(self, name: str, value: Any) -> None:
        st.session_state[fields.kept(self._name, name)] = value

    def take(self, link: dict[str, str], problems: list[str]) -> None:
        """Start anew from a link; ``problems`` are the errors of the address."""
        self._keep("link", link)
        self._keep("problems", problems)
        for key in [key for key in st.session_state if str(key).startswith(f"{self._name}/")]:
            del st.session_state[key]

    def _fields(self, spec: Spec, prefix: str, *, drawn: bool = True) -> dict[str, Any]:
        values = spec.as_dict()
        for name, parameter in parameters(type(spec)).items():
            if drawn and not parameter.advanced:
                values[name] = self._widget(parameter, spec, prefix)
        self.folded.append(_Later(spec, values, prefix))
        return values

    def _advanced(self, later: _Later) -> None:
        folded = [parameter for parameter in parameters(type(later.spec)).values() if parameter.advanced]
        if folded:
            st.caption(getattr(later.spec, "title", spoken(later.prefix)))
        for parameter in folded:
            later.values[parameter.name] = self._widget(parameter, later.spec, later.prefix)

    def _widget(self, parameter: Parameter, owner: Spec, prefix: str) -> Any:
        drawn = self._drawn(parameter, owner, prefix)
        self.marks.draw(prefix + parameter.name)
        return drawn

    def _drawn(self, parameter: Parameter, owner: Spec, prefix: str) -> Any:
        path = prefix + parameter.name
        value = getattr(owner, parameter.name)
        if parameter.kind == "part":
            return self._part(parameter, value, path)
        if parameter.kind == "parts":
            return self._parts(parameter, value, path)
        if allowed.is_encoder(parameter):
            return widgets.encoder(parameter, value, path, f"{self._name}/{path}")
        if self.files.has_columns(parameter, prefix):
            return self.files.column(parameter, value, prefix)
        try:
            if parameter.is_path:
                return self.files.upload(owner, value, path)
            typed = widgets.plain(parameter, value, path, f"{self._name}/{path}")
        except InvalidSpec as refusal:
            self._refuse(InvalidSpec(mistakes.labelled(refusal, parameter.label), path))
            return value
        except TelltaleError as refusal:
            self._refuse(refusal)
            return value
        is_number, text = parameter.kind in ("int", "float"), plain_text.formatted(typed)
        if is_number and (wrong := mistakes.off_bounds(parameter, text)):
            self._refuse(InvalidSpec(f"{parameter.label}: {wrong}", path))
        return typed

    def _refuse(self, refusal: TelltaleError) -> None:
        """Keep a refusal for the page, and show it below the field just drawn."""
        self.refusals.append(refusal)
        st.error(literal(curled(str(refusal))), icon=":material/edit:")

    def _part(self, parameter: Parameter, value: Any, path: str, *, drawn: bool = True) -> Any:
        known = {cls.part_name(): cls for cls in offers(parameter, self.attack)}
        if path == "attack":
            known = {self._name: self.attack}
        options = [*([_NONE] if parameter.optional else []), *known]
        chosen = options[0]
        if len(options) > 1 or path in ("dataset", "model"):
            current = _NONE if value is None else value.part_name()
            titles = {name: widgets.title(known.get(name)) + needed.behind(known.get(name)) for name in options}
            chosen = st.selectbox(
                widgets.label(parameter),
                options,
                format_func=titles.__getitem__,
                **widgets.chosen(f"{self._name}/{path}", current, options),
                help=f"{widgets.help_of(parameter)}{f' {needed.MARKED}' if path == 'dataset' else ''}",
            )
        if chosen == _NONE:
            return None
        cls = known[chosen]
        spec = value if isinstance(value, cls) else cls.parse({}, path)
        if path != "model":
            return self._fields(spec, f"{path}.", drawn=drawn)
        with self.groups.unfolded("Model parameters", *paths(spec, "model.")) as is_open:
            return self._fields(spec, f"{path}.", drawn=is_open)

    def _parts(self, parameter: Parameter, value: tuple[Part, ...], path: str) -> Any:
        known = {cls.part_name(): cls for cls in offers(parameter, self.attack)}
        if not known:
            return []
        current = {item.part_name(): item for item in value}
        key = widgets.initialised(f"{self._name}/{path}", [name for name in current if name in known])
        chosen = st.multiselect(
            widgets.label(parameter),
            list(known),
            format_func=lambda name: widgets.title(known.get(name)),
            key=key,
            default=st.session_state[key],
            help=widgets.help_of(parameter),
            placeholder="none",
            max_selections=parameter.longest,
        )
        return [self._fields(current.get(name) or known[name].parse({}, path), f"{path}.{name}.") for name in chosen]
