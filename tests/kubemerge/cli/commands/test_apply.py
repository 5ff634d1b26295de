"""`kubemerge apply`: its output, its exit codes, and the objects in the cluster afterwards."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents
from engine import MergeError
from kubemerge.cluster import NotFound, Reference, open_cluster
from kubemerge.output.object_text import without_managed_fields

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, native, needs_posix
from ...apiserver.conftest import crontab, crontabs
from ...objects import ANNOTATION, deployment, write
from ...objects import config_map as any_config_map

if TYPE_CHECKING:
    from pathlib import Path

SHOP = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}


def config_map(name: str = "settings", data: dict[str, Any] | None = None, **metadata: Any) -> dict[str, Any]:
    """A ConfigMap with data: empty data is sent again with each apply, since no server keeps it."""
    return any_config_map(name, data or {"key": "value"}, **metadata)


class Shell:
    """Runs commands in an empty folder, with the cluster in its usual place."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.code, self.out, self.err = 0, "", ""

    def write(self, name: str, *objects: Any) -> str:
        return write(self.folder, name, *objects)

    def run(self, *words: object) -> int:
        self._capsys.readouterr()
        self.code = kubemerge(*words)
        said = self._capsys.readouterr()
        self.out, self.err = said.out, said.err
        return self.code

    def apply(self, *words: object) -> str:
        """The output of an apply that succeeds. Nothing goes to standard error."""
        assert self.run("apply", *words) == 0, self.err
        assert self.err == ""
        return self.out

    def live(self, kind: str, name: str, api_version: str = "v1", namespace: str = "default") -> dict[str, Any] | None:
        try:
            with open_cluster(mode="read") as cluster:
                return cluster.get(Reference(api_version, kind, name, namespace))
        except NotFound:
            return None

    def names(self) -> list[str]:
        """The names of the ConfigMaps in the cluster."""
        with open_cluster(mode="read") as cluster:
            return [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap") if "data" in one]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    return Shell(tmp_path, capsys)


def test_lines_as_those_of_kubectl(shell: Shell) -> None:
    shell.write("a.yaml", deployment("nginx-deployment"))
    assert shell.apply("-f", "a.yaml") == "deployment.apps/nginx-deployment created\n"
    assert shell.apply("-f", "a.yaml") == "deployment.apps/nginx-deployment unchanged\n"
    shell.write("a.yaml", deployment("nginx-deployment", replicas=3))
    assert shell.apply("-f", "a.yaml") == "deployment.apps/nginx-deployment configured\n"
    assert (shell.folder / ".kubemerge" / "cluster.db").exists()


def test_the_cluster_that_is_asked_for(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("a.yaml", config_map())
    shell.apply("-f", "a.yaml", "--cluster", "mine.db")
    monkeypatch.setenv("KUBEMERGE_CLUSTER", "mine.db")
    assert "unchanged" in shell.apply("-f", "a.yaml")
    assert "created" in shell.apply("-f", "a.yaml", "--cluster", ":memory:")
    assert not (shell.folder / ".kubemerge").exists()


def test_the_release_is_that_of_the_file(shell: Shell) -> None:
    shell.write("a.yaml", config_map())
    shell.apply("-f", "a.yaml", "--release", "1.20")
    shell.run("apply", "-f", "a.yaml", "-v")
    assert f"{native('.kubemerge/cluster.db')}, Kubernetes 1.20" in shell.err


def test_a_folder_is_applied_in_order_and_deeply_on_request(shell: Shell) -> None:
    (shell.folder / "all" / "deep").mkdir(parents=True)
    shell.write("all/b.yaml", config_map("in-shop", namespace="shop"), config_map("b"))
    shell.write("all/a.json", SHOP)
    shell.write("all/deep/c.yaml", config_map("deep"))
    shell.write("all/notes.txt", "not read")
    expected = "namespace/shop created\nconfigmap/in-shop created\nconfigmap/b created\n"
    assert shell.apply("-f", "all") == expected
    assert "configmap/deep created\n" in shell.apply("-f", "all", "-R")


# ---- what is printed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dry_run", "words"), [("client", "dry run"), ("server", "server dry run")])
def test_dry_runs_write_nothing(shell: Shell, dry_run: str, words: str) -> None:
    shell.write("a.yaml", config_map(data={"a": "1"}))
    assert shell.apply("-f", "a.yaml", f"--dry-run={dry_run}") == f"configmap/settings created ({words})\n"
    assert not (shell.folder / ".kubemerge").exists()
    shell.apply("-f", "a.yaml")
    before = (shell.folder / ".kubemerge" / "cluster.db").read_bytes()
    shell.write("a.yaml", config_map(data={"a": "2"}))
    assert shell.apply("-f", "a.yaml", f"--dry-run={dry_run}") == f"configmap/settings configured ({words})\n"
    assert (shell.folder / ".kubemerge" / "cluster.db").read_bytes() == before


def test_dry_run_alone_is_that_of_the_client(shell: Shell) -> None:
    shell.write("a.yaml", config_map())
    assert shell.apply("--dry-run", "-f", "a.yaml") == "configmap/settings created (dry run)\n"


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_objects_in_place_of_lines(shell: Shell, form: str) -> None:
    shell.write("a.yaml", config_map("one"))
    (one,) = documents(shell.apply("-f", "a.yaml", "-o", form))
    live = shell.live("ConfigMap", "one")
    assert live
    assert one == without_managed_fields(live)
    shell.write("a.yaml", config_map("one"), config_map("two"))
    (both,) = documents(shell.apply("-f", "a.yaml", "-o", form))
    assert (both["kind"], [one["metadata"]["name"] for one in both["items"]]) == ("List", ["one", "two"])


def test_names(shell: Shell) -> None:
    shell.write("a.yaml", config_map("one"), deployment("two"))
    assert shell.apply("-f", "a.yaml", "-o", "name") == "configmap/one\ndeployment.apps/two\n"


def test_warnings_go_to_the_other_stream(shell: Shell) -> None:
    with open_cluster() as cluster:
        cluster.create(config_map("one", namespace="default"))
    shell.write("a.yaml", config_map("one"))
    assert shell.run("apply", "-f", "a.yaml") == 0
    assert shell.out == "configmap/one configured\n"
    assert shell.err == (
        f"Warning: resource configmaps/one is missing the {ANNOTATION} annotation which is required by kubectl apply. "
        "kubectl apply should only be used on resources created declaratively by either kubectl create --save-config "
        "or kubectl apply. The missing annotation will be patched automatically.\n"
    )


# ---- which objects ---------------------------------------------------------------------------------------------------


def test_a_selector_picks_objects_of_the_config(shell: Shell) -> None:
    shell.write(
        "a.yaml", config_map("one", labels={"app": "web"}), config_map("two", labels={"app": "db"}), config_map("three")
    )
    assert shell.apply("-f", "a.yaml", "-l", "app in (web,mail)") == "configmap/one created\n"
    assert shell.run("apply", "-f", "a.yaml", "-l", "app=none") == 1
    assert shell.err == "error: no objects passed to apply\nhint: no object has the labels app=none\n"
    assert shell.run("apply", "-f", "a.yaml", "-l", "app===none") == 1
    assert "unable to parse" in shell.err


def test_the_namespace_that_is_asked_for(shell: Shell) -> None:
    shell.write("a.yaml", SHOP, config_map("one"))
    shell.apply("-f", "a.yaml", "-n", "shop")
    assert shell.live("ConfigMap", "one", namespace="shop")
    shell.write("b.yaml", config_map("two", namespace="default"), config_map("three"))
    assert shell.run("apply", "-f", "b.yaml", "-n", "shop") == 1
    assert shell.out == "configmap/three created\n"
    assert shell.err.startswith('error: the namespace from the provided object "default"')


def test_a_definition_and_its_custom_resources(shell: Shell) -> None:
    shell.write("a.yaml", crontabs(), crontab())
    expected = (
        "customresourcedefinition.apiextensions.k8s.io/crontabs.stable.example.com created\n"
        "crontab.stable.example.com/night created\n"
    )
    assert shell.apply("-f", "a.yaml") == expected
    shell.write("a.yaml", crontabs(), crontab(cron="* * * * *"))
    assert "night configured" in shell.apply("-f", "a.yaml")


def test_a_definition_that_comes_too_late(shell: Shell) -> None:
    shell.write("a.yaml", crontab(), crontabs(), config_map("one"))
    assert shell.run("apply", "-f", "a.yaml") == 1
    assert shell.err == (
        'error: resource mapping not found for name: "night" namespace: "default" from "a.yaml": no matches for kind '
        '"CronTab" in version "stable.example.com/v1"\nensure CRDs are installed first\n'
        "hint: apply its CustomResourceDefinition, at a.yaml:3, first\n"
    )
    assert "configmap/one created" in shell.out
    assert "night created" in shell.apply("-f", "a.yaml")


def test_overwrite_and_safe(shell: Shell) -> None:
    shell.write("a.yaml", deployment(replicas=1))
    shell.apply("-f", "a.yaml")
    with open_cluster() as cluster:
        cluster.patch(Reference("apps/v1", "Deployment", "web"), {"spec": {"replicas": 5}}, "merge")
    shell.write("a.yaml", deployment(replicas=2))
    assert shell.run("apply", "-f", "a.yaml", "--overwrite=false") == 1
    assert "hint: a.yaml:1: deployment.apps/web" in shell.err
    assert shell.apply("-f", "a.yaml", "--safe") == "deployment.apps/web configured\n"
    shell.write("a.yaml", deployment("web", {"name": "a", "image": "a", "env": [{"name": "A"}, {"name": "A"}]}))
    assert shell.run("apply", "-f", "a.yaml", "--safe") == 1
    assert "elements 0 and 1 of config have the same identity" in shell.err


def test_force(shell: Shell) -> None:
    shell.write("a.yaml", deployment())
    shell.apply("-f", "a.yaml")
    other = deployment()
    other["spec"]["selector"]["matchLabels"]["x"] = "y"
    other["spec"]["template"]["metadata"]["labels"]["x"] = "y"
    shell.write("a.yaml", other)
    assert shell.run("apply", "-f", "a.yaml") == 1
    assert "immutable" in shell.err
    assert shell.apply("-f", "a.yaml", "--force") == "deployment.apps/web configured\n"


# ---- going on, and ending --------------------------------------------------------------------------------------------


def test_work_goes_on_past_whatever_fails(shell: Shell) -> None:
    (shell.folder / "all").mkdir()
    invalid = deployment("invalid")
    invalid["spec"]["selector"] = {"matchLabels": {"app": "other"}}
    unknown = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "thing"}}
    bad = ({"not": "an object"}, unknown, invalid, config_map("b", namespace="nowhere"))
    shell.write("all/a.yaml", config_map("a"), *bad, config_map("c"))
    (shell.folder / "all" / "b.yaml").write_text("a: [\n")
    shell.write("all/c.yaml", config_map("d"))
    assert shell.run("apply", "-f", "nope.yaml", "-f", "all") == 1
    assert shell.out == "configmap/a created\nconfigmap/c created\nconfigmap/d created\n"
    reported, file = sorted(shell.err.splitlines()), native("all/a.yaml")
    starts = [
        f'Error from server (Invalid): error when creating "{file}": Deployment.apps "invalid" is invalid: ',
        f'Error from server (NotFound): error when creating "{file}": namespaces "nowhere" not found',
        f"{file}:3: this is not a Kubernetes object, ",
        native("all/b.yaml:"),
        "ensure CRDs are installed first",
        f"hint: {file}:9: configmap/b; apply its Namespace first",
        "hint: apply its CustomResourceDefinition first",
        "nope.yaml: No such file or directory. ",
        f'resource mapping not found for name: "thing" namespace: "" from "{file}": no matches for kind "Thing"',
    ]
    assert len(reported) == len(starts)
    assert all(line.startswith(start) for line, start in zip(reported, starts, strict=True))


