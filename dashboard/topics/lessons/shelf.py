"""Finds the lessons: one file each in ``dashboard/lessons``."""

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from dashboard.topics.lessons.lesson import Lesson

FOLDER = Path(__file__).resolve().parents[2] / "lessons"
PAGE = FOLDER.parent / "views" / "lessons.py"
"""The page of all lessons."""


@cache
def lessons() -> dict[str, Lesson]:
    """Return the lessons by the names of their files, in their order."""
    return declared("lessons", "LESSON")


def declared(folder: str, constant: str) -> dict[str, Any]:
    """Return what each file of a folder of the dashboard declares, by the names of the files, in its order."""
    names = [path.stem for path in (FOLDER.parent / folder).glob("*.py") if not path.stem.startswith("_")]
    values = [replace(getattr(import_module(f"dashboard.{folder}.{name}"), constant), name=name) for name in names]
    return {value.name: value for value in sorted(values, key=lambda value: (value.order, value.name))}
