"""106 articles of the English Wikipedia, shipped with gensim: the dataset that always works offline."""

import bz2
import re
from collections.abc import Iterator
from html import unescape
from typing import ClassVar
from xml.etree.ElementTree import Element, XMLParser

from core.datasets import Card, Dataset
from core.sources import Bundled, Source, pins, read
from core.sources.parsed import remembered
from core.text.contents import Documents
from core.text.corpus import words_of

DUMP = Bundled(
    name="wikipedia_excerpt",
    url="",
    origin="the test data of gensim",
    pinned=pins(
        """
        a53f4648dec40467ebdcbc7a1307eddb51fe6e28e9309f6ebde81ba0d04bea2d 1_695_871
            enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2
        """
    ),
    package="gensim",
    folder="test/test_data",
)

WORDS = 100
"""Paragraphs are joined until a document has this many words."""

_SHORTEST = 25
"""A shorter rest at the end of an article joins the document before it."""

_DROPPED = re.compile(
    r"<!--.*?-->|<ref\b[^<>]*/>|<(ref|math|gallery|timeline|source|code|pre|imagemap)\b[^<>]*>.*?</\1\s*>"
    r"|__[A-Z]+__|\[\[(?:Category|[a-z]{2,3}(?:-[a-z]+)?):[^\[\]]*\]\]",
    re.DOTALL | re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_TABLE = re.compile(r"\{\|(?:(?!\{\|).)*?\|\}", re.DOTALL)
_PICTURE = re.compile(r"\[\[(?:File|Image):(?:[^\[\]]|\[\[[^\[\]]*\]\]|\[[^\[\]]*\])*\]\]", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_ADDRESS = re.compile(r"\[(?:https?:)?//\S+\s?([^\[\]]*)\]|https?://\S+")
_TAG = re.compile(r"<[^<>]{1,200}>")
_QUOTES = re.compile(r"'{2,}")
_HEADING = re.compile(r"^=+\s*(.*?)\s*=+$")
_LEAD = re.compile(r"^[*#:;]+\s*")
_END = frozenset({"see also", "references", "notes", "further reading", "external links", "bibliography", "footnotes"})


class WikipediaExcerpt(Dataset):
    """Passages of about 100 words from 106 encyclopedia articles.

    Consecutive paragraphs of an article are joined until they have at least 100 words; a rest of fewer than 25 words
    joins the passage before it. Markup, tables, references, headings, and the sources and links at the end are left
    out.
    """

    title: ClassVar[str] = "Wikipedia excerpt"
    pinned: ClassVar[tuple[Source, ...]] = (DUMP,)
    card: ClassVar[Card] = Card(
        summary="106 articles of the English Wikipedia of 2016 (453,000 words) in passages of about 100 words.",
        licence="CC-BY-SA-3.0",
        citation="Wikipedia contributors (2016). English Wikipedia, an excerpt in gensim's test data.",
        homepage="https://dumps.wikimedia.org",
        offline=True,
    )

    def load(self) -> Documents:
        """Return the passages in the order of the articles; the owner is the article's title."""
        return remembered(f"{self.part_name()}-{self.key}", self._parse)

    def _parse(self) -> Documents:
        (content,) = read(DUMP).values()
        texts, owners = [], []
        for title, markup in articles(bz2.decompress(content)):
            passages = _passages(plain_text(markup))
            texts += passages
            owners += [title] * len(passages)
        return Documents(tuple(texts), tuple(owners))


def plain_text(markup: str) -> list[str]:
    r"""Return the paragraphs of an article without wiki markup.

    >>> plain_text("'''Anarchism''' is a [[political philosophy|philosophy]].{{cn}}<ref>x</ref>\n== See also ==\n* Y")
    ['Anarchism is a philosophy.']
    """
    text = _DROPPED.sub("", markup)
    for pattern in (_TEMPLATE, _TABLE):
        before = ""
        while before != text:
            before, text = text, pattern.sub("", text)
    text = _PICTURE.sub("", text)
    before = ""
    while before != text:
        before, text = text, _LINK.sub(r"\1", text)
    text = _QUOTES.sub("", _TAG.sub("", _ADDRESS.sub(r"\1", text)))
    paragraphs = []
    for line in unescape(text).splitlines():
        line = line.strip()
        if heading := _HEADING.match(line):
            if heading.group(1).lower() in _END:
                break
            continue
        line = _LEAD.sub("", line)
        if line and line[0] not in "|!{}":
            paragraphs.append(line)
    return paragraphs


def articles(dump: bytes) -> Iterator[tuple[str, str]]:
    """Yield title and markup of the articles of a dump, without redirects and other pages."""
    parser = XMLParser()
    parser.feed(dump)
    root: Element = parser.close()
    namespace = root.tag.partition("}")[0] + "}"
    for page in root.iter(f"{namespace}page"):
        markup = page.findtext(f"{namespace}revision/{namespace}text") or ""
        if page.findtext(f"{namespace}ns") == "0" and page.find(f"{namespace}redirect") is None:
            yield page.findtext(f"{namespace}title") or "", markup


def _passages(paragraphs: list[str]) -> list[str]:
    passages: list[str] = []
    current: list[str] = []
    words = 0
    for paragraph in paragraphs:
        current.append(paragraph)
        words += len(words_of(paragraph))
        if words >= WORDS:
            passages.append("\n".join(current))
            current, words = [], 0
    if passages and words < _SHORTEST:
        passages[-1] = "\n".join([passages[-1], *current])
    elif words >= _SHORTEST:
        passages.append("\n".join(current))
    return passages
