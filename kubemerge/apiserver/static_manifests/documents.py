"""The documents in the files of a folder, decoded strictly like the static manifests of kube-apiserver."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.documents.limits import MAX_BYTES
from codegen.trees import read_regular

from ..errors import BadRequest, ClusterError
from ..http.bodies import UNTYPED, InvalidJson, NoKind, as_object, as_yaml, duplicate_keys, of_json
from ..text.go_text import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol import Object

ENDINGS = (".yaml", ".yml", ".json")
SEPARATOR = b"---"


class InvalidManifests(ClusterError):
    """A folder with static manifests that cannot be used, in the words of kube-apiserver."""

    code, reason = 400, "BadRequest"

    def __init__(self, why: str, *, advice: str = "") -> None:
        self.why = why
        """The error without the advice."""
        super().__init__(why, advice=advice)


class Document(NamedTuple):
    """An object of a file, and the errors of a strict decoder."""

    file: str
    content: Object
    strict: list[str]


Signature = tuple[tuple[str, int, int, int], ...]


def signature(folder: str) -> Signature | None:
    """Return the names, times, sizes and inodes of the files in a folder. None if it cannot be read."""
    try:
        return tuple(sorted(_states(folder)))
    except OSError:
        return None


def _states(folder: str) -> Iterator[tuple[str, int, int, int]]:
    for name in _names(folder):
        state = os.stat(f"{folder}/{name}")  # noqa: PTH116 - called with every request
        yield name, state.st_mtime_ns, state.st_size, state.st_ino


def _names(folder: str) -> list[str]:
    """The names of the files, without those in subfolders."""
    with os.scandir(folder) as entries:
        return sorted(
            one.name for one in entries if one.name.lower().endswith(ENDINGS) and not one.is_dir(follow_symlinks=False)
        )


def documents(folder: str) -> Iterator[Document]:
    """Yield the documents of all files, in the order of the names. Raise InvalidManifests."""
    for file, data in _files(folder):
        for text in list(_split(file, data)):
            yield _document(file, text)


def _files(folder: str) -> list[tuple[str, bytes]]:
    try:
        names = _names(folder)
    except OSError as error:
        why = f"open {folder}: {_reason(error)}"
        raise InvalidManifests(f"failed to read manifest directory {quoted(folder)}: {why}") from None
    found = []
    for name in names:
        file = f"{folder}/{name}"
        try:
            found.append((file, read_regular(file, MAX_BYTES)))
        except OSError as error:
            raise InvalidManifests(f"failed to read file {quoted(file)}: open {file}: {_reason(error)}") from None
    return found


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _split(file: str, data: bytes) -> Iterator[bytes]:
    """The texts of the documents, without empty ones."""
    lines: list[bytes] = []
    for line in data.splitlines(keepends=True):
        if line.startswith(SEPARATOR):
            rest = line[len(SEPARATOR) :].strip()
            if rest and not rest.startswith(b"#"):
                why = f"invalid Yaml document separator: {rest.decode(errors='replace')}"
                raise InvalidManifests(f"failed to split YAML documents in file {quoted(file)}: {why}")
            if lines:
                yield from filter(None, [b"".join(lines).strip()])
                lines = []
                continue
        lines.append(line)
    yield from filter(None, [b"".join(lines).strip()])


def _document(file: str, text: bytes) -> Document:
    try:
        found, strict = _decoded(text)
    except InvalidJson as error:
        raise InvalidManifests(f"error loading {file}: {UNTYPED}{error}") from None
    except (BadRequest, NoKind) as error:
        raise InvalidManifests(f"error loading {file}: {error}") from None
    check_type(found, text.decode(errors="replace"), file)
    return Document(file, found, strict)


def check_type(content: Object, text: str, file: str) -> None:
    """Raise InvalidManifests for an object without a kind or an apiVersion."""
    for field, called in (("kind", "Kind"), ("apiVersion", "apiVersion")):
        if not content.get(field):
            raise InvalidManifests(f"error loading {file}: Object '{called}' is missing in '{text}'")


def _decoded(text: bytes) -> tuple[Any, list[str]]:
    """The value of a document, and the errors about duplicate keys."""
    if text.startswith(b"{"):
        try:
            return as_object(of_json(text)), [f'duplicate field "{one}"' for one in duplicate_keys(text)]
        except InvalidJson as error:
            try:
                found = as_yaml(text)
            except BadRequest:
                raise error from None
    else:
        found = as_yaml(text)
    repeated = ["\n  ".join(["yaml: unmarshal errors:", *found.repeated])] if found.repeated else []
    return as_object(found.value), repeated
