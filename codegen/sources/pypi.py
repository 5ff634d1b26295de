"""Source distributions, found in the index that pip is set up for. pip itself would run their code to fetch them."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin

from ..errors import SpecError
from .fetch import Fetch

if TYPE_CHECKING:
    from pathlib import Path

_DEFAULT = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
_SETTING = re.compile(r"(?:global|download|install|:env:)\.([a-z-]+)='(.*)'")


def fetch_sdist(name: str, version: str, folder: Path, source: str) -> Path:
    """Put the source distribution into a folder, as it is in the index."""
    settings = _settings()
    indexes = [settings.get("index-url") or _default_index(source), *settings.get("extra-index-url", "").split()]
    fetch = Fetch(ca_file=settings.get("cert"), deadline=600)
    for index in indexes:
        page = f"{index.rstrip('/')}/{_normal(name)}/"
        for address in _links(fetch.get(page).decode("utf-8", "replace"), page):
            if _is_sdist(address, name, version):
                return _fetched(address, fetch, folder)
    raise SpecError(source, "a wheel or a source distribution (.tar.gz) in the index of pip", found="none")


def _settings() -> dict[str, str]:
    """What pip is set up for in its files and in the environment, which comes last and counts."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False, timeout=60
    )
    return {found[1]: found[2] for line in done.stdout.splitlines() if (found := _SETTING.fullmatch(line))}


def _default_index(source: str) -> str:
    done = subprocess.run([sys.executable, "-c", _DEFAULT], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        raise SpecError(source, "a package index. Set PIP_INDEX_URL", found="none")
    return done.stdout.strip()


class _Links(HTMLParser):
    """The targets of the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the target of a link."""
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


def _links(page: str, address: str) -> list[str]:
    parser = _Links()
    parser.feed(page)
    return [urljoin(address, link) for link in parser.found]


def _is_sdist(address: str, name: str, version: str) -> bool:
    file = urldefrag(address).url.partition("?")[0].rpartition("/")[2]
    found = re.fullmatch(r"(.+)-([^-]+)\.tar\.gz", file)
    return bool(found and _normal(found[1]) == _normal(name) and found[2] == version)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _fetched(address: str, fetch: Fetch, folder: Path) -> Path:
    """The file at an address of the index, which also says its sha256."""
    address, stated = urldefrag(address)
    data = fetch.get(address)
    kind, _, wanted = stated.partition("=")
    found = hashlib.sha256(data).hexdigest()
    if kind == "sha256" and wanted != found:
        raise SpecError(address, f"the sha256 {wanted} that the index states", found=found)
    archive = folder / "sdist.tar.gz"
    archive.write_bytes(data)
    return archive
