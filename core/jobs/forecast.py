"""How long a run will still take, from the times of earlier runs like it and from its own pace."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.jobs.pace import Pace

_PRIOR = 0.15
"""Weight of earlier runs when the speed of this one is compared with theirs, as a share of their time."""
_OVERRUN = 0.5
"""What is still expected of a stage that takes longer than before, as a share of the time by which it does."""
_SETTLING = 4.0
"""Seconds in which the shown estimate moves two thirds of the way to an earlier end."""
_TOO_HIGH = 2.0
"""An estimate that proves too high by this factor falls at once."""
_TRUSTED = 0.25
"""From this share of the items on, their pace alone gives the least duration of a stage of which nothing is known."""
_UNCOUNTED = 0.5
"""The largest share shown as finished before anything was counted, where only the time of the whole run is known."""
_FULLEST = 0.99
"""The largest share of a run that is ever shown as finished while it works."""
_DOUBTED = 0.25
"""How fast the share grows beyond what is counted as finished, compared with how fast it grows before."""
_LATE, _LATE_SECONDS = 1.25, 2.0
"""An estimate is set anew, as late, once it proves too low by this factor and these seconds."""


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
        late: Whether it is the least that is expected, because the run takes longer than was said.
        share: Finished share of the run, or else of the stage, below 1; that of the run never falls.
    """

    seconds_left: float | None = None
    whole: bool = False
    late: bool = False
    share: float = 0.0


