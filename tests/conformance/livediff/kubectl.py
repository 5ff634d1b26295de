"""kubectl's responses about a folder of configs: the objects, the diff, and the objects after an apply."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.documents.yaml_text import documents

from ...apiserver.kubectl import program
from ..ownership.real.server import NAMESPACE

if TYPE_CHECKING:
    from pathlib import Path

Object = dict[str, Any]
Key = tuple[str, str]
"""The kind in lower case and the name of an object: names are not repeated in a batch."""
COPY = '#!/bin/sh\ncp -R "$1" "$LIVEDIFF_OUT/LIVE" && cp -R "$2" "$LIVEDIFF_OUT/MERGED"\n'
"""The program in KUBECTL_EXTERNAL_DIFF."""


APPLIED = re.compile(r"^([^\s./]+)[^\s/]*/(\S+) (?:created|configured|unchanged)", re.MULTILINE)


class KubectlFailed(Exception):
    """kubectl ended with an unexpected error."""


class DiffSides(NamedTuple):
    """One object before (empty if it is new) and after, with the compared texts."""

    live: Object
    merged: Object
    texts: tuple[str, str]


def key_of(content: Object) -> Key:
    """The identity of an object in a batch."""
    return content["kind"].lower(), content["metadata"]["name"]


class Kubectl:
    """kubectl on the server of KUBECONFIG."""

    def __init__(self, cache: Path) -> None:
        found = program() or shutil.which("kubectl")
        if found is None:
            raise KubectlFailed("there is no kubectl; put it on PATH, or name its folder with KUBEMERGE_REAL_API")
        self._program, self._env = found, {**os.environ, "KUBECACHEDIR": str(cache)}
        versions = json.loads(self.run("version", "-o", "json").stdout or "{}")
        ours, servers = (versions.get(side, {}).get("minor") for side in ("clientVersion", "serverVersion"))
        if servers is not None and ours != servers:
            raise KubectlFailed(f"{found} is kubectl 1.{ours}, and the server is 1.{servers}. Use kubectl 1.{servers}")

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run one command in the namespace of the tests."""
        command = [self._program, "-n", NAMESPACE, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**self._env, **env})

    def accepted(self, configs: Path, *more: str) -> set[Key]:
        """Apply all configs; those that the server accepts. kubectl continues after errors."""
        found = self.run("apply", "-f", str(configs), "--validate=warn", *more)
        return {(kind.lower(), name) for kind, name in APPLIED.findall(found.stdout)}

    def apply(self, configs: Path, *more: str) -> dict[Key, Object]:
        """Apply all configs; the objects that the server returns. kubectl prints none of them after an error."""
        found = self.run("apply", "-f", str(configs), "-o", "json", "--validate=warn", *more)
        if found.returncode:
            raise KubectlFailed(found.stderr)
        return _objects(found.stdout)

    def get(self, configs: Path, *more: str) -> dict[Key, Object]:
        """The live objects of all configs as `kubectl get` prints them."""
        return _objects(self.run("get", "-f", str(configs), "-o", "json", *more).stdout)

    def diff(self, configs: Path, out: Path) -> dict[Key, DiffSides]:
        """Both sides of every object, changed or not."""
        found = self.run("diff", "-f", str(configs), **external(out))
        if found.returncode > 1:
            raise KubectlFailed(found.stderr)
        return sides(out)


def external(out: Path) -> dict[str, str]:
    """The variables that make `diff` of kubectl and of kubemerge copy its folders to `out`."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    script = out / "copy"
    script.write_text(COPY, encoding="utf-8")
    script.chmod(0o755)
    return {"KUBECTL_EXTERNAL_DIFF": str(script), "LIVEDIFF_OUT": str(out)}


def sides(out: Path) -> dict[Key, DiffSides]:
    """The folders that a `diff` left behind."""
    found: dict[Key, DiffSides] = {}
    for file in sorted((out / "MERGED").glob("*")):
        before = out / "LIVE" / file.name
        texts = before.read_text(encoding="utf-8") if before.exists() else "", file.read_text(encoding="utf-8")
        live, merged = (_document(text) for text in texts)
        found[key_of(merged)] = DiffSides(live, merged, texts)
    return found


def _document(text: str) -> Object:
    found: Object = next(documents(text)) if text else {}
    return found


def _objects(text: str) -> dict[Key, Object]:
    if not text.strip():
        return {}
    content = json.loads(text)
    items = content["items"] if content["kind"] == "List" else [content]
    return {key_of(item): item for item in items}


NOISE = re.compile(r"^(Warning: .*|W\d{4} .*|E\d{4} .*|I\d{4} .*)\n?", re.MULTILINE)


def refusal(stderr: str) -> str:
    """The error in kubectl's output about one object, without its warnings."""
    return NOISE.sub("", stderr).strip()
