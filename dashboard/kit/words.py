"""Names, numbers and times in words."""

import re
from collections.abc import Iterable

from core.statistics.wording import fixed

_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=\S)", re.IGNORECASE)
_JOINER = "\u2060"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&])")


def ended(title: str) -> str:
    """Return a title as a sentence.

    >>> ended("Said once"), ended("Who wrote it?")
    ('Said once.', 'Who wrote it?')
    """
    return title if title.endswith("?") else f"{title}."


def uncapitalised(text: str) -> str:
    """Return a text with a small first letter, the others unchanged."""
    return text[:1].lower() + text[1:]


def curled(message: str) -> str:
    """Return an error message with the quotation marks of pages around what it quotes.

    >>> curled("a.csv has no column 'text'.")
    'a.csv has no column “text”.'
    """
    return re.sub(r"(?<!\w)'([^']*)'(?!\w)", r"“\1”", message)


def typeset(text: str) -> str:
    """Return a text of the catalogue with the apostrophes of pages.

    >>> typeset("the paper's attack on 'x'")
    "the paper’s attack on 'x'"
    """
    return re.sub(r"(?<=\w)'(?=\w)", "’", text)


def literal(text: str) -> str:
    r"""Return Markdown that shows exactly these characters: no link, image, colour or formula.

    The browser turns bare addresses into links, even escaped ones; a joiner without width prevents that.

    >>> print(literal("*a* [b](c)"))
    \*a\* \[b\]\(c\)
    """
    return _MARKDOWN.sub(r"\\\1", _ADDRESS.sub(_JOINER, " ".join(text.split())))


def listed(sentences: Iterable[str]) -> str:
    r"""Return Markdown that shows sentences literally, one below the other.

    >>> print(listed(["One *star*.", "Two."]))
    - One \*star\*\.
    - Two\.
    """
    return "\n".join(f"- {literal(sentence)}" for sentence in sentences)


def singular(unit: str) -> str:
    """Return the name of one of several.

    >>> singular("occurrences"), singular("copies"), singular("batches"), singular("people"), singular("epsilon")
    ('occurrence', 'copy', 'batch', 'person', 'epsilon')
    """
    if unit == "people":
        return "person"
    return re.sub(r"(?<=ch)es$|(?<=sh)es$|(?<=[^s])s$", "", re.sub(r"ies$", "y", unit))


def minus(text: str) -> str:
    """Return a written number with a minus sign, as figures have it, in place of a hyphen.

    >>> minus("-0.5")
    '−0.5'
    """
    return text.replace("-", "−")


def number(value: float) -> str:
    """Return a number with two significant decimals, or none where it is large or whole.

    >>> number(0.9312), number(37.0), number(123456.0), number(0.001), number(1.0), number(-2.2)
    ('0.93', '37', '123,456', '0.001', '1', '−2.20')
    """
    if value != value:
        return "not known"
    if abs(value) >= 100 or float(value).is_integer():
        return minus(f"{value:,.0f}")
    if abs(value) >= 10:
        return minus(fixed(value, 1))
    return minus(fixed(value, 2) if abs(value) >= 0.095 else f"{value:.2g}")


def file_size(size: int) -> str:
    """Return a number of bytes in kilobytes, megabytes or gigabytes.

    >>> file_size(200), file_size(92_160), file_size(999_700), file_size(23_290_279), file_size(1_340_000_000)
    ('1 KB', '92 KB', '1 MB', '23 MB', '1.3 GB')
    """
    if size < 999_500:
        return f"{max(size / 1e3, 1):.0f} KB"
    return f"{size / 1e6:.0f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"


def duration(seconds: float) -> str:
    """Return a length of time, rounded to its two largest units.

    >>> duration(42.4), duration(130), duration(1500), duration(7_500)
    ('42 s', '2 min 10 s', '25 min', '2 h 5 min')
    """
    rounded = round(max(seconds, 0))
    if rounded < 60:
        return f"{rounded} s"
    if rounded < 600:
        return f"{rounded // 60} min {rounded % 60} s"
    minutes = round(rounded / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
