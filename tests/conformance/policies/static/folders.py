"""Folders of static manifests in `folders.yaml`: files, requests, and steps that replace all files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from ....conftest import read_yaml
from ...recordings import read_recorded, write_recorded
from ..scenarios import Object, complete

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json.gz"
PLUGINS = (
    "ValidatingAdmissionPolicy",
    "MutatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
    "MutatingAdmissionWebhook",
)
SHOWN = "/manifests"
"""The folder in recorded errors."""


def folders() -> list[Object]:
    """All folders, with complete objects and requests, and bytes of files."""
    found: list[Object] = read_yaml(HERE / "folders.yaml")
    return [_complete(one) for one in found]


def _complete(one: Object) -> Object:
    steps = one.get("steps") or [one]
    whole = complete({"setup": one.get("setup") or (), "requests": []})
    made = [
        {
            "files": {name: _content(name, each, one) for name, each in step["files"].items()},
            "requests": complete({"requests": step.get("requests") or ()})["requests"],
        }
        for step in steps
    ]
    return {"name": one["name"], "plugin": one.get("plugin", PLUGINS[0]), "setup": whole["setup"], "steps": made}


def _content(name: str, given: Any, one: Object) -> bytes:
    if isinstance(given, str):
        return given.encode(one.get("encoding", "utf-8"))
    objects = complete({"setup": given, "requests": []})["setup"]
    if name.lower().endswith(".json"):
        listed = {"apiVersion": "v1", "kind": "List", "items": objects}
        return json.dumps(objects[0] if len(objects) == 1 else listed).encode()
    return yaml.safe_dump_all(objects, sort_keys=False, width=1000).encode()


def identity(one: Object) -> str:
    """What identifies the requests and files of a folder."""
    return repr(one)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace all files of a folder, each at once."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        made = file.parent / f".{file.name}.new"
        made.write_bytes(content)
        made.replace(file)
    for file in [one for one in folder.rglob("*") if one.is_file()]:
        if str(file.relative_to(folder)) not in files:
            file.unlink()


def recorded() -> dict[str, Object]:
    """The recorded errors and responses by the names of folders."""
    return read_recorded(RECORDED)


def record(found: Mapping[str, Object]) -> None:
    """Write the recorded errors and responses."""
    write_recorded(RECORDED, {**found})
