"""Record the plugins and keys in the source code of a release: `python -m tests.kubemerge.kinds.history MODULE ...`.

Each MODULE is a zip file or folder of a Go module, named like `kubernetes@v1.38.0` or `kubectl@v0.38.0`, as in Go's
module cache. Pass k8s.io/kubernetes with all k8s.io modules of its release. The releases passed are recorded again, and
the others stay. Then `test_history.py` lists what vanished and is in no row of the table of hazards.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

from .recorded import Recorded, read, write

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULE = re.compile(r"([a-z-]+)@v[01]\.(\d+)\.\d+")
FOLDERS = {
    "volume": "pkg/volume/",
    "credentials": "pkg/credentialprovider/",
    "scheduling": "pkg/scheduler/framework/plugins/",
    "admission folder": "plugin/pkg/admission/",
}
"""The folders of k8s.io/kubernetes whose folders are plugins."""
PLUGINS = "pkg/kubeapiserver/options/plugins.go"
HASHES = "storageversionhashdata"
_DOMAINS = "kubernetes.io|k8s.io|google.com|gke.io|openstack.org|azure.com|vmware.com|amazonaws.com"
KEY = re.compile(rf'"((?:[a-z0-9-]+\.)*(?:{_DOMAINS.replace(".", chr(92) + ".")})/[A-Za-z][A-Za-z0-9._/-]*)"')
IMPORTED = re.compile(r'\s*(import\s+)?([\w.]+\s+)?"[^"]*"\s*$')
NO_KEY = re.compile(r"^(k8s\.io|sigs\.k8s\.io|cloud\.google\.com/go)/|/v[1-9]\w*(/|$)|/[A-Z]\w*$")
"""Imported packages, API versions and kinds."""


def main(places: list[str]) -> None:
    """Add the releases of the modules to the recorded ones."""
    found: Recorded = defaultdict(dict)
    minors = set()
    for place in places:
        name, minor = _module(place)
        minors.add(minor)
        for path, text in _files(Path(place)):
            for sort, item in _items(name, path, text):
                found[sort].setdefault(item, set()).add(minor)
    known = read()
    for items in known.values():
        for releases in items.values():
            releases.difference_update(minors)
    for sort, items in found.items():
        for item, releases in items.items():
            known.setdefault(sort, {}).setdefault(item, set()).update(releases)
    write(known)


def _module(place: str) -> tuple[str, int]:
    match = MODULE.search(Path(place).name)
    if not match:
        raise SystemExit(f"{place} is not named like a module, such as kubernetes@v1.38.0")
    return match[1], int(match[2])


def _files(place: Path) -> Iterator[tuple[str, str]]:
    """The Go files of a module, without tests and generated code."""
    if place.is_dir():
        for file in sorted(place.rglob("*.go")):
            if _counts(path := file.relative_to(place).as_posix()):
                yield path, file.read_text(encoding="utf-8", errors="replace")
        return
    with ZipFile(place) as archive:
        for name in archive.namelist():
            path = name.partition("@")[2].partition("/")[2]
            if path.endswith(".go") and _counts(path):
                yield path, archive.read(name).decode("utf-8", "replace")


def _counts(path: str) -> bool:
    name = path.rpartition("/")[2]
    no_code = any(word in path for word in ("/testing/", "testdata", "/fuzzer/", "/test/", HASHES))
    return not (no_code or name.endswith("_test.go") or name.startswith(("zz_", "generated.")))


def _items(module: str, path: str, text: str) -> Iterator[tuple[str, str]]:
    if module == "legacy-cloud-providers" and "/" in path:
        yield "cloud", path.partition("/")[0]
    if module == "kubernetes":
        if not path.startswith(("pkg/", "plugin/", "cmd/")):
            return
        yield "release", "kubernetes"
        for sort, folder in FOLDERS.items():
            if path.startswith(folder) and "/" in path[len(folder) :]:
                yield sort, path[len(folder) :].partition("/")[0]
        if path == PLUGINS:
            ordered = text.partition("AllOrderedPlugins")[2].partition("\n}")[0]
            for name in re.findall(r"//\s*([A-Z]\w+)", ordered):
                yield "admission", name
    for line in text.splitlines():
        if '"' in line and not line.lstrip().startswith("//") and not IMPORTED.match(line):
            for key in KEY.findall(line):
                if not NO_KEY.search(key):
                    yield "key", key


if __name__ == "__main__":
    main(sys.argv[1:])