def test_a_stale_resource_version(shell: Shell) -> None:
    shell.write("a.yaml", config_map(resourceVersion="1"))
    shell.apply("-f", "a.yaml")
    shell.write("a.yaml", config_map(resourceVersion="1", data={"a": "1"}))
    assert shell.run("apply", "-f", "a.yaml") == 1
    assert 'for: "a.yaml": error when patching "a.yaml": Operation cannot be fulfilled on configmaps' in shell.err


CONTRADICTIONS = {
    "": "must specify one of -f and -k",
    "-f a.yaml --prune": "all resources selected for prune without explicitly passing --all",
    "-f a.yaml --prune --all -l a=b": "cannot set --all and --selector at the same time",
    "-f a.yaml --prune --all --force": "--force cannot be used with --prune",
    "-f a.yaml --force --dry-run=server": "--dry-run=server cannot be used with --force",
    "-f a.yaml --applyset x": "--applyset requires --prune",
    "-f a.yaml --prune --applyset x --all": "--all is incompatible with --applyset",
    "-f a.yaml --prune --applyset x -l a=b": "--selector is incompatible with --applyset",
    "-f a.yaml --prune --applyset x --prune-allowlist core/v1/Pod": "--prune-allowlist is incompatible with --applyset",
    "-f a.yaml --prune --applyset x": "namespace is required to use namespace-scoped ApplySet",
    "-f a.yaml --prune --all --prune-allowlist Pod": "group/version/Kind",
    "-f a.yaml --dry-run=maybe": "'maybe' is not one of",
    "-f a.yaml view-last-applied": "pass -f after view-last-applied",
    "-f empty.yaml": "no objects passed to apply",
    "-f a.yaml --release 0.9": "no tables for Kubernetes",
    "-f a.yaml --cluster other.db": "a database of another program",
    "-f a.yaml --cluster a.yaml": "not a kubemerge database",
    "-f a.yaml --cluster nowhere/c.db": "the folder nowhere does not exist",
    "view-last-applied": "You must provide one or more resources by argument or filename.",
    "view-last-applied cm": "resource(s) were provided, but no name was specified",
    "view-last-applied cm/a -f a.yaml": "you may not specify resource arguments as well",
    "view-last-applied cm/a": 'configmaps "a" not found',
    "set-last-applied": "You must provide one or more resources by argument or filename",
    "edit-last-applied cm/a": 'configmaps "a" not found',
}


