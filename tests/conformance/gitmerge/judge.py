"""Judge a merged file by simple rules that are not those of the driver: paths and lines."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from codegen.documents.problems import BadDocument
from codegen.documents.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterator

ABSENT = "absent"
KEYED = {
    **dict.fromkeys(("containers", "initContainers", "env", "volumes", "webhooks"), "name"),
    "volumeMounts": "mountPath",
}
"""Lists whose elements have a name that is unique. All others are compared as a whole."""
_MARKERS = re.compile(r"<{7} ours\n(.*?)(?:\|{7} base\n(.*?))?={7}\n(.*?)>{7} theirs\n", re.DOTALL)


def resolved(text: str, side: int) -> str:
    """The text with each conflict resolved to a side: 1 for ours, 3 for theirs."""
    return _MARKERS.sub(lambda match: match[side], text)


def documents_of(text: str) -> list[Any]:
    """The documents of a file."""
    return [one for _, one in read(text.encode()) if one is not None]


def by_identity(files: list[list[Any]]) -> list[dict[str, Any]] | None:
    """The documents of files by identity. None if objects cannot be told apart."""
    is_only = all(len(documents) <= 1 for documents in files)
    heads = [["only" if is_only else _head(one) for one in documents] for documents in files]
    if any(len(set(names)) < len(names) for names in heads):
        return None
    return [dict(zip(names, documents, strict=True)) for names, documents in zip(heads, files, strict=True)]


def _under_one_name(files: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The documents, in which a single one that both sides renamed has its old name everywhere."""
    base, ours, theirs = files[:3]
    gone = base.keys() - ours.keys() - theirs.keys()
    one, other = ours.keys() - base.keys(), theirs.keys() - base.keys()
    if not len(gone) == len(one) == len(other) == 1:
        return files
    old = next(iter(gone))
    return [{old if name in one | other else name: value for name, value in file.items()} for file in files]


def flattened(files: list[dict[str, Any]]) -> list[dict[tuple[str, ...], Any]]:
    """Each scalar or whole list of files by its path. A list has elements by name only if it has them in each file."""
    whole: set[tuple[str, ...]] = set()
    while True:
        known = len(whole)
        found = [dict(_leaves(file, (), whole)) for file in files]
        if len(whole) == known:
            return found


def _head(document: Any) -> str:
    if not isinstance(document, dict) or not isinstance(document.get("metadata"), dict):
        return "?"
    metadata = document["metadata"]
    group = str(document.get("apiVersion")).rpartition("/")[0]
    return json.dumps([group, document.get("kind"), metadata.get("namespace"), metadata.get("name")])


def _leaves(value: Any, path: tuple[str, ...], whole: set[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key), whole)
        return
    keyed = isinstance(value, list) and value and path[-1] in KEYED and path not in whole
    if keyed and _names(value, KEYED[path[-1]]):
        for inner in value:
            yield from _leaves(inner, (*path, f"[{inner[KEYED[path[-1]]]!r}]"), whole)
    else:
        if keyed:
            whole.add(path)
        yield path, value


def _names(value: list[Any], key: str) -> bool:
    names = [one.get(key) if isinstance(one, dict) else None for one in value]
    return all(isinstance(name, (str, int)) for name in names) and len(set(names)) == len(names) and bool(names)


def problems(base: str, ours: str, theirs: str, result: str) -> list[str]:
    """The values that a result lost, invented or hid, and the lines that it changed without need."""
    texts = [text.replace("\r\n", "\n") for text in (base, ours, theirs, result)]
    return [*_endings(base, ours, theirs, result), *_values(*texts), *_lines(*texts)]


def _endings(*texts: str) -> Iterator[str]:
    """The line endings of the result are those that a side changed, or those of all."""
    base, ours, theirs, found = (("\r\n" in text, text.replace("\r\n", "").count("\n")) for text in texts)
    wanted = ours if theirs[0] == base[0] else theirs
    if found[0] != wanted[0] or (found[0] and found[1]):
        yield f"line endings: {base}, {ours}, {theirs}: {found}"


def _values(base: str, ours: str, theirs: str, result: str) -> Iterator[str]:
    has_conflict = _MARKERS.search(result) is not None
    try:
        inputs = [documents_of(text) for text in (base, ours, theirs)]
    except BadDocument:  # a side with a key twice, which is returned unread if the other side changed nothing
        return
    known = by_identity([*inputs, documents_of(resolved(result, 1)), documents_of(resolved(result, 3))])
    if known is None:
        return
    b, o, t, to_ours, to_theirs = flattened(_under_one_name(known))
    for path in {**b, **o, **t, **to_ours, **to_theirs}:
        was, one, other, first, second = (_text(side.get(path, ABSENT)) for side in (b, o, t, to_ours, to_theirs))
        if (first, second) == (one, other) and one != other and has_conflict:
            continue  # shown with markers
        wanted = one if other in (was, one) else other if one == was else None
        if wanted is not None and first == second == wanted:
            continue
        if first == second and is_merge(*(side.get(path, ABSENT) for side in (b, o, t, to_ours))):
            continue
        lists = [side.get(path, ABSENT) for side in (b, o, t, to_ours, to_theirs)]
        if first != second and has_conflict and _is_conflict(*lists):
            continue
        if _lost_parent(path, b, o, t) and first == second:
            continue
        yield f"{path}: base {was}, ours {one}, theirs {other}: {first} or {second}"


