"""How long a run will still take, from what runs like it took before and from its own pace."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

_PRIOR = 0.15
"""Weight of earlier runs when the speed of this one is compared with theirs, as a share of their time."""
_OVERRUN = 0.5
"""What is still expected of a stage that takes longer than before, as a share of the time by which it does."""
_SETTLING = 4.0
"""Seconds in which the shown estimate moves two thirds of the way to an earlier end."""
_LATE, _LATE_SECONDS = 1.25, 2.0
"""An estimate is set anew, as late, once it proves too low by this factor and these seconds."""


@dataclass(frozen=True)
class Stage:
    """A stage of an earlier run.

    Attributes:
        name: Its name; empty where only the time of the whole run is known.
        seconds: How long it took.
        items: How many items it had; 0 when they could not be counted.
    """

    name: str
    seconds: float
    items: int = 0


@dataclass(frozen=True)
class Outlook:
    """What a page is told of the time of a run.

    Attributes:
        seconds_left: Estimate; None before there is a reason for one.
        whole: Whether it is for the whole run, rather than for the stage.
        late: Whether it was set anew because the run takes longer than expected.
        share: Finished share of the run, or else of the stage, below 1; it falls only where the estimate is set anew.
    """

    seconds_left: float | None = None
    whole: bool = False
    late: bool = False
    share: float = 0.0


@dataclass
class Forecast:
    """Watches the stages of a run, and estimates the time left so that the estimate falls.

    While the estimate proves too low it stands, until it is wrong by a quarter; then it is set anew, and says so. What
    proves too high falls a little faster than the clock.

    Attributes:
        before: The stages that it is expected to have, in order; empty where nothing is known.
        clock: Returns seconds that only grow.
        stages: The stages so far, with what they took.
        resumed: Whether a stage began with some of its items finished.
    """

    before: Sequence[Stage] = ()
    clock: Callable[[], float] = time.monotonic
    stages: list[Stage] = field(default_factory=list, init=False)
    resumed: bool = field(default=False, init=False)
    _next: int = field(default=0, init=False)
    _current: Stage | None = field(default=None, init=False)
    _name: str = field(default="", init=False)
    _total: int = field(default=0, init=False)
    _first: int = field(default=0, init=False)
    _done: int = field(default=0, init=False)
    _began: float = field(default=0.0, init=False)
    _expected_so_far: float = field(default=0.0, init=False)
    _end: float | None = field(default=None, init=False)
    _shown: float = field(default=0.0, init=False)
    _late: bool = field(default=False, init=False)
    _share: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Begin the run."""
        self._start = self._began = self._shown = self.clock()

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage, as `core.runtime.progress.Progress.stage` says."""
        self._close()
        self._name, self._total, self._first, self._done = name, total, done, done
        self.resumed |= 0 < done < total
        self._began = self.clock()
        known = [number for number in range(self._next, len(self.before)) if self.before[number].name == name]
        self._current = None
        if known:
            self._current, self._next = self.before[known[0]], known[0] + 1
        if not self._whole:
            # Nothing is known but this stage, so each has an estimate and a share of its own.
            self._end, self._late, self._share = None, False, 0.0

    def advance(self, done: int) -> None:
        """Note how many items of the stage are finished."""
        self._done = done

    def outlook(self) -> Outlook:
        """Return the time left and the finished share by now."""
        now = self.clock()
        left = self._left(now)
        reset = left is not None and self._settle(now, now + left)
        self._shown = now
        shown = None if self._end is None else max(self._end - now, 0.0)
        share = self._share_by(now, shown)
        self._share = share if reset else max(self._share, share)
        return Outlook(shown, self._whole, self._late, self._share)

    def close(self) -> list[Stage]:
        """Return the stages of the run, now that it is over."""
        self._close()
        return self.stages

    @property
    def _whole(self) -> bool:
        return bool(self.before)

    def _close(self) -> None:
        if self._name:
            stored = self._current is not None and 0 < self._total == self._first
            seconds = self._current.seconds if self._current is not None and stored else self.clock() - self._began
            self.stages.append(Stage(self._name, seconds, self._total))
        if self._current is not None:
            self._expected_so_far += self._current.seconds
        self._name, self._current = "", None

    def _settle(self, now: float, end: float) -> bool:
        """Move the shown end towards the one expected by now; return whether it was set anew."""
        if self._end is None:
            self._end = end
        elif end <= self._end:
            self._end += (end - self._end) * (1 - math.exp(-(now - self._shown) / _SETTLING))
        else:
            shown = self._end - self._shown
            if end - now > _LATE * shown + _LATE_SECONDS:
                self._end, self._late = end, True
                return True
            self._end = min(end, self._end + (now - self._shown))
        return False

    def _left(self, now: float) -> float | None:
        """Return the seconds expected to be left, or None where nothing is known."""
        if len(self.before) == 1 and not self.before[0].name:
            # Only the time of the whole is known; a stage that is well under way shows whether that can be true.
            surely = min(2 * self._finished, 1.0) * (self._stage_left(now, 1.0) or 0.0)
            return max(_beyond(self.before[0].seconds, now - self._start), surely)
        speed = self._speed(now)
        stage = self._stage_left(now, speed)
        if not self._whole:
            return stage
        return (stage or 0.0) + speed * sum(later.seconds for later in self.before[self._next :])

    def _stage_left(self, now: float, speed: float) -> float | None:
        spent, done, left = now - self._began, self._done - self._first, max(self._total - self._done, 0)
        paced = spent / done * left if done > 0 and self._total else None
        if self._current is None:
            return paced
        if paced is None or not self._current.items:
            return _beyond(self._current.seconds * speed, spent)
        # The more is finished, the more its own pace counts; the first items wait for processes to start.
        expected = self._current.seconds * speed * left / self._current.items
        return self._finished * paced + (1 - self._finished) * expected

    def _speed(self, now: float) -> float:
        """Return how many times as long as before the run takes, judged by what is finished."""
        spent, expected = self._began - self._start, self._expected_so_far
        if self._current is not None and self._finished:
            spent, expected = now - self._start, expected + self._finished * self._current.seconds
        weight = _PRIOR * sum(stage.seconds for stage in self.before) or 1.0
        return (spent + weight) / (expected + weight)

    @property
    def _finished(self) -> float:
        """Share of the stage that is finished, from 0 to 1."""
        return self._done / self._total if self._total else 0.0

    def _share_by(self, now: float, left: float | None) -> float:
        if self._whole and left is not None:
            spent = now - self._start
            return spent / (spent + left + 1.0)
        # One item more, because the stage still works after its last.
        return self._done / (self._total + 1) if self._total else 0.0


def _beyond(expected: float, spent: float) -> float:
    """Return the seconds left of what was expected to take so many, though it may have taken longer by now."""
    return max(expected - spent, _OVERRUN * (spent - expected))
