"""Tours: one file each, which declares a `TOUR`; `dashboard.topics.lessons.tour.tour.tours` finds it by its name."""
