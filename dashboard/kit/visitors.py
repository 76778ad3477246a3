"""Visitors: a browser, or a person who logged in; whom the server admits, and who may change the runs of others."""

import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import streamlit as st

from core.jobs import COMMAND_LINE, Job, Limits
from core.runtime.store import Store
from dashboard.room import roles

COOKIE = "telltale_visitor"
"""Cookie with a random token, by which a browser is known until it is closed."""
OWNERS, MEMBERS = "TELLTALE_OWNERS", "TELLTALE_MEMBERS"
"""Environment variables with e-mail addresses, such as ``ann@example.org`` or ``*@example.org``."""
HEADER = "TELLTALE_LOGIN_HEADER"
"""Environment variable with the name of the header in which a proxy sends the e-mail address of the person."""

_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)
_TOKEN_KEY = "visitors/token"


@dataclass(frozen=True)
class Visitor:
    """Who looks at a page.

    Attributes:
        ids: Digests under which runs and uploads are kept: that of the person, if logged in, and that of the browser.
        email: Address of the person, in lower case; empty without a login.
    """

    ids: tuple[str, ...]
    email: str = ""

    @property
    def is_owner(self) -> bool:
        """Whether this is an owner of the server."""
        return _is_among(self.email, OWNERS)

    @property
    def is_member(self) -> bool:
        """Whether the server admits this person."""
        return self.is_owner or _is_among(self.email, MEMBERS)

    def asked_for(self, job: Job) -> bool:
        """Tell whether this visitor asked for a run."""
        return job.asker in self.ids

    def owns(self, job: Job) -> bool:
        """Tell whether a run is this visitor's; those of the command line are everybody's where no owner is named."""
        return self.asked_for(job) or (job.asker == COMMAND_LINE and not has_owners())

    def may_change(self, job: Job) -> bool:
        """Tell whether this visitor may cancel and delete a run.

        Anybody may where the server names no owners, except that in a room only its facilitators may.
        """
        if self.is_owner or self.asked_for(job):
            return True
        if has_owners():
            return self.leads(job)
        return roles.may_change(Store(), self.ids, job.asker)

    def may_read(self, times_given: Mapping[str, float]) -> bool:
        """Tell whether this visitor may read an upload.

        Args:
            times_given: When each giver, by digest, last gave it, in seconds since 1970.
        """
        if not times_given.keys().isdisjoint(self.ids):
            return True
        return not has_owners() and roles.may_read(Store(), self.ids, times_given)

    def leads(self, job: Job) -> bool:
        """Tell whether this visitor is a facilitator of a room that the asker of a run is in."""
        return roles.leads(Store(), self.ids, [job.asker])

    def limits(self) -> Limits:
        """Return how many runs this visitor may ask for.

        Raises:
            InvalidSpec: The environment holds no number of runs.
        """
        return roles.limits(Store(), self.ids, Limits.configured())

    def longest_run(self) -> int | None:
        """Return how many minutes a run of this visitor may take, or None where nothing bounds it."""
        return None if self.is_owner else roles.longest_run(Store(), self.ids)


def current() -> Visitor:
    """Return who looks at the page that is being drawn."""
    email = _email()
    cookie = st.context.cookies.get(COOKIE, "")
    if not _TOKEN.fullmatch(cookie):
        cookie = st.session_state.setdefault(_TOKEN_KEY, secrets.token_hex(16))
    browser = _digest("browser", cookie)
    return Visitor((_digest("person", email), browser) if email else (browser,), email)


def digest() -> str:
    """Return the digest that names who looks at the page, in rooms and beside predictions."""
    return current().ids[0]


def has_owners() -> bool:
    """Tell whether the server names owners; then everybody else may change only their own runs and uploads."""
    return bool(_listed(OWNERS))


def may_lead() -> bool:
    """Tell whether the visitor may start a room; anybody may where the server names no owners."""
    return not has_owners() or current().is_owner


def admitted() -> bool:
    """Tell whether the visitor may see the pages; anybody may where the server names no members."""
    return not _listed(MEMBERS) or current().is_member


def gate() -> None:
    """Show how to log in, in place of a page."""
    st.title("Log in", anchor=False)
    if email := current().email:
        st.warning(f"This server admits its members only, and {_quoted(email)} is not among them.")
    else:
        st.markdown("This server admits its members only.")
    account()


def account() -> None:
    """Show who is logged in, and offer to log in or out where that is set up."""
    visitor = current()
    with st.container(horizontal=True, vertical_alignment="center", key="account"):
        if visitor.email:
            role = ", an owner of this server, who may cancel and delete every run" if visitor.is_owner else ""
            st.caption(f"Logged in as {_quoted(visitor.email)}{role}.", width="content")
        if st.user.get("is_logged_in") is True:
            st.button("Log out", icon=":material/logout:", key="account.logout", on_click=st.logout)
        elif not visitor.email and st.secrets.load_if_toml_exists() and "auth" in st.secrets:
            st.button("Log in", icon=":material/login:", key="account.login", on_click=st.login)


def _email() -> str:
    """Return the e-mail address that the proxy or the login vouches for; empty if there is none or it is unverified."""
    if header := os.environ.get(HEADER, "").strip():
        return (st.context.headers.get(header) or "").strip().lower()
    if st.user.get("is_logged_in") is not True or st.user.get("email_verified", True) is not True:
        return ""
    return str(st.user.get("email") or "").strip().lower()


def _listed(variable: str) -> list[str]:
    return os.environ.get(variable, "").replace(",", " ").lower().split()


def _is_among(email: str, variable: str) -> bool:
    return bool(email) and any(fnmatchcase(email, pattern) for pattern in _listed(variable))


def _digest(kind: str, value: str) -> str:
    return hashlib.sha256(f"{kind} {value}".encode()).hexdigest()[:32]


def _quoted(email: str) -> str:
    return f"`{email.replace('`', '')[:80]}`"