@pytest.mark.parametrize("words", CONTRADICTIONS)
def test_what_cannot_be_done_is_one_sentence(shell: Shell, words: str) -> None:
    with closing(sqlite3.connect("other.db")) as other:
        other.execute("CREATE TABLE theirs (x)")
    shell.write("a.yaml", config_map())
    (shell.folder / "empty.yaml").write_text("---\n")
    if "last-applied" in words and "cluster" not in CONTRADICTIONS[words]:
        shell.apply("-f", "a.yaml")
    assert shell.run("apply", *words.split()) == 1
    assert shell.out == ""
    (line,) = [line for line in shell.err.splitlines() if not line.startswith(("hint: ", " ", "Example"))]
    assert line.startswith(("error: ", "Error from server"))
    assert CONTRADICTIONS[words] in shell.err.replace("\nhint: ", "; ")


# ---- pruning ---------------------------------------------------------------------------------------------------------


def test_pruning(shell: Shell) -> None:
    shell.write("a.yaml", config_map("kept"), config_map("old"))
    shell.apply("-f", "a.yaml")
    shell.write("a.yaml", config_map("kept"))
    for dry_run, words in (("client", " (dry run)"), ("server", " (server dry run)")):
        expected = f"configmap/kept unchanged{words}\nconfigmap/old pruned{words}\n"
        assert shell.apply("-q", "-f", "a.yaml", "--prune", "--all", f"--dry-run={dry_run}") == expected
    assert shell.names() == ["kept", "old"]
    assert shell.apply("-q", "-f", "a.yaml", "--prune", "--all") == "configmap/kept unchanged\nconfigmap/old pruned\n"
    assert shell.names() == ["kept"]


