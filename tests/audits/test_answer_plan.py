"""What is said of questions without an answer follows from which they are."""

from core.audits import answer_plan
from core.sources.answers.questions import Questions


def test_questions_without_an_answer_are_counted_and_the_first_lines_named() -> None:
    asked = Questions.about("probability", [f"note {number}" for number in range(9)], {})
    one = answer_plan.unanswered(asked, list(asked.texts)[2:3], "answers.jsonl", "questions.jsonl")
    assert one.startswith("1 of 9 questions have no answer in answers.jsonl: line 4 of questions.jsonl.")
    many = answer_plan.unanswered(asked, list(asked.texts)[:7], "answers.jsonl", "questions.jsonl")
    assert many.startswith("7 of 9 ") and "lines 2, 3, 4, 5, 6, … of questions.jsonl." in many
