"""How long a run will still take, from the times of earlier runs like it and from its own pace."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.jobs.displayed_time import DisplayedTime
from core.jobs.pace import Pace

_PRIOR = 0.05
"""Weight of how busy the machine looks when the speed of this run is judged, as a share of the time of earlier runs."""
_FORGETTING = 60.0
"""Seconds after which a finished stage counts half for the speed of the run: other work comes and goes."""
_MISJUDGED = 3.0
"""Stages off the expected time by more than this factor count as off by it."""
_OVERRUN = 0.5
"""What is still expected of a stage that takes longer than before, as a share of the time by which it does."""
_DOUBTED_ITEMS = 5
"""Number of finished items at which their pace counts as much as the time that was expected of their stage."""
_TRUSTED = 0.25
"""From this share of the items on, their pace alone gives the least duration of a stage of which nothing is known."""
_UNCOUNTED = 0.5
"""The largest share shown as finished before anything was counted, where only the time of the whole run is known."""
_FULLEST = 0.99
"""The largest share of a run that is ever shown as finished while it works."""
_SURELY = 0.98
"""The share shown once all is finished that earlier runs did."""
_DOUBTED = 0.25
"""How fast the share grows beyond what is counted as finished, compared with how fast it grows before."""


@dataclass(frozen=True)
class Stage:
    """A stage of an earlier run.

    Attributes:
        name: Its name; empty where only the time of the whole run is known.
        seconds: How long it took, without what it waited for cores that others used.
        items: How many items it had; 0 when they could not be counted.
        waited: Seconds that it waited for such cores besides.
    """

    name: str
    seconds: float
    items: int = 0
    waited: float = 0.0


@dataclass(frozen=True)
class Outlook:
    """The forecast of a run as pages show it.

    Attributes:
        seconds_left: Estimate; None before there is a reason for one.
        whole: Whether it is for the whole run, rather than for the stage.
        late: Whether the run takes longer than was said.
        share: Finished share of the run, or else of the stage, below 1; that of the run never falls.
    """

    seconds_left: float | None = None
    whole: bool = False
    late: bool = False
    share: float = 0.0


@dataclass
class Forecast:
    """Watches the stages of a run, and estimates the time left so that the estimate falls.

    Seconds that earlier runs took count as often as this run needs for one: at first by how much other work on the
    machine slows it, then by what its own stages took. `DisplayedTime` smooths the time left.

    Attributes:
        before: The stages that it is expected to have, in order; empty where nothing is known.
        clock: Returns seconds that only grow, as they pass.
        effort: Returns those that a run would have taken that had its cores to itself, as the earlier runs are timed;
            None where that is all that pass.
        slowdown: Returns the wall-clock seconds for each of these by now; None while they cannot be told: then no
            time left is displayed.
        stages: The stages so far, with what they took.
        resumed: Whether a stage of which nothing is known began with some of its items finished.
    """

    before: Sequence[Stage] = ()
    clock: Callable[[], float] = time.monotonic
    effort: Callable[[], float] | None = None
    slowdown: Callable[[], float | None] = lambda: 1.0
    stages: list[Stage] = field(default_factory=list, init=False)
    resumed: bool = field(default=False, init=False)
    _next: int = field(default=0, init=False)
    _current: Stage | None = field(default=None, init=False)
    _open: bool = field(default=False, init=False)
    _counted: bool = field(default=False, init=False)
    _pace: Pace = field(default_factory=Pace, init=False)
    _start: float = field(default=0.0, init=False)
    _effort_began: float = field(default=0.0, init=False)
    _passed: float = field(default=0.0, init=False)
    _expected: float = field(default=0.0, init=False)
    _shown_at: float = field(default=0.0, init=False)
    _displayed: DisplayedTime = field(default_factory=DisplayedTime, init=False)
    _share: float = field(default=0.0, init=False)
    _share_before: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Begin the run."""
        self._start = self._shown_at = self._pace.began = self.clock()

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage, as `core.runtime.progress.Progress.stage` says."""
        self._close()
        self._effort_began = self._worked()
        known = [number for number in range(self._next, len(self.before)) if self.before[number].name == name]
        self._current = None
        if known:
            self._current, self._next = self.before[known[0]], known[0] + 1
        self.resumed |= self._current is None and 0 < done < total
        self._counted |= total > 0
        goes_on = self._pace.stage(name, total, done, self.clock())
        self._open = True
        if not goes_on:
            self._share_before = self._share
        if not self._run_known:
            # Nothing is known but this stage, so each has an estimate of its own, and a share unless it is an epoch.
            self._displayed, self._share = DisplayedTime(), self._share if goes_on else 0.0

    def advance(self, done: int) -> None:
        """Note how many items of the stage are finished."""
        self._pace.advance(done, self.clock())

    def outlook(self) -> Outlook:
        """Return the time left and the finished share by now."""
        now = self.clock()
        self._worked()  # it learns how busy the machine is by being asked
        left = self._left(now)
        if left is not None and not (self._run_known and self.slowdown() is None):
            self._displayed.expect(left, now - self._shown_at, now - self._began)
        displayed = self._displayed
        self._share = max(self._share, self._share_by(now, left))
        self._shown_at = now
        return Outlook(displayed.seconds, self._run_known, displayed.late, self._share)

    def close(self) -> list[Stage]:
        """Return the stages of the run, now that it is over."""
        self._close()
        return self.stages

    @property
    def _run_known(self) -> bool:
        return bool(self.before)

    @property
    def _unstaged(self) -> bool:
        """Whether only the time of the whole is known."""
        return len(self.before) == 1 and not self.before[0].name

    def _worked(self) -> float:
        return self.clock() if self.effort is None else self.effort()

    def _close(self) -> None:
        pace, before = self._pace, self._current
        if self._open:
            passed, seconds = self.clock() - pace.began, self._worked() - self._effort_began
            waited, stored = max(passed - seconds, 0.0), pace.first / pace.total if pace.total else 0.0
            if before is not None:
                self._passed, self._expected = self._learned(passed, (1 - stored) * before.seconds)
                # What was stored takes the next run as long as it took an earlier one.
                seconds = before.seconds if stored == 1 else seconds + stored * before.seconds
            self.stages.append(Stage(pace.name, seconds, pace.total, waited))
        self._open, self._current = False, None

    def _learned(self, passed: float, expected: float) -> tuple[float, float]:
        """Return the seconds of finished work and what they were expected to be, with some more of both."""
        kept, usual = 0.5 ** (passed / _FORGETTING), self._slowdown(self._passed, self._expected)
        believed = min(max(passed, expected * usual / _MISJUDGED), expected * usual * _MISJUDGED)
        return self._passed * kept + believed, self._expected * kept + expected

    def _slowdown(self, passed: float, expected: float) -> float:
        """Return the seconds of this run for each second of an earlier one, by what both took for the same work."""
        weight = _PRIOR * sum(stage.seconds for stage in self.before) or 1.0
        return (passed + weight * (self.slowdown() or 1.0)) / (expected + weight)

    @property
    def _began(self) -> float:
        """When that began of which the time left is told."""
        return self._start if self._run_known else self._pace.whole_began

    def _left(self, now: float) -> float | None:
        """Return the seconds expected to be left, or None where nothing is known."""
        if self._unstaged:
            slowed = self.before[0].seconds * (self.slowdown() or 1.0)
            return max(_beyond(slowed, now - self._start), self._surely(now))
        slowdown = self._speed(now)
        stage = self._stage_left(now, slowdown)
        if not self._run_known:
            return stage
        if self._current is None:
            stage = self._surely(now)
        return (stage or 0.0) + slowdown * sum(later.seconds for later in self.before[self._next :])

    def _surely(self, now: float) -> float:
        """Return the least seconds that a stage, with all its epochs, still takes, by its counted items."""
        item_seconds = self._pace.seconds(now) or 0.0
        return max(min(self._pace.finished / _TRUSTED, 1.0) * item_seconds * self._pace.left, self._pace.least(now))

    def _stage_left(self, now: float, slowdown: float) -> float | None:
        pace = self._pace
        item_seconds, left = pace.seconds(now), max(pace.total - pace.done, 0)
        paced = None if item_seconds is None else item_seconds * left
        if self._current is None:
            return paced
        expected, spent = self._current.seconds * slowdown, now - pace.began
        done = max(pace.done - pace.first, 0)
        # Beyond the expected time of all items, those after the one under way take at least as long as it took so far.
        surely = min(max(left - 1, 0) / (done + 1), 1.0) * spent if spent > expected else 0.0
        if not self._current.items or not pace.total or not done:
            return max(_beyond(expected, spent), surely)
        # The more items are finished, the more their pace counts; the first ones wait for processes to start.
        expected *= left / self._current.items
        trust = done / (done + _DOUBTED_ITEMS)
        estimate = expected if paced is None else trust * paced + (1 - trust) * expected
        return max(estimate, surely if paced is None else 0.0)

    def _speed(self, now: float) -> float:
        """Return how many seconds pass for one of an earlier run, judged by the work that is finished."""
        passed, expected, pace = self._passed, self._expected, self._pace
        if self._current is not None and (item_seconds := pace.seconds(now)) is not None:
            # Of the whole stage, because its first items wait for libraries and processes.
            whole, share = now - pace.began + item_seconds * max(pace.total - pace.done, 0), self._finished_here
            passed, expected = self._learned(share * whole, share * self._current.seconds)
        return self._slowdown(passed, expected)

    @property
    def _finished(self) -> float:
        """Share of the stage that is finished, from 0 to 1."""
        return self._pace.done / self._pace.total if self._pace.total else 0.0

    @property
    def _finished_here(self) -> float:
        """Share of the stage that this run has finished itself, from 0 to 1."""
        pace = self._pace
        return max(pace.done - pace.first, 0) / pace.total if pace.total else 0.0

    def _share_by(self, now: float, left: float | None) -> float:
        """Return the share by now, where it goes on towards the end expected by now, slower beyond what is counted."""
        if not self._run_known or left is None:
            # One item more, because the stage still works after its last.
            return self._pace.whole_done / (self._pace.whole_total + 1) if self._pace.whole_total else 0.0
        passed, counted = now - self._shown_at, self._counted_share(now)
        share = max(self._share, self._surely_finished)
        step = passed / (passed + left + 1.0)
        grown = share + (_FULLEST - share) * step
        if grown <= counted:
            return grown
        before = max(share, counted)
        return min(grown, before + _DOUBTED * (_FULLEST - before) * step)

    @property
    def _surely_finished(self) -> float:
        """Share of the run that is finished, by the time that earlier runs took for it."""
        whole = sum(stage.seconds for stage in self.before)
        if self._current is None or not whole:
            return 0.0
        ahead = sum(stage.seconds for stage in self.before[self._next :])
        return _SURELY * max(1.0 - (ahead + (1.0 - self._finished) * self._current.seconds) / whole, 0.0)

    def _counted_share(self, now: float) -> float:
        """Return the share that is finished once the item under way is, by what is counted of the stage."""
        pace = self._pace
        reached = pace.reached if pace.whole_total else 1.0
        if self._current is not None:
            stages = sum(stage.seconds for stage in self.before)
            ahead = sum(stage.seconds for stage in self.before[self._next :])
            return 1.0 - (ahead + (1.0 - reached) * self._current.seconds) / stages if stages else reached
        if pace.whole_total:
            before, passed = pace.whole_began - self._start, now - pace.whole_began
            by_time = (before + passed) / max(before + passed / reached, 1.0)
            return min(by_time, self._share_before + (_FULLEST - self._share_before) * reached)
        return _UNCOUNTED if self._unstaged and not self._counted else 1.0


def _beyond(expected: float, spent: float) -> float:
    """Return the seconds left of an expected duration, which may be exceeded already."""
    return max(expected - spent, _OVERRUN * (spent - expected))
