"""Imports and derives at the server's start what every session needs, while the server already answers."""

import asyncio
import gc
import pkgutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import import_module

from streamlit import config

from core.errors import TelltaleError
from core.jobs import Limits
from core.runtime.store import Store
from dashboard.kit.forms import upload_limit
from dashboard.kit.inputs import kept_uploads, upload_rate, uploads
from dashboard.room.alone import AloneFile
from dashboard.room.rooms import Rooms
from dashboard.server import sending
from dashboard.server.identity import trusted_networks

_HOUR, _HEAD_START = 3600, 4.0
"""Seconds between two tidyings, and before the server prepares what nobody has asked for yet."""


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Refuse a wrong setting; then answer at once, and meanwhile prepare what every session needs."""
    trusted_networks()
    Limits.configured()
    limit_uploads()
    sending.at_once()
    preparing = asyncio.create_task(_prepare_later())
    tidying = asyncio.create_task(tidy())
    yield
    preparing.cancel()
    tidying.cancel()


async def _prepare_later() -> None:
    """Let those come first who have waited for a server that was started anew: preparing would slow their page down."""
    await asyncio.sleep(_HEAD_START)
    threading.Thread(target=prepare, name="prepare", daemon=True).start()


async def tidy() -> None:
    """Delete every hour the workshop rooms, the predictions and the uploads whose days are over."""
    while True:
        for expire in (Rooms(Store()).expire, AloneFile(Store()).expire, partial(kept_uploads.expire, Store())):
            with suppress(TelltaleError, OSError):
                await asyncio.to_thread(expire)
        await asyncio.sleep(_HOUR)


def limit_uploads() -> None:
    """Refuse a wrong limit, and let Streamlit, which limits single files, allow and show what a session may upload."""
    kept_uploads.rule()
    upload_rate.a_minute()
    upload_limit.of_all()
    config.set_option("server.maxUploadSize", uploads.megabytes())


def prepare() -> None:
    """Import every page's modules, derive the catalogue's keys, and let topics prepare; exempt that from collection.

    Streamlit collects garbage after each run of a page. That visits every object of the process, a tenth of a second
    for those of the imported libraries, in which no other session is served.
    """
    from dashboard import kit, topics

    modules = [
        import_module(module.name)
        for package in (kit, topics)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    import_module("scipy.optimize")  # takes half a second, once; a privacy audit needs it
    from core import catalog
    from dashboard.kit import stored_results, sweeps

    for entry in catalog.entries():
        with suppress(TelltaleError):
            stored_results.estimates(entry.key)
    sweeps.in_catalogue()
    for module in modules:
        with suppress(TelltaleError):
            getattr(module, "prepare", tuple)()
    gc.collect()
    gc.freeze()
