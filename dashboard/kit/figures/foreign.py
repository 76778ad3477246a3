"""Texts from data for figures: markup escaped, lines of a readable length."""

import html
import textwrap

_LINES = 6


def cut(text: str, width: int) -> str:
    """Return a text for a label of one line, cut at the end where too long.

    >>> cut("Appellate procedure in the United States", 17), cut("Asia", 17)
    ('Appellate proced…', 'Asia')
    """
    return text if len(text) <= width else f"{text[: width - 1]}…"


def shown(text: str, width: int = 60) -> str:
    """Return a text for a label or a hover text, broken into lines and cut after six.

    >>> shown("a <b>bold</b> claim", width=14)
    'a &lt;b&gt;bold&lt;/b&gt;<br>claim'
    """
    lines = textwrap.wrap(text, width, max_lines=_LINES, placeholder=" …", break_on_hyphens=False)
    return "<br>".join(html.escape(line, quote=False) for line in lines)
