"""A wrong address is answered with the nearest page and the overview; what exists is passed on."""

from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from dashboard import navigation
from dashboard.server.missing import KnownPages, page
from tests.errands import awaited


def asked(path: str, accept: str = "text/html,*/*") -> tuple[int, str]:
    """Return status and body of an answer; 0 where the request is passed on."""
    sent: list[Message] = []

    async def passed_on(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 0})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    scope = {"type": "http", "method": "GET", "path": path, "headers": [(b"accept", accept.encode())]}
    awaited(lambda: KnownPages(passed_on)(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode()


def test_a_wrong_address_offers_the_nearest_page_and_the_overview() -> None:
    for wrong in ("/word_pair", "/Word-Pairs", "/word-pairs/"):
        status, body = asked(wrong)
        assert status == 404 and 'Did you mean <a href="/word_pairs">Word pairs</a>?' in body
    status, body = asked("/qqq")
    assert status == 404 and "Did you mean" not in body and '<a href="/">Open the overview</a>' in body
    assert "qqq" not in body, "nothing that was typed is repeated"


def test_what_is_nearest_follows_from_what_was_typed() -> None:
    assert 'href="/keyword_inference">Keyword inference</a>?' in page("keyword-inferense")
    assert 'href="/canary_extraction">Canary extraction</a>?' in page("canary")
    assert "Did you mean" not in page("qqq")


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/healthz", "/oauth2callback", "/auth/login", "/static/x.js"])
def test_the_server_s_own_addresses_are_passed_on(path: str) -> None:
    assert asked(path)[0] == 0


def test_every_page_is_passed_on_and_what_no_browser_asks_for() -> None:
    names = [page.name for page in navigation.declared()] + [*navigation.attacks()]
    assert len(names) > 10 and not any(asked(f"/{name}")[0] for name in names)
    assert asked("/qqq", accept="application/json")[0] == 0
