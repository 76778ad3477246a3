"""Finds the pages: one file a page, which says its own title, icon and place."""

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
"""Not ``pages``: Streamlit would run a file of that folder without `dashboard.app` when its address is the first one
that is opened after a start."""


@dataclass(frozen=True)
class Declared:
    """What a page's file says about itself in ``TITLE``, ``ICON`` and ``ORDER``.

    Attributes:
        name: Name of the file, and of the page in the address.
        title: What the navigation calls it.
        icon: A Material symbol.
        order: Place in the navigation; the first is what opens.
        family: What the attack of that name questions; empty for a page that is no attack's.
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
    found = [_read(path) for path in FOLDER.glob("*.py") if not path.stem.startswith("_")]
    return tuple(sorted(found, key=lambda page: (page.order, page.name)))


def pages() -> dict[str, list[StreamlitPage]]:
    """Return all pages as Streamlit takes them, those of attacks by family; the first of all is the one that opens."""
    found: dict[str, list[StreamlitPage]] = {}
    for number, page in enumerate(declared()):
        shown = st.Page(page.path, title=page.title, icon=page.icon, url_path=page.name, default=number == 0)
        found.setdefault(page.family, []).append(shown)
    return found


def family(attack: type[Attack]) -> str:
    """Return the kind of model that an attack questions, named after what such models give where nothing hides it.

    Where they give several things, it is the least of them. What is built on word vectors, such as a classifier,
    belongs to them; a language model stands for itself.

    >>> from core.attacks.classifier_probing import ClassifierProbing
    >>> from core.attacks.next_word import NextWord
    >>> family(ClassifierProbing), family(NextWord)
    ('Word vectors', 'Next words')
    """
    models = cast(tuple[type[Model], ...], parts("model"))
    model = next(model for model in models if attack.needs in model.provides)
    given = next(vars(cls)["provides"] for cls in reversed(model.__mro__) if "provides" in vars(cls))
    access = min(given, key=lambda access: len(access.__mro__))
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", access.__name__).capitalize()


def file_of(attack: str) -> Path | None:
    """Return the file of an attack's page, or None when it has none."""
    return next((page.path for page in declared() if page.name == attack), None)


def _read(path: Path) -> Declared:
    values: dict[str, object] = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            values.update({target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)})
    return Declared(
        path.stem,
        str(values.get("TITLE", path.stem)),
        str(values.get("ICON", ":material/article:")),
        int(str(values.get("ORDER", 50))),
        family(cast(type[Attack], part("attack", path.stem))) if path.stem in names("attack") else "",
    )
