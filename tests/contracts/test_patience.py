"""No test gives up early: only `tests/patience.py` says how long one waits."""

import re

from tests.errands import ROOT

IMPATIENT = re.compile(r"new_context\(|default_timeout=(?!PATIENCE)|\btimeout=\d{1,4}\b(?!e)|\bmonotonic\(\) \+ \d")
EXEMPT = ("tests/benchmarks/", "tests/contracts/test_patience.py")
WINDOWS = "tests/e2e/steps.py"
SHORT_ON_PURPOSE = {
    "tests/errands.py": "timeout=5",  # of one try among many
    "tests/dashboard/test_cold_imports.py": "default_timeout=",  # in a process of its own, which is handed PATIENCE
}


def test_every_wait_has_the_patience_of_all() -> None:
    found = []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        name = str(file.relative_to(ROOT))
        if name.startswith(EXEMPT):
            continue
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            match = IMPATIENT.search(line)
            allowed = match and (match[0] == SHORT_ON_PURPOSE.get(name) or (name == WINDOWS and "new_context" in line))
            if match and not allowed:
                found.append(f"{name}:{number}: {line.strip()}")
    assert not found, "\n".join(found)
