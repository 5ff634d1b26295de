"""The objects in files, read like kubectl, each with its place."""

from __future__ import annotations

import re

from engine.values.immutable import Immutable

from ..apiserver.identity import ObjectId
from .documents import BadManifest, read_documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from .files import Files

__all__ = ["BadManifest", "Manifest", "by_id", "manifests_in", "read_documents", "read_manifests", "title"]


class Manifest(Immutable):
    """One object and its place."""

    __slots__ = ("source", "content", "line", "item")  # noqa: RUF023 - the order in which they are filled
    source: str
    content: dict[str, Any]
    line: int
    """The line on which its document starts. `Lines.own_line` finds the line of an item of a List."""
    item: str
    """The position in a List: `items[3]`."""

    def __init__(self, source: str, content: dict[str, Any], line: int = 1, item: str = "") -> None:
        self._fill(source, content, line, item)

    def with_content(self, content: dict[str, Any]) -> Manifest:
        """Another object at the same place."""
        return Manifest(self.source, content, self.line, self.item)

    def on_line(self, line: int) -> Manifest:
        """The same object on another line."""
        return Manifest(self.source, self.content, line, self.item)

    @property
    def place(self) -> str:
        """File and line, in the format of editors and terminals, and the position in a List."""
        return f"{self.source}:{self.line}{f': {self.item}' if self.item else ''}"

    @property
    def key(self) -> tuple[str, str]:
        """The apiVersion and the kind, the key in tables."""
        return self.content["apiVersion"], self.content["kind"]

    @property
    def id(self) -> ObjectId:
        """The identity of this object. A missing namespace counts as `default`."""
        return ObjectId.of(self.content)

    @property
    def title(self) -> str:
        """The object in kubectl's notation: `deployment.apps/nginx`."""
        return title(self.content)


class BadObject(BadManifest):
    """A document, or an item of a List, that is not an object: its place, the field, and the problem."""

    def __init__(self, manifest: Manifest, field: tuple[str, ...], problem: str) -> None:
        super().__init__(f"{manifest.place}: {problem}")
        self.manifest, self.field, self.problem = manifest, field, problem

    @property
    def is_counted(self) -> bool:
        """Whether `Lines` counts it: it is a mapping, but not a List."""
        return bool(self.manifest.content) and self.manifest.content.get("kind") != "List"


def title(content: dict[str, Any]) -> str:
    """An object in kubectl's notation: `deployment.apps/nginx`. If a server generates the name, with its prefix."""
    found, prefix = ObjectId.of(content), content["metadata"].get("generateName")
    return (found if found.name or not prefix else found._replace(name=prefix)).title


def read_manifests(
    paths: Sequence[str],
    files: Files,
    *,
    recursive: bool = False,
    prepare: Callable[[bytes], bytes] | None = None,
) -> Iterator[Manifest]:
    """The objects of these files, folders, globs, addresses or `-`. Lists are expanded, and empty documents skipped.

    `prepare` changes the bytes of a file first.
    """
    for source, data in files.contents(paths, recursive=recursive):
        text = prepare(data) if prepare else data
        lines = text.count(b"\n") if files.reading else 0
        for manifest in manifests_in(text, source):
            if files.reading:
                files.reading(source, manifest.line, lines)
            yield manifest


def manifests_in(data: bytes, source: str) -> Iterator[Manifest]:
    """The objects in the bytes of one file."""
    for line, document in read_documents(data, source):
        yield from objects_in(document, source, line)


def objects_in(document: Any, source: str, line: int) -> Iterator[Manifest]:
    """The objects in one document of a file. An empty document has none."""
    for one in each_in(document, source, line):
        if isinstance(one, BadObject):
            raise one
        yield one


def each_in(document: Any, source: str, line: int) -> Iterator[Manifest | BadObject]:
    """The objects in one document of a file. Anything else is replaced by the reason."""
    if document is not None:
        yield from _objects(document, source, line, "")


def _objects(document: Any, source: str, line: int, at: str) -> Iterator[Manifest | BadObject]:
    """The objects of a document. `at` is its position in a List, if any."""
    item = at[:-1]
    if not isinstance(document, dict):
        problem = f"{_called(document)} is not a Kubernetes object. Write a mapping with a kind"
        yield BadObject(Manifest(source, {}, line, item), (), problem)
        return
    kind, items = document.get("kind"), document.get("items")
    one = Manifest(source, document, line, item)
    if isinstance(items, list):
        for index, inner in enumerate(items):
            yield from _objects(_as_item(inner, document), source, line, f"{at}items[{index}].")
    elif kind == "List" or _is_empty_list(document):
        if items is not None:
            yield BadObject(one, ("items",), f"the items of List are {_called(items)}. Write a list")
    else:
        found = _problem(document)
        yield one if found is None else BadObject(one, *found)


