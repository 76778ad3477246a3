"""Recitation: a language model continues passages of its training text, or gives a planted secret away."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.canaries import outcome, own_secret, private, read_out, traps
from dashboard.topics.language_models import choice, defended, passages

ICON = ":material/record_voice_over:"
ORDER = 14
QUESTION = "What does it say?"
ATTACKS = ("recitation", "secret_sharer")
LISTED = ("secret_sharer",)

attack = choice.choose(ATTACKS)
secrets = attack == "secret_sharer"
result, experiment = attack_page.opened(attack, absent=own_secret.ask if secrets else None)


def exposed() -> None:
    """Draw what the loss alone reveals of secrets, and traps in several kinds of models."""
    outcome.exposed(result)
    traps.show()


if secrets:
    tabs.show(partial(read_out.show, result, experiment), exposed, private.tab(experiment))
else:
    tabs.show(
        partial(passages.show, result, experiment), partial(passages.how, result), defended.tab(experiment, result)
    )