def test_pruning_what_is_selected(shell: Shell) -> None:
    labels = {"labels": {"app": "web"}}
    shell.write("a.yaml", config_map("kept", **labels), config_map("old", **labels), config_map("other"), SHOP)
    shell.apply("-f", "a.yaml")
    shell.write("a.yaml", config_map("kept", **labels), config_map("new"))
    assert (
        shell.apply("-q", "-f", "a.yaml", "--prune", "-l", "app=web")
        == "configmap/kept unchanged\nconfigmap/old pruned\n"
    )
    assert shell.names() == ["kept", "other"]


def test_pruning_with_a_namespace_warns_of_what_is_in_none(shell: Shell) -> None:
    shell.write("a.yaml", config_map("kept"))
    assert shell.run("apply", "-f", "a.yaml", "--prune", "--all", "-n", "default") == 0
    assert "warning: cluster-scoped objects are pruned too, despite --namespace\n" in shell.err
    assert "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n" in shell.err
    shell.apply("-f", "a.yaml", "--prune", "--all", "-n", "default", "--prune-allowlist", "core/v1/ConfigMap")


def test_the_namespace_asked_for_is_pruned_even_if_nothing_is_applied_to_it(shell: Shell) -> None:
    shell.write("a.yaml", SHOP, config_map("old", namespace="shop"), config_map("other"))
    shell.apply("-f", "a.yaml")
    shell.write("a.yaml", SHOP)
    words = ("-f", "a.yaml", "--prune", "--all", "--prune-allowlist", "core/v1/ConfigMap", "-n", "shop")
    assert shell.apply(*words) == "namespace/shop unchanged\nconfigmap/old pruned\n"
    assert shell.names() == ["other"]