def _is_empty_list(document: dict[str, Any]) -> bool:
    """Whether a mapping is a typed list without items, as Go's clients print it: `kind: PodList` with `items: null`."""
    kind, metadata = document.get("kind"), document.get("metadata")
    if "items" not in document or document["items"] is not None:
        return False
    named = isinstance(metadata, dict) and (metadata.get("name") or metadata.get("generateName"))
    return isinstance(kind, str) and kind.endswith("List") and not named


def _as_item(item: Any, parent: dict[str, Any]) -> Any:
    """An item of a typed list such as DeploymentList, with the list's kind if it has none itself."""
    kind = parent.get("kind")
    if isinstance(item, dict) and "kind" not in item and isinstance(kind, str) and kind not in ("List", ""):
        return {"apiVersion": parent.get("apiVersion"), "kind": kind.removesuffix("List"), **item}
    return item


# ---- documents that kubectl rejects -------------------------------------------------------------------------------

_NEEDED = (("apiVersion", str), ("kind", str), ("metadata", dict))
_NEEDS = "An object requires apiVersion, kind and metadata.name"


def is_object(document: dict[str, Any]) -> bool:
    """Whether a mapping is one object: not a List, and with all required fields."""
    return not isinstance(document.get("items"), list) and _problem(document) is None


def _problem(document: dict[str, Any]) -> tuple[tuple[str, ...], str] | None:
    """The field because of which a mapping is not an object, and the problem."""
    kind, version = document.get("kind"), document.get("apiVersion")
    if kind is None and version is None:
        return (), "this is not a Kubernetes object, because it has neither apiVersion nor kind. Remove it"
    if isinstance(version, str) and version.startswith("kustomize.config.k8s.io/"):
        return ("kind",), f"{kind} is a kustomize file. Build it with `kubectl kustomize` and pass the result"
    called = kind if isinstance(kind, str) and kind else "the document"
    for name, wanted in _NEEDED:
        value = document.get(name)
        if value in (None, "", {}):
            return (name,), f"{called} has no {name}. {_NEEDS}"
        if not isinstance(value, wanted):
            return (name,), f"{called} has {_called(value)} as {name}. {_NEEDS}"
    if not _is_api_version(str(version)):
        return ("apiVersion",), f"the apiVersion {version!r} of {called} is invalid. Write group/version, as in apps/v1"
    return _problem_of_metadata(document["metadata"], called)


_API_VERSION = re.compile(r"[^\s/]+(/[^\s/]+)?")


def _is_api_version(text: str) -> bool:
    """Whether a text is a version, or a group and a version, without any space."""
    return _API_VERSION.fullmatch(text) is not None


TEXTS = ("name", "namespace", "generateName")
"""The string fields of the metadata that are needed to find an object."""


def _problem_of_metadata(metadata: dict[str, Any], called: str) -> tuple[tuple[str, ...], str] | None:
    for name in TEXTS:
        value = metadata.get(name)
        if value is not None and not isinstance(value, str):
            return ("metadata", name), f"metadata.{name} of {called} is {_called(value)}. Put it in quotes"
    for name in ("labels", "annotations"):
        value = metadata.get(name)
        if value is not None and not isinstance(value, dict):
            return ("metadata", name), f"metadata.{name} of {called} is {_called(value)}. Write a mapping"
    if not metadata.get("name") and not metadata.get("generateName"):
        return ("metadata", "name"), f"{called} has no metadata.name. Add one"
    return None


def _called(value: Any) -> str:
    words = {bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list", dict: "a mapping"}
    return words.get(type(value), "null")


def by_id(manifests: Iterable[Manifest]) -> dict[ObjectId, Manifest]:
    """The objects by identity. Duplicates are rejected."""
    found: dict[ObjectId, Manifest] = {}
    for manifest in manifests:
        other = found.setdefault(manifest.id, manifest)
        if other is not manifest:
            raise BadManifest(f"{manifest.place}: {manifest.title} is also in {other.place}. Remove one of them")
    return found
