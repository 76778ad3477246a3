"""Pinned files: read from a folder, a package, the user's cache or the network, and never used unverified."""

from core.sources.archive import Archive
from core.sources.inventory import check, fetch, status
from core.sources.reading import read
from core.sources.records import Bundled, Files, Pinned, Source, on_github, pins

__all__ = ["Archive", "Bundled", "Files", "Pinned", "Source", "check", "fetch", "on_github", "pins", "read", "status"]
