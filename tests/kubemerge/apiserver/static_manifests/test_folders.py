"""Folders with static manifests: hostile files, changes, and the places that take them."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kubemerge.apiserver import stored
from kubemerge.apiserver.errors import BadRequest, PolicyRejection
from kubemerge.apiserver.registry import feature_gates
from kubemerge.apiserver.static_manifests.documents import InvalidManifests
from kubemerge.cluster import open_cluster
from kubemerge.manifests.files import Files
from kubemerge.offline.policies import policies_in

from ....conftest import needs_posix
from ..policies.samples import API, validating

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.http.listening.running import Serving

CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}}


def manifest(message: str = "no", name: str = "rule") -> str:
    found = validating("false", name=f"{name}.static.k8s.io")
    found[0]["spec"]["validations"][0]["message"] = message
    found[1]["metadata"]["name"] = f"{name}.static.k8s.io"
    return yaml.safe_dump_all(found)


def denied(cluster: Any) -> str:
    with pytest.raises(PolicyRejection) as caught:
        cluster.create(CONFIG, dry_run=True)
    return str(caught.value).rpartition(": ")[2]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("{", "json parse error: unexpected end of JSON input"),
        ("a: &a [1]\n" + "".join(f"b{at}: [{', '.join(['*a'] * 9)}]\n" for at in range(3)), "Object 'Kind' is missing"),
        ("[" * 5000, "json parse error|nested|decoding YAML"),
        ("a: &x0 [1, 1]\n" + "".join(f"k{n}: &x{n + 1} [*x{n}, *x{n}]\n" for n in range(40)), "decoding YAML"),
        ("a\0b", "decoding YAML"),
        (manifest().replace("false", "no such"), "Syntax error"),
        (manifest().replace("rule.static.k8s.io", "rule"), "must have a name ending with"),
        ("apiVersion: [1]\nkind: {a: b}\n", "cannot unmarshal array into Go struct field .apiVersion"),
        ("apiVersion: v1\nkind: List\nitems: [1, null, text]\n", ""),
        ("apiVersion: v1\nkind: List\nitems: [{}]\n", "Object 'Kind' is missing"),
        (
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: 3\n",
            "cannot unmarshal",
        ),
    ],
)
def test_a_broken_file_is_an_error_at_the_start_and_ignored_later(tmp_path: Path, broken: str, said: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(broken)
    with open_cluster(":memory:") as cluster:
        if said:
            with pytest.raises(InvalidManifests, match=said) as caught:
                cluster.use_static_manifests([str(tmp_path)])
            assert str(tmp_path) in str(caught.value)
        errors: list[str] = []
        file.write_text(manifest())
        cluster.use_static_manifests([str(tmp_path)], errors.append)
        assert denied(cluster) == "no"
        file.write_text(broken + "\n")
        if said:
            assert denied(cluster) == denied(cluster) == "no"
            assert len(errors) == 1
        file.write_text(manifest("again"))
        assert denied(cluster) == "again"


@needs_posix
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.yaml")
    with open_cluster(":memory:") as cluster, pytest.raises(InvalidManifests, match="not a regular file"):
        cluster.use_static_manifests([str(tmp_path)])


@needs_posix
def test_a_mounted_folder_changes_by_one_link(tmp_path: Path) -> None:
    """kubelet mounts a ConfigMap as links to a folder that another link names."""
    for name in ("first", "second"):
        (tmp_path / f"..{name}").mkdir()
        (tmp_path / f"..{name}" / "a.yaml").write_text(manifest(name))
    (tmp_path / "..data").symlink_to("..first")
    (tmp_path / "a.yaml").symlink_to("..data/a.yaml")
    with open_cluster(":memory:") as cluster:
        cluster.use_static_manifests([str(tmp_path)])
        assert denied(cluster) == "first"
        (tmp_path / "..new").symlink_to("..second")
        (tmp_path / "..new").replace(tmp_path / "..data")
        assert denied(cluster) == "second"


def test_a_removed_folder_keeps_its_policies(tmp_path: Path) -> None:
    folder = tmp_path / "manifests"
    folder.mkdir()
    (folder / "a.yaml").write_text(manifest())
    errors: list[str] = []
    with open_cluster(":memory:") as cluster:
        cluster.use_static_manifests([str(folder)], errors.append)
        folder.rename(tmp_path / "elsewhere")
        assert denied(cluster) == "no"
        assert os.strerror(errno.ENOENT).lower() in errors[0] or os.name == "nt"
        (tmp_path / "elsewhere").rename(folder)
        (folder / "a.yaml").unlink()
        cluster.create(CONFIG)


def test_every_plugin_has_its_own_folder(tmp_path: Path) -> None:
    policies, hooks = tmp_path / "policies", tmp_path / "hooks"
    for folder in (policies, hooks):
        folder.mkdir()
    (policies / "a.yaml").write_text(manifest())
    hook = {"apiVersion": API, "kind": "ValidatingWebhookConfiguration"}
    (hooks / "a.yaml").write_text(yaml.safe_dump({**hook, "metadata": {"name": "a.static.k8s.io"}}))
    with open_cluster(":memory:") as cluster:
        cluster.use_static_manifests([str(hooks), str(policies)])
        assert denied(cluster) == "no"
        (hooks / "b.yaml").write_text(manifest(name="other"))
        assert denied(cluster) == "no"
        assert cluster.static_manifests is not None
        assert "every plugin has its own" in str(cluster.static_manifests.error)


@pytest.mark.parametrize("folder", ["missing", "file", "nul\0"])
def test_a_folder_that_is_none(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("")
    with open_cluster(":memory:") as cluster, pytest.raises(BadRequest, match="staticManifestsDir: Invalid value"):
        cluster.use_static_manifests([str(tmp_path / folder)])


def test_the_feature_gate(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(manifest())
    with open_cluster(":memory:", release="1.36") as cluster:
        with pytest.raises(BadRequest, match="feature gate"):
            cluster.use_static_manifests([str(tmp_path)])
        feature_gates.set_gates({"ManifestBasedAdmissionControlConfig": True})
        try:
            cluster.use_static_manifests([str(tmp_path)])
            assert denied(cluster) == "no"
        finally:
            feature_gates.set_gates({})


def test_static_policies_apply_offline(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(manifest())
    found = stored(CONFIG, policies=policies_in([str(tmp_path)], Files()))
    assert isinstance(found.error, PolicyRejection)


def test_serve_ends_with_2(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("{")
    command = [sys.executable, "-m", "kubemerge", "serve", "--port", "0", "--cluster", ":memory:"]
    done = subprocess.run(
        [*command, "--static-manifests-dir", str(tmp_path)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "a.yaml: couldn't get version/kind" in done.stderr


def test_a_served_cluster_takes_folders(kube_server: Serving, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(manifest())
    kube_server(static_manifests=[tmp_path])
    assert denied(kube_server.cluster) == "no"
    kube_server(static_manifests=[])
    kube_server.cluster.create(CONFIG)
