"""With Caddy in front of Caddy: cookies keep to TLS, and no log says what a visitor typed."""

import http.client
import os
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from dashboard.kit.visitors import COOKIE
from tests.patience import PATIENCE
from tests.serving import ROOT, Served, free_ports

TYPED = "my-secret-sentence"
IN_FRONT = """{{
    admin off
    skip_install_trust
}}
https://127.0.0.1:{port} {{
    tls internal
    reverse_proxy {behind}
}}
"""


@contextmanager
def caddy(folder: Path, content: str, port: int, **variables: str) -> Iterator[Path]:
    """Run Caddy until the block ends, and give its log."""
    folder.mkdir(parents=True)
    (folder / "Caddyfile").write_text(content)
    command = ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"]
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **home, **variables}, stderr=log)
        try:
            await_port(port)
            yield folder / "log.txt"
        finally:
            process.terminate()
            process.wait()


def await_port(port: int, tls: ssl.SSLContext | None = None) -> None:
    """Wait until somebody listens, and has a certificate where it shall speak TLS."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as plain:
            if tls is not None:
                tls.wrap_socket(plain).close()
            return
        time.sleep(0.05)
    raise AssertionError(f"Nobody listens on port {port}.")


def cookies(connection: http.client.HTTPConnection) -> dict[str, bool]:
    """Return the cookies that a page sets, and whether each keeps to TLS."""
    connection.request("GET", "/")
    answer = connection.getresponse()
    assert answer.status == 200
    connection.close()
    return {cookie.partition("=")[0]: "; Secure" in cookie for cookie in answer.headers.get_all("Set-Cookie", [])}


@pytest.mark.slow
def test_cookies_keep_to_tls_behind_a_proxy_that_has_it(tmp_path: Path, behind_caddy: Served) -> None:
    port = free_ports(1)
    behind = behind_caddy.address.removeprefix("http://")
    with caddy(tmp_path / "front", IN_FRONT.format(port=port, behind=behind), port):
        unchecked = ssl._create_unverified_context()
        await_port(port, unchecked)
        encrypted = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=unchecked)
        assert cookies(encrypted) == {COOKIE: True, "telltale": True}
        plain = http.client.HTTPConnection(behind, timeout=PATIENCE)
        assert cookies(plain) == {COOKIE: False, "telltale": False}


def test_caddy_logs_neither_what_was_typed_nor_who_typed(tmp_path: Path) -> None:
    port = free_ports(2)
    ours = (
        (ROOT / "dashboard" / "server" / "Caddyfile").read_text().replace("lb_try_duration 30s", "lb_try_duration 1s")
    )
    nobody = {"PORT": str(port), "ADDRESS": "127.0.0.1", "UPSTREAMS": f"127.0.0.1:{port + 1}"}
    with caddy(tmp_path / "ours", ours, port, **nobody) as log:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"Referer": f"http://127.0.0.1/word_pairs?text={TYPED}", "X-Forwarded-Email": "ann@example.org"}
        connection.request("GET", f"/word_pairs?text={TYPED}&t=2", headers=headers)
        assert connection.getresponse().status >= 500
        connection.close()
    log_text = log.read_text()
    assert '"uri":"/word_pairs"' in log_text, "the error is logged"
    assert TYPED not in log_text and "ann@example.org" not in log_text
