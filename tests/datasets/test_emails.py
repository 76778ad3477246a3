"""The clean-up of e-mails, on messages written here in the formats of the real ones, and on the real ones."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.datasets.mail.enron_spam import FIRST
from core.sources import read
from core.text.corpus import words_of
from core.text.emails import clean, subject_of
from tests.datasets.loopback import needs

TOKENISED_REPLY = """sure , the meter was off by two days .
please book it for march .
jo
ada lovelace @ example
03 / 02 / 2000 11 : 31 am
to : jo brown / lon / exa @ exa , sue
smith / lon / exa @ exa
cc :
subject : meter 42
jo , can you tell me what happened to the meter ?"""

TOKENISED_FORWARD = """fyi
- - - - - - - - - - - - - - - - - - - - - - forwarded by jo brown / lon / exa on 03 / 02 / 2000 11 : 34
am - - - - - - - - - - - - - - - - - - - - - - - - - - -
from : ada lovelace 03 / 02 / 2000 11 : 31 am
to : jo brown / lon / exa @ exa
cc :
subject : meter 42
the meter at the river was replaced on monday ."""

TOKENISED_ORIGINAL = """yes , that is the right number for april .
- - - - - original message - - - - -
from : brown , jo
sent : tuesday , march 07 , 2000 9 : 10 am
to : lovelace , ada ; smith , sue
subject : number
is it 42 ?"""

DISCLAIMER = """the report is attached , call me with questions .
this e - mail is the property of example corp . and / or its relevant affiliate and may
contain confidential material for the sole use of the intended recipient ."""

LIST_REPLY = f"""Dear Jo,

On Tue, 7 Mar 2000, Jo Brown wrote:

> How do I read a table?
> It has a header.

See ?read.table, argument header.

Jo Brown <jo at example.org> writes:
> Thanks!

You are welcome.

{"-- "}
Ada Lovelace
Department of Engines
http://example.org

\t[[alternative HTML version deleted]]
"""

OLD_LIST_FOOTER = """Use the second one.
-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-.-
r-help mailing list -- Read http://www.ci.tuwien.ac.at/~hornik/R/R-FAQ.html
Send "info", "help", or "[un]subscribe"
_._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._._"""

NEW_LIST_FOOTER = """Use the third one.

______________________________________________
R-help at r-project.org mailing list
https://stat.ethz.ch/mailman/listinfo/r-help"""

TOP_POSTED = """It works now, many thanks for the patch!

Jo

-----Original Message-----
From: Ada Lovelace [mailto:ada at example.org]
Sent: Sunday, May 12, 2002 7:13 PM
To: r-sig-db at example.org
Subject: [R-sig-DB] patch

Please try the patch."""

SIGNED = """-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA1

The package is on CRAN.

-----BEGIN PGP SIGNATURE-----
Version: GnuPG v1

iD8DBQFBsNn0
-----END PGP SIGNATURE-----"""

SCRUBBED = """Here is the plot.
-------------- next part --------------
A non-text attachment was scrubbed...
Name: plot.pdf
Type: application/pdf
Size: 4711 bytes
Desc: not available
URL: <https://stat.ethz.ch/pipermail/r-help/attachments/1/plot.pdf>"""


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (TOKENISED_REPLY, "sure , the meter was off by two days .\nplease book it for march .\njo"),
        (TOKENISED_FORWARD, "fyi\nthe meter at the river was replaced on monday ."),
        (TOKENISED_ORIGINAL, "yes , that is the right number for april ."),
        (TOKENISED_ORIGINAL.partition("\n")[2], "is it 42 ?"),
        (DISCLAIMER, "the report is attached , call me with questions ."),
        (OLD_LIST_FOOTER, "Use the second one."),
        (NEW_LIST_FOOTER, "Use the third one."),
        (TOP_POSTED, "It works now, many thanks for the patch!\n\nJo"),
        (SIGNED, "The package is on CRAN."),
        (SCRUBBED, "Here is the plot."),
    ],
)
def test_only_what_the_sender_wrote_is_left(message: str, expected: str) -> None:
    assert clean(message) == expected


def test_quotes_their_attribution_and_the_signature_go_but_the_answers_between_stay() -> None:
    assert words_of(clean(LIST_REPLY)) == words_of("Dear Jo, See read.table, argument header. You are welcome.")


def test_an_attribution_over_two_lines_goes() -> None:
    message = "On Tue, Mar 7, 2000 at 9:10 AM, Jo Brown <jo at example.org>\nwrote:\n> What?\nNothing."
    assert clean(message) == "Nothing."


@pytest.mark.parametrize(
    "message",
    [
        "Subject to approval: yes.",
        "From: here to there is a long way, and nobody wrote it down.",
        "He wrote it all -- every word -- himself.",
        "The e-mail is confidential? I do not think so.",
        "a < b and c > d",
        "",
    ],
)
def test_plain_text_stays_as_it_is(message: str) -> None:
    assert clean(message) == message


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Re: lunch", "lunch"),
        ("re : fw : lunch", "lunch"),
        ("[R-sig-DB] RE: [R] Fwd: AW: lunch", "lunch"),
        ("Re[2]: lunch", "lunch"),
        ("regarding lunch", "regarding lunch"),
        ("Re:", ""),
    ],
)
def test_subjects_lose_the_marks_of_replies(line: str, expected: str) -> None:
    assert subject_of(line) == expected


_LINES = st.sampled_from(
    [line for message in (TOKENISED_REPLY, TOKENISED_FORWARD, LIST_REPLY, SIGNED) for line in message.splitlines()]
)


@given(st.lists(st.one_of(_LINES, st.text(max_size=40)), max_size=30))
def test_any_message_is_cleaned_to_words_it_had(lines: list[str]) -> None:
    message = "\n".join(lines)
    left = words_of(clean(message))
    assert set(left) <= set(words_of(message))
    assert len(left) <= len(words_of(message))


@needs("enron_spam_1")
def test_real_messages(real_home: Path) -> None:
    (content,) = read(FIRST).values()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        bodies = {
            name.rpartition("/")[2][:4]: archive.read(name).decode("latin-1").partition("\n")[2]
            for name in archive.namelist()
            if "/ham/" in name and name.endswith(".txt")
        }
    assert len(bodies) == 3672
    # A forward of forwards keeps each text and no header; a reply keeps its own lines.
    assert clean(bodies["0994"]).startswith("please forward this e - mail to your teams regarding recent")
    assert "@ ect" not in clean(bodies["0994"])
    assert clean(bodies["4367"]).startswith("george ,\nthe following are my answers to your questions :")
    assert "questions based on the information" not in clean(bodies["4367"])
    cleaned = [clean(body) for body in bodies.values()]
    assert sum("original message" in body for body in bodies.values()) > 100
    assert sum("original message -" in body for body in cleaned) <= 3
    assert sum("forwarded by" in body for body in bodies.values()) > 800
    assert sum("forwarded by" in body for body in cleaned) <= 5
    before, after = (sum(len(words_of(body)) for body in some) for some in (bodies.values(), cleaned))
    assert 0.5 < after / before < 0.85
