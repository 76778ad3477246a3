"""What a report says an adversary could do, and why other attacks were not run."""

from core.audits import plan
from core.audits.profiles import PROFILES
from core.datasets.embeddings import Embeddings
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.encoders.records import DEFAULT
from core.models.encoder import Encoder
from core.report import systems

TEXTS, SMOKE = WikipediaExcerpt(), PROFILES["smoke"]


def test_who_queries_no_encoder_is_not_said_to() -> None:
    words, pairs, *_ = (step.experiment for step in plan.steps(TEXTS, Encoder(), SMOKE, DEFAULT))
    played = systems.played(pairs, [words, pairs])
    assert played["threat"].endswith("Here both are the same encoder, as it happens; it is not told so.")
    assert played["access"] == "the vectors of the leaked texts only" and systems.is_stranger(pairs)
    assert systems.played(words, [words, pairs])["threat"] == words.attack.threat and not systems.is_stranger(words)
    other = plan.steps(TEXTS, Encoder(), SMOKE, "minilm")[1].experiment
    assert "same encoder" not in systems.played(other, [words, other])["threat"]
    alone = plan.steps(Embeddings(source="x"), None, SMOKE, DEFAULT)[1].experiment
    assert "may query the same public encoder" in alone.attack.threat
    assert "may not query it" in systems.played(alone, [alone])["threat"]


def test_what_was_not_run_says_on_what_it_plays() -> None:
    steps = plan.steps(TEXTS, Encoder(), SMOKE, DEFAULT)
    reasons = {title: row["why"] for row in systems.not_run([steps[0].experiment]) for title in row["attacks"]}
    assert reasons["Sentence and user membership"] == "Plays on “dual encoder”, not on “Sentence encoder”."
    assert reasons["Pattern reconstruction"].startswith("Plays on texts of a known format, not on documents (Wiki")
    assert reasons["Candidate ranking"].startswith("Fits, but no result")
    assert steps[0].experiment.attack.title not in reasons


def test_what_an_unknown_encoder_refuses_does_not_fit() -> None:
    steps = plan.steps(Embeddings(source="x"), None, SMOKE, DEFAULT)
    reasons = {title: row["why"] for row in systems.not_run([steps[0].experiment]) for title in row["attacks"]}
    assert "Sentence encoder" in reasons["Candidate ranking"]
    assert reasons["Candidate ranking"].endswith("not on “Unknown encoder”.")
    assert " or “" in reasons["Candidate ranking"], "a title may hold a comma"
    assert reasons["Author inference"] == reasons["Candidate ranking"]
    assert reasons["Inversion by classifier"].startswith("Fits, but no result")