def test_nothing_is_pruned_after_a_failure(shell: Shell) -> None:
    shell.write("a.yaml", config_map("kept"), config_map("old"))
    shell.apply("-f", "a.yaml")
    shell.write("a.yaml", config_map("kept"), config_map("x", namespace="nowhere"))
    assert shell.run("apply", "-f", "a.yaml", "--prune", "--all") == 1
    assert shell.err.splitlines()[-1] == "kubemerge: nothing is pruned, because 1 object failed"
    shell.write("a.yaml", config_map("kept"))
    assert shell.run("apply", "-f", "a.yaml", "-f", "nope.yaml", "--prune", "--all") == 1
    assert shell.names() == ["kept", "old"]


def test_what_cannot_be_pruned_is_reported_and_the_rest_is_pruned(shell: Shell) -> None:
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-public"}}
    shell.write("a.yaml", config_map("kept"), space, SHOP)
    assert shell.run("apply", "-f", "a.yaml") == 0
    shell.write("a.yaml", config_map("kept"))
    assert shell.run("apply", "-q", "-f", "a.yaml", "--prune", "--all") == 1
    assert shell.out == "configmap/kept unchanged\nnamespace/shop pruned\n"
    assert shell.err.startswith('Error from server (Forbidden): namespaces "kube-public" is forbidden')


