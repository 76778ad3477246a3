"""The command audit: of what a user holds, vectors or a model."""

from core.commands import model_audit, vector_audit
from core.commands.terminal import Commands


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    audit = commands.add_parser("audit", help="audit what you hold: stored vectors, or a trained model")
    audits = audit.add_subparsers(metavar="vectors|model", required=True)
    for module in (vector_audit, model_audit):
        module.add(audits)
