"""The displayed time left: smoothed so that it rarely rises."""

import math
from dataclasses import dataclass, field

_SETTLING = 4.0
"""Seconds in which the displayed time moves two thirds of the way to an earlier end."""
_TOO_HIGH = 2.0
"""The displayed time falls at once where it exceeds the estimate by this factor."""
_LAST_SECONDS = 2.0
"""The displayed time stands still at these seconds while the estimate is higher."""
_LATE, _LATE_SECONDS = 1.5, 5.0
"""The displayed time counts as too low once the estimate exceeds it by this factor plus these seconds."""
_PATIENCE = 5.0
"""Seconds for which it has to be too low before it rises: what makes a run wait is often over by then."""
_WORTH = 0.5
"""Least that is added at once, as a share of the displayed time, so that it seldom rises."""
_RAISED = 0.5
"""Most that is ever added, as a share of the whole time that was displayed for the run."""


@dataclass
class DisplayedTime:
    """The time left of a run, or of a stage, as it is displayed.

    A displayed time above the estimate falls a little faster than the clock, and at once where it is twice as high. One
    below the estimate falls slower than the clock, so that both would reach 0 together. Where the estimate exceeds it
    by half for some seconds, it rises, and is marked as late. All rises together stay below half of the whole time that
    was displayed for the run.

    Attributes:
        seconds: The displayed time; None before there is an estimate.
        late: Whether the run takes longer than was displayed before.
    """

    seconds: float | None = None
    late: bool = False
    _raised: float = field(default=0.0, init=False)
    _wrong: float = field(default=0.0, init=False)

    def expect(self, left: float, passed: float, spent: float) -> None:
        """Note that some seconds are expected to be left, ``passed`` since the last call, and ``spent`` so far."""
        if self.seconds is None:
            self.seconds = left
            return
        now = self.seconds - passed
        if now > _TOO_HIGH * left:
            self.seconds = left
        elif left <= now:
            self.seconds = now + (left - now) * (1 - math.exp(-passed / _SETTLING))
        else:
            self.seconds = _fallen(self.seconds, left, passed)
        is_wrong = left > _LATE * self.seconds + _LATE_SECONDS
        self._wrong = self._wrong + passed if is_wrong else 0.0
        if self._wrong > _PATIENCE:
            self.late = True
            risen = min(left - self.seconds, _RAISED * (spent + self.seconds) - self._raised)
            if risen >= _WORTH * self.seconds:
                self.seconds, self._raised, self._wrong = self.seconds + risen, self._raised + risen, 0.0


def _fallen(displayed: float, expected: float, passed: float) -> float:
    """Return what is said to be left after some seconds, so that it would reach 0 together with what is expected."""
    least = min(displayed, expected, _LAST_SECONDS)
    return max(displayed * expected / (expected + passed), least) if expected + passed > 0 else least
