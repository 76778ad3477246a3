"""Made-up citizen numbers of 18 digits, which follow the public rule of real ones."""

from typing import ClassVar

import numpy as np

from core.datasets import Card, Dataset
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.contents import PatternField, Patterns

_BIRTHS = (np.datetime64("1920-01-01"), np.datetime64("2020-01-01"))
"""The first date of birth, and the day after the last."""

SEGMENTS = (
    PatternField("year", tuple(f"{year}" for year in range(1920, 2020)), 6, 10),
    PatternField("month", tuple(f"{month:02}" for month in range(1, 13)), 10, 12),
    PatternField("day", tuple(f"{day:02}" for day in range(1, 32)), 12, 14),
)


class CitizenIds(Dataset):
    """Citizen numbers: residence (6 digits), date of birth (8, year first) and an extra code (4).

    The paper gives the order of the parts and their numbers of values: 3,000 residences, more than 100 x 12 x 30 dates,
    and 10,000 extra codes of all ten digits, hence no check digit. Every number is equally likely. Chosen here: a
    residence is a region from 11 to 40, a district from 01 to 10 and a place from 01 to 10, none of them real; a date
    of birth is any day of 1920 to 2019. Chance is 1 in 100 for the year, about 1 in 12 for the month and 1 in 30 for
    the day.

    Source: Pan et al. 2020, section V-A and equation 1; V-C for the number of victims.
    """

    title: ClassVar[str] = "Citizen numbers"
    card: ClassVar[Card] = Card.generated(
        "Made-up citizen numbers of 18 digits that hold a date of birth, 1,000 by default.",
        "After X. Pan, M. Zhang, S. Ji, M. Yang (2020). Privacy Risks of General-Purpose Language Models. "
        "IEEE Symposium on Security and Privacy.",
    )
    holds: ClassVar[type] = Patterns

    victims: int = parameter(1_000, "Number of citizen numbers.", unit="documents", ge=20, le=100_000)
    spaced: bool = parameter(True, "Whether spaces separate the digits, so that a subword model sees each digit.")

    def load(self) -> Patterns:
        """Return the numbers, the same each time."""
        texts = self.generate(self.victims, generator(0, "citizen_ids"))
        return Patterns(texts, segments=SEGMENTS, whole=("year", "month", "day"), generate=self.generate)

    def generate(self, count: int, rng: np.random.Generator) -> tuple[str, ...]:
        """Return fresh numbers."""
        first, end = _BIRTHS
        births = np.datetime_as_string(first + rng.integers((end - first).astype(int), size=count)).tolist()
        regions = rng.integers(11, 41, size=count).tolist()
        districts, places = rng.integers(1, 11, size=(2, count)).tolist()
        extras = rng.integers(10_000, size=count).tolist()
        numbers = (
            f"{region}{district:02}{locality:02}{birth.replace('-', '')}{extra:04}"
            for region, district, locality, birth, extra in zip(regions, districts, places, births, extras, strict=True)
        )
        return tuple(" ".join(number) for number in numbers) if self.spaced else tuple(numbers)
