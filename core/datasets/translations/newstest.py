"""Newstest: news in German and English, the yearly test sets of machine translation."""

from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Translations
from core.sources import Source, on_github, read
from core.sources.aligned import by_line

NEWS = on_github(
    "newstest",
    "Helsinki-NLP/OPUS-MT-testsets@ac0f19c0be3cb4e0d9450fcb2d7a9847c4bdd180",
    "testsets/deu-eng/",
    """
    6d86c805e6cd008c11143816daac272fdf5a3afea816983c43005717d6fe3ae2 298_369 news-test2008.deu
    134e1140848bb0d05e774dbe35b8b69602faf401250c03dbb437bdbe38c37b6f 263_240 news-test2008.eng
    c3a23d90e89c080cd3257a23365187e91939be4067176861fb88df7f61864b40 382_617 newstest2009.deu
    c74a4862decfe87f88fb10eacdcb6ac972a648f0dd6deeb25ac2dbc6128dc0b6 345_555 newstest2009.eng
    4f4b02d3abe150ca47a745d138d90f688edb20dd2d2fedca16aa05fd1e2018b1 383_291 newstest2010.deu
    1ebece77e333965cbc66fde735a6f17e026b4d6690f4f7fdaba839b7bdadac3b 328_648 newstest2010.eng
    033bc05659f61c5e51170973267d21e23a9a968557b866f3842c92e416a60e1b 450_571 newstest2011.deu
    d387569743c0fa9097df4d4e2c1dd9e6ba9ef3cee6e0f473da3204c887dcf8fd 396_884 newstest2011.eng
    946b9587b79271b0f3ce9cc8c0e5b310e3021ef598e1ba5dc2a24fef8960de30 446_765 newstest2012.deu
    f9e51f85c4948033fc7d77ef427f4d88908a8dd3f778970f62d0baafac3ff97e 381_734 newstest2012.eng
    d7ea35ab91ff3709e03ad9cb6bf5b4f2cc775cd2d72efd5254c4aec5e69663ca 385_433 newstest2013.deu
    ace268a1d9724ca76f6d8e5c720ffdc08f01bdce45630ed8b269dc7918e1c16e 332_974 newstest2013.eng
    ae5d110486bc33d7175e9e28c7d0051eb3e5fcd2166dd93371089852c091a20e 399_406 newstest2014.deu
    7294bccf2879a97b3706b95c9595f1459617a8ee7130d5d8581c910e69736971 359_898 newstest2014.eng
    796cce52ab248469187b60f60715a738a0b92944dc010a69a0083de7fae1b513 268_951 newstest2015.deu
    422fbb5a274c7aae1a0890381cd4516307ca7bc957604220d4871a91664121e5 241_016 newstest2015.eng
    738ca1ced4099937127be3208ba70d46e7a93550cd57cfd645f3d35e0e52a254 379_803 newstest2016.deu
    cd5c112a358d9c99b9557eb358e16d7a94f8fa93ad7aa61bf5f1141f2e1f8854 337_711 newstest2016.eng
    675e4f7e6045dacf56507e29b24106d771a571e0eb58d822806b086cdcf892f4 374_670 newstest2017.deu
    11adaec47477928dab9cb3fc9279d99dbbbfec7161f3abf6fddd759668fcd703 336_817 newstest2017.eng
    c53059fc440b3771aef2a83b15fddd8d2b3490c55b552dcae245f9a2df126c9c 387_874 newstest2018.deu
    721b207ca2b4e4689f978e17ee5edb0988d7c901acd651fd666bcd9c1950233b 351_779 newstest2018.eng
    """,
)


class Newstest(Translations):
    """Sentences of news and their translations by professionals: the German-English test sets of WMT, 2008 to 2018.

    Some sentences were translated into both from a third language.

    Source: O. Bojar et al. Findings of the 2018 Conference on Machine Translation. WMT 2018.
    """

    title: ClassVar[str] = "WMT news"
    pinned: ClassVar[tuple[Source, ...]] = (NEWS,)
    card: ClassVar[Card] = Card(
        summary="30,244 sentences of news in German and English, translated by professionals, 2008 to 2018.",
        licence="WMT test sets: research use",
        citation=(
            "O. Bojar, C. Federmann, M. Fishel, Y. Graham, B. Haddow, M. Huck, P. Koehn, C. Monz (2018). Findings of "
            "the 2018 Conference on Machine Translation. WMT."
        ),
        homepage="https://github.com/Helsinki-NLP/OPUS-MT-testsets",
    )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs, German first."""
        yield from by_line(read(NEWS), ".deu", ".eng")
