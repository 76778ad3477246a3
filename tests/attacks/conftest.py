"""Fixtures of the tests of attacks: they draw and resample less often."""

from collections.abc import Iterator

import pytest

from tests.fewer_draws import fewer


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    with fewer():
        yield
