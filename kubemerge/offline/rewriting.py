"""Files whose objects have versions that are going, rewritten where only the apiVersion changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.files import replace_file
from engine.values.plain import same

from ..manifests.files import is_address
from ..manifests.objects import manifests_in
from ..output.text import how_many
from .conversion import conversion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Changes = Mapping[int, tuple[str, str]]
    """The old and the new apiVersion, by the line of the document."""


def convert(objects: Iterable[tuple[str, int, dict[str, Any]]], release: str) -> Iterator[str]:
    """Rewrite the files of these objects, each with its source and line, and say what was done about them."""
    wanted: dict[str, dict[int, tuple[str, str]]] = {}
    for source, line, content in objects:
        found = conversion(content, release)
        if found is not None and found.problem:
            name = f"{content['kind']} {content['metadata'].get('name', '')}"
            yield f"{source}:{line}: {name} is not converted: {found.problem}"
        elif found is not None:
            wanted.setdefault(source, {})[line] = content["apiVersion"], found.api_version
    for source, changes in wanted.items():
        yield _rewrite(source, changes)


def _rewrite(source: str, changes: Changes) -> str:
    path = Path(source)
    if is_address(source) or not path.is_file():
        return f"{source} is not converted: only files are"
    data = path.read_bytes()
    items = {one.line for one in manifests_in(data, source) if one.item}
    text = None if items & changes.keys() else rewritten(data, changes, source)
    if text is None:
        return f"{source} is not converted: its apiVersion is not on a line of its own; change it by hand"
    try:
        replace_file(path, text, in_tree=True)
    except OSError as error:
        return f"{source} is not converted: {error.strerror or error}"
    to = ", ".join(sorted({f"{old} to {new}" for old, new in changes.values()}))
    return f"{source}: {how_many(len(changes), 'object')} converted ({to})"


_LINE = (
    r"(?P<head>\{?[ ]*(?P<quote>[\"']?)apiVersion(?P=quote)[ ]*:[ ]*(?P<mark>[\"']?))%s"
    r"(?P<tail>(?P=mark)(?:[ \t,}].*)?)$"
)


def rewritten(data: bytes, changes: Changes, source: str) -> str | None:
    """The text of a file in which the documents on these lines have another apiVersion, and nothing else differs.

    None if that cannot be done.
    """
    lines = data.decode().splitlines(keepends=True)
    for number, (old, new) in changes.items():
        wanted = re.compile(_LINE % re.escape(old))
        end = next((at for at in range(number, len(lines)) if lines[at].startswith("---")), len(lines))
        at = next((at for at in range(number - 1, end) if wanted.match(lines[at].rstrip("\r\n"))), None)
        if at is None:
            return None
        body = lines[at].rstrip("\r\n")
        lines[at] = wanted.sub(rf"\g<head>{new}\g<tail>", body) + lines[at][len(body) :]
    text = "".join(lines)
    return text if _is_only_that(data, text, changes, source) else None


def _is_only_that(data: bytes, text: str, changes: Changes, source: str) -> bool:
    before, after = list(manifests_in(data, source)), list(manifests_in(text.encode(), source))
    if len(before) != len(after):
        return False
    for one, other in zip(before, after, strict=True):
        wanted = changes.get(one.line) if not one.item else None
        expected = {**one.content, "apiVersion": wanted[1]} if wanted else one.content
        if not same(expected, other.content):
            return False
    return True
