"""The menu asks what visitors ask, and every attack stands under one question, there and on the overview."""

import re
from itertools import groupby
from pathlib import Path
from typing import cast

import pytest

from core import catalog
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import links
from dashboard.topics.overview import leaks


def questions() -> list[str]:
    return [question for question, _ in groupby(page.question for page in navigation.declared())]


def test_the_questions_stand_in_their_order_between_the_overview_and_the_runs() -> None:
    first, *with_questions, last = navigation.declared()
    assert (first.name, last.name) == ("overview", "runs")
    assert first.question == last.question == ""
    known = [question for question in navigation.QUESTIONS if question in {page.question for page in with_questions}]
    assert questions() == ["", *known, ""]


def test_no_menu_has_a_single_entry() -> None:
    menus = navigation.menus()
    assert [name for name in menus if name] == list(navigation.QUESTIONS[:5])
    assert all(len(pages) > 1 for name, pages in menus.items() if name)
    assert [page.title for page in menus[""]] == ["Overview", "Lessons", "Runs"]


def test_every_attack_has_exactly_one_page_and_one_question() -> None:
    shown, promised = list(navigation.attacks()), {entry.experiment.attack.part_name() for entry in catalog.entries()}
    for attack in promised - set(shown):
        pytest.fail(
            f"{attack} has no page: add dashboard/views/{attack}.py, or name it in the ATTACKS of another page."
        )
    assert sorted(shown) == sorted(promised), "each attack with a page needs a promised result in core/catalog/"
    for attack in shown:
        page = navigation.page_of(attack)
        assert page is not None and page.question in navigation.QUESTIONS
    assert navigation.page_of("none of these") is None


def test_an_attack_that_is_no_variant_of_another_has_an_entry_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(navigation.st, "Page", lambda _, **options: options)
    pages = cast(dict[str, list[dict[str, str]]], navigation.pages())
    entries = {page["url_path"]: page for page in pages["What does it say?"]}
    assert entries["secret_sharer"]["title"] == "Secret sharer" and "visibility" not in entries["secret_sharer"]
    assert "sparse_inversion" not in entries, "a method of inversion is chosen on its page"
    hidden = {page["url_path"] for page in pages[""] if page.get("visibility") == "hidden"}
    assert "sparse_inversion" in hidden and "secret_sharer" not in hidden


def test_the_overview_has_the_order_of_the_menu() -> None:
    shown = leaks.attack_entries()
    assert [attack.first[0].experiment.attack.part_name() for attack in shown] == list(navigation.attacks())
    in_overview = [question for question, _ in groupby(attack.question for attack in shown)]
    assert in_overview == [question for question in navigation.QUESTIONS if question in in_overview]


def test_the_overview_names_every_page_of_its_questions() -> None:
    shown = {attack.question for attack in leaks.attack_entries()}
    named = {page.title for question in shown for page in leaks.without_results(question)}
    assert "Vector audit" in named, "which has no result of its own"
    pages = {page.name for page in navigation.declared() if page.question in shown}
    attacked = {page.name for page in navigation.declared() if page.attacks}
    assert {page.name for question in shown for page in leaks.without_results(question)} == pages - attacked


def test_the_overview_opens_what_the_menu_opens() -> None:
    for attack in leaks.attack_entries():
        entry, row = attack.first
        assert entry.experiment == links.read({}, entry.experiment.attack.part_name(), Store()).experiment
        if attack.clearest is not None:
            assert attack.clearest[1].lead > row.lead, "what is called clearer is"
            assert attack.clearest not in (*attack.further, *attack.contrasts), "no link stands twice"


def test_links_in_figures_survive_what_plotly_does_to_them() -> None:
    twice_encoded = re.compile("%(?:3B|2C|2F|3F|3A|40|26|3D|2B|24|23)", re.IGNORECASE)
    addresses = [links.address_of(next(iter(catalog.entries_of(attack))).experiment) for attack in navigation.attacks()]
    assert any("," in address for address in addresses)
    assert not [address for address in addresses if twice_encoded.search(address)]


def test_a_question_that_the_menu_lacks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "new_page.py").write_text('QUESTION = "What does it sey?"\n')
    suggestion = re.escape("Got 'What does it sey?' instead. Did you mean 'What does it say?'?")
    with pytest.raises(ValueError, match=rf"The QUESTION of new_page\.py must be one of .* {suggestion}"):
        navigation._read(tmp_path / "new_page.py")
