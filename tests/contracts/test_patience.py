"""No test gives up early: only `tests/patience.py` says how long one waits."""

import re

import pytest

from tests.errands import ROOT

IMPATIENT = re.compile(
    r"new_context\(|default_timeout=(?!PATIENCE)|\btimeout=[\"']?\d[\d_.]*+(?!e)|\bmonotonic\(\) \+ \d"
    r"|\b(?:until|deadline|end)\w* = time\.time\(\) \+ \d"
    r"|\.(?:wait|join|result)\((?:[1-9]|0\.[1-9])|\bwait_for_timeout\(|\bwait_for\([^)]*,\s*\d"
    r"|\bfor _ in range\(\d{2,}\):(?=\n(?:.*\n){0,8}?.*\bsleep\()"
    r"|\bset_default_\w*timeout\((?!1000 \* PATIENCE)"
)
EXEMPT = ("tests/benchmarks/", "tests/contracts/test_patience.py")
STEPS = "tests/e2e/steps.py"
"""It opens windows with the patience of all, and looks again and again."""
SHORT_ON_PURPOSE = {
    "tests/errands.py": "timeout=5",  # of one try among many
    "tests/runtime/clusters.py": 'timeout="5',  # of one try among many
    "tests/dashboard/test_cold_imports.py": "default_timeout=",  # in a process of its own, which is handed PATIENCE
}


def test_every_wait_has_the_patience_of_all() -> None:
    impatient = []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        name = str(file.relative_to(ROOT))
        if name.startswith(EXEMPT):
            continue
        text = file.read_text("utf-8")
        for match in IMPATIENT.finditer(text):
            of_steps = name == STEPS and match[0] in ("new_context(", "wait_for_timeout(")
            if not of_steps and match[0] != SHORT_ON_PURPOSE.get(name):
                number = text.count("\n", 0, match.start()) + 1
                impatient.append(f"{name}:{number}: {text.splitlines()[number - 1].strip()}")
    assert not impatient, "\n".join(impatient)


@pytest.mark.parametrize(
    "line",
    [
        "page.click(timeout=5_000)",
        "page.click(timeout=10000)",
        "page.click(timeout=2.5)",
        "event.wait(5)",
        "thread.join(3)",
        "page.wait_for_timeout(3000)",
        "page.set_default_timeout(3000)",
        "page.set_default_navigation_timeout(3000)",
        "await asyncio.wait_for(answer, 5)",
        "AppTest.from_string(page, default_timeout=3)",
        "until = monotonic() + 5",
        "until = time.time() + 30",
        "Client(address, timeout='30s')",
        "future.result(10)",
        "event.wait(0.5)",
        "for _ in range(600):\n    if answers():\n        break\n    time.sleep(0.2)",
    ],
)
def test_a_wait_of_its_own_is_noticed(line: str) -> None:
    assert IMPATIENT.search(line)
