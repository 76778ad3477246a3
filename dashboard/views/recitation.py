"""Recitation: a language model continues passages of its training text, or gives a planted secret away."""

from functools import partial

from dashboard import navigation
from dashboard.kit import attack_choice, attack_page, landing, tabs
from dashboard.topics.canaries import answer, outcome, own_secret, private, traps
from dashboard.topics.language_models import defended, passages

ICON = ":material/record_voice_over:"
ORDER = 14
QUESTION = "What does it say?"
ATTACKS = ("recitation", "secret_sharer")
LISTED = ("secret_sharer",)

attack = attack_choice.choose(
    "recites/attack",
    "Attack",
    {name: navigation.title_of(name) for name in ATTACKS},
    lambda chosen, before: landing.experiment(chosen),
    hint="Recitation is of passages of ordinary text, the secret sharer of made-up secrets planted in it.",
)
secrets = attack == "secret_sharer"
result, experiment = attack_page.opened(attack, absent=own_secret.ask if secrets else None)


def exposed() -> None:
    """Draw what the loss alone reveals of secrets, and traps in several kinds of models."""
    outcome.exposed(result)
    traps.show()


if secrets:
    tabs.show(partial(answer.show, result, experiment), exposed, private.tab(experiment))
else:
    tabs.show(
        partial(passages.show, result, experiment), partial(passages.how, result), defended.tab(experiment, result)
    )
