"""Lessons: one file each, which declares a `LESSON`; `dashboard.topics.lessons.shelf` finds it by its name."""
