"""A report as a file: one sealed page of HTML that needs no network, Markdown, or JSON."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from core.errors import InvalidSpec, suggestion
from core.report import drawing, notes, sentences
from core.report.seal import sealed
from core.statistics import wording
from core.statistics.wording import naming, units, variants
from core.statistics.wording.naming import capitalised, estimate_name

FORMATS = (".html", ".md", ".json")
MARK = '<script type="application/json" id="evidence">'
"""What stands before the evidence in a page; it is data, not a program."""
_FOLDER = Path(__file__).parent
_WORDS = tuple(Path(str(module.__file__)) for module in (naming, units, variants, wording))
"""What words names and figures."""


def rendered(evidence: Mapping[str, Any], suffix: str) -> bytes:
    """Return a report as a sealed file of the format of a suffix; the same evidence gives the same bytes.

    Raises:
        InvalidSpec: There is no such format.
    """
    if suffix not in FORMATS:
        raise InvalidSpec(f"No report is written as {suffix!r}.{suggestion(suffix, FORMATS)}", "output")
    text = json.dumps(evidence, indent=1, ensure_ascii=False, allow_nan=False)
    if suffix == ".json":
        return sealed(f'"renderer": "{renderer()}",\n"report": {text}}}\n', suffix)
    values = {
        "report": evidence,
        "renderer": renderer(),
        "say": sentences,
        "estimate_name": estimate_name,
        "draw": drawing,
        "notes": notes.of_results(evidence["results"]),
    }
    if suffix == ".html":
        values["embedded"] = Markup(_embedded(evidence))
    return sealed(_environment(html=suffix == ".html").get_template(f"report{suffix}").render(values), suffix)


def evidence_of(body: str) -> tuple[dict[str, Any], str] | None:
    """Return the evidence inside the body of a page or of JSON, and what wrote it; None where it holds none.

    Raises:
        ValueError: What it holds is not JSON.
    """
    if MARK in body:
        content = json.loads(body.partition(MARK)[2].partition("</script>")[0])
    elif body.startswith('"renderer"'):
        content = json.loads("{" + body)
    else:
        return None
    return content["report"], content["renderer"]


@cache
def renderer() -> str:
    """Return a digest of the code that writes reports: only the same code draws a page again byte for byte."""
    files = sorted(path for path in _FOLDER.rglob("*") if path.suffix in (".py", *FORMATS))
    return hashlib.sha256(b"".join(path.read_bytes() for path in (*files, *_WORDS))).hexdigest()[:16]


def _embedded(evidence: Mapping[str, Any]) -> str:
    """Return the evidence as JSON that no parser of HTML takes for the end of its element."""
    content = {"renderer": renderer(), "report": evidence}
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _cell(text: object) -> str:
    """Return a text as it stands in a table of Markdown, in which nothing of it is read as a sign."""
    escaped = "".join(f"\\{letter}" if letter in "\\`*_[]<>|#&" else letter for letter in str(text))
    return " ".join(escaped.split())


@cache
def _environment(*, html: bool) -> Environment:
    """Return what compiles the templates, once for all reports."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cell": _cell, "capitalised": capitalised}
    return environment
