"""Line-aligned files: a sentence in one, its translation on the same line of another."""

from collections.abc import Iterator, Mapping

from core.errors import DataCorrupt
from core.sources.tables import text_of


def by_line(files: Mapping[str, bytes], source: str, target: str) -> Iterator[tuple[str, str]]:
    """Yield each line and its translation, in the order of the source files; lines that are empty in both are skipped.

    Args:
        files: Content by path. For each path with the suffix ``source`` there is one with the suffix ``target``.
        source: Suffix of the files with sentences.
        target: Suffix of the files with their translations.

    Raises:
        DataCorrupt: A file is not UTF-8, the numbers of lines differ, or a line is empty in one file only.
    """
    for path in [path for path in files if path.endswith(source)]:
        other = path.removesuffix(source) + target
        lines, translations = (text_of(name, files[name]).rstrip("\n").split("\n") for name in (path, other))
        if len(lines) != len(translations):
            raise DataCorrupt(
                f"{path} and {other} must have the same number of lines. They have {len(lines):,} and "
                f"{len(translations):,}."
            )
        for number, pair in enumerate(zip(lines, translations, strict=True), 1):
            if bool(pair[0].strip()) != bool(pair[1].strip()):
                raise DataCorrupt(f"Line {number} of {path} and {other} must have text in both.")
            if pair[0].strip():
                yield pair
