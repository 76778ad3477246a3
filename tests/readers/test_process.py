"""The warm process: started when asked, one a user, replaced when it died or hangs, ended when idle, and discreet."""

import os
import resource
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from core.errors import InvalidSpec, ReadersUnavailable
from core.readers import client, process
from core.readers.endpoint import Endpoint, here
from core.readers.protocol import LINE, LONGEST, Reading, Request, request_line
from tests.patience import PATIENCE
from tests.serving import ROOT

Warm = Callable[..., list["client.subprocess.Popen[bytes]"]]
SECRET = "quokka zeppelin marzipan"


def test_the_first_sentence_starts_the_process_and_the_next_finds_it(warm: Warm) -> None:
    started = warm()
    assert client.ask("one two", "a", PATIENCE) == (Reading("m", ("one", "two"), ()),)
    assert client.ask("three", "b", PATIENCE) == (Reading("m", ("three",), ()),)
    assert len(started) == 1


def test_processes_that_start_at_once_leave_one(warm: Warm, endpoint: Endpoint) -> None:
    started = warm()
    client._started()
    client._started()
    assert client.ask("one", "a", PATIENCE)
    losers = [one for one in started if one.pid != endpoint.holder()]
    assert len(losers) == len(started) - 1
    assert {one.wait(PATIENCE) for one in losers} == {0}


