"""Multi30k: captions of photographs in English, and translations of them into German."""

import zlib
from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Translations
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.aligned import by_line

CAPTIONS = on_github(
    "multi30k",
    "multi30k/dataset@a3d2e0d26b56f3846f66a952536ffed4e401d05a",
    "data/task1/raw/",
    """
    9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8 22_890 test_2016_flickr.de.gz
    611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9 21_077 test_2016_flickr.en.gz
    a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee 21_471 test_2017_flickr.de.gz
    76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074 19_138 test_2017_flickr.en.gz
    ddd0130c7d97482dc5197a02141dae8dd79f20f03586c480d675c09a32daf608 26_461 test_2018_flickr.de.gz
    ef4f4844037d4c5dea75c9a8ed5fd78905967a26f67c255e230cc9780032654d 23_514 test_2018_flickr.en.gz
    726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6 637_044 train.de.gz
    d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f 568_929 train.en.gz
    f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a 24_681 val.de.gz
    14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28 21_650 val.en.gz
    """,
)

_MOST_BYTES = 1 << 26


class Multi30k(Translations):
    """Captions of photographs, written in English and translated into German by professionals.

    Training, validation and test captions of 2016 to 2018 together.

    Source: D. Elliott, S. Frank, K. Sima'an, L. Specia. Multi30K: Multilingual English-German Image Descriptions.
    Workshop on Vision and Language 2016.
    """

    title: ClassVar[str] = "Multi30k captions"
    pinned: ClassVar[tuple[Source, ...]] = (CAPTIONS,)
    card: ClassVar[Card] = Card(
        summary="33,085 captions of photographs in English, translated into German by professionals.",
        licence="none stated (the captions are those of Flickr30k: research use)",
        citation=(
            "D. Elliott, S. Frank, K. Sima'an, L. Specia (2016). Multi30K: Multilingual English-German Image "
            "Descriptions. Workshop on Vision and Language."
        ),
        homepage="https://github.com/multi30k/dataset",
    )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs, German first."""
        packed = read(CAPTIONS)
        plain = {path.removesuffix(".gz"): _unpacked(path, content) for path, content in packed.items()}
        yield from by_line(plain, ".de", ".en")


def _unpacked(name: str, content: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        plain = unpacker.decompress(content, _MOST_BYTES)
    except zlib.error as error:
        raise DataCorrupt(f"{name} is not a readable gzip file: {error}.") from None
    if not unpacker.eof:
        raise DataCorrupt(f"{name} is cut off, or unpacks to more than {_MOST_BYTES:,} bytes.")
    return plain
