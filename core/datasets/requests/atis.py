"""ATIS: transcribed spoken questions about flights, with intents and slots."""

from typing import ClassVar

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.tables import text_of
from core.text.contents import Utterances, misplaced

QUESTIONS = on_github(
    "atis",
    "MiuLab/SlotGated-SLU@61f0307c729b1fad479ef1de94aa5ac5dee601b0",
    "data/atis/",
    """
    ce4bfe6590d9498e1078f30b4137d3e8b3e94277b444b26360c0bf2e9e282761 11_634 test/label
    4b2119fc59c37f9398c6605db435d4f467505009e6ee3e5af04fed09f39dc397 52_122 test/seq.in
    a4690d6bceadc06876d1ff99bc401744aa981cb321e598ae12a3859d7be53254 81_238 test/seq.out
    d0a771547665eecbdf9f96ea015ef07d1f6ee9f063e861020dafabb3c2a04377 57_831 train/label
    3a670980841b21ab39088b2595efc17d487cdc45769c075a3e5f9458bba28c7f 289_848 train/seq.in
    14c7131bd66562f797dbd7189bc7358f0cf354c6afb0785a9ab973c35b58f34c 415_557 train/seq.out
    06957cfe6fdffac84f8280bc3a1f8ca85c85631b363817aa4543aac611f8addf 6_518 valid/label
    c7435b96e7948393608c34819628e863c5338f11ca68e8f896d2cc041d8e17f8 32_761 valid/seq.in
    83ccff3e36f83a993f8e5b5b82adf3256076f234abda4d784051381d7ac76922 47_763 valid/seq.out
    """,
)

_FOLDERS = {"train": "train", "valid": "validation", "test": "test"}


class Atis(Dataset):
    """Questions about flights: 26 intents, 83 slot types; 4,478 for training, 500 for validation, 893 for testing.

    Words and tags are the published ones, even where the other collections are tokenised differently (``what's`` is one
    word). A question with two intents has the combined intent ``atis_flight#atis_airfare``, as usual. Repeated
    questions are kept.

    Source: C. Hemphill, J. Godfrey, G. Doddington. The ATIS Spoken Language Systems Pilot Corpus. Speech and Natural
    Language 1990; D. Dahl et al. Expanding the Scope of the ATIS Task. Human Language Technology 1994. Split: C. Goo
    et al. Slot-Gated Modeling for Joint Slot Filling and Intent Prediction. NAACL 2018. Use: Parikh et al. 2022,
    section 4.3.
    """

    title: ClassVar[str] = "ATIS flight questions"
    pinned: ClassVar[tuple[Source, ...]] = (QUESTIONS,)
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

    def load(self) -> Utterances:
        """Return the utterances in the order of the files: training, validation, testing."""
        content = read(QUESTIONS)
        rows = [
            (words, slots, intent, subset)
            for folder, subset in _FOLDERS.items()
            for words, slots, intent in _lines(folder, content)
        ]
        if not rows:
            raise DataCorrupt(f"{QUESTIONS.name} holds no utterances.")
        return Utterances(*zip(*rows, strict=True))


def _lines(folder: str, content: dict[str, bytes]) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Return words, tags and intent of each line that has words."""
    names = [f"{folder}/{file}" for file in ("seq.in", "seq.out", "label")]
    files = [text_of(name, content[f"data/atis/{name}"]).rstrip("\n").split("\n") for name in names]
    if len(set(map(len, files))) > 1:
        counted = ", ".join(f"{name} has {len(lines)}" for name, lines in zip(names, files, strict=True))
        raise DataCorrupt(f"The files of {folder} must have the same number of lines. {counted}.")
    rows = []
    for number, (line, tags, label) in enumerate(zip(*files, strict=True), 1):
        words, slots, intent = tuple(line.lower().split()), tuple(tags.split()), label.strip()
        if len(words) != len(slots):
            raise DataCorrupt(
                f"Line {number} of {names[1]} must have a tag for each of {len(words)} words. It is {tags[:80]!r}."
            )
        if (position := misplaced(slots)) is not None:
            raise DataCorrupt(
                f"Line {number} of {names[1]} must have O, B-x, or I-x after B-x or I-x. It has {slots[position]!r} as "
                f"tag {position + 1}."
            )
        if words and not intent:
            raise DataCorrupt(f"Line {number} of {names[2]} must be an intent. It is empty.")
        if words:
            rows.append((words, slots, intent))
    return rows