def test_a_process_that_gave_way_to_one_that_then_ended_is_started_again(
    warm: Warm, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, start = warm(), client._started
    lock = endpoint.claim()
    assert lock is not None

    def gives_way() -> "client.subprocess.Popen[bytes]":
        process = start()
        if len(started) == 1:
            assert process.wait(PATIENCE) == 0
            os.close(lock)
        return process

    monkeypatch.setattr(client, "_started", gives_way)
    assert client.ask("one", "a", PATIENCE) == (Reading("m", ("one",), ()),)
    assert endpoint.holder() == started[1].pid


def test_a_killed_process_is_replaced(warm: Warm, endpoint: Endpoint) -> None:
    started = warm()
    client.ask("one", "a", PATIENCE)
    started[0].kill()
    started[0].wait()
    assert client.ask("two", "a", PATIENCE) == (Reading("m", ("two",), ()),)
    assert endpoint.holder() == started[1].pid


def test_a_process_that_dies_while_it_reads_gives_a_plain_message(warm: Warm) -> None:
    warm("lambda text: os._exit(1)")
    with pytest.raises(ReadersUnavailable, match="ended before it answered"):
        client.ask(SECRET, "a", PATIENCE)


def test_a_stopped_process_gives_a_plain_message_and_is_replaced(warm: Warm) -> None:
    started = warm()
    client.ask("one", "a", PATIENCE)
    started[0].send_signal(signal.SIGSTOP)
    with pytest.raises(ReadersUnavailable, match=r"No answer came within 0\.2 seconds") as raised:
        client.ask(SECRET, "a", 0.2)
    assert SECRET not in str(raised.value)
    started[0].wait(PATIENCE)
    assert client.ask("two", "a", PATIENCE) == (Reading("m", ("two",), ()),)


def test_a_process_that_answers_others_is_not_ended_by_who_waits_in_vain(
    warm: Warm, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = warm(
        "lambda text: [(endpoint.mark(), time.sleep(0.01)) for _ in iter(int, 1)]", setup="process._READ = 3600"
    )

    def in_vain(connection: socket.socket, line: bytes, _: float) -> bytes:
        connection.sendall(line)
        before = endpoint.marked()
        while endpoint.marked() == before:
            time.sleep(0.01)
        raise TimeoutError

    monkeypatch.setattr(client, "_answer", in_vain)
    with pytest.raises(ReadersUnavailable, match="Too many people are waiting"):
        client.ask("one", "a", PATIENCE)
    assert endpoint.holder() == started[0].pid


def test_a_process_that_took_over_is_not_ended(warm: Warm, endpoint: Endpoint) -> None:
    started = warm()
    client.ask("one", "a", PATIENCE)
    endpoint.end(only=started[0].pid + 1)
    assert endpoint.holder() == started[0].pid


def test_who_has_gone_is_not_read(warm: Warm, endpoint: Endpoint, tmp_path: Path) -> None:
    gate, read = tmp_path / "gate", tmp_path / "read"
    warm(
        f"lambda text: (open({str(read)!r}, 'a').write(text + ' '), "
        f"[time.sleep(0.01) for _ in iter(lambda: os.path.exists({str(gate)!r}), True)], words(text))[-1]",
        setup="process._READ = 3600",
    )
    with ThreadPoolExecutor(2) as people:
        first = people.submit(client.ask, "first", "a", PATIENCE)
        while not read.exists() or read.read_text() != "first ":
            time.sleep(0.01)
        with client._connected(endpoint) as connection:
            connection.sendall(request_line(Request("gone", "b")))
        for _ in range(3):  # refused at once, after what came before was seen
            assert client._exchange(endpoint, b"\n", PATIENCE)
        last = people.submit(client.ask, "last", "c", PATIENCE)
        gate.touch()
        assert first.result() and last.result()
    assert "gone" not in read.read_text()


def test_a_sentence_that_takes_too_long_ends_the_process(warm: Warm) -> None:
    started = warm("lambda text: time.sleep(14400)", setup="process._READ = 0.05")
    with pytest.raises(ReadersUnavailable, match="ended before it answered"):
        client.ask(SECRET, "a", PATIENCE)
    assert {one.wait(PATIENCE) for one in started} == {1}


def test_the_process_gives_up_on_a_sentence_before_the_page_does() -> None:
    assert process._READ < client.ANSWER_SECONDS


def test_a_process_that_cannot_start_gives_a_plain_message(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client.sys, "executable", "/bin/false")
    with pytest.raises(ReadersUnavailable, match="could not be started"):
        client.ask("one", "a", PATIENCE)


def test_a_failing_reader_says_what_kind_of_failure_and_not_what_was_typed(warm: Warm) -> None:
    warm("lambda text: {}[text]")
    with pytest.raises(ReadersUnavailable, match="KeyError") as raised:
        client.ask(SECRET, "a", PATIENCE)
    assert SECRET not in str(raised.value)


def test_an_idle_process_ends_and_removes_its_socket(warm: Warm, endpoint: Endpoint) -> None:
    started = warm(idle=0.05)
    client._connected(endpoint).close()
    assert not any(process.wait(PATIENCE) for process in started), (
        "one more, where the first was idle before it was met"
    )
    assert not endpoint.socket.exists()
    assert endpoint.holder() is None


def test_a_sentence_has_a_longest_length() -> None:
    with pytest.raises(InvalidSpec, match=f"may have {LONGEST} characters"):
        client.ask("a" * (LONGEST + 1), "a")


@pytest.mark.parametrize("sent", [b"", b"\n", b"{}\n", b"\xff" * 10 + b"\n", b"a" * (2 * LINE), b'{"text": '])
def test_hostile_input_leaves_the_process_working(warm: Warm, endpoint: Endpoint, sent: bytes) -> None:
    started = warm()
    with client._connected(endpoint) as connection:
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(PATIENCE)
            received = connection.recv(LINE)
        except OSError:
            received = b""
    assert received == b"" or b"refused" in received
    assert client.ask("one", "a", PATIENCE)
    assert len(started) == 1


def test_who_says_nothing_keeps_nobody_waiting(warm: Warm, endpoint: Endpoint) -> None:
    warm()
    silent = [client._connected(endpoint) for _ in range(20)]
    assert client.ask("one", "a", PATIENCE)
    for connection in silent:
        connection.close()


def test_thirty_visitors_at_once_are_all_answered_by_one_process(warm: Warm) -> None:
    started = warm("lambda text: (time.sleep(0.001), words(text))[1]")
    with ThreadPoolExecutor(30) as people:
        answers = list(people.map(lambda number: client.ask(f"w{number}", f"v{number}", PATIENCE), range(30)))
    assert [reading.named for (reading,) in answers] == [(f"w{number}",) for number in range(30)]
    assert len(started) == 1


def test_a_folder_that_others_may_enter_is_refused(endpoint: Endpoint) -> None:
    endpoint.folder.chmod(0o755)
    with pytest.raises(ReadersUnavailable, match="only this user may enter"):
        here()
    endpoint.folder.chmod(0o700)


def test_a_link_in_place_of_the_folder_is_refused(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.folder.rmdir()
    endpoint.folder.symlink_to(tmp_path)
    with pytest.raises(ReadersUnavailable, match="only this user may enter"):
        here()
    endpoint.folder.unlink()


def test_without_a_runtime_folder_of_the_system_one_is_made_for_the_user(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr(tempfile, "tempdir", str(endpoint.folder))
    folder = here().folder
    assert folder == endpoint.folder / f"telltale-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.rmdir()


def test_a_folder_whose_path_is_too_long_for_a_socket_is_named(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("f" * 100)
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with pytest.raises(ReadersUnavailable, match=r"may have 107 bytes.*Point XDG_RUNTIME_DIR"):
        client.ask("one", "a", PATIENCE)


def test_another_home_has_a_process_of_its_own(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLTALE_HOME", "/elsewhere")
    assert here().name != endpoint.name


def test_a_home_may_be_named_relative_to_the_folder_of_the_page(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TELLTALE_HOME", "relative-home")
    try:
        assert client.ask("At home.", "a", PATIENCE)
        assert here().holder() is not None
    finally:
        here().end()
    assert not (ROOT / "relative-home").exists()


def test_the_process_that_comes_with_the_code_reads_and_keeps_nothing(endpoint: Endpoint, home: Path) -> None:
    sentence = f"The doctor said that my {SECRET} was at home."
    readings = {reading.method: reading for reading in client.ask(sentence, "a", PATIENCE)}
    assert "the" in readings["multilabel_inversion"].named
    assert "home" in readings["sparse_inversion"].known
    assert not {"quokka", "zeppelin"} & set(readings["multilabel_inversion"].known)
    number = endpoint.holder()
    assert number is not None
    running = psutil.Process(number)
    assert not any(SECRET in argument for argument in (*running.cmdline(), *running.environ().values()))
    assert {file.path for file in running.open_files()} <= {str(endpoint.lock)}
    written = [path for folder in (home, endpoint.folder) for path in folder.rglob("*") if path.is_file()]
    assert not any(word.encode() in path.read_bytes() for path in written for word in SECRET.split())
    assert resource.prlimit(number, resource.RLIMIT_DATA)[0] == process.MEMORY
    assert resource.prlimit(number, resource.RLIMIT_CORE) == (0, 0)
    assert running.memory_info().rss < process.MEMORY
