"""Finds the tours: one file each in ``dashboard/tours``."""

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from dashboard.topics.lessons.tour.tour import Tour

FOLDER = Path(__file__).resolve().parents[3] / "tours"


@cache
def tours() -> dict[str, Tour]:
    """Return the tours by the names of their files, in their order."""
    names = [path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_")]
    declared = [replace(import_module(f"dashboard.tours.{name}").TOUR, name=name) for name in names]
    return {tour.name: tour for tour in sorted(declared, key=lambda tour: (tour.order, tour.name))}
