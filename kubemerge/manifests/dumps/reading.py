"""A dump at a path, and its objects one after the other."""

from __future__ import annotations

import base64
import binascii
import os
import re
from functools import partial

from codegen.documents.limits import MAX_BYTES
from engine import MergeError

from ...apiserver.text.text import shown, some
from ..documents import BadManifest, read_documents
from ..files import BadFile, expanded
from ..objects import BadObject, each_in
from .containers import DAMAGES, BadArchive, Folder, archive, damaged, damaged_file, walk
from .layouts import ELIDED, LAYOUTS, LOCAL, layout_of, with_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import Any

    from ..objects import Manifest
    from .containers import Container
    from .layouts import Layout

    Report = Callable[[MergeError], None]

_SIGNS = frozenset({"cluster-scoped-resources", "namespaces", "resources", "nodes.json", "nodes.yaml"})
"""An entry with one of these names is at most `_DEEP` folders below a dump's path."""
_DEEP, _MOST_FOLDERS = 3, 2000
_MOST = 3
_VERSION = re.compile(r"v?(1\.[0-9]{1,3})(?:\.[0-9]{1,3})?(?:[-+][0-9A-Za-z.+-]{1,64})?")


class Dump:
    """A tree of files with the objects of one cluster."""

    def __init__(self, container: Container, layout: Layout, names: list[str]) -> None:
        self.name, self.layout, self._container = container.name, layout, container
        self.names = with_objects(layout, names)
        self.version = ""
        """The cluster's Kubernetes version, known once the objects have been read."""
        self.redacted = 0
        """The number of Secrets whose values the tool has replaced."""

    def problems(self) -> Iterator[MergeError]:
        """The problems of the tree itself, known without reading its files."""
        odd = [one for one in self._container.odd if self.layout.member.match(one.replace("\\", "/").lstrip("/"))]
        if odd:
            many = "1 entry is a link or device, or has an unsafe name"
            if len(odd) > 1:
                many = f"{len(odd)} entries are links or devices, or have unsafe names"
            what = f"{many}: {some([shown(one) for one in odd], _MOST)}"
            yield BadArchive(f"{self.name}: {what}. Replace it by a file to read it")
        if self._container.problem is not None:
            yield self._container.problem

    def members(self, names: Collection[str] | None = None) -> Iterator[tuple[str, Any]]:
        """The files with objects, or some of them: the name of each in messages, and its content as a stream."""
        for name, stream in self._container.read(self.names if names is None else names):
            yield f"{self.name}/{shown(name)}", stream

    def contents(self, report: Report) -> Iterator[tuple[str, bytes]]:
        """The files with objects and their bytes. A file that cannot be read is reported, and the next one is read."""
        known = {str(problem) for problem in self._problems(report)}
        members = self.members()
        while True:
            try:
                source, stream = next(members)
            except StopIteration:
                return
            except MergeError as error:
                if str(error) not in known:
                    report(error)
                return
            try:
                yield source, _content(source, stream)
            except OSError as error:
                report(BadFile(f"{source}: {error.strerror or type(error).__name__}. Pass a readable file"))
            except DAMAGES as error:
                whole = not self._container.continues
                problem = damaged(self.name, error) if whole else damaged_file(source, error)
                if str(problem) not in known:
                    known.add(str(problem))
                    report(problem)
            except MergeError as error:
                report(error)

    def _problems(self, report: Report) -> list[MergeError]:
        found = [*self.problems()]
        for one in found:
            report(one)
        return found

    def objects(self, report: Report) -> Iterator[Manifest]:
        """The objects, each once. What cannot be read is reported, and the rest is read."""
        seen = set[int]()
        for source, data in self.contents(report):
            for manifest in self._in_file(source, data, report):
                key = hash(manifest.id)
                if not manifest.id.name or key not in seen:
                    seen.add(key)
                    self._look_at(manifest.content)
                    yield manifest

    def _in_file(self, source: str, data: bytes, report: Report) -> Iterator[Manifest]:
        try:
            for line, document in read_documents(data, source):
                for one in each_in(document, source, line):
                    if isinstance(one, BadObject):
                        report(one)
                    else:
                        yield one
        except BadManifest as error:
            report(error)

    def _look_at(self, content: dict[str, Any]) -> None:
        kind = content["kind"]
        if kind == "Node":
            self.version = self.version or _version(content, "status", "nodeInfo", "kubeletVersion")
        elif kind == "ClusterOperator" and content["metadata"].get("name") == "kube-apiserver":
            self.version = _operator_version(content) or self.version
        elif kind == "Secret" and self.layout.redacts:
            self.redacted += _is_redacted(content)


