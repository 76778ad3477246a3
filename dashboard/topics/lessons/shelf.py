"""Finds the lessons: one file each in ``dashboard/lessons``."""

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from dashboard.topics.lessons.lesson import Lesson

FOLDER = Path(__file__).resolve().parents[2] / "lessons"
PAGE = FOLDER.parent / "views" / "lessons.py"
"""The page of all lessons."""


@cache
def lessons() -> dict[str, Lesson]:
    """Return the lessons by the names of their files, in their order."""
    names = [path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_")]
    declared = [replace(import_module(f"dashboard.lessons.{name}").LESSON, name=name) for name in names]
    return {lesson.name: lesson for lesson in sorted(declared, key=lambda lesson: (lesson.order, lesson.name))}