def _is_conflict(base: Any, ours: Any, theirs: Any, first: Any, second: Any) -> bool:
    """Whether the two results of a conflict in a list have all additions of their side, and nothing else."""
    lists = [
        side.split("\n") if isinstance(side, str) else side if isinstance(side, list) else []
        for side in (base, ours, theirs, first, second)
    ]
    was, one, other, to_ours, to_theirs = (Counter(_scalars(side)) for side in lists)
    both = one + other
    return not ((to_ours - both) + (to_theirs - both) + ((one - was) - to_ours) + ((other - was) - to_theirs))


def _lost_parent(path: tuple[str, ...], *sides: dict[tuple[str, ...], Any]) -> bool:
    """Whether a map at the path or above it became empty on some side, which is another path."""
    return any(at in side for side in sides for at in (path[:end] for end in range(len(path)))) or any(
        other[: len(path)] == path and other != path for side in sides for other in side
    )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def is_merge(base: Any, ours: Any, theirs: Any, found: Any) -> bool:
    """Whether a list or text has all elements or lines that both sides kept or added, and no other."""
    if isinstance(found, str) and isinstance(ours, str) and isinstance(theirs, str) and "\n" in found:
        return is_merge(str(base).split("\n"), ours.split("\n"), theirs.split("\n"), found.split("\n"))
    if not all(isinstance(one, list) for one in (ours, theirs, found)):
        return False
    known = base if isinstance(base, list) else []
    if any(isinstance(item, dict) for side in (known, ours, theirs, found) for item in side):
        return _is_merge_of_maps(known, ours, theirs, found)
    was, one, other, merged = (Counter(map(_text, side)) for side in (known, ours, theirs, found))
    return merged == (one + other) - was or merged == (one | other) - ((was - one) | (was - other))


def _is_merge_of_maps(base: list[Any], ours: list[Any], theirs: list[Any], found: list[Any]) -> bool:
    """Each scalar of the result is in a side, and each that a side added is in the result."""
    was, one, other, merged = (Counter(_scalars(side)) for side in (base, ours, theirs, found))
    return not (merged - (one | other)) - (one + other) and not ((one - was) | (other - was)) - merged


def _scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (f"{key}={one}" for one in _scalars(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from _scalars(inner)
    elif isinstance(value, str):
        yield from map(_text, value.split("\n"))
    else:
        yield _text(value)


def _lines(base: str, ours: str, theirs: str, result: str) -> Iterator[str]:
    """Every line is from a side, and a line of ours is only left out if theirs left it out."""
    was, one, other = (Counter(map(_plain, text.split("\n"))) for text in (base, ours, theirs))
    for side in (1, 3):
        found = Counter(map(_plain, resolved(result, side).split("\n")))
        own = one if side == 1 else other
        known = {*one, *other, ""}  # a file that ends in markers has a final line break
        invented = {line for line in found if line not in known and not _is_mix(line, one, other)}
        if invented:
            yield f"invented lines {sorted(invented)}"
        # a line of one side may only be missing if the other side removed or changed it
        plain = {line.replace("'", "").replace('"', "") for line in was}
        missing = (own - found) - (was - (other if side == 1 else one))
        if missing and side == 1 and "<<<<<<<" not in result:
            left = {line for line in missing if line not in ("", "---") and not _mixed(line, found)}
            left = {line for line in left if line.replace("'", "").replace('"', "") not in plain}  # only other quotes
            if left:
                yield f"lost lines {sorted(left)}"


def _plain(line: str) -> str:
    return line.strip().removeprefix("- ").strip().removesuffix(",")


def _is_mix(line: str, one: Counter[str], other: Counter[str]) -> bool:
    """Whether the value is from one side, and the comment behind it from the other, or both changed a one-line list."""
    if re.search(r"[\[{].*[\]}]", line):
        return set(re.findall(r"\w+", line)) <= set(re.findall(r"\w+", " ".join([*one, *other])))
    value, mark, note = line.partition(" #")
    known = [*one, *other]
    has_value = any(text.partition(" #")[0].rstrip() == value.rstrip() for text in known)
    has_note = not mark or any(text.partition(" #")[2].rstrip() == note.rstrip() for text in known)
    return (has_value and has_note) or line.endswith((": {}", ": []"))


def _mixed(line: str, found: Counter[str]) -> bool:
    value = line.partition(" #")[0].rstrip().partition(":")[0]
    return any(text.partition(":")[0] == value for text in found)
