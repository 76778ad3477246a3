"""Says where a room stands, so that its screens draw themselves anew only when something has changed."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from core.errors import StoreError
from core.runtime.store import Store
from dashboard.kit import address
from dashboard.room import following
from dashboard.room.rooms import Rooms

_HEADERS = {"Cache-Control": "no-store"}
_DIGITS = 3
"""A step of more digits is none, and might be too large for the file of rooms."""


def standing(request: Request) -> PlainTextResponse:
    """Answer with the standing of a room at a step; with status 404 for no step, 503 where the rooms cannot be read.

    Whoever knows the code of a room may join it, and then sees as much.
    """
    code, step = request.path_params["code"], request.path_params["step"]
    if not (step.isdecimal() and len(step) <= _DIGITS):
        return PlainTextResponse("A step is a number.", 404)
    try:
        state = Rooms(Store()).standing(code, int(step))
    except StoreError:
        return PlainTextResponse("", 503)
    return PlainTextResponse(following.written(state), headers=_HEADERS)


ROUTES = (Route(f"{address.base()}{following.PATH}/{{code}}/{{step}}", standing),)
