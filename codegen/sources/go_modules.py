"""Go modules, fetched as zip files through the module proxy; no Go toolchain is needed, and no code is run.

`go:MODULE@VERSION` names one, such as `go:k8s.io/api@v0.37.1`. The proxies are those of GOPROXY, in its order. There is
no default: which server gets the requests of a company is its own decision.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from ..documents.limits import MAX_BYTES
from ..errors import SpecError
from .fetch import Fetch
from .unpacked import too_large

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MODULE = re.compile(r"go:(?P<path>[A-Za-z0-9.~_/-]+)@(?P<version>v[0-9][0-9A-Za-z.+-]*)")


class Module(NamedTuple):
    """The zip file of a module, and where it came from."""

    source: str
    data: bytes

    @property
    def sha256(self) -> str:
        """The sha256 of the zip file."""
        return hashlib.sha256(self.data).hexdigest()

    def files(self, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
        """The wanted files, by their path in the module, with their text. At most `MAX_BYTES` of text are unpacked."""
        left = MAX_BYTES
        prefix = f"{self.source.removeprefix('go:')}/"
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
                for member in sorted(archive.infolist(), key=lambda one: one.filename):
                    name = member.filename.removeprefix(prefix)
                    if name != member.filename and is_wanted(name):
                        left -= member.file_size
                        if left < 0:
                            raise too_large(self.source)
                        yield name, archive.read(member).decode("utf-8", "replace")
        except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError) as error:
            raise SpecError(self.source, "a zip file that can be read", found=str(error)) from None


def is_module(source: str) -> bool:
    """Whether a source names a Go module."""
    return source.startswith("go:")


def module(source: str, fetch: Fetch | None = None) -> Module:
    """The zip file of a module, from the first proxy that has it."""
    found = _MODULE.fullmatch(source)
    if not found:
        raise SpecError(source, "go:MODULE@VERSION")
    path, fetch = f"{_escaped(found['path'])}/@v/{_escaped(found['version'])}.zip", fetch or Fetch(deadline=600)
    error = SpecError(source, "a module proxy in GOPROXY (see `go env GOPROXY`)", found="none")
    for proxy in proxies():
        try:
            return Module(source, fetch.get(f"{proxy}/{path}"))
        except SpecError as why:
            error = why
    raise error


def proxies() -> list[str]:
    """The addresses in GOPROXY; `direct` and `off` end the list, because they name no proxy."""
    listed = []
    for one in re.split(r"[,|]", os.environ.get("GOPROXY", "")):
        if one.strip() in ("direct", "off"):
            break
        if one.strip():
            listed.append(one.strip().rstrip("/"))
    return listed


def _escaped(text: str) -> str:
    """A path as proxies spell it: an upper case letter is written as `!` and the lower case one."""
    return re.sub(r"[A-Z]", lambda letter: f"!{letter[0].lower()}", text)
