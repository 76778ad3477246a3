"""Strips e-mails to what the sender wrote: no quotes, headers, signatures, footers or disclaimers.

Handles three formats of real data: plain list mail, mail with lines joined to sentences, and tokenised mail, where
punctuation marks stand alone (``- - - - - original message - - - - -``).
"""

import re

FEWEST_WORDS = 5
"""An older message below a reply is dropped unless the reply has fewer words than this."""

_SIGNATURE_LINES = 20
"""Most lines of a signature below ``--``."""

_WORD = re.compile(r"[^\W\d_]+")
_DASHES = r"[-_=*\s]"
_FORWARD = re.compile(
    rf"^{_DASHES}*-\s*-\s*-{_DASHES}*(?:forwarded\s+by\b|(?:begin\s+)?forwarded\s+message\b)|^forwarded\s+by\b.*\bon\b",
    re.IGNORECASE,
)
_ORIGINAL = re.compile(
    rf"^\W?{_DASHES}*-\s*-{_DASHES}*"
    r"(?:(?:original|reply)\s+message|oprindelig meddelelse|ursprüngliche nachricht|message d.origine)\b",
    re.IGNORECASE,
)
_PGP = re.compile(r"^(?:- ?){5}(begin|end) pgp (signed message|)", re.IGNORECASE)
_FIELD = re.compile(
    r"^\W{0,3}(from|to|cc|bcc|sent|sent\s+by|date|subject|reply\s*-?\s*to|organization|message\s*-\s*id|importance"
    r"|von|an|gesendet|betreff|datum|fra|til|sendt|dato|emne)\s*:",
    re.IGNORECASE,
)
_ADDRESSEE = re.compile(r"^(to|cc|subject|an|betreff|til|emne)$", re.IGNORECASE)
_CONTINUED = re.compile(r"^\s*$|[@;/]|,.*,")
_DATE = re.compile(
    r"^\W*(?:on\s+)?\d{1,2}\s*/\s*\d{1,2}\s*/\s*\d{2,4}\s+\d{1,2}\s*:\s*\d{2}|\d\s*:\s*\d{2}\s*(?:am|pm)\W*$",
    re.IGNORECASE,
)
_WROTE = re.compile(r"\b(?:wrote|writes|schrieb|escribió|a écrit|ha scritto)\s*:\s*$", re.IGNORECASE)
_BEFORE_WROTE = re.compile(r"^\W*(?:on|at|am|le|el|il)\b.*\d|@|\bat\b.*\.|\d{4}", re.IGNORECASE)
_SIGNATURE = re.compile(r"^\W?-\s?-\W{0,3}$")
_RULE = re.compile(r"^[\W_]{8,}$")
_LIST_FOOTER = re.compile(
    r"mailing list(?:s)?\b|^send \"info\"|unsubscribe|posting guide|stat\.math\.ethz\.ch/mailman", re.IGNORECASE
)
_NOT_TEXT = re.compile(
    r"\s*(?:[a-z]{1,4}>|[>|]|\[\[alternative html version deleted\]\]|an? .{0,60}attachment was scrubbed"
    r"|an embedded .{0,60}scrubbed|-+ next part -+|(?-i:(?:Name|Type|Size|Desc|URL|Url) ?: )|(?-i:Hash: )"
    r"|please respond to\b)",
    re.IGNORECASE,
)
_DISCLAIMER = re.compile(
    r"^(?:thisemailisthepropertyof|thise?mail(?:message|transmission)?(?:and|including|contains|isintended|may|is(?:confidential|only))"
    r"|this(?:electronic)?(?:message|communication|transmission)(?:and(?:any|its|attach)|includ|contains(?:information|confid)|isintended|isfor|may)"
    r"|theinformation(?:contained)?inthis|theinformationtransmitted|confidentialitynotice|thecontentsofthise?mail"
    r"|doyouyahoo|getyour(?:free|private)|getafree|joinhotmail|sendandreceivehotmail|chatwithfriendsonline"
    r"|yahoomailpersonal|msnphotos|ifyouarenottheintendedrecipient|noticethisemail|legalnotice$)"
)
_DISCLAIMER_START = re.compile(
    r"\W*(?:this|the|do you|get|join|send|chat|yahoo|msn|if|notice|confidentiality|legal notice)\b", re.IGNORECASE
)
_NOT_LETTERS = re.compile(r"[^a-z]+")
_REPLY_PREFIX = re.compile(r"^\W*(?:(?:re|fw|fwd|aw)\s*(?:\[\s*\d+\s*\])?\s*:\s*)+", re.IGNORECASE)
_LIST_TAG = re.compile(r"^\s*\[[\w.-]{1,30}\]\s*")


