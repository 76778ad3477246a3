"""What every tour promises: about ten minutes, pages that exist, results that come with the code, one live run."""

import pytest

from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import address, links, sweeps
from dashboard.topics.defenses import measured, sweep
from dashboard.topics.lessons import evidence, shelf
from dashboard.topics.lessons.tour import position
from dashboard.topics.lessons.tour.tour import Tour, tours
from tests.contracts.test_lessons import NUMERAL

TOURS = list(tours().values())


@pytest.fixture(params=TOURS, ids=[tour.name for tour in TOURS])
def tour(request: pytest.FixtureRequest) -> Tour:
    return request.param


def test_each_file_is_a_tour_in_its_place() -> None:
    assert {path.stem for path in (shelf.FOLDER.parent / "tours").glob("*.py")} - {"__init__"} == set(tours())
    assert [tour.order for tour in TOURS] == sorted({tour.order for tour in TOURS})
    assert not any("-" in tour.name for tour in TOURS), "the address separates name and number by it"


def test_it_takes_about_ten_minutes(tour: Tour) -> None:
    assert 8 <= tour.minutes <= 12
    assert all(0 < stop.minutes <= 2 for stop in tour.stops)
    assert len({stop.title for stop in tour.stops}) == len(tour.stops)


def test_every_number_in_its_texts_comes_from_a_result(tour: Tour) -> None:
    for stop in tour.stops:
        assert stop.notes
        for text in (stop.title, stop.look, *stop.notes):
            assert "  " not in text and text == text.strip() and text
            assert not NUMERAL.search(evidence.PLACEHOLDER.sub("", text)), text
            assert not set("{}") & set(evidence.filled(text)), text


def test_every_stop_opens_a_page(tour: Tour) -> None:
    for number, stop in enumerate(tour.stops, start=1):
        at = position.Position(tour, number, seed=999)
        assert bool(stop.page) != bool(stop.result)
        assert at.path in {page.path for page in navigation.declared()}
        assert set(at.query) >= {address.TOUR, *stop.view}
        if stop.result:
            attack = evidence.entry(stop.result).experiment.attack.part_name()
            assert Store().is_shipped(evidence.entry(stop.result).key), stop.result
            assert links.read(at.query, attack, Store()).experiment == at.experiment


def test_one_experiment_runs_on_the_spot_and_is_seen_again(tour: Tour) -> None:
    live = [stop for stop in tour.stops if stop.live]
    assert len(live) >= 2 and len({stop.result for stop in live}) == 1


def test_the_live_run_takes_a_seed_without_a_result_and_keeps_it(tour: Tour) -> None:
    at, seen = position.Position(tour, 1), []
    assert at.moved(-1) is None
    while (further := at.moved(1)) is not None:
        at = further
        seen.append((at.stop.live, at.seed))
    seeds = {seed for is_live, seed in seen if is_live}
    assert len(seeds) == 1 and 0 not in seeds
    assert at.live is not None and not Store().is_shipped(at.live.key)


def test_the_defense_that_a_tour_opens_comes_down_to_chance(tour: Tour) -> None:
    for stop in tour.stops:
        if stop.page == "defenses":
            first = max(map(measured.points, sweeps.in_catalogue()), key=sweep._priority)
            strengths = first[first["defense"] == stop.view["view.defense"]]
            assert (strengths["adaptive_low"] <= strengths["adaptive_chance"]).any()
