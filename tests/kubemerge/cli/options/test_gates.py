"""`--feature-gates` decides which fields are stored, dropped and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.registry.feature_gates import gates_set, is_on

if TYPE_CHECKING:
    from ...shell import Shell

POD: dict[str, Any] = {
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


@pytest.mark.parametrize("gates", [(), ON, OFF], ids=["default", "on", "off"])
def test_each_command_names_the_gate_of_a_field_that_is_dropped(shell: Shell, gates: tuple[str, ...]) -> None:
    file = shell.write("pod.yaml", POD)
    live = shell.write("live.yaml", {**POD, "spec": {"containers": POD["spec"]["containers"]}})
    note = "pod/a: the API server drops spec.hostUsers, because the feature gate UserNamespacesSupport is off\n"
    for command in (
        ("merge", "-f", file, "--live", live),
        ("diff", "-f", file, "--live", live),
        ("why", "-f", file, "--live", live),
        ("apply", "-f", file, "--cluster", ":memory:"),
        ("apply", "-f", file, "--cluster", ":memory:", "--server-side"),
    ):
        assert shell.run(*command, "--release", "1.29", *gates) != 2, shell.err
        assert (note in shell.err) is (gates != ON), command
        shell.run(*command, "--release", "1.37", *gates)
        assert (note in shell.err) is (gates == OFF), command


@pytest.mark.parametrize(("gates", "is_stored"), [((), False), (ON, True)], ids=["default", "on"])
def test_each_command_that_writes_asks_the_gates(shell: Shell, gates: tuple[str, ...], *, is_stored: bool) -> None:
    cluster = ("--cluster", "c.db", "--release", "1.29", *gates)
    pod = shell.write("pod.yaml", POD)
    other = shell.write("other.yaml", {**POD, "metadata": {"name": "b"}})
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": POD["spec"]["containers"]}}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
    workload = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec}
    deployment = shell.write("deployment.yaml", workload)
    patch = '{"spec": {"template": {"spec": {"hostUsers": false}}}}'
    for command in (
        ("create", "-f", pod, "-o", "json"),
        ("replace", "--force", "-f", pod),
        ("get", "pod", "a", "-o", "json"),
        ("plan", "--as", "kubectl", "-f", other, "-o", "json"),
        ("create", "-f", deployment),
        ("patch", "deployment", "a", "-p", patch, "-o", "json"),
    ):
        assert shell.run(*command, *cluster) == 0, shell.err
        if "json" in command:
            assert ('"hostUsers"' in shell.out) is is_stored, command


def test_a_gate_that_the_live_object_uses_is_not_named(shell: Shell) -> None:
    file = shell.write("pod.yaml", POD)
    assert shell.run("diff", "-f", file, "--live", file, "--release", "1.29") == 0
    assert "UserNamespacesSupport" not in shell.err


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ((), "stores the field since 1.33, when the feature gate UserNamespacesSupport is on by default"),
        (ON, "stores the field, because the feature gate UserNamespacesSupport is on"),
        (OFF, "drops the field, because the feature gate UserNamespacesSupport is off"),
    ],
    ids=["default", "on", "off"],
)
def test_explain_names_the_gate(shell: Shell, gates: tuple[str, ...], said: str) -> None:
    assert shell.run("explain", "pod.spec.hostUsers", "--release", "1.29", *gates) == 0
    assert f"API server         {said}\n" in shell.out


@pytest.mark.parametrize(("gates", "finds"), [((), True), (ON, False), (OFF, False)], ids=["default", "on", "off"])
def test_an_upgrade_names_the_gate(shell: Shell, gates: tuple[str, ...], *, finds: bool) -> None:
    file = shell.write("pod.yaml", POD)
    assert shell.run("compare", "1.29", "1.37", "-f", file, *gates) == 0
    assert ("1.37 notable: spec.hostUsers: the field is now stored" in shell.out) is finds
    assert ("UserNamespacesSupport" in shell.out) is finds


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
