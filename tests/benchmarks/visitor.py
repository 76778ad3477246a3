"""A visitor of the dashboard without a browser: speaks Streamlit's protocol over a websocket and draws nothing."""

import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.protocol import State

from dashboard.kit import visitors
from tests.patience import PATIENCE

_KEPT_SHORTER_THAN_BY_UVICORN = httpx.Limits(keepalive_expiry=2.0)
"""A browser sends a request again where the server has just closed the connection; this client need not."""


@dataclass(frozen=True)
class Choice:
    """A select box or segmented control of a page, as its message describes it.

    Attributes:
        widget: Its id.
        options: Its options, as texts.
        fragment: Id of the fragment that a choice redraws; empty for the whole page.
        several: Whether the protocol takes a list of options.
    """

    widget: str
    options: tuple[str, ...]
    fragment: str
    several: bool


@dataclass(frozen=True)
class Box:
    """A box for one line of text, a button or a slider.

    Attributes:
        label: Its label.
        widget: Its id.
        fragment: Id of the fragment that it redraws; empty for the whole page.
    """

    label: str
    widget: str
    fragment: str


@dataclass(frozen=True)
class Followed:
    """What a screen of a room looks at again and again, as `dashboard/assets/following.js` does.

    Attributes:
        data: What it is told: where to look, what it shows, and how often it looks and draws.
        fragment: Id of the fragment that is drawn anew once the room has moved.
        drawn: When it was drawn.
    """

    data: Mapping[str, Any]
    fragment: str
    drawn: float

    def has_moved(self, standing: str) -> bool:
        """Tell whether a browser would have the fragment drawn anew."""
        (shown, *counts_shown), (revision, *counts) = self.data["seen"], standing.split()
        waited = 1000 * (time.perf_counter() - self.drawn)
        return revision != shown or (counts[: len(counts_shown)] != counts_shown and waited >= self.data["draws"])


