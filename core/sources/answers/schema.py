"""The JSON schema of a line of questions or answers, made of the declarations that the readers use."""

from typing import Any

from pydantic.json_schema import models_json_schema

from core.sources.answers.answers import Answering
from core.sources.answers.forms import FORMS, Line
from core.sources.answers.questions import Asked, Question


def schema() -> dict[str, Any]:
    """Return the schema; every line of both files fits exactly one of its forms."""
    models: tuple[type[Line], ...] = (Asked, Question, Answering, *FORMS)
    references, definitions = models_json_schema([(model, "validation") for model in models])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a file of questions or answers",
        "oneOf": [references[model, "validation"] for model in models],
        **definitions,
    }
