"""`--feature-gates` decides which fields are stored, dropped and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.apiserver.registry.feature_gates import gates_set, is_on

if TYPE_CHECKING:
    from ...shell import Shell

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a"},
    "spec": {"hostUsers": False, "containers": [{"name": "c", "image": "i"}]},
}
ON = ("--feature-gates", "UserNamespacesSupport=true")
OFF = ("--feature-gates", "UserNamespacesSupport=false")


@pytest.mark.parametrize(
    ("release", "gates", "is_stored"), [("1.29", (), False), ("1.29", ON, True), ("1.37", OFF, False)]
)
def test_a_gate_decides_what_is_stored(shell: Shell, release: str, gates: tuple[str, ...], is_stored: bool) -> None:
    file = shell.write("pod.yaml", POD)
    assert shell.run("merge", "-f", file, "--release", release, *gates) == 0, shell.err
    assert ("hostUsers: false" in shell.out) is is_stored
    assert shell.run("apply", "-f", file, "--cluster", ":memory:", "--release", release, "-o", "yaml", *gates) == 0
    assert ("hostUsers: false" in shell.out) is is_stored
    shell.run("lint", file, "--release", release, "--select", "KM112", *gates)
    assert ("KM112" in shell.out) is not is_stored
    assert gates_set() == ()  # only for one command
    assert not is_on("UserNamespacesSupport", 29)


def test_several_gates(shell: Shell) -> None:
    both = "UserNamespacesSupport=True, SidecarContainers=false"
    assert shell.run("compare", "1.29", "1.37", "--kind", "Pod", "--severity", "notable", "--feature-gates", both) == 0
    assert "hostUsers" not in shell.out
    assert "InPlacePodVerticalScaling" in shell.out


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            "UserNamespaceSupport=true",
            "no release has the feature gate 'UserNamespaceSupport'. Did you mean UserNamespacesSupport?",
        ),
        ("NoSuchThing=true", "no release has the feature gate 'NoSuchThing'"),
        ("UserNamespacesSupport", "'UserNamespacesSupport' is not NAME=true or NAME=false"),
        ("UserNamespacesSupport=yes", "is not NAME=true or NAME=false"),
        ("", "the name after --feature-gates is empty"),
    ],
)
def test_bad_values(shell: Shell, value: str, said: str) -> None:
    file = shell.write("pod.yaml", POD)
    assert shell.run("lint", file, "--feature-gates", value) == 2
    assert said in shell.err
