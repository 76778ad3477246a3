"""What the server sends leaves at once, however the socket was made that it listens on."""

import socket

from dashboard.server import sending


def test_connections_of_a_socket_that_names_no_protocol_send_at_once() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def accepted() -> int:
            with socket.create_connection(listening.getsockname()), listening.accept()[0] as connection:
                return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

        assert accepted() == 0
        sending.at_once()
        assert accepted() != 0
        assert listening.fileno() >= 0
