"""The public dictionary: the most frequent English words of film subtitles."""

from typing import ClassVar

from core.datasets import Card, Dataset
from core.sources import Source, on_github, read
from core.spec import parameter
from core.text.contents import Words

LIST = on_github(
    "common_words",
    "hermitdave/FrequencyWords@525f9b560de45753a5ea01069454e72e9aa541c6",
    "5351ff405b1126ef555791dd4d9798a48e3e9a501a9fc481a9da957752cfb458 622_749 content/2018/en/en_50k.txt",
)


class CommonWords(Dataset):
    """The most frequent English words of film subtitles.

    Entries that `core.text.corpus.words_of` does not keep as one word (``don't``, numbers) are left out.

    Source: OpenSubtitles 2018, counted by Hermit Dave's FrequencyWords.
    """

    title: ClassVar[str] = "Common English words"
    pinned: ClassVar[tuple[Source, ...]] = (LIST,)
    card: ClassVar[Card] = Card(
        summary="The 50,000 most frequent words of English film subtitles, the most frequent first.",
        licence="CC-BY-SA-4.0",
        citation="H. Dave (2018). FrequencyWords, from OpenSubtitles 2018.",
        homepage="https://github.com/hermitdave/FrequencyWords",
    )
    holds: ClassVar[type] = Words

    size: int = parameter(
        50_000, "Number of entries to read, the most frequent first.", unit="words", ge=1_000, le=50_000
    )

    def load(self) -> Words:
        """Return the words, the most frequent first."""
        (content,) = read(LIST).values()
        entries = [line.partition(" ")[0] for line in content.decode().splitlines()[: self.size]]
        return Words(tuple(dict.fromkeys(word for word in entries if word.isalpha() and word == word.lower())))
