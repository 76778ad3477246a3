"""Finds the pages: one file each, which declares its icon, order and question; an attack's page has its title."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.errors import suggestion
from core.games.attack import Attack
from core.registry import names

FOLDER = Path(__file__).resolve().parent / "views"
"""Not ``pages``: Streamlit would run a file of that folder without `dashboard.app` if its address came first."""

OWN = "Audit your own"
QUESTIONS = ("Was it in there?", "What does it say?", "Who wrote it?", "What helps?", OWN, "Lessons")
"""Questions of visitors, in the order of the menu and of the overview; each page declares one of them, or none."""


@dataclass(frozen=True)
class PageEntry:
    """One page of the navigation.

    Attributes:
        name: Name of the file, and of the page in the address.
        title: The attack's title, or the ``TITLE`` of any other page.
        icon: ``ICON``, a Material symbol.
        order: ``ORDER`` among the pages of its question; the lowest of all opens at the start.
        question: ``QUESTION``, one of `QUESTIONS`; empty for a page that belongs to none.
        attacks: The attacks that it shows: the one of its name, or those of ``ATTACKS``.
        listed: Those of its attacks that have an entry of the menu, too, as ``LISTED`` says.
        also: Short addresses of ``ALSO`` that open it with a parameter of that name.
    """

    name: str
    title: str
    icon: str
    order: int
    question: str
    attacks: tuple[str, ...]
    listed: tuple[str, ...]
    also: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Return where the file lies."""
        return FOLDER / f"{self.name}.py"


@cache
def declared() -> tuple[PageEntry, ...]:
    """Return all pages without running them: the first page, those of each question, then those of none."""
    unordered = [_read(path) for path in FOLDER.glob("*.py") if not path.stem.startswith("_")]
    first, *later = sorted(unordered, key=lambda page: (page.order, page.name))
    questions = [*QUESTIONS, ""]
    return first, *sorted(later, key=lambda page: questions.index(page.question))


def menus() -> dict[str, list[PageEntry]]:
    """Return the pages by question; those without a question, or alone with theirs, are plain links under ``""``."""
    grouped: dict[str, list[PageEntry]] = {"": []}
    questions = [page.question for page in declared()]
    for page in declared():
        grouped.setdefault(page.question if questions.count(page.question) > 1 else "", []).append(page)
    return grouped


def pages() -> dict[str, list[StreamlitPage]]:
    """Return Streamlit's pages by menu, and the addresses that redirect to them; the first page opens at the start."""
    by_menu = {menu: [entry for page in pages for entry in _entries(page)] for menu, pages in menus().items()}
    for page in declared():
        hidden = {*page.attacks} - {page.name, *page.listed}
        by_menu[""] += [_leading_on(page, attack, attack=attack) for attack in page.attacks if attack in hidden]
        by_menu[""] += [_leading_on(page, name, **{name: ""}) for name in page.also]
    return by_menu


def page_of(attack: str) -> PageEntry | None:
    """Return the page that shows an attack, or None when it has none."""
    return next((page for page in declared() if attack in page.attacks), None)


def title_of(attack: str) -> str:
    """Return the title of an attack by its name."""
    return Attack.by_name(attack).title


def attacks() -> Iterator[str]:
    """Yield the attacks that have a page, in the order of the menu."""
    for page in declared():
        yield from page.attacks


def tab_title(title: str) -> str:
    """Return what the browser calls the tab of a page with a title.

    >>> tab_title("Word pairs")
    'Word pairs – Telltale'
    """
    return f"{title} – Telltale"


def _entries(page: PageEntry) -> Iterator[StreamlitPage]:
    """Yield a page as Streamlit has it, and the entries of attacks that share it without being variants of another."""
    yield st.Page(page.path, title=page.title, icon=page.icon, url_path=page.name, default=page == declared()[0])
    for attack in page.listed:
        yield _leading_on(page, attack, title_of(attack), attack=attack)


def _leading_on(page: PageEntry, address: str, listed_as: str = "", **query: str) -> StreamlitPage:
    """Return an address that opens a page with a parameter; outside the menus but where it is ``listed_as`` a title."""

    def lead() -> None:
        st.switch_page(page.path, query_params={**query, **st.query_params.to_dict()})

    shown: dict[str, Any] = {"icon": page.icon} if listed_as else {"visibility": "hidden"}
    return st.Page(lead, title=listed_as or page.title, url_path=address, **shown)


def _read(path: Path) -> PageEntry:
    values: dict[str, Any] = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id="TITLE" | "ICON" | "ORDER" | "QUESTION" | "ATTACKS" | "LISTED" | "ALSO" as name)]
            ):
                values[name] = ast.literal_eval(node.value)
    question = str(values.get("QUESTION", ""))
    if question and question not in QUESTIONS:
        raise ValueError(
            f"The QUESTION of {path.name} must be one of those of the menu. Got {question!r} instead."
            f"{suggestion(question, QUESTIONS)}"
        )
    attacks = (path.stem,) if path.stem in names("attack") else ()
    title = title_of(path.stem) if attacks else str(values.get("TITLE", path.stem))
    return PageEntry(
        path.stem,
        title,
        str(values.get("ICON", ":material/article:")),
        int(values.get("ORDER", 50)),
        question,
        tuple(values.get("ATTACKS", attacks)),
        tuple(values.get("LISTED", ())),
        tuple(values.get("ALSO", ())),
    )