@dataclass
class Page:
    """What one drawing sent.

    Attributes:
        messages: Number of messages.
        bytes: Their size.
        charts: Figures of plotly among them.
        errors: Texts of uncaught exceptions.
        choices: Widgets by which a visitor chooses one of several options.
        boxes: Widgets that take a line of text.
        buttons: Buttons.
        sliders: Sliders.
        repeated: Ids of the fragments that a browser asks for again and again, with the seconds between.
        followed: What a screen of a room looks at, or None.
        said: The texts of the page.
    """

    messages: int = 0
    bytes: int = 0
    charts: int = 0
    errors: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    buttons: list[Box] = field(default_factory=list)
    sliders: list[Box] = field(default_factory=list)
    repeated: dict[str, float] = field(default_factory=dict)
    followed: Followed | None = None
    said: list[str] = field(default_factory=list)

    def read(self, message: ForwardMsg, size: int) -> None:
        """Take one message into account."""
        self.messages += 1
        self.bytes += size
        if message.HasField("auto_rerun"):
            self.repeated[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        if message.WhichOneof("type") != "delta" or message.delta.WhichOneof("type") != "new_element":
            return
        element, fragment = message.delta.new_element, message.delta.fragment_id
        kind = element.WhichOneof("type")
        self.charts += kind == "plotly_chart"
        if kind == "exception":
            self.errors.append(element.exception.message)
        elif kind == "markdown":
            self.said.append(element.markdown.body)
        elif kind == "text_input":
            self.boxes.append(Box(element.text_input.label, element.text_input.id, fragment))
        elif kind == "button":
            self.buttons.append(Box(element.button.label, element.button.id, fragment))
        elif kind == "slider":
            self.sliders.append(Box(element.slider.label, element.slider.id, fragment))
        elif kind == "bidi_component" and element.bidi_component.component_name == "telltale.following":
            data = json.loads(element.bidi_component.json)
            self.followed = Followed(data, fragment, time.perf_counter())
        elif kind == "selectbox" and len(element.selectbox.options) > 1:
            self.choices.append(Choice(element.selectbox.id, tuple(element.selectbox.options), fragment, several=False))
        elif kind == "button_group" and len(element.button_group.options) > 1:
            self.choices.append(
                Choice(
                    element.button_group.id,
                    tuple(option.content for option in element.button_group.options),
                    fragment,
                    several=True,
                )
            )


class Visitor:
    """One session with the server; every page it opens is read to its end."""

    def __init__(self, socket: websockets.ClientConnection, client: httpx.AsyncClient, address: str) -> None:
        self._socket, self._client, self._address = socket, client, address
        self._page, self._query, self._hash = "", "", ""

    @property
    def is_connected(self) -> bool:
        """Whether the server has not closed the session."""
        return self._socket.state is State.OPEN

    async def open(self, page: str, query: Mapping[str, str] | None = None) -> Page:
        """Open a page by its name and the parameters of its address."""
        self._page, self._query, self._hash = page, urlencode(query or {}), ""
        return await self._drawn(ClientState(page_name=page, query_string=self._query))

    async def choose(self, choice: Choice, number: int) -> Page:
        """Choose an option of a widget on the open page."""
        state = ClientState(page_script_hash=self._hash, query_string=self._query, fragment_id=choice.fragment)
        widget = state.widget_states.widgets.add(id=choice.widget)
        if choice.several:
            widget.string_array_value.data.append(choice.options[number])
        else:
            widget.string_value = choice.options[number]
        return await self._drawn(state)

    async def type(self, box: Box, text: str) -> Page:
        """Type a text into a box of the open page."""
        state = ClientState(page_script_hash=self._hash, query_string=self._query, fragment_id=box.fragment)
        state.widget_states.widgets.add(id=box.widget).string_value = text
        return await self._drawn(state)

    async def press(self, button: Box, slider: Box | None = None, value: float = 0.0) -> Page:
        """Press a button of the open page, once a slider stands at a value: that may be what enables the button."""
        if slider is not None:
            await self._drawn(self._state(button.fragment, slider, value))
        state = self._state(button.fragment, slider, value)
        state.widget_states.widgets.add(id=button.widget).trigger_value = True
        return await self._drawn(state)

    async def redraw(self, fragment: str) -> Page:
        """Ask for a fragment again, as a browser does by itself."""
        state = ClientState(page_script_hash=self._hash, query_string=self._query, fragment_id=fragment)
        state.is_auto_rerun = True
        return await self._drawn(state)

    async def look(self, followed: Followed) -> str:
        """Look where the room of an open page stands; return what the page shows where the server does not say."""
        answer = await self._client.get(followed.data["path"])
        return answer.text if answer.status_code == 200 else " ".join(followed.data["seen"])

    def _state(self, fragment: str, slider: Box | None, value: float) -> ClientState:
        state = ClientState(page_script_hash=self._hash, query_string=self._query, fragment_id=fragment)
        if slider is not None:
            state.widget_states.widgets.add(id=slider.widget).double_array_value.data.append(value)
        return state

    async def _drawn(self, state: ClientState) -> Page:
        state.context_info.url = f"{self._address}/{self._page}"
        state.context_info.color_scheme = "light"
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())
        page = Page()
        while True:
            content = await self._socket.recv()
            message = ForwardMsg.FromString(content)  # type: ignore[arg-type]
            page.read(message, len(content))
            if message.HasField("new_session"):
                self._hash = message.new_session.page_script_hash or self._hash
            if message.HasField("navigation"):
                self._hash = message.navigation.page_script_hash
            if message.HasField("script_finished"):
                finished = ForwardMsg.ScriptFinishedStatus
                if message.script_finished != finished.FINISHED_EARLY_FOR_RERUN:
                    return page


@asynccontextmanager
async def visiting(address: str, token: str = "") -> AsyncIterator[Visitor]:
    """Open a session, as a browser does once it has loaded the files of the application.

    Args:
        address: Of the dashboard.
        token: By which the server knows a browser that comes back; empty for a new one.
    """
    url = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    headers = {"Cookie": f"{visitors.COOKIE}={token}"} if token else None
    async with (
        websockets.connect(
            url,
            subprotocols=["streamlit"],  # type: ignore[list-item]
            max_size=None,
            origin=address,  # type: ignore[arg-type]
            additional_headers=headers,
        ) as socket,
        httpx.AsyncClient(
            base_url=address, headers=headers, verify=False, timeout=PATIENCE, limits=_KEPT_SHORTER_THAN_BY_UVICORN
        ) as client,
    ):
        yield Visitor(socket, client, address)
