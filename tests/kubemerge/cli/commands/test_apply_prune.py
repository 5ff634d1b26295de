"""`kubemerge apply --prune`: definitions that go with their objects, and ApplySets that other tools support too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ...apiserver.conftest import crontab, crontabs
from ...objects import config_map

if TYPE_CHECKING:
    from ...shell import Shell

KEPT = config_map("kept", {"a": "1"})
TOOLING = "applyset.kubernetes.io/tooling"
KINDS = "applyset.kubernetes.io/contains-group-kinds"
PARENT_TYPE = "applyset.kubernetes.io/is-parent-type"
SET = ("--prune", "--applyset", "mine", "-n", "default")
LIST = ("--prune", "--all", "--prune-allowlist", "apiextensions.k8s.io/v1/CustomResourceDefinition")
THINGS = ("--prune-allowlist", "stable.example.com/v1/Thing")


def annotations_of(shell: Shell, *parent: str) -> dict[str, str]:
    found: dict[str, str] = shell.live(*parent)["metadata"]["annotations"]
    return found


@pytest.mark.parametrize("words", [SET, (*LIST, *THINGS)], ids=["an ApplySet", "a list"])
@pytest.mark.parametrize("scope", ["Cluster", "Namespaced"])
def test_a_definition_goes_with_its_objects(shell: Shell, words: tuple[str, ...], scope: str) -> None:
    definition, one = crontabs(scope), {**crontab(), "kind": "Thing"}  # a kind that is listed after its definition's
    definition["spec"]["names"]["kind"] = "Thing"
    if scope == "Cluster":
        one["metadata"] = {"name": "night"}
    shell.done("apply", "-f", shell.write("a.yaml", definition, one, KEPT), *(SET if words == SET else ()))
    shell.write("a.yaml", KEPT)
    lines = shell.done("apply", "-f", "a.yaml", *words).splitlines()
    assert sorted(lines[1:]) == [
        "customresourcedefinition.apiextensions.k8s.io/crontabs.stable.example.com pruned",
        "thing.stable.example.com/night pruned",
    ]
    assert shell.done("apply", "-f", "a.yaml", *SET).count("\n") == 1
    assert annotations_of(shell, "secret", "mine")[KINDS] == "ConfigMap"


def test_the_set_of_the_release_is_kubectls(shell: Shell) -> None:
    shell.write("a.yaml", KEPT)
    shell.done("apply", "-f", "a.yaml", *SET, "--release", "1.30")
    assert annotations_of(shell, "secret", "mine")[TOOLING] == "kubectl/v1.30.0"
    shell.done("annotate", "secret", "mine", f"{TOOLING}=kubectl/v1.27.3", "--overwrite", "-n", "default")
    shell.done("apply", "-f", "a.yaml", *SET)
    assert annotations_of(shell, "secret", "mine")[TOOLING] == "kubectl/v1.30.0"
    shell.done("annotate", "secret", "mine", f"{TOOLING}=helm/v3", "--overwrite", "-n", "default")
    said = 'already exists and is managed by tooling "helm" instead of "kubectl". Use another name'
    assert said in shell.fails("apply", "-f", "a.yaml", *SET)


@pytest.mark.parametrize("release", ["1.15", "1.21", "1.37"])
def test_a_custom_parent_in_whichever_version_definitions_are(shell: Shell, release: str) -> None:
    definition = crontabs("Cluster")
    definition["metadata"]["labels"] = {PARENT_TYPE: "true"}
    if release == "1.15":
        definition["apiVersion"] = "apiextensions.k8s.io/v1beta1"
        definition["spec"]["version"] = "v1"
        definition["spec"]["validation"] = definition["spec"]["versions"][0].pop("schema")
        definition["spec"]["subresources"] = definition["spec"]["versions"][0].pop("subresources")
    assert shell.run("apply", "-f", shell.write("crd.yaml", definition), "--release", release) == 0
    said = shell.fails("apply", "-f", shell.write("a.yaml", KEPT), "--prune", "--applyset", "crontabs/mine")
    assert "custom resource ApplySet parents cannot be created automatically" in said


def test_a_parent_that_is_refused_is_reported_once(shell: Shell) -> None:
    (shell.folder / "as").mkdir()
    for name in ("a", "b"):
        shell.write(f"as/{name}.yaml", config_map(name, {"a": "1"}))
    shell.done("apply", "-f", shell.write("other.yaml", KEPT))
    said = shell.fails("apply", "-f", "as", "--prune", "--applyset", "Bad_Name", "-n", "default")
    assert said.startswith('failed to update ApplySet: Secret "Bad_Name" is invalid: metadata.name: Invalid value')
    assert shell.out == ""
    assert "configmap/a" not in shell.done("get", "configmaps", "-o", "name")
