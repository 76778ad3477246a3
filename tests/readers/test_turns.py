"""Who sends many sentences gains nothing by it."""

import asyncio

from core.readers.protocol import Request, answer_of
from core.readers.turns import FULL, REPLACED, Turn, Turns
from tests.errands import awaited


def turn(visitor: str, text: str = "") -> Turn:
    return Turn(Request(text, visitor), asyncio.get_running_loop().create_future())


async def served(*requests: tuple[str, str]) -> tuple[list[str], list[str]]:
    turns, waiting = Turns(most=10), [turn(*one) for one in requests]
    for one in waiting:
        assert turns.add(one) is None
    replaced = [one.request.text for one in waiting if one.line.done() and answer_of(one.line.result()) == REPLACED]
    left = len(waiting) - len(replaced)
    return [(await turns.next()).request.text for _ in range(left)], replaced


def test_visitors_are_served_in_the_order_they_came() -> None:
    assert awaited(lambda: served(("a", "1"), ("b", "2"), ("c", "3"))) == (["1", "2", "3"], [])


def test_a_newer_sentence_of_a_visitor_replaces_the_one_that_waits() -> None:
    assert awaited(lambda: served(("a", "1"), ("b", "2"), ("a", "3"), ("a", "4"))) == (["4", "2"], ["1", "3"])


def test_only_so_many_may_wait() -> None:
    async def fill() -> str | None:
        turns = Turns(most=2)
        assert turns.add(turn("a")) is None
        assert turns.add(turn("b")) is None
        return turns.add(turn("c"))

    assert awaited(fill) == FULL


def test_fewer_may_wait_where_each_takes_long() -> None:
    async def fill(seconds: float) -> int:
        turns = Turns(most=100)
        for _ in range(50):
            turns.took(seconds)
        return sum(turns.add(turn(str(visitor))) is None for visitor in range(200))

    assert awaited(lambda: fill(0.01)) == 100
    assert awaited(lambda: fill(1.0)) == 9


def test_who_has_gone_keeps_no_place() -> None:
    async def served_after_leaving() -> list[str]:
        turns, gone, later = Turns(most=1), turn("a", "gone"), turn("b", "later")
        turns.add(gone)
        turns.drop(gone)
        assert turns.add(later) is None
        turns.drop(gone)
        return [(await turns.next()).request.text]

    assert awaited(served_after_leaving) == ["later"]