def clean(body: str) -> str:
    r"""Return the text that an e-mail's sender wrote or forwarded.

    Quoted lines and their attribution, header blocks, signatures after ``--``, list footers, scrubbed attachments, PGP
    blocks and legal or advertising footers are removed. A forwarded message loses only its headers. An older message
    below a reply is removed with all that follows, unless fewer than `FEWEST_WORDS` words are above it, as in a
    forward.

    >>> clean("Fine, see you there at six.\n\n-----Original Message-----\nFrom: Ann\nSent: today\nShall we?")
    'Fine, see you there at six.'
    >>> clean("fyi\n----- Forwarded by Ann Lee on 01/02/2000 -----\nTo: Bob\nSubject: lunch\nLunch is at noon.")
    'fyi\nLunch is at noon.'
    """
    text: list[str] = []
    for older, lines in _segments(body.splitlines()):
        if older and len(_WORD.findall("\n".join(text))) >= FEWEST_WORDS:
            break
        text += _without_footer(_without_quotes(lines))
    return "\n".join(text).strip()


def subject_of(line: str) -> str:
    """Return a subject without the marks of replies, forwards and lists.

    >>> subject_of("Re: [R-sig-DB] FW: Lunch")
    'Lunch'
    """
    while True:
        shorter = _LIST_TAG.sub("", _REPLY_PREFIX.sub("", line)).strip()
        if shorter == line:
            return line
        line = shorter


def _segments(lines: list[str]) -> list[tuple[bool, list[str]]]:
    """Split a message where an older one begins, without headers; each segment tells whether it is below a reply."""
    segments: list[tuple[bool, list[str]]] = [(False, [])]
    number = 0
    while number < len(lines):
        line = lines[number]
        if ":" not in line and "-" not in line and "orwarded" not in line:
            segments[-1][1].append(line)
            number += 1
            continue
        if _FORWARD.match(line):
            number = _after_headers(lines, _after_marker(lines, number))
            segments.append((False, []))
        elif _ORIGINAL.match(line):
            number = _after_headers(lines, number + 1)
            segments.append((True, []))
        elif (end := _header_block(lines, number)) > number:
            _drop_sender(segments[-1][1])
            segments.append((True, []))
            number = end
        else:
            segments[-1][1].append(line)
            number += 1
    return segments


def _after_marker(lines: list[str], number: int) -> int:
    """Return the line after a forwarding mark, which may span two lines."""
    following = lines[number + 1] if number + 1 < len(lines) else ""
    compact = following.replace(" ", "")
    return number + 2 if compact.endswith("-----") and len(_WORD.findall(following)) <= 4 else number + 1


def _after_headers(lines: list[str], number: int) -> int:
    """Return the line after optional headers: sender and date without a field name, then fields."""
    for start in range(number, min(number + 5, len(lines))):
        if _FIELD.match(lines[start]):
            return _end_of_fields(lines, start)
    return number


def _header_block(lines: list[str], number: int) -> int:
    """Return the line after two or more header fields, one an addressee or a subject, else the same line."""
    first = _FIELD.match(lines[number])
    if not first:
        return number
    end = _end_of_fields(lines, number)
    names = [match.group(1) for line in lines[number:end] if (match := _FIELD.match(line))]
    return end if len(names) >= 2 and any(_ADDRESSEE.match(name) for name in names) else number


def _end_of_fields(lines: list[str], number: int) -> int:
    """Return the line after consecutive header fields; a list of addressees may span several lines."""
    last = number
    addressees = False
    for position in range(number, min(number + 60, len(lines))):
        line = lines[position]
        if field := _FIELD.match(line):
            last = position + 1
            addressees = field.group(1).lower() != "subject"
            if not addressees:
                break
        elif position > last and not (addressees and _CONTINUED.search(line)):
            break
    return last


def _drop_sender(lines: list[str]) -> None:
    """Drop the name and the date above a header block."""
    for _ in range(3):
        if lines and (not lines[-1].strip() or _DATE.search(lines[-1])):
            dated = bool(lines.pop().strip())
            if dated and lines and len(lines[-1].split()) <= 6:
                lines.pop()


def _without_quotes(lines: list[str]) -> list[str]:
    """Drop quoted lines, their attribution, PGP blocks and scrubbed attachments."""
    unquoted: list[str] = []
    in_pgp = False
    for line in lines:
        if mark := _PGP.match(line) if line[:1] == "-" else None:
            in_pgp = mark.group(1).lower() == "begin" and not mark.group(2)
        elif in_pgp or _NOT_TEXT.match(line):
            continue
        elif line.rstrip().endswith(":") and _WROTE.search(line):
            if unquoted and not _BEFORE_WROTE.search(line) and _BEFORE_WROTE.search(unquoted[-1]):
                unquoted.pop()
        else:
            unquoted.append(line)
    return unquoted


def _without_footer(lines: list[str]) -> list[str]:
    """Drop a signature, a list's footer and legal or advertising text at the end, and lines of punctuation."""
    end = next((number for number in range(len(lines)) if _begins_footer(lines, number)), len(lines))
    return [line for line in lines[:end] if not _RULE.match(line)]


def _begins_footer(lines: list[str], number: int) -> bool:
    line, below = lines[number], lines[number + 1 :]
    return bool(
        (_SIGNATURE.match(line) and sum(bool(below_line.strip()) for below_line in below) <= _SIGNATURE_LINES)
        or (_RULE.match(line) and any(_LIST_FOOTER.search(below_line) for below_line in below[:3]))
        or (_DISCLAIMER_START.match(line) and _DISCLAIMER.match(_NOT_LETTERS.sub("", line.lower())))
    )
