"""The server of the dashboard: who may send requests, what is prepared at start, and how several processes share it."""

from dashboard.server.downloads import keep_a_while
from dashboard.server.following import ROUTES
from dashboard.server.preparing import lifespan
from dashboard.server.requests import MIDDLEWARE

__all__ = ["MIDDLEWARE", "ROUTES", "keep_a_while", "lifespan"]
