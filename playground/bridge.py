"""What the page asks, answered in the browser: by the command line, so that it says what the command line says.

A case is what stands in the page: texts, a release, and how to apply. Each part of an answer is one command on the
files of the case, with what it printed and how it ended.
"""

from __future__ import annotations

import io
import json
import os
import time
from contextlib import redirect_stderr, redirect_stdout
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import MergeError, __version__, releases
from engine.paths import parse
from kubemerge.cli.main import main
from kubemerge.manifests.lines import Lines
from kubemerge.manifests.objects import manifests_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Case: TypeAlias = dict[str, Any]

CONFIG, LIVE, LAST, OWNED = "config.yaml", "live.yaml", "last-applied.yaml", "owned.yaml"
DEFINITIONS = "definitions.yaml"
FILES = {"config": CONFIG, "live": LIVE, "last": LAST, "definitions": DEFINITIONS}
"""The texts of a case -> the files in which they lie; there is none for an empty text."""


def command(case: Case, *begin: str, output: str, config: Sequence[str] = ("-f", CONFIG)) -> list[str]:
    """The words of a command about a case, as one would type them beside its files."""
    words = [*begin, *config]
    if _has(case, "live"):
        words += ["--live", LIVE]
    if _has(case, "last"):
        words += ["--last-applied", LAST]
    words += _rules(case)
    if case.get("server"):
        words += ["--server-side"]
        if case.get("manager"):
            words += ["--field-manager", case["manager"]]
        if case.get("force") and begin[0] != "lint":
            words += ["--force-conflicts"]
    return [*words, "-o", output]


def _rules(case: Case) -> list[str]:
    """The options that say by which rules objects merge."""
    release = ["--release", case["release"]] if case.get("release") else []
    return [*release, *(["--schema", DEFINITIONS] if _has(case, "definitions") else [])]


def patch(case: Case) -> dict[str, Any]:
    """The patch, byte for byte as `kubemerge merge -o patch` prints it."""
    return ran(command(case, "merge", output="patch"))


def result(case: Case) -> dict[str, Any]:
    """The object after the apply, with the reason of each field beside its line."""
    found = ran(command(case, "merge", output="yaml"))
    result = ran(command(case, "why", output="json"))
    rows = json.loads(result["out"] or "[]")
    return {**found, "rows": rows, "beside": _beside(found["out"], rows)}


def lint(case: Case) -> dict[str, Any]:
    """What lint finds."""
    found = ran(command(case, "lint", output="json", config=[CONFIG]))
    return {**found, "findings": json.loads(found["out"] or "[]")}


def owners(case: Case) -> dict[str, Any]:
    """Who owns which field: of the result of a server-side apply, else of the live object."""
    text = ran(command(case, "merge", output="yaml"))["out"] if case.get("server") else case.get("live", "")
    if not text.strip():
        return {"words": [], "code": 0, "out": "", "err": "", "warnings": [], "ms": 0.0}
    Path(OWNED).write_text(text, encoding="utf-8")
    return ran(["owners", "-f", OWNED, *_rules(case), "-o", "yaml"])


def other_release(case: Case, release: str) -> dict[str, Any]:
    """What the bare merge would be in another release, in a form that equals another's if they are the same."""
    unread = _unread(case.get("config") or "", case.get("live") or "")
    if unread:
        return {"same": unread, "problem": unread}
    found = ran(command({**case, "release": release}, "merge", "--raw", output="json"))
    if found["code"]:
        return {"same": found["err"], "problem": found["err"]}
    after = json.loads(found["out"])
    for one in after.get("items", [after]):
        one.get("metadata", {}).pop("managedFields", None)  # with the time of this moment
    return {"same": json.dumps(after), "problem": found["warnings"][0] if found["warnings"] else ""}


@lru_cache(maxsize=1)
def _unread(*texts: str) -> str:
    """What is wrong with texts that no release can read. Thirty may be asked, and a text can be made to take long."""
    try:
        for text in texts:
            for _ in manifests_in(text.encode(), CONFIG):
                pass
    except MergeError:
        return str(ran(["merge", "-f", CONFIG, *(["--live", LIVE] if texts[1].strip() else [])])["err"])
    return ""


PARTS: dict[str, Callable[[Case], dict[str, Any]]] = {"patch": patch, "result": result, "lint": lint, "owners": owners}
"""The parts of an answer, in the order in which a reader wants them."""


def answer(part: str, text: str) -> str:
    """One part of the answer to a case; both are JSON. `release:1.30` is that of another release."""
    case: Case = json.loads(text)
    _write(case)
    name, _, release = part.partition(":")
    return json.dumps(other_release(case, release) if release else PARTS[name](case))


def ran(words: list[str]) -> dict[str, Any]:
    """What a command prints, its exit code, and how many milliseconds it took."""
    out, err = io.StringIO(), io.StringIO()
    begun = time.perf_counter()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(words)
            code: Any = 0
        except SystemExit as end:
            code = end.code or 0
    took, said = round((time.perf_counter() - begun) * 1000, 1), err.getvalue()
    warnings = [line.partition(_WARNING)[2] for line in said.splitlines() if _WARNING in line]
    return {"words": words, "code": code, "out": out.getvalue(), "err": said, "warnings": warnings, "ms": took}


_WARNING = ": warning: "


def _has(case: Case, name: str) -> bool:
    return bool(str(case.get(name) or "").strip())


def _write(case: Case) -> None:
    """Put the texts of a case into the current folder; a text that is not there leaves no file."""
    for name, file in FILES.items():
        if name == "config" or _has(case, name):
            Path(file).write_text(str(case.get(name) or ""), encoding="utf-8")
        elif os.path.exists(file):  # noqa: PTH110
            os.remove(file)  # noqa: PTH107


def _beside(text: str, rows: Sequence[dict[str, Any]]) -> dict[int, int]:
    """The lines of a result, from 1 on, each with the number of the row that gives its reason."""
    lines, found = Lines(text.encode()), {}
    numbers: dict[str, int] = {}
    for at, row in enumerate(rows):
        number = numbers.setdefault(row["object"], len(numbers))
        if row["action"] == "cleared":
            continue
        spot = lines.spot(number, parse(row["path"]), 0)
        found[spot.line] = at  # of a line with a whole element, the last row is about the field on it
    return found


def begin() -> str:
    """Get ready in a browser: what the page has to know of the engine, as JSON.

    A first case is answered, so that whatever takes long the first time is over when somebody waits.
    """
    os.makedirs(PLACE, exist_ok=True)  # noqa: PTH103
    os.chdir(PLACE)
    answer("result", json.dumps({"config": FIRST, "live": FIRST}))
    return json.dumps({"version": __version__, "releases": list(releases()), "parts": list(PARTS)})


PLACE = "/case"
FIRST = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: first}\n"
