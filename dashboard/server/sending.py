"""Sends small messages at once: a page is many of them, and the kernel would hold back each until the last arrived."""

import os
import socket

import psutil


def at_once() -> None:
    """Switch off Nagle's algorithm for every connection that this process accepts on the sockets it listens on.

    asyncio does so for connections whose socket names TCP as its protocol; those of the socket that Streamlit binds
    name none. What is set on a listening socket holds for the connections that it accepts. Without it, a browser that
    confirms late holds up each redrawn part of a page by 40 ms.
    """
    for connection in psutil.Process().net_connections("tcp"):
        if connection.status == psutil.CONN_LISTEN and connection.fd >= 0:
            with socket.socket(fileno=os.dup(connection.fd)) as listening:
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
