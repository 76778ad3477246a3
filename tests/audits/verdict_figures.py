"""Made-up figures of an audit of a vector store, and a small profile of one."""

from core.audits.profiles import Profile
from core.result import Estimate

SMALL = Profile("smoke", 20, 60, 100, 2, 30, 40, 1, quick=True)


def estimate(value: float, low: float, chance: float, count: int = 100) -> Estimate:
    return Estimate(value=value, low=low, high=value + 0.05, chance=chance, unit="share", decisions=count)


def figures(f1: float, low: float, **others: Estimate) -> dict[str, Estimate]:
    shares = {name: estimate(f1, low, 0.2) for name in ("f1", "recall", "precision")}
    return {**shares, **others}
