"""P-values of dataset inference, where they were computed."""

from core.result import Result
from dashboard.kit import chart, panels
from dashboard.topics.language_models.figures import p_values, statistics

_METHOD = (
    "The adversary compares how much likelier than its reference models the model finds a person’s documents with the "
    "same of people who are known to be out, one value a person, by Student’s test of one value against a sample "
    "(dataset inference, after Maini et al. 2024, who test single documents against unseen ones of the same source). "
    "A p-value holds as far as those people are like the one in question."
)


def show(result: Result) -> None:
    """Draw the p-values of the largest targets, where the result has any."""
    if p_values.VARIANT not in set(result.tables["rivals"]["variant"]):
        return
    size = statistics.sizes(result.tables["scores"])[-1]
    points = p_values.points(result.tables["scores"], result.tables["rivals"], size)
    chart.show(p_values, points, "p-values")
    panels.note(_METHOD)
