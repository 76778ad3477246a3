"""Runs the dashboard as its container does, where there is no container engine; needs root on Linux: python -m.

In a root that cannot be written, made of this machine's own files, as user 1000, without capabilities and without a way
to get any. Environment, command and health check are read from the Dockerfile.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.patience import PATIENCE
from tests.serving import ROOT, free_ports

INSIDE = "--inside"
USER = 1000
WRITABLE = ("tmp", "home/telltale", "var/lib/telltale", "dev/shm")
"""What ``docker run --read-only`` with the options in docs/servers.md leaves to be written."""
CHECKS = {
    "it runs as another user than root": "import os; assert os.getuid() == os.getgid() == 1000 and not os.getgroups()",
    "it has no capabilities": """
for line in open("/proc/self/status"):
    if line.startswith("Cap"): assert int(line.split()[1], 16) == 0, line
    if line.startswith("NoNewPrivs"): assert line.split()[1] == "1", line
""",
    "its root cannot be written": """
import pathlib
for folder in ("/", "/app", "/app/core", "/usr", "/etc", "/home"):
    try: (pathlib.Path(folder) / "x").touch()
    except OSError: continue
    raise AssertionError(folder)
""",
    "the volume can be written": "import pathlib; pathlib.Path('/var/lib/telltale/x').touch()",
    "a page has its headers": """
import os
from urllib.request import urlopen
answer = urlopen(f"http://127.0.0.1:{os.environ['PORT']}/")
assert answer.status == 200 and "script-src 'self'" in answer.headers["Content-Security-Policy"]
""",
    "an experiment runs and is stored in the volume": """
import subprocess, sys
words = ["run", "word_pairs", "--seed", "4711", "--workers", "1", "--json"]
for said in ("shadow_pairs=5", "baselines=false", "game.documents=300", "targets=2", "plays=4", "epochs=2"):
    words += ["--set", said]
ended = subprocess.run([sys.executable, "-m", "core", *words], capture_output=True, text=True)
assert ended.returncode == 0, ended.stderr[-2000:]
import pathlib
assert list(pathlib.Path("/var/lib/telltale/results").iterdir())
""",
}


def said(instruction: str) -> list[str]:
    """Return the words of an instruction of the Dockerfile; of CMD the last, of HEALTHCHECK its command."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text("utf-8"))
    (*_, last) = re.findall(rf"^{instruction} (.*)$", text, re.MULTILINE)
    return last.split() if instruction == "ENV" else json.loads(last[last.index("[") :])


def mount(*words: object) -> None:
    """Mount something."""
    subprocess.run(["mount", *map(str, words)], check=True)


def build(root: Path) -> None:
    """Lay out the root: this machine's programs, read-only, and what may be written."""
    mount("--make-rprivate", "/")
    mount("-t", "tmpfs", "-o", "size=16m,mode=755", "root", root)
    environment = Path(sys.prefix).resolve()
    shown = {Path(path): path for path in ("/usr", "/etc", sys.base_prefix, str(environment))}
    shown.update({ROOT / name: f"/app/{name}" for name in ("core", "dashboard", "precomputed")})
    for source, shown_as in shown.items():
        target = root / shown_as.lstrip("/")
        target.mkdir(parents=True, exist_ok=True)
        mount("--bind", source, target)
        mount("-o", "remount,bind,ro,nosuid", target)
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    for name in ("LICENSE", "README.md"):
        (root / "app" / name).write_bytes((ROOT / name).read_bytes())
    for name in ("proc", "dev", *WRITABLE):
        (root / name).mkdir(parents=True, exist_ok=True)
    mount("-t", "proc", "proc", root / "proc")
    for name in ("null", "zero", "random", "urandom"):
        (root / "dev" / name).touch()
        mount("--bind", f"/dev/{name}", root / "dev" / name)
    for name, number in (("stdout", 1), ("stderr", 2)):
        (root / "dev" / name).symlink_to(f"/proc/self/fd/{number}")
    for name in WRITABLE:
        mount("-t", "tmpfs", "-o", f"uid={USER},gid={USER},noexec,nosuid,nodev", "writable", root / name)
    mount("-o", "remount,ro", root)


def inside(root: Path, port: int) -> int:
    """Serve in the new root, and check what the container promises; return the number of broken promises."""
    build(root)
    variables = dict(word.split("=", 1) for word in said("ENV"))
    variables.update(
        PORT=str(port), ADDRESS="127.0.0.1", HOME="/home/telltale", PATH=f"{Path(sys.prefix).resolve()}/bin:/usr/bin"
    )
    dropped = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    dropped += ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
    enter = ["chroot", str(root), *dropped, "env", "--ignore-environment", "--chdir=/app"]
    enter += [f"{name}={value}" for name, value in variables.items()]
    server = subprocess.Popen([*enter, *said("CMD")])
    try:
        deadline = time.monotonic() + PATIENCE
        while subprocess.run([*enter, *said("HEALTHCHECK")], check=False, stderr=subprocess.DEVNULL).returncode:
            assert server.poll() is None and time.monotonic() < deadline, "the health check never passed"
            time.sleep(1)
        print("passed: the health check")
        broken = 0
        for promise, script in CHECKS.items():
            failed = subprocess.run([*enter, "python", "-c", script], check=False).returncode
            broken += bool(failed)
            print(f"{'BROKEN' if failed else 'passed'}: {promise}")
        return broken
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == [INSIDE]:
        sys.exit(inside(Path(sys.argv[2]), free_ports(2)))
    with tempfile.TemporaryDirectory() as folder:
        again = [sys.executable, "-m", "tests.chroot", INSIDE, folder]
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *again]
        sys.exit(subprocess.run(apart, cwd=ROOT, env=os.environ, check=False).returncode)
