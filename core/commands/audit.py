"""The command audit: of what a user holds, vectors or a model, or may only put questions to."""

from core.commands import answer_audit, model_audit, vector_audit
from core.commands.terminal import CONDITIONS, Commands, added


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    audit = added(
        commands,
        "audit",
        "audit what you hold or may query: vectors, a model, answers",
        "Each has a help of its own: audit model --help.",
        CONDITIONS,
    )
    audits = audit.add_subparsers(required=True)
    for module in (vector_audit, model_audit, answer_audit):
        module.add(audits)
    audits.metavar = "|".join(audits.choices)
