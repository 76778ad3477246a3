"""Tours: one file each, which declares a `TOUR`; `dashboard.topics.lessons.tour.shelf` finds it by its name."""