@dataclass
class Forecast:
    """Watches the stages of a run, and estimates the time left so that the estimate falls.

    An estimate that proves too low falls slower than the clock until it is wrong by a quarter; then it is set anew and
    marked as late. One that proves too high falls a little faster than the clock, and at once where it is twice too
    high. That a machine becomes busy never raises it: it falls the slower, and is marked as late.

    Attributes:
        before: The stages that it is expected to have, in order; empty where nothing is known.
        clock: Returns seconds that only grow, in which the earlier runs were timed, too: of undisturbed work.
        stretch: Returns how many seconds pass for one of the clock by now; None while that cannot be told, and nothing
            is said to be left.
        stages: The stages so far, with what they took.
        watch: Returns seconds that only grow, as they pass.
        resumed: Whether a stage of which nothing is known began with some of its items finished.
    """

    before: Sequence[Stage] = ()
    clock: Callable[[], float] = time.monotonic
    stretch: Callable[[], float | None] = lambda: 1.0
    watch: Callable[[], float] = time.monotonic
    stages: list[Stage] = field(default_factory=list, init=False)
    resumed: bool = field(default=False, init=False)
    _next: int = field(default=0, init=False)
    _current: Stage | None = field(default=None, init=False)
    _open: bool = field(default=False, init=False)
    _counted: bool = field(default=False, init=False)
    _pace: Pace = field(default_factory=Pace, init=False)
    _start: float = field(default=0.0, init=False)
    _began: float = field(default=0.0, init=False)
    _expected_so_far: float = field(default=0.0, init=False)
    _end: float | None = field(default=None, init=False)
    _shown_at: float = field(default=0.0, init=False)
    _late: bool = field(default=False, init=False)
    _said: float | None = field(default=None, init=False)
    _share: float = field(default=0.0, init=False)
    _share_before: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Begin the run."""
        self._start = self._shown_at = self._pace.began = self.clock()

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage, as `core.runtime.progress.Progress.stage` says."""
        self._close()
        self._began = self.watch()
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
            self._end, self._said, self._late, self._share = None, None, False, self._share if goes_on else 0.0

    def advance(self, done: int) -> None:
        """Note how many items of the stage are finished."""
        self._pace.advance(done, self.clock())

    def outlook(self) -> Outlook:
        """Return the time left and the finished share by now."""
        now = self.clock()
        left = self._left(now)
        raised = 1.0 if left is None else self._settle(now, now + left)
        seconds_left = None if self._end is None else max(self._end - now, 0.0)
        self._share = max(self._share, self._share_by(now, seconds_left))
        stretch, is_least = self.stretch(), False
        if seconds_left is not None and stretch is not None:
            is_least = self._say(seconds_left * stretch, (now - self._shown_at) * stretch, raised)
        self._shown_at = now
        return Outlook(self._said, self._run_known, self._late or is_least, self._share)

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

    def _close(self) -> None:
        pace, before = self._pace, self._current
        if self._open:
            seconds, stored = self.clock() - pace.began, pace.first / pace.total if pace.total else 0.0
            waited = max(self.watch() - self._began - seconds, 0.0)
            if before is not None and stored:
                # What was stored takes the next run as long as it took an earlier one.
                seconds = before.seconds if stored == 1 else seconds + stored * before.seconds
            self.stages.append(Stage(pace.name, seconds, pace.total, waited))
        if before is not None:
            self._expected_so_far += before.seconds
        self._open, self._current = False, None

    def _say(self, expected: float, passed: float, raised: float) -> bool:
        """Set what is said to be left; return whether it is too little.

        Args:
            expected: Seconds that are expected to be left.
            passed: Seconds since this was last asked.
            raised: By what factor the clock’s estimate was just set anew; 1 where it was not.
        """
        if self._said is None:
            self._said = expected
        elif raised > 1:
            self._said = min(expected, max(self._said, _LATE_SECONDS) * raised)
        else:
            self._said = min(expected, _fallen(self._said, expected, passed))
        return expected > _LATE * self._said + _LATE_SECONDS

    def _settle(self, now: float, end: float) -> float:
        """Move the shown end towards the one expected by now, or set it anew; return by what factor it was raised."""
        passed = now - self._shown_at
        if self._end is None or self._end - now > _TOO_HIGH * (end - now):
            self._end = end
        elif end <= self._end:
            self._end += (end - self._end) * (1 - math.exp(-passed / _SETTLING))
        else:
            said, left = self._end - self._shown_at, end - now
            if left > _LATE * said + _LATE_SECONDS:
                self._end, self._late = end, True
                return left / max(said, _LATE_SECONDS)
            self._end = now + _fallen(said, left, passed)
        return 1.0

    def _left(self, now: float) -> float | None:
        """Return the seconds expected to be left, or None where nothing is known."""
        if self._unstaged:
            return max(_beyond(self.before[0].seconds, now - self._start), self._surely(now))
        speed = self._speed(now)
        stage = self._stage_left(now, speed)
        if not self._run_known:
            return stage
        if self._current is None:
            stage = self._surely(now)
        return (stage or 0.0) + speed * sum(later.seconds for later in self.before[self._next :])

    def _surely(self, now: float) -> float:
        """Return the least seconds that a stage, with all its epochs, still takes, by its counted items."""
        item_seconds = self._pace.seconds(now) or 0.0
        return max(min(self._pace.finished / _TRUSTED, 1.0) * item_seconds * self._pace.left, self._pace.least(now))

    def _stage_left(self, now: float, speed: float) -> float | None:
        pace = self._pace
        item_seconds, left = pace.seconds(now), max(pace.total - pace.done, 0)
        paced = None if item_seconds is None else item_seconds * left
        if self._current is None:
            return paced
        expected, spent = self._current.seconds * speed, now - pace.began
        done = max(pace.done - pace.first, 0)
        # Beyond the expected time of all items, those after the one under way take at least as long as it took so far.
        surely = min(max(left - 1, 0) / (done + 1), 1.0) * spent if spent > expected else 0.0
        if not self._current.items or not pace.total or not done:
            return max(_beyond(expected, spent), surely)
        # The more is finished, the more its own pace counts; the first items wait for processes to start.
        expected *= left / self._current.items
        estimate = expected if paced is None else self._finished * paced + (1 - self._finished) * expected
        return max(estimate, surely if paced is None else 0.0)

    def _speed(self, now: float) -> float:
        """Return the ratio of this run's time to that of earlier runs, judged by the finished stages."""
        spent, expected = self._pace.began - self._start, self._expected_so_far
        if self._current is not None and self._finished:
            spent, expected = now - self._start, expected + self._finished * self._current.seconds
        weight = _PRIOR * sum(stage.seconds for stage in self.before) or 1.0
        return (spent + weight) / (expected + weight)

    @property
    def _finished(self) -> float:
        """Share of the stage that is finished, from 0 to 1."""
        return self._pace.done / self._pace.total if self._pace.total else 0.0

    def _share_by(self, now: float, left: float | None) -> float:
        """Return the share by now, where it goes on towards the end expected by now, slower beyond what is counted."""
        if not self._run_known or left is None:
            # One item more, because the stage still works after its last.
            return self._pace.whole_done / (self._pace.whole_total + 1) if self._pace.whole_total else 0.0
        passed, share, counted = now - self._shown_at, self._share, self._counted_share(now)
        step = passed / (passed + left + 1.0)
        grown = share + (_FULLEST - share) * step
        if grown <= counted:
            return grown
        before = max(share, counted)
        return min(grown, before + _DOUBTED * (_FULLEST - before) * step)

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


def _fallen(said: float, expected: float, passed: float) -> float:
    """Return what is said to be left after some seconds, so that it would reach 0 together with what is expected.

    The last seconds stand still while more is expected.
    """
    least = min(said, expected, _LATE_SECONDS)
    return max(said * expected / (expected + passed), least) if expected + passed > 0 else least


def _beyond(expected: float, spent: float) -> float:
    """Return the seconds left of an expected duration, which may be exceeded already."""
    return max(expected - spent, _OVERRUN * (spent - expected))
