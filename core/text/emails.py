"""What the sender of an e-mail wrote, without the mail around it: quotes, headers, signatures, footers, disclaimers.

Written for three formats met in real data: plain list mail, mail whose lines were already joined to sentences, and
tokenised mail, where every punctuation mark stands alone (``- - - - - original message - - - - -``).
"""

import re

FEWEST_WORDS = 5
"""An older message below a reply is dropped unless fewer words than this stand above it."""

_SIGNATURE_LINES = 20
"""More lines than this below ``--`` are no signature."""

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
    r"""Return the text an e-mail's sender wrote or passed on.

    Quoted lines and their attribution, header blocks, signatures after ``--``, list footers, scrubbed attachments,
    PGP blocks and legal or advertising footers go. Of a forwarded message only the headers go: the text is what was
    sent. An older message below a reply goes with all that follows it, unless fewer than `FEWEST_WORDS` words stand
    above it, which makes it a forward in all but name.

    >>> clean("Fine, see you there at six.\n\n-----Original Message-----\nFrom: Ann\nSent: today\nShall we?")
    'Fine, see you there at six.'
    >>> clean("fyi\n----- Forwarded by Ann Lee on 01/02/2000 -----\nTo: Bob\nSubject: lunch\nLunch is at noon.")
    'fyi\nLunch is at noon.'
    """
    kept: list[str] = []
    for older, lines in _segments(body.splitlines()):
        if older and len(_WORD.findall("\n".join(kept))) >= FEWEST_WORDS:
            break
        kept += _without_footer(_without_quotes(lines))
    return "\n".join(kept).strip()


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
    """Split a message where an older one begins; each segment says whether it is a reply's older message.

    Headers are dropped, so that each segment holds text only.
    """
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
    """Return the line after a forwarding mark, which may be wrapped onto a second line."""
    following = lines[number + 1] if number + 1 < len(lines) else ""
    compact = following.replace(" ", "")
    return number + 2 if compact.endswith("-----") and len(_WORD.findall(following)) <= 4 else number + 1


def _after_headers(lines: list[str], number: int) -> int:
    """Return the line after the headers that may stand from a line on: sender and date without a name, then fields."""
    for start in range(number, min(number + 5, len(lines))):
        if _FIELD.match(lines[start]):
            return _end_of_fields(lines, start)
    return number


def _header_block(lines: list[str], number: int) -> int:
    """Return the line after a block of at least two header fields, one an addressee or a subject, else the line."""
    first = _FIELD.match(lines[number])
    if not first:
        return number
    end = _end_of_fields(lines, number)
    found = [match.group(1) for line in lines[number:end] if (match := _FIELD.match(line))]
    return end if len(found) >= 2 and any(_ADDRESSEE.match(name) for name in found) else number


def _end_of_fields(lines: list[str], number: int) -> int:
    """Return the line after consecutive header fields; a long list of addressees goes on over several lines."""
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
    """Drop the name and date that stand above a header block."""
    for _ in range(3):
        if lines and (not lines[-1].strip() or _DATE.search(lines[-1])):
            dated = bool(lines.pop().strip())
            if dated and lines and len(lines[-1].split()) <= 6:
                lines.pop()


def _without_quotes(lines: list[str]) -> list[str]:
    """Drop quoted lines, the line that says whom they quote, PGP blocks and scrubbed attachments."""
    kept: list[str] = []
    in_pgp = False
    for line in lines:
        if mark := _PGP.match(line) if line[:1] == "-" else None:
            in_pgp = mark.group(1).lower() == "begin" and not mark.group(2)
        elif in_pgp or _NOT_TEXT.match(line):
            continue
        elif line.rstrip().endswith(":") and _WROTE.search(line):
            if kept and not _BEFORE_WROTE.search(line) and _BEFORE_WROTE.search(kept[-1]):
                kept.pop()
        else:
            kept.append(line)
    return kept


def _without_footer(lines: list[str]) -> list[str]:
    """Drop a signature, a list's footer and legal or advertising text at the end, and lines of punctuation."""
    for number, line in enumerate(lines):
        if _SIGNATURE.match(line) and sum(bool(rest.strip()) for rest in lines[number + 1 :]) <= _SIGNATURE_LINES:
            lines = lines[:number]
            break
        if _RULE.match(line) and any(_LIST_FOOTER.search(rest) for rest in lines[number + 1 : number + 4]):
            lines = lines[:number]
            break
        if _DISCLAIMER_START.match(line) and _DISCLAIMER.match(_NOT_LETTERS.sub("", line.lower())):
            lines = lines[:number]
            break
    return [line for line in lines if not _RULE.match(line)]
