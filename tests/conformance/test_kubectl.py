"""A real kubectl applies patches to built-in kinds with the engine's results; skipped without kubectl."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.values.go_json import decode, encode

from .draw import Draw
from .generate import target_and_patch

if TYPE_CHECKING:
    from pathlib import Path

KUBECTL = shutil.which("kubectl")
KINDS = (("apps/v1", "Deployment"), ("v1", "Pod"), ("v1", "Service"), ("v1", "ConfigMap"), ("apps/v1", "StatefulSet"))
CASES = 200

pytestmark = [pytest.mark.slow, pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl on the PATH")]


def kubectl(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(KUBECTL), "--kubeconfig", os.devnull, *words], capture_output=True, text=True, check=False, timeout=60
    )


def release() -> str:
    """The newest of our releases up to the version of this kubectl's compiled-in types."""
    said = re.search(r"v1\.(\d+)", kubectl("version", "--client").stdout)
    minor = int(said[1]) if said else 0
    known = [name for name in engine.releases() if int(name.partition(".")[2]) <= minor]
    return known[-1] if known else engine.releases()[-1]


def cases() -> list[tuple[engine.Schema, dict[str, Any], dict[str, Any]]]:
    """Targets and patches of kinds that every kubectl has; the patches keep the identity of the objects."""
    tables = engine.load(release())
    found = []
    for number in range(CASES):
        api_version, kind = KINDS[number % len(KINDS)]
        schema = tables.schema(api_version, kind)
        drawn = target_and_patch(Draw(schema, Random(f"kubectl {number}"), 2))
        target = drawn["target"] if isinstance(drawn["target"], dict) else {}
        patch = drawn["patch"] if isinstance(drawn["patch"], dict) else {}
        for document in (target, patch):
            for key in ("apiVersion", "kind", "metadata", "$patch", "$retainKeys"):
                document.pop(key, None)
        target.update(apiVersion=api_version, kind=kind, metadata={"name": "x", "namespace": "default"})
        # Both travel as text, in which 1.0 is 1.
        found.append((schema, decode(encode(target)), decode(encode(patch))))
    return found


def ours(schema: engine.Schema, target: dict[str, Any], patch: dict[str, Any]) -> str:
    """The text of the merged object, or a marker for none."""
    try:
        return encode(engine.apply_patch(target, patch, schema))
    except engine.MergeError:
        return "an error"


def theirs(folder: Path, number: int, target: dict[str, Any], patch: dict[str, Any]) -> str:
    """The same from kubectl."""
    file = folder / f"{number}.json"
    file.write_text(encode(target), encoding="utf-8")
    said = kubectl("patch", "--local", "-f", str(file), "--type", "strategic", "-p", encode(patch), "-o", "json")
    return encode(decode(said.stdout)) if said.returncode == 0 else "an error"


def test_kubectl_patch_local_agrees(tmp_path: Path) -> None:
    drawn = cases()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda at: theirs(tmp_path, at, *drawn[at][1:]), range(len(drawn))))
    differing = [
        json.dumps({"target": target, "patch": patch, "kubectl": answer, "engine": ours(schema, target, patch)})
        for (schema, target, patch), answer in zip(drawn, answers, strict=True)
        if answer != ours(schema, target, patch)
    ]
    assert not differing, f"{len(differing)} of {len(drawn)}:\n" + "\n".join(differing[:3])
    assert sum(answer != "an error" for answer in answers) > CASES // 2
