"""Finds the pages: one file each, which declares its icon and order; an attack's page bears the attack's title."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.games.attack import Attack
from core.registry import names, part, parts
from core.targets.model import Model

FOLDER = Path(__file__).resolve().parent / "views"
"""Not ``pages``: Streamlit would run a file of that folder without `dashboard.app` if its address came first."""


@dataclass(frozen=True)
class Declared:
    """One page of the navigation.

    Attributes:
        name: Name of the file, and of the page in the address.
        title: The attack's title, or the ``TITLE`` of any other page.
        icon: ``ICON``, a Material symbol.
        order: ``ORDER`` in the navigation; the lowest opens at the start.
        family: Kind of model that the attack queries; empty for any other page.
    """

    name: str
    title: str
    icon: str
    order: int
    family: str

    @property
    def path(self) -> Path:
        """Return where the file lies."""
        return FOLDER / f"{self.name}.py"


@cache
def declared() -> tuple[Declared, ...]:
    """Return all pages in their order, without running them."""
    unordered = [_read(path) for path in FOLDER.glob("*.py") if not path.stem.startswith("_")]
    return tuple(sorted(unordered, key=lambda page: (page.order, page.name)))


def pages() -> dict[str, list[StreamlitPage]]:
    """Return Streamlit's pages by the family of their attack; the first of all opens at the start."""
    by_family: dict[str, list[StreamlitPage]] = {}
    for number, page in enumerate(declared()):
        entry = st.Page(page.path, title=page.title, icon=page.icon, url_path=page.name, default=number == 0)
        by_family.setdefault(page.family, []).append(entry)
    return by_family


def family(attack: type[Attack]) -> str:
    """Return the kind of model that an attack queries, named after the narrowest access that such models provide.

    A model built on word vectors, such as a classifier, belongs to them; a language model stands for itself.

    >>> from core.attacks.classifier_probing import ClassifierProbing
    >>> from core.attacks.next_word import NextWord
    >>> family(ClassifierProbing), family(NextWord)
    ('Word vectors', 'Next words')
    """
    models = cast(tuple[type[Model], ...], parts("model"))
    model = next(model for model in models if attack.needs in model.provides)
    provided = next(vars(cls)["provides"] for cls in reversed(model.__mro__) if "provides" in vars(cls))
    access = min(provided, key=lambda access: len(access.__mro__))
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", access.__name__).capitalize()


def file_of(attack: str) -> Path | None:
    """Return the file of an attack's page, or None when it has none."""
    return next((page.path for page in declared() if page.name == attack), None)


def _read(path: Path) -> Declared:
    values: dict[str, object] = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            values.update({target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)})
    attack = cast(type[Attack], part("attack", path.stem)) if path.stem in names("attack") else None
    title = str(values.get("TITLE", path.stem)) if attack is None else attack.title
    icon, order = str(values.get("ICON", ":material/article:")), int(str(values.get("ORDER", 50)))
    return Declared(path.stem, title, icon, order, "" if attack is None else family(attack))
