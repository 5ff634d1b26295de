"""The steps of the action: `python -m kubemerge.review lint`, then `change`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine import MergeError

from ..apiserver.text.text import inert, inert_annotations, shown
from . import sections
from .changed import base_of, changed
from .github import Comments, Refused
from .inputs import Inputs, event, inputs, kubemerge, number, scratch, set_output
from .report import MARK, MOST_OF_A_COMMENT, MOST_OF_A_SUMMARY, report
from .sections import Section

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LINTED = "lint.txt"


def lint() -> None:
    """Run lint: annotations in the log, a SARIF report, and lint's part of the comment. The exit code is an output."""
    asked = inputs()
    words = ["-R"]
    for name, values in (("release", [asked.release]), ("severity", [asked.severity]), ("schema", asked.schemas)):
        words += [f"--{name}={value}" for value in values if value]
    words += ["--", *asked.paths]
    noted = kubemerge("lint", "-o", "github", *words)
    _print(inert_annotations(noted.stdout))
    _say(noted.stderr)
    sarif = scratch() / "lint.sarif"
    sarif.write_text(kubemerge("lint", "-q", "-o", "sarif", *words).stdout, encoding="utf-8", errors="replace")
    result = kubemerge("lint", *words)
    (scratch() / _LINTED).write_text(f"{result.stderr.rstrip()}\0{result.stdout}", encoding="utf-8", errors="replace")
    set_output(code=noted.returncode, sarif=sarif)


def change() -> None:
    """Report the effects of the change, in the job summary and as a comment."""
    asked, what = inputs(), event()
    base = base_of(what, asked.base)
    found = [_linted(), *([] if base is None else _of_change(asked, base))]
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(report(found, MOST_OF_A_SUMMARY, "left out"))
    about, repository = number(what), os.environ.get("GITHUB_REPOSITORY", "")
    if base is None:
        _say("There is no commit to compare with, so only lint is reported.")
    if asked.comments and about is not None and asked.token and repository:
        untouched = base is not None and len(found) == 1
        _comment(Comments(repository, about, asked.token), found, only_if_there=untouched)


def _of_change(asked: Inputs, base: str) -> list[Section]:
    folder = scratch() / "change"
    try:
        both = changed(base, asked.paths, folder)
        made = (sections.upgrade(asked, both), sections.difference(asked, both))
    finally:
        sections.clear(folder)
    return [one for one in made if one is not None]


def _comment(comments: Comments, found: Sequence[Section], *, only_if_there: bool) -> None:
    """Write the comment. A workflow of a fork may not: then the job summary has to do, and the job does not fail."""
    text = report(found, MOST_OF_A_COMMENT, "in the job summary")
    try:
        _say(f"Comment {comments.put(MARK, text, only_if_there=only_if_there)}.")
    except Refused as why:
        _say(f"There is no comment, only the job summary: {shown(str(why))}")


def _linted() -> Section:
    said, _, found = (scratch() / _LINTED).read_text(encoding="utf-8").partition("\0")
    lines = said.splitlines() or [""]
    return Section("Lint", lines[-1], "\n".join([*lines[:-1], found]).strip("\n"), code=True)


def _say(text: str) -> None:
    _print(inert(text))


def _print(text: str) -> None:
    if text:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


STEPS: dict[str, Callable[[], None]] = {"lint": lint, "change": change}


def main(words: Sequence[str]) -> int:
    """Run a step."""
    if len(words) != 1 or words[0] not in STEPS:
        _say(f"give a step: {', '.join(STEPS)}")
        return 2
    try:
        STEPS[words[0]]()
    except MergeError as error:
        _print(inert_annotations(f"::error::{shown(str(error)).replace('%', '%25')}"))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
