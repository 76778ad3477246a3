"""ATIS: spoken questions about flights, written down, with what each asks and the slots in it."""

from typing import ClassVar

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.sources import Files, Pinned, Source, read
from core.sources.tables import text_of
from core.text.contents import Utterances, misplaced

QUESTIONS = Files(
    name="atis",
    url="https://raw.githubusercontent.com/MiuLab/SlotGated-SLU/61f0307c729b1fad479ef1de94aa5ac5dee601b0/",
    origin="the GitHub repository MiuLab/SlotGated-SLU",
    pinned=(
        Pinned(
            "data/atis/test/label",
            11_634,
            "ce4bfe6590d9498e1078f30b4137d3e8b3e94277b444b26360c0bf2e9e282761",
        ),
        Pinned(
            "data/atis/test/seq.in",
            52_122,
            "4b2119fc59c37f9398c6605db435d4f467505009e6ee3e5af04fed09f39dc397",
        ),
        Pinned(
            "data/atis/test/seq.out",
            81_238,
            "a4690d6bceadc06876d1ff99bc401744aa981cb321e598ae12a3859d7be53254",
        ),
        Pinned(
            "data/atis/train/label",
            57_831,
            "d0a771547665eecbdf9f96ea015ef07d1f6ee9f063e861020dafabb3c2a04377",
        ),
        Pinned(
            "data/atis/train/seq.in",
            289_848,
            "3a670980841b21ab39088b2595efc17d487cdc45769c075a3e5f9458bba28c7f",
        ),
        Pinned(
            "data/atis/train/seq.out",
            415_557,
            "14c7131bd66562f797dbd7189bc7358f0cf354c6afb0785a9ab973c35b58f34c",
        ),
        Pinned(
            "data/atis/valid/label",
            6_518,
            "06957cfe6fdffac84f8280bc3a1f8ca85c85631b363817aa4543aac611f8addf",
        ),
        Pinned(
            "data/atis/valid/seq.in",
            32_761,
            "c7435b96e7948393608c34819628e863c5338f11ca68e8f896d2cc041d8e17f8",
        ),
        Pinned(
            "data/atis/valid/seq.out",
            47_763,
            "83ccff3e36f83a993f8e5b5b82adf3256076f234abda4d784051381d7ac76922",
        ),
    ),
)

_FOLDERS = {"train": "train", "valid": "validation", "test": "test"}


class Atis(Dataset):
    """Questions about flights: 26 intents, 83 slot types; 4,478 to train on, 500 to validate, 893 to test.

    Words and tags are the published ones, also where they differ from what the other collections' texts are split into
    (``what's`` is one word). A question that asks two things has the intent ``atis_flight#atis_airfare``, an intent of
    its own, as usual. A question that was asked several times stays in all its places.

    Source: C. Hemphill, J. Godfrey, G. Doddington. The ATIS Spoken Language Systems Pilot Corpus. Speech and Natural
    Language 1990; D. Dahl et al. Expanding the Scope of the ATIS Task. Human Language Technology 1994. Division: C. Goo
    et al. Slot-Gated Modeling for Joint Slot Filling and Intent Prediction. NAACL 2018. Use: Parikh et al. 2022,
    section 4.3.
    """

    title: ClassVar[str] = "ATIS flight questions"
    card: ClassVar[Card] = Card(
        summary="5,871 questions of air travellers: 26 intents such as asking for a flight, and 83 types of slots.",
        licence="none stated; data of the LDC, redistributed for research",
        citation=(
            "C. Hemphill, J. Godfrey, G. Doddington (1990). The ATIS Spoken Language Systems Pilot Corpus. Speech and "
            "Natural Language. D. Dahl, M. Bates, M. Brown, W. Fisher, K. Hunicke-Smith, D. Pallett, C. Pao, "
            "A. Rudnicky, E. Shriberg (1994). Expanding the Scope of the ATIS Task: The ATIS-3 Corpus. Human Language "
            "Technology."
        ),
        homepage="https://github.com/MiuLab/SlotGated-SLU",
    )
    holds: ClassVar[type] = Utterances

    def sources(self) -> tuple[Source, ...]:
        """Return three files a part: words, tags and intents."""
        return (QUESTIONS,)

    def load(self) -> Utterances:
        """Return the utterances in the order of the files: to train on, to validate, to test.

        Raises:
            DataCorrupt: The files of a part do not match, or a line is not of the form expected.
        """
        content = read(QUESTIONS)
        rows = [
            (words, slots, intent, part)
            for folder, part in _FOLDERS.items()
            for words, slots, intent in _lines(folder, content)
        ]
        if not rows:
            raise DataCorrupt(f"{QUESTIONS.name} holds no utterances.")
        words, slots, intents, parts = zip(*rows, strict=True)
        return Utterances(words, slots, intents, parts)


def _lines(folder: str, content: dict[str, bytes]) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Return words, tags and intent of each line that has words.

    Raises:
        DataCorrupt: The files do not match, or a line is not of the form expected.
    """
    names = [f"{folder}/{file}" for file in ("seq.in", "seq.out", "label")]
    files = [text_of(name, content[f"data/atis/{name}"]).rstrip("\n").split("\n") for name in names]
    if len(set(map(len, files))) > 1:
        counted = ", ".join(f"{name} has {len(lines)}" for name, lines in zip(names, files, strict=True))
        raise DataCorrupt(f"The files of {folder} must have the same number of lines. {counted}.")
    found = []
    for number, (line, tags, label) in enumerate(zip(*files, strict=True), 1):
        words, slots, intent = tuple(line.lower().split()), tuple(tags.split()), label.strip()
        if len(words) != len(slots):
            raise DataCorrupt(
                f"Line {number} of {names[1]} must have a tag for each of {len(words)} words. It is {tags[:80]!r}."
            )
        if (place := misplaced(slots)) is not None:
            raise DataCorrupt(
                f"Line {number} of {names[1]} must have O, B-x, or I-x after B-x or I-x. It has {slots[place]!r} as "
                f"tag {place + 1}."
            )
        if words and not intent:
            raise DataCorrupt(f"Line {number} of {names[2]} must be an intent. It is empty.")
        if words:
            found.append((words, slots, intent))
    return found
