"""Opening of sources: a parsed document, a file, a folder, standard input, or an address."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..documents.limits import MAX_BYTES
from ..errors import SpecError
from ..trees import read_at_most
from .unpacked import check_parsed, parse, too_large

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .fetch import Fetch as Fetch  # noqa: PLC0414 - annotations elsewhere find it here, see below

Source = Any
"""A path, "-", an http(s) address, or a parsed document (a dict, or a list of them)."""


class SourceDocument(NamedTuple):
    """A document, its source, and the sha256 of its bytes (empty for a parsed document)."""

    source: str
    content: Any
    sha256: str = ""


_ADDRESS = re.compile(r"[A-Za-z][\w+.-]*://")
"""Anything with a scheme is an address, not a path, even if it cannot be fetched."""
_ENDINGS = (".json", ".yaml", ".yml", ".json.gz", ".yaml.gz", ".yml.gz")


def __getattr__(name: str) -> Any:
    """`Fetch`, for `typing.get_type_hints`: its module is slow to import, and files do not need it."""
    if name != "Fetch":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .fetch import Fetch

    return Fetch


def documents(source: Source, fetch: Fetch | None = None) -> list[SourceDocument]:
    """Every document of a source, in the same order on any machine."""
    if isinstance(source, (dict, list)):
        return _from_parsed(source)
    if not isinstance(source, (str, os.PathLike)):
        raise SpecError(type(source).__name__, 'a path, an address, "-" or a parsed document')
    name = os.fspath(source)
    if isinstance(name, bytes) or "\0" in name:
        raise SpecError(ascii(name), "a path")
    if name == "-":
        return read_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    if _ADDRESS.match(name):
        from .fetch import Fetch  # imports a network library

        return _fetch_documents(name, fetch or Fetch())
    try:
        path = Path(name)
        return list(_folder(path)) if path.is_dir() else _file(path)
    except UnicodeEncodeError:
        raise SpecError(ascii(name), "a path", found="an invalid path") from None
    except OSError as error:
        raise SpecError(name, "a file or folder that can be read", found=error.strerror or str(error)) from None


def _from_parsed(source: dict[str, Any] | list[Any]) -> list[SourceDocument]:
    found = source if isinstance(source, list) else [source]
    for document in found:
        check_parsed(document, "document")
    return [SourceDocument("document", document) for document in found]


def _folder(path: Path) -> Iterator[SourceDocument]:
    files = sorted(file for file in path.rglob("*") if file.name.lower().endswith(_ENDINGS) and file.is_file())
    if not files:
        raise SpecError(str(path), f"files with one of the endings {', '.join(_ENDINGS)}", found="none")
    for file in files:
        yield from _file(file)


def _file(path: Path) -> list[SourceDocument]:
    try:
        with path.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size > MAX_BYTES:
                raise too_large(str(path))
            return read_bytes(read_at_most(stream, MAX_BYTES + 1), str(path))
    except OSError as error:
        raise SpecError(str(path), "a file that can be read", found=error.strerror or str(error)) from None


def read_bytes(data: bytes, name: str) -> list[SourceDocument]:
    """The documents in the bytes of a file or a response."""
    digest = hashlib.sha256(data).hexdigest()
    return [SourceDocument(name, content, digest) for content in parse(data, name)]


def _fetch_documents(url: str, fetch: Fetch) -> list[SourceDocument]:
    found = read_bytes(fetch.get(url), url)
    indexes = [document.content for document in found if is_index(document.content)]
    if not indexes:
        return found
    return [document for index in indexes for document in index_documents(index, url, fetch)]


# ---- clusters -------------------------------------------------------------------------------------------------------


def cluster_documents(server: str, fetch: Fetch) -> list[SourceDocument]:
    """The OpenAPI v3 documents of a server, or its v2 document if it has none (before 1.24)."""
    base = server.rstrip("/")
    try:
        return documents(f"{base}/openapi/v3", fetch)
    except SpecError as error:
        if not error.found.startswith("404"):
            raise
    return documents(f"{base}/openapi/v2", fetch)


def is_index(document: Any) -> bool:
    """True for a server's response at /openapi/v3: addresses of documents, without schemas."""
    if not isinstance(document, dict) or "components" in document or "openapi" in document or "swagger" in document:
        return False
    paths = document.get("paths")
    return isinstance(paths, dict) and any(
        isinstance(item, dict) and "serverRelativeURL" in item for item in paths.values()
    )


def index_documents(index: dict[str, Any], url: str, fetch: Fetch) -> list[SourceDocument]:
    """The documents in a server's index, fetched only from the same server."""
    from urllib.parse import urljoin, urlsplit

    from .. import shapes

    shapes.check("index", index, url)
    found: list[SourceDocument] = []
    for name, item in sorted(index["paths"].items()):
        address = urljoin(url, item["serverRelativeURL"])
        if urlsplit(address)[:2] != urlsplit(url)[:2]:
            raise SpecError(url, f"an address on this server for {name!a}", found=ascii(address))
        found += read_bytes(fetch.get(address), address)
    return found
