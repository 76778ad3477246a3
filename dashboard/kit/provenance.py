"""Where a result comes from, in words: when, how long, how many models, on what."""

from core.result import Provenance
from dashboard.kit.words import duration, literal


def said(origin: Provenance, key: str) -> str:
    """Return the provenance of the result with a key, as Markdown."""
    lines = {
        "Computed": origin.started.replace("T", " ").removesuffix("+00:00") + " UTC",
        "Wall time": duration(origin.wall_seconds),
        "Models trained": _trained(origin),
        "Cores": str(origin.cores),
        "Peak memory": f"{origin.peak_memory_mb:,.0f} MB",
        "Machine": f"{origin.machine}, Python {origin.python}",
        "Packages": ", ".join(f"{name} {version}" for name, version in sorted(origin.packages.items())),
        "Key": key,
    }
    rows = [f":gray[{label}] {literal(value)}" for label, value in lines.items()]
    return "  \n".join(["**Provenance**", *rows])


def _trained(origin: Provenance) -> str:
    """Say how many models the run trained, and how long; of one that only read stored ones, how long those took."""
    spent = f"{duration(origin.training_seconds)} of training"
    if origin.trainings:
        return f"{origin.trainings:,}, in {spent}"
    return f"none; stored ones that it read took {spent}" if origin.training_seconds else "none"
