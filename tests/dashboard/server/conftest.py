"""One dashboard behind Caddy that all tests of this folder share."""

from collections.abc import Iterator

import pytest

from dashboard.kit.visitors import HEADER
from dashboard.server import identity
from tests.serving import Served, serving


@pytest.fixture(scope="package")
def behind_caddy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Two processes of Streamlit behind Caddy, which trusts two proxies further out; all end with the first."""
    settings = {identity.PROXIES: "10.0.0.5,10.0.1.0/24", HEADER: "X-Forwarded-Email"}
    with serving(tmp_path_factory.mktemp("server"), workers=2, **settings) as served:
        yield served
        processes = served.processes()
    assert not any(process.is_running() for process in processes), "all end with the first"