def _content(source: str, stream: Any) -> bytes:
    parts, left = [], MAX_BYTES
    while chunk := stream.read(1 << 20):
        left -= len(chunk)
        if left < 0:
            raise BadManifest(f"{source}: more than {MAX_BYTES >> 20} MiB. Split it into several files")
        parts.append(chunk)
    return b"".join(parts)


def _version(content: Any, *path: str) -> str:
    for step in path:
        content = content.get(step) if isinstance(content, dict) else None
    return content if isinstance(content, str) and _VERSION.fullmatch(content) else ""


def _operator_version(content: dict[str, Any]) -> str:
    """The API server's version that OpenShift's operator reports."""
    status = content.get("status")
    versions = status.get("versions") if isinstance(status, dict) else None
    found = [one for one in versions if isinstance(one, dict)] if isinstance(versions, list) else []
    return next((_version(one, "version") for one in found if one.get("name") == "kube-apiserver"), "")


def release_in(version: str) -> str:
    """The Kubernetes release of a version: 1.27 for v1.27.6+b49f9d1."""
    found = _VERSION.fullmatch(version)
    return found[1] if found else ""


def _is_redacted(content: dict[str, Any]) -> bool:
    """Whether a value of a Secret is the text that `oc adm inspect` writes instead: `12 bytes long`."""
    data = content.get("data")
    for value in data.values() if isinstance(data, dict) else ():
        if isinstance(value, str) and len(value) < 64:
            try:
                if ELIDED.fullmatch(base64.b64decode(value, validate=True)):
                    return True
            except (binascii.Error, ValueError):
                continue
    return False


# ---- recognition ----------------------------------------------------------------------------------------------------


def dump_at(path: str) -> Dump | None:
    """The dump that a folder or an archive is; None for anything else."""
    place = expanded(path)
    try:
        if os.path.isdir(place):  # noqa: PTH112
            return _of_folder(path, place) if _may_be_dump(place) else None
        if not os.path.isfile(place):  # noqa: PTH113 - reading the beginning of a pipe would consume it
            return None
        found = archive(shown(path), partial(open, place, "rb"), os.path.getsize(place))  # noqa: PTH202
    except OSError as error:
        raise BadFile(f"{shown(path)}: {error.strerror or error}. Pass a readable file or folder") from None
    return None if found is None else dump_in(found)


def _of_folder(path: str, place: str) -> Dump | None:
    def opened(name: str) -> Any:
        return open(os.path.join(place, name), "rb")  # noqa: PTH118, PTH123 - called for each of many files

    container = Folder(shown(path.rstrip("/") or path), walk(place), opened)
    names = container.names()
    layout = layout_of(names)
    return None if layout is None else _one_dump(container, layout, names)


def dump_in(container: Container) -> Dump:
    """The dump in a folder or archive. One without a dump is an error."""
    names = container.names()
    layout = layout_of(names)
    if layout is None:
        if container.problem is not None:
            raise container.problem
        known = ", ".join(one.name for one in LAYOUTS)
        raise BadFile(f"{container.name}: the archive is none of these dumps: {known}. Unpack it, and pass its files")
    return _one_dump(container, layout, names)


def _one_dump(container: Container, layout: Layout, names: list[str]) -> Dump:
    """The dump of these files. Several of them are an error, because they may be of several clusters."""
    tops = sorted({top for name in names if (top := _top(layout, name)) is not None})
    if len(tops) > 1:
        found = some([shown(one) for one in tops], _MOST)
        raise BadFile(f"{container.name}: {len(tops)} dumps: {found}. Pass one of them")
    return Dump(container, layout, names)


def _top(layout: Layout, name: str) -> str | None:
    """The folder of the dump that a file belongs to; None if it is unknown. A must-gather has several trees."""
    if layout.redacts:
        local = LOCAL.search(name)
        return name[: local.end()] if local else None
    found = layout.member.match(name)
    return (found["root"].rstrip("/") or ".") if found else None


def _may_be_dump(place: str) -> bool:
    """Whether the upper folders have an entry as in a dump. Other folders may be large, and are not listed."""
    level, seen = [place], 0
    for _ in range(_DEEP + 1):
        below = []
        for folder in level:
            seen += 1
            if seen > _MOST_FOLDERS:
                return False
            with os.scandir(folder) as listed:
                for one in listed:
                    if one.name in _SIGNS:
                        return True
                    if one.is_dir(follow_symlinks=False):
                        below.append(one.path)
        level = below
    return False
