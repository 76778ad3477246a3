"""The invitation to a room: its code, its address and a QR code of it; and the secret link of its facilitators."""

from functools import lru_cache
from io import BytesIO
from urllib.parse import urlsplit

import segno
import streamlit as st

from dashboard.kit import panels
from dashboard.kit.words import literal
from dashboard.room.rooms_file import DAYS, Room
from dashboard.topics.lessons.room.view import KEY, ROOM

_LOCAL = ("localhost", "127.0.0.1", "::1")
_ALONE = (
    "No phone can join yet: this address works on this machine only. To open the server to the room, start it by "
    "`make serve ADDRESS=0.0.0.0` and open it by a name that others reach; `docs/servers.md` says how."
)
_SECRET = "room/secret"


def show(room: Room) -> None:
    """Show how to join."""
    address = _address(room.code)
    page = urlsplit(address)
    is_local = page.hostname in _LOCAL
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="room-invitation"):
        if not is_local:
            st.image(_qr_code(address), width=200)
        with st.container(gap="xsmall", width="stretch"):
            st.markdown(f"## `{room.code}`")
            if is_local:
                st.info(_ALONE, icon=":material/wifi_off:")
            else:
                st.markdown(f"Scan this and press Join, or type the code at **{literal(f'{page.netloc}/{ROOM}')}**.")
            st.code(address, language=None, wrap_lines=True)
    panels.note(f"Nothing leaves this server. The room is deleted after {DAYS} days, or when you delete it.")


def keep(code: str, secret: str) -> None:
    """Store the secret of a room for this session, to show its link."""
    st.session_state[_SECRET] = code, secret


def secret_link(room: Room) -> str:
    """Return the link that makes others facilitators; empty where this session has not made one."""
    code, secret = st.session_state.get(_SECRET, ("", ""))
    return f"{_address(code)}&{KEY}={secret}" if code == room.code else ""


def _address(code: str) -> str:
    page = urlsplit(st.context.url or "http://localhost/lessons")
    return f"{page.scheme}://{page.netloc}{page.path}?{ROOM}={code}"


@lru_cache(maxsize=256)
def _qr_code(address: str) -> str:
    """Return an address as a QR code: dark on white, whatever the theme, since cameras expect that."""
    drawn = BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", scale=8, border=3, light="white", nl=False, xmldecl=False)
    return drawn.getvalue().decode()
