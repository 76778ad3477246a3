"""Lessons: predict, lock, then see what was measured."""

from dashboard.topics.lessons import walk

TITLE = "Lessons"
ICON = ":material/school:"
ORDER = 80
QUESTION = "Lessons"
ALSO = ("room", "tour")

walk.show()