def test_an_applyset(shell: Shell) -> None:
    words = ("-f", "a.yaml", "--prune", "--applyset", "mine", "-n", "default")
    shell.write("a.yaml", config_map("kept"), deployment("old"))
    shell.apply(*words)
    shell.write("a.yaml", config_map("kept"))
    assert shell.apply(*words, "--dry-run=server").splitlines()[1] == "deployment.apps/old pruned (server dry run)"
    assert shell.apply(*words) == "configmap/kept unchanged\ndeployment.apps/old pruned\n"
    parent = shell.live("Secret", "mine")
    assert parent
    assert parent["metadata"]["annotations"]["applyset.kubernetes.io/contains-group-kinds"] == "ConfigMap"
    assert parent["metadata"]["annotations"]["applyset.kubernetes.io/tooling"] == f"kubectl/v{NEWEST}.0"


def test_an_applyset_is_not_shrunk_after_a_failure(shell: Shell) -> None:
    words = ("-f", "a.yaml", "--prune", "--applyset", "configmap/mine", "-n", "default")
    shell.write("a.yaml", config_map("kept"), deployment("old"))
    shell.apply(*words)
    shell.write("a.yaml", config_map("kept"), config_map("x", labels={"applyset.kubernetes.io/part-of": "theirs"}))
    assert shell.run("apply", *words) == 1
    assert "already sets the label" in shell.err
    parent = shell.live("ConfigMap", "mine")
    assert parent
    assert (
        parent["metadata"]["annotations"]["applyset.kubernetes.io/contains-group-kinds"] == "ConfigMap,Deployment.apps"
    )
    assert shell.live("Deployment", "old", "apps/v1")


def test_an_applyset_knows_what_could_not_be_pruned(shell: Shell) -> None:
    words = ("-f", "a.yaml", "--prune", "--applyset", "mine", "-n", "default")
    public = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-public"}}
    shell.write("a.yaml", config_map("kept"), public)
    assert shell.run("apply", *words) == 0
    shell.write("a.yaml", config_map("kept"))
    assert shell.run("apply", *words) == 1
    parent = shell.live("Secret", "mine")
    assert parent
    assert parent["metadata"]["annotations"]["applyset.kubernetes.io/contains-group-kinds"] == "ConfigMap,Namespace"


# ---- last-applied ----------------------------------------------------------------------------------------------------


def test_viewing(shell: Shell) -> None:
    shell.write("a.yaml", config_map("one", {"a": "<"}), config_map("two", labels={"app": "x"}))
    shell.apply("-f", "a.yaml")
    one = config_map("one", {"a": "<"}, annotations={}, namespace="default")
    two = config_map("two", namespace="default", annotations={}, labels={"app": "x"})
    assert list(documents(shell.apply("view-last-applied", "-f", "a.yaml"))) == [one, two]
    assert list(documents(shell.apply("view-last-applied", "cm/one"))) == [one]
    assert list(documents(shell.apply("view-last-applied", "cm", "-l", "app"))) == [two]
    shown = shell.apply("view-last-applied", "configmap", "one", "-o", "json")
    assert shown.startswith('{\n  "apiVersion": "v1",\n  "data": {\n    "a": "\\u003c"\n')
    assert json.loads(shown) == one


def test_viewing_goes_on_past_what_fails(shell: Shell) -> None:
    shell.write("a.yaml", config_map("one"))
    shell.apply("-f", "a.yaml")
    with open_cluster() as cluster:
        cluster.create(config_map("two", namespace="default"))
    assert shell.run("apply", "view-last-applied", "cm/none", "cm/two", "cm/one") == 1
    assert shell.err.splitlines() == [
        "hint: configmap/two has no last-applied-configuration annotation",
        'Error from server (NotFound): configmaps "none" not found',
    ]
    assert next(documents(shell.out))["metadata"]["name"] == "one"


