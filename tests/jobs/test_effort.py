"""The time left on a machine that others use: right from the start where it is busy, and seldom raised later."""

import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest

from core.jobs.effort import Effort, Spent, spent
from core.jobs.forecast import Forecast, Outlook, Stage

RUN = [Stage("Reading", 10.0), Stage("Training", 80.0, 80)]


class Machine:
    """A machine on which one thread gets one second of a core in so many."""

    def __init__(self, slowdown: float = 1.0) -> None:
        self.now, self.slowdown = 50.0, slowdown
        self.on_core, self.waiting = 1.0, slowdown - 1.0

    def __call__(self) -> float:
        return self.now

    def look(self) -> Spent:
        return {(1, 1): (self.on_core, self.waiting)}

    def pass_second(self) -> float:
        """Let a second pass, and return what of it the thread was on a core."""
        self.now += 1.0
        self.on_core += 1.0 / self.slowdown
        self.waiting += 1.0 - 1.0 / self.slowdown
        return 1.0 / self.slowdown


def told(machine: Machine, busy_from: float = float("inf"), slowdown: float = 1.0) -> list[Outlook]:
    """What is told every second of a run like `RUN`, on a machine that becomes busy once so much of it is done."""
    effort = Effort(machine.look, machine)
    forecast = Forecast(RUN, machine, effort, effort.settled_slowdown)
    outlooks: list[Outlook] = []
    done = 0.0
    for stage in RUN:
        forecast.stage(stage.name, stage.items)
        begun, counted = done, 0
        while done - begun < stage.seconds - 1e-9:
            outlooks.append(forecast.outlook())
            machine.slowdown = slowdown if done >= busy_from else machine.slowdown
            done += machine.pass_second()
            if stage.items and (items := int((done - begun) / stage.seconds * stage.items)) > counted:
                counted = items
                forecast.advance(counted)
    return outlooks


def test_a_thread_that_waits_for_a_core_slowdowns_the_run_and_slows_its_clock() -> None:
    machine = Machine(slowdown=4.0)
    effort = Effort(machine.look, machine)
    assert effort.slowdown == pytest.approx(4.0), "what the process has spent before tells at once"
    begun = effort()
    for _ in range(40):
        machine.pass_second()
        effort()
    assert effort() - begun == pytest.approx(10.0, rel=0.01)
    machine.slowdown = 1.0
    for _ in range(40):
        machine.pass_second()
        effort()
    assert effort.slowdown == pytest.approx(1.0, abs=0.05), "what is over is forgotten"


def test_threads_beyond_its_cores_slow_a_run_no_further() -> None:
    """Six threads that share one core of two wait for five, but would have needed three times as long alone."""
    machine = Machine(slowdown=2.0)
    effort = Effort(lambda: {(1, thread): (machine.on_core, machine.waiting) for thread in range(6)}, machine, cores=2)
    effort()
    for _ in range(60):
        machine.now += 1.0
        machine.on_core += 1 / 6
        machine.waiting += 5 / 6
        effort()
    assert effort.slowdown == pytest.approx(2.0, rel=0.05)


def test_where_nothing_can_be_read_it_is_a_plain_clock() -> None:
    machine = Machine(slowdown=4.0)
    effort = Effort(dict, machine)
    begun = effort()
    machine.pass_second()
    assert (effort.settled_slowdown(), effort() - begun) == (1.0, 1.0)


def test_threads_of_this_process_are_seen_to_work() -> None:
    if not Path("/proc/self/schedstat").exists():
        assert spent() == {}
        return
    before = sum(on_core for on_core, _ in spent().values())
    over = threading.Event()

    def work() -> None:
        while time.thread_time() < 0.2:
            pass
        over.wait()

    thread = threading.Thread(target=work)
    thread.start()
    while sum(on_core for on_core, _ in spent().values()) < before + 0.19:
        time.sleep(0.05)
    over.set()
    thread.join()


def test_on_a_busy_machine_the_first_estimate_is_of_a_busy_machine() -> None:
    outlooks = told(Machine(slowdown=5.0))
    assert outlooks[0].seconds_left is None, "one look is no measure"
    assert outlooks[5].seconds_left == pytest.approx(445.0)
    assert not any(outlook.late for outlook in outlooks)
    assert outlooks[len(outlooks) // 2].seconds_left == pytest.approx(225.0, rel=0.05)


def test_nothing_is_said_by_what_a_start_alone_waited_for() -> None:
    machine = Machine()
    machine.on_core, machine.waiting = 0.5, 19.5
    outlooks = told(machine)
    first = next(second for second, outlook in enumerate(outlooks) if outlook.seconds_left is not None)
    assert 4 <= first <= 8, "three looks of which none is like the start"
    assert outlooks[first].seconds_left == pytest.approx(90.0 - first, rel=0.1)


def test_on_a_machine_that_wavers_something_is_said_at_last() -> None:
    machine = Machine()
    effort = Effort(machine.look, machine)
    for second in range(20):
        machine.slowdown = 1.0 if second % 4 < 2 else 8.0
        machine.pass_second()
        effort()
        assert effort.settled_slowdown() is None or second == 19
    machine.pass_second()
    effort()
    assert effort.settled_slowdown() is not None


def test_a_machine_that_becomes_busy_raises_the_estimate_seldom_and_says_so() -> None:
    outlooks = told(Machine(), busy_from=30.0, slowdown=5.0)
    left = [outlook.seconds_left for outlook in outlooks if outlook.seconds_left is not None]
    rises = [later - earlier for earlier, later in pairwise(left) if later > earlier]
    assert len(rises) <= 3 and sum(rises) < 0.5 * len(outlooks), "by less than half of what the run takes"
    assert any(outlook.late for outlook in outlooks[60:]) and not any(outlook.late for outlook in outlooks[:30])
    true = [len(outlooks) - second for second in range(len(outlooks))][-len(left) :]
    assert all(0.25 < estimate / until < 1.5 for estimate, until in zip(left[80:-30], true[80:-30], strict=True))
    assert left[-1] < 10.0 and min(left[:-30]) > 1.0, "it reaches 0 with the run, not before"
    shares = [outlook.share for outlook in outlooks]
    assert shares == sorted(shares) and max(shares) < 1.0


def test_a_machine_that_becomes_free_lets_the_estimate_fall() -> None:
    outlooks = told(Machine(slowdown=5.0), busy_from=30.0, slowdown=1.0)
    left = [outlook.seconds_left for outlook in outlooks if outlook.seconds_left is not None]
    assert all(later < earlier + 1e-9 for earlier, later in pairwise(left))
    assert left[-1] < 10.0
