"""A text unchanged, with some of its words marked."""

from collections.abc import Collection

from core.text.words import words_in
from dashboard.kit.words import literal


def marked(text: str, words: Collection[str], unknown: Collection[str] = ()) -> str:
    r"""Return a text as Markdown with some words bold and orange, in either case, and unknown ones grey.

    >>> print(marked("The *end*, the", ["the"]))
    :orange-background[:orange[**The**]] \*end\*, :orange-background[:orange[**the**]]
    >>> print(marked("The end", [], unknown=["end"]))
    The :gray[end]
    """
    text = " ".join(text.split())
    parts, end = [], 0
    for word in words_in(text):
        escaped = literal(word.group())
        if word.group().casefold() in words:
            mark = f":orange-background[:orange[**{escaped}**]]"
        elif word.group().casefold() in unknown:
            mark = f":gray[{escaped}]"
        else:
            continue
        parts += [_between(text[end : word.start()]), mark]
        end = word.end()
    return "".join([*parts, _between(text[end:])])


def _between(text: str) -> str:
    """Return the text between two marks, with the spaces at its ends."""
    escaped = literal(text)
    before, after = text[:1].isspace(), text[-1:].isspace() and bool(escaped)
    return f"{' ' * before}{escaped}{' ' * after}"
