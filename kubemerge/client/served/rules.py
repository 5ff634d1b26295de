"""Merge rules of a server from its OpenAPI specification, cached on disk by hash.

A server since 1.24 has a document with a hash for each group and version, an older one a single document. Without
access to either, the tables of the server's release are used.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import engine
from codegen import SpecError
from engine.version import __version__

from ...apiserver.errors import ClusterError
from ...apiserver.unchecked import as_map, as_text
from . import cache

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema, Tables

    from ..wire.transport import Transport

INDEX, WHOLE = "/openapi/v3", "/openapi/v2"


class Rules:
    """The merge rules of one server. Each document is requested at the first use of its kinds."""

    def __init__(self, transport: Transport, release: Callable[[], str]) -> None:
        self._transport, self._release = transport, release
        self._lock = threading.RLock()
        self._addresses: dict[str, str] | None = None
        self._tables: dict[str, Tables | None] = {}

    def schema(self, api_version: str, kind: str) -> Schema | None:
        """Return the rules of a kind, or None if they are unknown."""
        with self._lock:
            found = self._of(api_version)
        key = (api_version, kind)
        return found.schema(*key) if found is not None and key in found else None

    def tables_of(self, api_version: str) -> Tables | None:
        """Return the rules of an apiVersion, or None if they are unknown."""
        with self._lock:
            return self._of(api_version)

    def tables(self) -> Tables:
        """Return the rules of all kinds. The server's rules override those of its release."""
        with self._lock:
            found = of_release(self._release())
            for name in self._index():
                one = self._of(_api_version(name)) if _api_version(name) else None
                found = found.overlay(one) if one is not None else found
            if not self._index():
                whole = self._whole()
                found = found.overlay(whole) if whole is not None else found
            return found

    def forget(self) -> None:
        """Request the index of documents again: a definition was written."""
        with self._lock:
            self._addresses = None
            self._tables = {}

    def _of(self, api_version: str) -> Tables | None:
        if api_version not in self._tables:
            self._tables[api_version] = self._asked(api_version)
        return self._tables[api_version]

    def _asked(self, api_version: str) -> Tables | None:
        name = f"apis/{api_version}" if "/" in api_version else f"api/{api_version}"
        address = self._index().get(name)
        if address is not None:
            mark = "".join(parse_qs(urlsplit(address).query).get("hash", ()))
            return self._kept(address, mark)
        return self._whole() if not self._index() else None

    def _whole(self) -> Tables | None:
        if WHOLE not in self._tables:
            found = self._kept(WHOLE, "")
            self._tables[WHOLE] = found or of_release(self._release())
        return self._tables[WHOLE]

    def _index(self) -> dict[str, str]:
        """The URL of each group and version's document. Empty if the server has no index."""
        if self._addresses is None:
            try:
                paths = as_map(self._transport.ask("GET", INDEX).map().get("paths"))
            except ClusterError:
                paths = {}
            found = {str(name): as_text(as_map(one).get("serverRelativeURL")) for name, one in paths.items()}
            self._addresses = {name: where for name, where in found.items() if where.startswith(f"{INDEX}/")}
        return self._addresses

    def _kept(self, address: str, mark: str) -> Tables | None:
        """The tables of a document: cached ones if the hash matches, else requested."""
        from codegen import reading

        kept = cache.get(_name(mark)) if mark else None
        if kept is not None:
            try:
                return reading.tables_from_text(kept)
            except SpecError:
                pass
        try:
            parts = urlsplit(address)
            query = [(name, value) for name, values in parse_qs(parts.query).items() for value in values]
            document = self._transport.ask("GET", parts.path, query).map()
        except ClusterError:
            return None
        made = _read(document, f"{self._transport.host}{parts.path}")
        if made is None:
            return None
        if mark:
            cache.put(_name(mark), made)
        return reading.tables_from_text(made)


def _name(mark: str) -> str:
    return cache.name_of("openapi/v3", mark, __version__)


def _read(document: Any, name: str) -> str | None:
    """The tables of a document as text. None for a document without kinds, such as `/version`."""
    from codegen import reading

    schemas = as_map(as_map(as_map(document).get("components")).get("schemas")) or as_map(
        as_map(document).get("definitions")
    )
    if not schemas:
        return None
    try:
        return reading.tables_to_text(document)
    except SpecError as error:
        raise SpecError(name, error.expected, found=error.found) from None


def of_release(release: str) -> Tables:
    """Return the tables of a release. For an unknown one, those of the nearest release."""
    known = engine.releases()
    if release in known:
        return engine.load(release)
    minor = int(release.partition(".")[2] or 0)
    return engine.load(min(known, key=lambda one: abs(int(one.partition(".")[2]) - minor)))


def _api_version(name: str) -> str:
    """The apiVersion of a document: `apps/v1` of `apis/apps/v1`. Empty for other documents."""
    parts = name.split("/")
    if parts[0] == "api" and len(parts) == 2:
        return parts[1]
    return "/".join(parts[1:]) if parts[0] == "apis" and len(parts) == 3 else ""
