"""Commands with dumps as their live objects: the same results as with the output of `kubectl get`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.manifests.files import Files
from kubemerge.offline.tables import schemas

from ...manifests.dump_files import IMAGE, MUST_GATHER, RECORDED, VELERO, WEB, in_folder, tar, text

if TYPE_CHECKING:
    from ...shell import Shell

DEPLOYMENT = {**WEB, "spec": {"replicas": 3}}
VERSION = "must-gather of Kubernetes 1.27.8"
SETTINGS = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shop4-settings"}, "data": {"level": "warn"}}
RELEASES = json.loads((RECORDED / "helm-releases.json").read_text(encoding="utf-8"))["items"]


def velero(shell: Shell, *objects: dict[str, Any]) -> str:
    """A Velero backup with more objects."""
    more = {f"resources/x/namespaces/shop/{one['metadata']['name']}.json": text(one) for one in objects}
    (shell.folder / "b.tar.gz").write_bytes(tar({**VELERO, **more}, "w:gz"))
    return "b.tar.gz"


@pytest.fixture
def must_gather(shell: Shell) -> str:
    in_folder(shell.folder, MUST_GATHER)
    return "must-gather.local.5"


def test_a_diff_with_a_must_gather(shell: Shell, must_gather: str) -> None:
    shell.write("web.yaml", DEPLOYMENT)
    assert shell.run("diff", "-f", "web.yaml", "--live", must_gather) == 1
    assert "-  replicas: 2\n+  replicas: 3\n" in shell.out
    assert f"{must_gather}: {VERSION}. Pass --release 1.27 for its rules\n" in shell.err
    assert f"{must_gather}: the values of 1 Secret are redacted, so they count as changed\n" in shell.err
    assert shell.run("diff", "-f", "web.yaml", "--live", must_gather, "--release", "1.27") == 1
    assert f"{must_gather}: {VERSION}\n" in shell.err


def test_an_unreadable_file_is_reported_and_the_rest_is_used(shell: Shell, must_gather: str) -> None:
    shell.write("web.yaml", WEB)
    (shell.folder / IMAGE / "namespaces/shop/core/pods.yaml").write_bytes(b"items: [")
    for words in (("diff",), ("why",), ("lint",), ("migrate",), ("plan", "--as", "kubectl"), ("merge",)):
        config = ("web.yaml",) if words == ("lint",) else ("-f", "web.yaml")
        assert shell.run(*words, *config, "--live", must_gather) == 2, words
        assert f"kubemerge: {IMAGE}/namespaces/shop/core/pods.yaml:2:1: " in shell.err, words
    for at in range(25):
        (shell.folder / IMAGE / f"cluster-scoped-resources/core/{at}.yaml").write_bytes(b"text")
    assert shell.run("diff", "-f", "web.yaml", "--live", must_gather) == 2
    assert len([line for line in shell.err.splitlines() if line.startswith("kubemerge: ")]) == 21
    assert "kubemerge: 6 more problems in dumps\n" in shell.err


def test_owners_of_a_dump_are_unknown_and_not_nobody(shell: Shell, must_gather: str) -> None:
    assert shell.run("owners", "-f", must_gather) == 2
    assert shell.out == ""
    unknown = [line for line in shell.err.splitlines() if "has no managedFields, so its owners are unknown" in line]
    assert len(unknown) == 6


def test_a_plan_for_a_dump_says_that_owners_are_unknown(shell: Shell, must_gather: str) -> None:
    shell.write("web.yaml", DEPLOYMENT)
    shell.run("plan", "--as", "kubectl", "--server-side", "-f", "web.yaml", "--live", must_gather)
    assert "no managedFields, so its owners are unknown" in shell.out


def test_owners_of_a_backup_are_known(shell: Shell) -> None:
    entry = {"manager": "helm", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1"}
    fields: dict[str, Any] = {"f:data": {"f:a": {}}}
    metadata = {"name": "c", "namespace": "shop", "managedFields": [{**entry, "fieldsV1": fields}]}
    dump = velero(shell, {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}, "metadata": metadata})
    assert shell.run("owners", "-f", dump, "--manager", "helm") == 2  # the other objects have none
    assert "  a: b  # helm (Apply)" in shell.out


def test_a_definition_in_a_dump_is_used_for_its_objects(shell: Shell) -> None:
    metadata = {"name": "ledgers.shop.io"}
    definition = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": metadata}
    found = schemas(None, (), Files(), [velero(shell, definition)], live=True)
    assert [one.source for one in found.definitions] == ["b.tar.gz/resources/x/namespaces/shop/ledgers.shop.io.json"]


def test_a_dump_is_not_written(shell: Shell) -> None:
    shell.write("web.yaml", DEPLOYMENT)
    dump = velero(shell)
    said = shell.run("migrate", "-f", "web.yaml", "--live", dump, "--write")
    assert said == 2
    assert "kubemerge: --write cannot write to the dump b.tar.gz. Run it on the cluster with --context\n" in shell.err


def test_the_commands_of_a_fix_name_the_archive(shell: Shell) -> None:
    shell.write("web.yaml", DEPLOYMENT)
    shell.run("plan", "--as", "kubectl", "--server-side", "-f", "web.yaml", "--live", velero(shell))
    assert " --live b.tar.gz/" not in shell.out


def test_a_dump_is_imported(shell: Shell) -> None:
    assert shell.run("cluster", "import", velero(shell)) == 0
    assert "imported 5 objects of 5 kinds" in shell.out


def test_the_output_of_cluster_info_dump_on_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from io import BytesIO, TextIOWrapper

    shell.write("web.yaml", {**WEB, "metadata": {"name": "web", "namespace": "shop"}})
    data = (RECORDED / "cluster-info.json.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(data)))
    assert shell.run("diff", "-f", "web.yaml", "--live", "-") == 1
    assert shell.err.endswith("1 of 1 object would change\n")


# ---- Helm -----------------------------------------------------------------------------------------------------------


def stored(*names: str) -> list[dict[str, Any]]:
    """The recorded Secrets and ConfigMaps of these releases, and the settings that they created."""
    own = [f"sh.helm.release.v1.{name}." for name in names]
    return [one for one in RELEASES if one["metadata"]["name"].startswith((*own, "shop4-"))]


def test_the_only_release_in_a_dump_is_upgraded(shell: Shell) -> None:
    shell.write("settings.yaml", SETTINGS)
    dump = velero(shell, *stored("shop4"))
    shell.run("plan", "--as", "helm", "-f", "settings.yaml", "--live", dump)
    assert shell.out.startswith("helm upgrade (Helm 4): 1 object")
    assert "--server-side=auto: revision 2 was applied server-side" in shell.out


def test_one_of_several_releases_is_named(shell: Shell) -> None:
    shell.write("settings.yaml", SETTINGS)
    words = ("plan", "--as", "helm", "-f", "settings.yaml", "--live", velero(shell, *stored("shop3", "shop4", "cm4")))
    assert shell.run(*words) == 2
    several = "shop/cm4, shop/shop3, shop/shop4. Pass --release-name and --namespace\n"
    assert shell.err.endswith(f"kubemerge: several Helm releases are stored: {several}")
    shell.run(*words, "--release-name", "shop4")
    assert "revision 2 was applied server-side" in shell.out
    shell.run(*words, "--release-name", "cm4", "-n", "shop")
    assert "revision 1 was applied server-side" in shell.out
    assert shell.run(*words, "--release-name", "shop4", "-n", "other") == 0
    assert shell.out.startswith("helm install")


def test_a_redacted_release_is_an_error(shell: Shell) -> None:
    redacted = {**stored("shop4")[0], "data": {"release": "MTIgYnl0ZXMgbG9uZw=="}}
    shell.write("settings.yaml", SETTINGS)
    assert shell.run("plan", "--as", "helm", "-f", "settings.yaml", "--live", velero(shell, redacted)) == 2
    assert "data.release is redacted, as `oc adm inspect` does. Pass the Secret of the cluster" in shell.err
