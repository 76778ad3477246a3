"""Members of a team log in at a provider of their own: strangers see nothing, an owner may end every run."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, Page, expect

from tests.e2e.steps import heading, main, new_window, opened
from tests.serving import serving

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:get_jwt_config:DeprecationWarning"),  # in the provider, a thread of this process
]

VERIFIED = {"email_verified": True}
PEOPLE = (
    User(sub="ann", claims={"email": "ann@example.org", **VERIFIED}),
    User(sub="owner", claims={"email": "owner@example.org", **VERIFIED}),
    User(sub="eve", claims={"email": "eve@example.com", **VERIFIED}),
    User(sub="mallory", claims={"email": "owner@example.org", "email_verified": False}),
)
SECRETS = """
[auth]
redirect_uri = "{server}/oauth2callback"
cookie_secret = "{secret}"
client_id = "telltale"
client_secret = "{secret}"
server_metadata_url = "{provider}/.well-known/openid-configuration"
"""
LINK = "/word_pairs?preset=demo&seed=4711&attack.shadow_pairs=1000"


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard for ``example.org``, whose owner is named."""
    folder = tmp_path_factory.mktemp("team")
    file = folder / "secrets.toml"
    roles = {"TELLTALE_MEMBERS": "*@example.org", "TELLTALE_OWNERS": "owner@example.org"}
    with (
        run_server_in_thread(user_claims=PEOPLE) as provider,
        serving(folder, STREAMLIT_SECRETS_FILES=str(file), **roles) as server,
    ):
        address = server.address.replace("127.0.0.1", "localhost")
        provider_address = f"http://localhost:{provider.server_port}"
        file.write_text(SECRETS.format(server=address, provider=provider_address, secret=secrets.token_hex(32)))
        yield address


def log_in(page: Page, team: str, name: str) -> None:
    """Log in at the provider, and come back."""
    opened(page, team)
    expect(heading(page, "Log in")).to_be_visible()
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_url(f"{team}/")


def test_a_stranger_sees_no_page(page: Page, team: str, tmp_path: Path) -> None:
    opened(page, team + LINK)
    expect(heading(page, "Log in")).to_be_visible()
    expect(page.get_by_text("admits its members only")).to_be_visible()
    expect(page.get_by_role("figure")).to_have_count(0)
    expect(page.get_by_role("link", name="Word pairs")).to_have_count(0)
    log_in(page, team, "eve")
    expect(page.get_by_text("eve@example.com is not among them")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="End session").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_an_address_that_is_not_verified_names_nobody(page: Page, team: str) -> None:
    log_in(page, team, "mallory")
    expect(heading(page, "Log in")).to_be_visible()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def test_a_member_sees_the_pages(page: Page, team: str) -> None:
    log_in(page, team, "ann")
    expect(heading(page, "What a text model gives away")).to_be_visible()
    opened(page, team + "/runs")
    expect(page.get_by_text("Logged in as ann@example.org.")).to_be_visible()


@pytest.mark.exhaustive  # tests/dashboard/kit/test_visitors.py ends others' runs without a browser
def test_a_member_runs_and_an_owner_ends_it(page: Page, browser: Browser, team: str) -> None:
    log_in(page, team, "ann")
    opened(page, team + LINK)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(main(page).get_by_role("button", name="Cancel")).to_be_enabled()
    opened(page, team + "/runs")

    window = new_window(browser)
    owner = window.new_page()
    log_in(owner, team, "owner")
    opened(owner, team + "/runs")
    expect(owner.get_by_text("an owner of this server")).to_be_visible()
    owner.get_by_role("button", name="Cancel").click()
    owner.get_by_role("button", name="Cancel another visitor’s run").click()
    expect(owner.get_by_text("Cancelled").first).to_be_visible()
    window.close()
    expect(main(page).get_by_text("Cancelled").first).to_be_visible()