def test_setting(shell: Shell) -> None:
    with open_cluster() as cluster:
        cluster.create(config_map("one", namespace="default"))
    shell.write("a.yaml", config_map("one"), config_map("none"))
    assert shell.run("apply", "set-last-applied", "-f", "a.yaml") == 1
    first, *_, second = shell.err.splitlines()
    assert first.startswith("no last-applied-configuration annotation found on resource: one, to create the")
    assert second == 'Error from server (NotFound): configmaps "none" not found'
    shell.write("a.yaml", config_map("one"))
    words = ("set-last-applied", "-f", "a.yaml", "--create-annotation")
    assert shell.apply(*words, "--dry-run=server") == "configmap/one configured (server dry run)\n"
    assert shell.apply(*words, "--dry-run=client") == "configmap/one configured (dry run)\n"
    assert shell.apply(*words) == "configmap/one configured\n"
    assert shell.apply(*words) == "set-last-applied configmap/one: no changes required.\n"
    live = shell.live("ConfigMap", "one")
    assert live
    assert next(documents(shell.apply(*words, "-o", "yaml"))) == without_managed_fields(live)


@needs_posix
def test_editing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("a.yaml", config_map("one", {"a": "1"}), config_map("two", {"a": "2"}))
    shell.apply("-f", "a.yaml")
    monkeypatch.setenv("KUBE_EDITOR", "true")
    assert shell.apply("edit-last-applied", "cm/one") == "configmap/one skipped\n"
    monkeypatch.setenv("KUBE_EDITOR", 'sed -i \'s/"2"/"3"/\'')
    assert shell.apply("edit-last-applied", "cm", "one", "two") == "configmap/one skipped\nconfigmap/two edited\n"
    assert next(documents(shell.apply("view-last-applied", "cm/two")))["data"] == {"a": "3"}
    assert (
        shell.apply("edit-last-applied", "-f", "a.yaml", "-o", "json")
        == "configmap/one skipped\nconfigmap/two skipped\n"
    )


@needs_posix
def test_edits_that_come_to_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shell.write("a.yaml", config_map("one", {"a": "1"}))
    shell.apply("-f", "a.yaml")
    before = shell.live("ConfigMap", "one")
    monkeypatch.setenv("KUBE_EDITOR", "truncate -s 0")
    assert shell.run("apply", "edit-last-applied", "cm/one") == 0
    assert (shell.out, shell.err) == ("", "edit cancelled, the saved file is empty\n")
    monkeypatch.setenv("KUBE_EDITOR", "sed -i 's/name: one/name: other/'")
    assert shell.run("apply", "edit-last-applied", "cm/one") == 1
    (kept,) = tmp_path.glob("kubemerge-edit-*.yaml")
    assert "configmap/other was not there before the edit" in shell.err
    assert shell.err.endswith(f"Your edit was saved to {kept}\n")
    assert "name: other" in kept.read_text()
    assert shell.run("apply", "edit-last-applied", "cm/none") == 1
    assert shell.live("ConfigMap", "one") == before


@pytest.mark.parametrize("words", ["nope.yaml", "empty.yaml", "broken.yaml", "one.yaml -l app=none"])
def test_no_cluster_is_created_for_nothing(shell: Shell, words: str) -> None:
    for name, text in {"empty.yaml": "", "broken.yaml": "a: [", "one.yaml": json.dumps(config_map())}.items():
        (shell.folder / name).write_text(text)
    assert shell.run("apply", "-f", *words.split()) == 1
    assert len(shell.err.replace("\nhint: ", "; ").splitlines()) == 1
    assert not (shell.folder / ".kubemerge").exists()


def test_what_fails_in_a_list_is_reported_with_its_position(shell: Shell) -> None:
    bad = {"apiVersion": "example.test/v1", "kind": "Thing", "metadata": {"name": "x"}}
    items = [config_map("a"), config_map("b", namespace="missing"), bad]
    file = shell.write("live.yaml", {"apiVersion": "v1", "kind": "List", "items": items})
    assert shell.run("apply", "-f", file) == 1
    assert f"hint: {file}:1: items[1]: configmap/b; apply its Namespace first\n" in shell.err
    assert f'name: "x" namespace: "" from "{file}": no matches for kind "Thing"' in shell.err


