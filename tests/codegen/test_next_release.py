"""The next release needs no change of code: `spec add` and `generate` add its fields and feature gates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests import newer

from .sources.serving import body, serving
from .validation.test_declared import zipped

if TYPE_CHECKING:
    from pathlib import Path

NEW_GATE, NEW_FIELD = "Novelties", newer.FIELD[1]
TYPES = f"""
type PodSpec struct {{
	// +featureGate={NEW_GATE}
	Novelties []string `json:"{NEW_FIELD},omitempty"`
}}
"""
FOUND = """
import json, sys
import engine
from kubemerge.apiserver.registry.feature_gates import closed_fields
from kubemerge.cluster import open_cluster
pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {
    "containers": [{"name": "c", "image": "i"}], **{field: ["a"] for field in sys.argv[2:]}}}
closed = {one.path: one.gate for one in closed_fields(engine.load(sys.argv[1]).schema("v1", "Pod"))}
with open_cluster(":memory:", release=sys.argv[1]) as cluster:
    stored = cluster.create(pod, dry_run=True)
print(json.dumps({"closed": closed, "stored": sorted(stored["spec"])}))
"""
"""Prints the fields of Pods whose gate is off in a release, and the stored fields of a Pod with the new field."""


def gates_of(copy: Path, release: str) -> dict[str, Any]:
    """The feature gates of a release, and the fields behind them."""
    found: dict[str, Any] = json.loads((copy / "openapi" / "gates" / f"{release}.json").read_text("ascii"))
    return found


def source(gates: dict[str, tuple[str, bool, bool]], release: str) -> str:
    """Go source with the gates of a release."""
    rows = [
        f'\t{name}: {{\n\t\t{{Version: version.MustParse("{release}"), Default: {str(default).lower()}, '
        f"PreRelease: featuregate.{stage}, LockToDefault: {str(locked).lower()}}},\n\t}},\n"
        for name, (stage, default, locked) in sorted(gates.items())
    ]
    constants = [f'\t{name} featuregate.Feature = "{name}"\n' for name in sorted(gates)]
    return "".join(["const (\n", *constants, ")\n\nvar gates = featuregate.VersionedSpecs{\n", *rows, "}\n"])


def in_copy(copy: Path, *arguments: str) -> str:
    """The output of Python in the copy."""
    env = {**os.environ, "PYTHONPATH": str(copy)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False).stdout


def add(copy: Path, new: str, gates: dict[str, tuple[str, bool, bool]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a release with a new field and these gates to the copy."""
    minor = new.partition(".")[2]
    modules = [f"go:k8s.io/kubernetes@v{new}.0", *(f"go:k8s.io/{one}@v0.{minor}.0" for one in ("apiserver", "api"))]
    files = ({"pkg/features/kube_features.go": source(gates, new)}, {"a.go": ""}, {"core/v1/types.go": TYPES})
    with serving() as server:
        monkeypatch.setenv("GOPROXY", server.address)
        for one, content in zip(modules, files, strict=True):
            name, _, version = one.removeprefix("go:").partition("@")
            server.at(f"/{name}/@v/{version}.zip", body(zipped(one, **content).data))
        newer.run(copy, "kubemerge", "spec", "add", new, "--from", newer.CHANGED)
        newer.run(copy, "kubemerge", "spec", "add", new, "--from", " ".join(modules))
    newer.run(copy, "kubemerge", "generate")


@pytest.mark.slow
def test_a_new_gate_a_graduated_one_and_another_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "kubemerge"
    newer.copy_files(copy)
    old, new = newer.releases(copy)
    before = gates_of(copy, old)
    of_pods = {gate: place for place, (gate, *_) in before["fields"].items() if place.startswith("core_v1.PodSpec.")}
    turned = next(gate for gate in of_pods if not before["gates"][gate][1])
    graduated = next(gate for gate, (stage, default, _) in before["gates"].items() if stage == "Beta" and default)
    changed = {turned: ("Beta", True, False), graduated: ("GA", True, True), NEW_GATE: ("Alpha", False, False)}
    newer.change(copy / "openapi" / f"{old}.json", copy / newer.CHANGED)
    add(copy, new, {**before["gates"], **changed}, monkeypatch)

    after = gates_of(copy, new)["gates"]
    assert {name: tuple(after[name]) for name in changed} == changed
    field = f"spec.{of_pods[turned].rpartition('.')[2]}"
    sent = {old: [], new: [NEW_FIELD]}
    found = {release: json.loads(in_copy(copy, "-c", FOUND, release, *fields)) for release, fields in sent.items()}
    assert found[old]["closed"][field] == turned
    assert field not in found[new]["closed"]
    assert found[new]["closed"][f"spec.{NEW_FIELD}"] == NEW_GATE
    assert NEW_FIELD not in found[new]["stored"]
    reported = in_copy(copy, "-m", "kubemerge", "compare", old, new, "--kind", "Pod")
    assert f"the feature gate {turned} is on by default since {new}" in reported
