"""A field that only live has is a default value of the server, or was set by somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ..objects import config_map, deployment

if TYPE_CHECKING:
    from ..shell import Shell

DEFAULT, SOMEBODY = "a default value of the server", "set by somebody else"
CONTAINER = "spec.template.spec.containers[name=web]"


@pytest.fixture
def scaled(shell: Shell) -> Shell:
    """A shell with a Deployment that somebody has scaled, and given a note and a sidecar."""
    config = deployment("web", {"name": "web", "image": "web:1", "ports": [{"containerPort": 80}]})
    shell.done("apply", "-f", shell.write("web.yaml", config))
    shell.done("scale", "deployment/web", "--replicas=3")
    shell.done("annotate", "deployment/web", "note=x")
    sidecar = '{"spec":{"template":{"spec":{"dnsPolicy":"Default","containers":[{"name":"side","image":"side:1"}]}}}}'
    shell.done("patch", "deployment/web", "-p", sidecar)
    return shell


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("spec.replicas", SOMEBODY),
        ("spec.revisionHistoryLimit", DEFAULT),
        ("spec.strategy", DEFAULT),
        (f"{CONTAINER}.imagePullPolicy", DEFAULT),
        (f"{CONTAINER}.ports[containerPort=80].protocol", DEFAULT),
        ("spec.template.spec.dnsPolicy", SOMEBODY),
        ("spec.template.spec.containers[name=side]", SOMEBODY),
        ("metadata.annotations.note", SOMEBODY),
    ],
)
def test_who_set_a_field(scaled: Shell, path: str, why: str) -> None:
    assert scaled.run("why", "-q", "-f", "web.yaml", path) == 0
    assert f"kept: only in live, {why}" in scaled.out
    assert scaled.run("why", "-q", "-f", "web.yaml", path, "-o", "json") == 0
    assert f'"reason": "kept: only in live, {why}"' in scaled.out


def test_of_a_kind_without_default_values_nobody_knows(shell: Shell) -> None:
    shell.done("apply", "-f", shell.write("a.yaml", config_map("a")))
    shell.done("patch", "configmap/a", "-p", '{"data":{"k":"v"}}')
    shell.run("why", "-q", "-f", "a.yaml", "data.k")
    assert SOMEBODY in shell.out
