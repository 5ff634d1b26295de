"""Records of writes, as `kubemerge serve --record FILE` appends them: one JSON object a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..apiserver.write_log import Write

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS = ("manager", "verb", "resource", "subresource", "namespace", "name", "group")
LISTS = ("owned", "changed", "respelled")
_FIX = "Pass a file that `kubemerge serve --record` wrote"


class BadRecord(MergeError):
    """A record that cannot be read, with the line."""


def read_writes(source: str, data: bytes, tell: Callable[[str], None]) -> list[Write]:
    """Return the writes in a record, one for each line.

    A server that is killed may leave an incomplete last line. It is left out, and `tell` reports it. Any other line
    that is not a write is an error.
    """
    lines = data.split(b"\n")
    last = lines.pop()
    found = [_write(line, f"{source}:{number}") for number, line in enumerate(lines, 1)]
    if last:
        try:
            found.append(_write(last, source))
        except BadRecord:
            tell(f"{source}:{len(lines) + 1}: the last line is incomplete, and was left out")
    return found


def _write(line: bytes, where: str) -> Write:
    try:
        found = json.loads(line)
        json.dumps(found, ensure_ascii=False).encode()  # an escaped half of a character cannot be printed
    except (ValueError, RecursionError):
        raise BadRecord(f"{where}: the line is not JSON. {_FIX}") from None
    if not isinstance(found, dict):
        raise BadRecord(f"{where}: the line is not a JSON object. {_FIX}")
    for field in TEXTS:
        if not isinstance(found.get(field), str):
            raise BadRecord(f"{where}: {field} is not a string. {_FIX}")
    for field in LISTS:
        if not _are_texts(found.get(field)):
            raise BadRecord(f"{where}: {field} is not a list of strings. {_FIX}")
    owners = found.get("taken_from")
    if not isinstance(owners, dict) or not all(map(_are_texts, owners.values())):
        raise BadRecord(f"{where}: taken_from is not a map of lists of strings. {_FIX}")
    values = {field: found[field] for field in TEXTS} | {field: tuple(found[field]) for field in LISTS}
    return Write(**values, taken_from={path: tuple(names) for path, names in owners.items()})


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def read_allowed(source: str, content: Any) -> dict[str, list[str]]:
    """Return the allowed fields of each manager, from a YAML document: a map of managers to lists of paths."""
    if not isinstance(content, dict) or not content:
        raise BadRecord(f"{source}: not a map of field managers. Write `MANAGER: [PATH, ...]`")
    for manager, paths in content.items():
        if not isinstance(manager, str) or not _are_texts(paths):
            raise BadRecord(f"{source}: {manager} is not a list of paths. Write `MANAGER: [PATH, ...]`")
    return content