def test_a_damaged_cluster_is_reported_once(shell: Shell) -> None:
    shell.write("a.yaml", *(config_map(f"x{number}") for number in range(5)))
    shell.apply("-f", "a.yaml")
    with closing(sqlite3.connect(".kubemerge/cluster.db")) as database:
        database.execute("UPDATE objects SET checksum = 0")
        database.commit()
    assert shell.run("apply", "-f", "a.yaml") == 1
    assert shell.err.count("\n") == 1
    assert "is damaged" in shell.err
    with pytest.raises(MergeError), open_cluster(mode="read") as cluster:
        cluster.check()


# ---- as scripts spell it ---------------------------------------------------------------------------------------------

KUBECTLS = (
    "--wait --timeout=1m30s --validate --field-manager=ci --cascade=foreground --grace-period=5 --openapi-patch=false",
    "--wait=true --timeout 0 --validate=strict --field-manager ci --cascade --grace-period 0 --openapi-patch",
    "--validate=ignore --show-managed-fields",
)


@pytest.mark.parametrize("words", KUBECTLS)
def test_options_that_change_nothing_here(shell: Shell, words: str) -> None:
    shell.write("a.yaml", config_map("a", {"k": "1"}))
    assert shell.apply(*words.split(), "-f", "a.yaml") == "configmap/a created\n"
    assert shell.apply("-f", "a.yaml", *words.split()) == "configmap/a unchanged\n"


def test_options_that_change_nothing_are_listed_with_v(shell: Shell) -> None:
    shell.write("a.yaml", config_map("a", {"k": "1"}))
    assert shell.run("apply", "-f", "a.yaml", "--wait", "-v") == 0
    said = [line for line in shell.err.splitlines() if line.endswith(" has no effect here")]
    assert said == ["--wait has no effect here"]


def test_managed_fields_are_printed_when_they_are_asked_for(shell: Shell) -> None:
    shell.write("a.yaml", config_map("a", {"k": "1"}))
    shell.apply("-f", "a.yaml")
    live = shell.live("ConfigMap", "a")
    assert live
    live["metadata"]["managedFields"] = [{"manager": "them"}]
    assert shell.run("cluster", "import", shell.write("dump.yaml", live)) == 0
    words = ("-f", "a.yaml", "-o", "json")
    assert "managedFields" not in json.loads(shell.apply(*words))["metadata"]
    assert json.loads(shell.apply(*words, "--show-managed-fields"))["metadata"]["managedFields"] == [
        {"manager": "them"}
    ]


def test_an_applyset_whose_namespace_is_not_there(shell: Shell) -> None:
    shell.write("a.yaml", SHOP, config_map("a", namespace="shop"))
    words = ("-f", "a.yaml", "--prune", "--applyset", "x", "-n", "shop")
    assert shell.run("apply", *words) == 1
    assert shell.err == (
        'error: namespaces "shop" not found, so the parent secrets/x of the ApplySet cannot be created in it. '
        "Apply that Namespace first, without --applyset\n"
    )
    assert shell.out == ""


def test_a_secret_with_texts_is_sent_each_time(shell: Shell) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"a": "1"}}
    shell.write("a.yaml", secret)
    assert shell.apply("-f", "a.yaml") == "secret/s created\n"
    live = shell.live("Secret", "s")
    assert live
    assert (live["data"], live["type"], "stringData" in live) == ({"a": "MQ=="}, "Opaque", False)
    for _ in range(2):
        assert shell.apply("-f", "a.yaml") == "secret/s configured\n"
        assert shell.live("Secret", "s") == live
    shell.write("a.yaml", {**{key: secret[key] for key in ("apiVersion", "kind", "metadata")}, "data": {"a": "MQ=="}})
    assert shell.apply("-f", "a.yaml") == "secret/s configured\n"
    assert shell.apply("-f", "a.yaml") == "secret/s unchanged\n"
