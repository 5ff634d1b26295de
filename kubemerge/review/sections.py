"""The parts of the report: lint findings, effects of an upgrade, and changes by an apply."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..apiserver.text.text import how_many, shown
from .inputs import kubemerge

if TYPE_CHECKING:
    from .changed import Changed
    from .inputs import Inputs


class Section(NamedTuple):
    """A part of the report: a heading, a line that stays visible, and the text below."""

    heading: str
    line: str
    text: str
    code: bool
    """Whether the text is preformatted, not Markdown."""


def upgrade(asked: Inputs, found: Changed) -> Section | None:
    """The effects of an upgrade on the objects of the change."""
    if not asked.upgrade or not found.after.files:
        return None
    words = (asked.upgrade, *_files(found.after.files), *_schemas(asked), "-o", "markdown")
    done = kubemerge("compare", *words, cwd=found.after.folder)
    heading = f"Upgrade {asked.upgrade}"
    if not done.stdout:
        return Section(heading, "The comparison failed.", _said(done.stderr), code=True)
    _, _, rest = done.stdout.partition("\n\n")
    line, _, table = rest.partition("\n\n")
    return Section(heading, line, _without_mentions(table.strip()), code=False)


def difference(asked: Inputs, found: Changed) -> Section | None:
    """The changes by an apply, if the base revision is live."""
    gone = (called for identity, called in found.before.objects.items() if identity not in found.after.objects)
    removed = sorted(map(shown, gone))
    if not found.after.files and not removed:
        return None
    live = _live(asked, found)
    text, line = "", ""
    if found.after.files:
        words = (*_files(found.after.files), "--live", str(live), *_release(asked), *_schemas(asked))
        done = kubemerge("diff", *words, cwd=found.after.folder)
        said = _said(done.stderr).splitlines()
        line = said.pop() if said and done.returncode < 2 else ""
        text = "\n".join([*said, done.stdout]) if done.returncode > 1 else done.stdout
    if removed:
        line += f"{'; ' if line else ''}{how_many(len(removed), 'object')} no longer in the files"
        text = "\n".join([*(f"no longer in the files: {one}" for one in removed), text])
    return Section("Changes by an apply", shown(line) or "A part of the comparison failed.", text, code=True)


def _live(asked: Inputs, found: Changed) -> Path:
    """A file with the live objects: the result of applying the files of the base revision."""
    file = found.before.folder.parent / "live.yaml"
    text = ""
    if found.before.files:
        words = (*_files(found.before.files), *_release(asked), *_schemas(asked))
        text = kubemerge("merge", *words, cwd=found.before.folder).stdout
    file.write_text(text or "apiVersion: v1\nkind: List\nitems: []\n", encoding="utf-8", errors="surrogateescape")
    return file


def _files(names: list[str]) -> list[str]:
    return [word for name in names for word in ("-f", f"./{name}")]


def _schemas(asked: Inputs) -> list[str]:
    here = [one if "://" in one else str(Path(one).resolve()) for one in asked.schemas]
    return [word for one in here for word in ("--schema", one)]


def _release(asked: Inputs) -> list[str]:
    first = asked.release.partition("..")[0]
    return ["--release", first] if first else []


def _said(text: str) -> str:
    return "\n".join(line.removeprefix("kubemerge: ") for line in text.splitlines())


def _without_mentions(text: str) -> str:
    """The text without mentions: an invisible space after each @ keeps GitHub from notifying people or teams."""
    return text.replace("@", "@\u200b")


def fenced(text: str, language: str) -> str:
    """The text in a fence that is longer than any fence in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def clear(folder: Path) -> None:
    """Remove the temporary files, because they contain the values of Secrets."""
    shutil.rmtree(folder, ignore_errors=True)
