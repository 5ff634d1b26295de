"""The real kube-controller-manager runs on a served cluster, as docs/how-to/real-controllers.md shows it."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import blocks
from tests.docs.test_commands import pattern_of, sessions

from .control_plane import CONTROLLERS, ControlPlane, controlling, program, serving

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/how-to/real-controllers.md"
MISSING = [name for name in ("kubectl", CONTROLLERS) if program(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"KUBEMERGE_REAL_API names no folder with {MISSING}"),
]
COMMANDS = [one for block in blocks(PAGE) if block.info == "bash" for one in sessions(block.text)]
VOLUME = """
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {accessModes: [ReadWriteOnce],
  storageClassName: "", resources: {requests: {storage: 1Gi}}}}
---
{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {accessModes: [ReadWriteOnce], storageClassName: "",
  capacity: {storage: 1Gi}, hostPath: {path: /x}}}
"""
PATIENCE = 120.0
"""Seconds after which controllers that still write are overwriting each other's changes, or another client's."""
QUIET = 3.0
"""Seconds without a write, after which all is done."""


def kubectl(plane: ControlPlane, *words: str) -> str:
    command = [str(program("kubectl")), f"--kubeconfig={plane.kubeconfig}", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout


def trimmed(text: str) -> str:
    """The lines without spaces at their ends, and without empty ones at the end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n") + "\n"


def version(plane: ControlPlane) -> str:
    """The resourceVersion of the whole cluster."""
    found = re.search(r'"resourceVersion":"(\d+)"', kubectl(plane, "get", "--raw", "/api/v1/nodes"))
    assert found is not None
    return found[1]


def becomes_quiet(plane: ControlPlane) -> bool:
    """Whether the controllers stop writing."""
    before, end = "", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        now = version(plane)
        if now == before:
            return True
        before = now
        time.sleep(QUIET)
    return False


AS_ACCOUNTS = ("--use-service-account-credentials",)
RBAC = ("--authorization", "rbac")


@pytest.mark.parametrize(
    ("ours", "words", "flags"),
    [("*", (), ()), ("-*", (), ()), ("-*", (), AS_ACCOUNTS), ("-*", RBAC, AS_ACCOUNTS), ("*", RBAC, AS_ACCOUNTS)],
    ids=["with the cluster's own controllers", "alone", "as ServiceAccounts", "by RBAC", "both by RBAC"],
)
def test_the_page(ours: str, words: tuple[str, ...], flags: tuple[str, ...], tmp_path: Path) -> None:
    with serving(tmp_path, "--controllers", ours, *words) as plane, controlling(tmp_path, plane.kubeconfig, *flags):
        for command, shown in COMMANDS:
            printed = kubectl(plane, *shlex.split(command)[1:])
            assert pattern_of(trimmed(shown)).fullmatch(trimmed(printed)), (command, printed)
        assert becomes_quiet(plane)
        left = kubectl(plane, "get", "pods,replicasets,jobs", "-A", "-o", "name").split()
        tokens = 'resource="serviceaccounts",scope="resource",subresource="token"'
        assert (tokens in kubectl(plane, "get", "--raw", "/metrics")) is bool(flags)
    assert left == []


@pytest.mark.parametrize("ours", ["*", "-*"], ids=["with the cluster's own controllers", "alone"])
def test_a_quota_limits_the_controllers(ours: str, tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--controllers", ours, *RBAC) as plane,
        controlling(tmp_path, plane.kubeconfig, *AS_ACCOUNTS, "--resource-quota-sync-period=2s"),
    ):
        kubectl(plane, "create", "quota", "few", "--hard=pods=2,count/jobs.batch=1")
        hard = kubectl(plane, "wait", "quota/few", "--for=jsonpath={.status.hard.pods}=2", "--timeout=60s")
        assert "condition met" in hard
        kubectl(plane, "create", "deployment", "web", "--image=i", "--replicas=5")
        full = kubectl(plane, "wait", "quota/few", "--for=jsonpath={.status.used.pods}=2", "--timeout=60s")
        failed = kubectl(plane, "wait", "deployment/web", "--for=condition=ReplicaFailure", "--timeout=60s")
        why = kubectl(plane, "get", "deployment/web", "-o", "jsonpath={.status.conditions[*].message}")
        kubectl(plane, "scale", "deployment/web", "--replicas=1")
        freed = kubectl(plane, "wait", "quota/few", "--for=jsonpath={.status.used.pods}=1", "--timeout=60s")
        kubectl(plane, "create", "job", "first", "--image=i")
        second = kubectl(plane, "create", "job", "second", "--image=i")
        assert becomes_quiet(plane)
        log = (tmp_path / "controllers.log").read_text(encoding="utf-8")
    assert ("condition met" in full, "condition met" in failed, "condition met" in freed) == (True, True, True)
    assert "exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2" in why
    assert "exceeded quota: few, requested: count/jobs.batch=1" in second
    assert "cannot" not in "\n".join(line for line in log.splitlines() if "is forbidden: User" in line)


@pytest.mark.parametrize("ours", ["*", "-*"], ids=["with the cluster's own controllers", "alone"])
def test_claims_and_volumes_are_deleted(ours: str, tmp_path: Path) -> None:
    manifest = tmp_path / "volume.yaml"
    manifest.write_text(VOLUME, encoding="utf-8")
    with serving(tmp_path, "--controllers", ours) as plane, controlling(tmp_path, plane.kubeconfig):
        kubectl(plane, "apply", "-f", str(manifest))
        bound = kubectl(plane, "wait", "pvc/c", "--for=jsonpath={.status.phase}=Bound", "--timeout=60s")
        assert "condition met" in bound
        gone = kubectl(plane, "delete", "pvc/c", "pv/v", "--timeout=60s")
    assert "timed out" not in gone
    assert gone.count("deleted") == 2


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) > 10
    assert all(command.startswith("kubectl ") for command, _ in COMMANDS)
