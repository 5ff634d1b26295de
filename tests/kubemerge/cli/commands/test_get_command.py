"""`kubemerge get`: live objects as tables, YAML, JSON and names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents

from ....codegen.sample_specs import kubemerge
from ....conftest import native
from ....memory import allocated
from ...apiserver.conftest import crontab, crontabs
from ...dump import dump
from ...objects import config_map, deployment

if TYPE_CHECKING:
    from pathlib import Path

    from ...shell import Shell

SHOP = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
SERVICE = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web"},
    "spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]},
}


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.create(
        SHOP,
        {**deployment("web"), "metadata": {"name": "web", "labels": {"app": "web", "tier": "front"}}},
        deployment("api", replicas=3),
        config_map("settings", {"a": "1", "b": "2"}),
        config_map("there", namespace="shop"),
    )
    return shell


def cells(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_a_table(filled: Shell) -> None:
    lines = cells(filled.done("get", "deployments"))
    assert lines[0] == ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"]
    assert [line[:4] for line in lines[1:]] == [["api", "0/3", "0", "0"], ["web", "0/1", "0", "0"]]


def test_columns_are_as_wide_as_they_need_to_be(filled: Shell) -> None:
    filled.create(config_map("a-rather-long-name"))
    lines = filled.done("get", "cm").splitlines()
    assert {line.index(word) for line, word in zip(lines, ("DATA", "0 ", "2 "), strict=True)} == {21}
    assert not any(line.endswith(" ") for line in lines)


def test_more_columns(filled: Shell) -> None:
    assert cells(filled.done("get", "deploy", "web", "-o", "wide"))[1][5:] == ["web", "web:1", "app=web"]
    assert cells(filled.done("get", "deploy", "web", "--show-labels"))[1][5:] == ["app=web,tier=front"]
    assert cells(filled.done("get", "deploy", "api", "--show-labels"))[1][5:] == ["<none>"]


def test_without_titles(filled: Shell) -> None:
    assert len(filled.done("get", "deploy", "--no-headers").splitlines()) == 2


def test_in_all_namespaces(filled: Shell) -> None:
    lines = cells(filled.done("get", "cm", "-A"))
    assert [line[:2] for line in lines] == [["NAMESPACE", "NAME"], ["default", "settings"], ["shop", "there"]]
    assert cells(filled.done("get", "ns", "-A"))[0][0] == "NAME"


def test_several_kinds(filled: Shell) -> None:
    text = filled.done("get", "cm,deploy")
    assert [line.split()[0] for line in text.split("\n") if line] == [
        "NAME",
        "configmap/settings",
        "NAME",
        "deployment.apps/api",
        "deployment.apps/web",
    ]
    assert "\n\n" in text
    filled.create(SERVICE)
    names = [line[0] for line in cells(filled.done("get", "all", "--no-headers")) if line]
    assert names == ["service/kubernetes", "service/web", "deployment.apps/api", "deployment.apps/web"]


def test_all_means_the_kinds_of_kubernetes_whatever_others_are_called(filled: Shell) -> None:
    definition = crontabs()
    definition["metadata"]["name"] = "crontabs.a.example.com"
    definition["spec"] |= {"group": "a.example.com"}
    definition["spec"]["names"]["shortNames"] = ["deploy"]
    filled.create(definition)
    assert "deployment.apps/web" in filled.done("get", "all", "--no-headers", "-o", "name")


PICKED: dict[tuple[str, ...], list[str]] = {
    ("deploy",): ["deployment.apps/api", "deployment.apps/web"],
    ("deploy", "web"): ["deployment.apps/web"],
    ("deploy/web", "cm/settings"): ["deployment.apps/web", "configmap/settings"],
    ("deploy", "web", "api"): ["deployment.apps/web", "deployment.apps/api"],
    ("deploy", "-l", "tier=front"): ["deployment.apps/web"],
    ("deploy", "-l", "!tier"): ["deployment.apps/api"],
    ("deploy,cm", "-l", "tier in (front,back)"): ["deployment.apps/web"],
    ("cm", "-n", "shop"): ["configmap/there"],
    ("cm", "-A"): ["configmap/settings", "configmap/there"],
    ("Deployment.apps", "web"): ["deployment.apps/web"],
    ("deployments.v1.apps", "web"): ["deployment.apps/web"],
    ("-f", "created.yaml"): [
        "namespace/shop",
        "deployment.apps/web",
        "deployment.apps/api",
        "configmap/settings",
        "configmap/there",
    ],
    ("-f", "created.yaml", "-l", "app=web"): ["deployment.apps/web"],
    ("cm", "-A", "--sort-by", ".metadata.namespace"): ["configmap/settings", "configmap/there"],
    ("deploy", "--sort-by", "{.spec.replicas}"): ["deployment.apps/web", "deployment.apps/api"],
    ("deploy", "--sort-by", "metadata.labels.tier"): ["deployment.apps/api", "deployment.apps/web"],
}


@pytest.mark.parametrize("words", PICKED)
def test_what_is_picked(filled: Shell, words: tuple[str, ...]) -> None:
    assert filled.done("get", *words, "-o", "name").splitlines() == PICKED[words]


def test_one_object_and_many(filled: Shell) -> None:
    assert json.loads(filled.done("get", "deploy", "web", "-o", "json"))["kind"] == "Deployment"
    assert json.loads(filled.done("get", "deploy/web", "-o", "json"))["kind"] == "Deployment"
    many = json.loads(filled.done("get", "deploy", "-o", "json"))
    assert (many["kind"], [one["metadata"]["name"] for one in many["items"]]) == ("List", ["api", "web"])
    (one,) = documents(filled.done("get", "-f", filled.write("one.yaml", deployment("web")), "-o", "yaml"))
    assert one["metadata"]["name"] == "web"
    for form in ("json", "yaml"):
        text = filled.done("get", "sts", "-o", form)
        empty = {"apiVersion": "v1", "items": [], "kind": "List", "metadata": {"resourceVersion": ""}}
        assert list(documents(text)) == [empty]
    assert list(documents(filled.done("get", "deploy", "-o", "yaml"))) == [many]


def test_json_is_printed_as_by_one_call(filled: Shell) -> None:
    """The text is joined from pieces, so that not all objects are in memory at once."""
    text = filled.done("get", "deploy,cm", "-o", "json")
    assert text == json.dumps(json.loads(text), indent=4, sort_keys=True) + "\n"


def test_one_object_and_many_are_escaped_alike(shell: Shell) -> None:
    shell.done("apply", "-f", shell.write("config.yaml", config_map(data={"k": "<a>"})))
    for words in (["cm", "settings"], ["cm"]):
        assert '"k": "\\u003ca\\u003e"' in shell.done("get", *words, "-o", "json")


def test_who_wrote_what_is_shown_only_if_asked_for(shell: Shell) -> None:
    written = config_map(managedFields=[{"manager": "kubectl"}], resourceVersion="7", uid="u")
    shell.done("cluster", "import", shell.write("dump.yaml", written))
    assert "managedFields" not in shell.done("get", "cm", "settings", "-o", "yaml")
    assert "managedFields" in shell.done("get", "cm", "settings", "-o", "yaml", "--show-managed-fields")


NOTHING = {
    ("sts",): "No resources found in default namespace.",
    ("svc", "-n", "shop"): "No resources found in shop namespace.",
    ("sts", "-A"): "No resources found",
    ("pv",): "No resources found",
    ("cm,pv", "-l", "no=such"): "No resources found in default namespace.",
}


@pytest.mark.parametrize("words", NOTHING)
def test_finding_nothing_is_not_an_error(filled: Shell, words: tuple[str, ...]) -> None:
    assert filled.run("get", *words) == 0
    assert (filled.out, filled.err) == ("", f"{NOTHING[words]}\n")


FAILS: dict[tuple[str, ...], str] = {
    ("deploy", "no"): 'deployments.apps "no" not found',
    ("cm", "settings", "-n", "shop"): 'configmaps "settings" not found',
    ("deploymint",): 'the server doesn\'t have a resource type "deploymint"; did you mean deployment',
    ("deploy/web", "svc"): "there is no need to specify a resource type as a separate argument",
    ("deploy", "web", "-l", "a=b"): "object names and --selector exclude each other",
    ("deploy", "web", "-A"): "a resource cannot be retrieved by name across all namespaces",
    ("deploy", "web", "-f", "created.yaml"): "you may not specify resource arguments as well",
    ("all", "web"): "accepts no object names",
    ("deploy", "-l", "a=b=c"): "found '=', expected: ',' or 'end of string'",
    ("-f", "nowhere.yaml"): "No such file",
    ("-f", "gone.yaml"): 'configmaps "gone" not found',
    (
        "deploy",
        "-o",
        "xml",
    ): 'suitable for the output format "xml", allowed formats are: custom-columns,custom-columns-file,go-template',
    ("deploy", "--cluster", "nowhere.db"): "no such cluster",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_cannot_be_printed(filled: Shell, words: tuple[str, ...]) -> None:
    filled.write("gone.yaml", config_map("gone"))
    assert FAILS[words] in filled.fails("get", *words)
    assert filled.out == ""


def test_a_type_has_to_be_named(filled: Shell) -> None:
    assert filled.run("get") == 1
    first, empty, last, *_ = filled.err.splitlines()
    assert first.startswith("You must specify the type of resource to get.")
    assert (empty, last) == ("", "error: Required resource not specified.")


@pytest.mark.parametrize("form", ["name", "wide", "json", "yaml"])
def test_what_is_there_is_printed_past_what_is_not(filled: Shell, form: str) -> None:
    assert filled.fails("get", "deploy", "no", "web", "-o", form) == 'deployments.apps "no" not found'
    assert "web" in filled.out


def test_what_is_not_there_may_be_ignored(filled: Shell) -> None:
    assert filled.done("get", "deploy", "no", "--ignore-not-found") == ""
    assert filled.done("get", "deploy", "no", "web", "--ignore-not-found", "-o", "name") == "deployment.apps/web\n"
    file = filled.write("gone.yaml", config_map("gone"), {**config_map("odd"), "kind": "Odd"}, deployment("web"))
    assert filled.done("get", "-f", file, "--ignore-not-found", "-o", "name") == "deployment.apps/web\n"


def test_the_columns_of_a_definition(shell: Shell) -> None:
    shell.create(crontabs(), crontab(cron="0 3 * * *"))
    assert cells(shell.done("get", "ct"))[0] == ["NAME", "AGE"]
    ready = '.status.conditions[?(@.type=="Ready")].status'
    columns: list[dict[str, Any]] = [
        {"name": "Cron", "type": "string", "jsonPath": ".spec.cron"},
        {"name": "Ready", "type": "string", "jsonPath": ready},
        {"name": "Odd", "type": "string", "jsonPath": ".spec.odd"},
        {"name": "Images", "type": "string", "jsonPath": ".status.images[*].name", "priority": 1},
        {"name": "Since", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]
    definition = crontabs()
    definition["spec"]["versions"][0]["additionalPrinterColumns"] = columns
    shell.done("replace", "-f", shell.write("crd.yaml", definition))
    status = {
        "conditions": [{"type": "New", "status": "no"}, {"type": "Ready", "status": True}],
        "images": [{"name": "a"}],
    }
    shell.done("patch", "ct", "night", "--type=merge", "--subresource=status", "-p", json.dumps({"status": status}))
    titles, line = shell.done("get", "ct").splitlines()
    assert titles.split() == ["NAME", "CRON", "READY", "ODD", "SINCE"]
    assert line.split("   ")[:3] == ["night", "0 3 * * *", "true"]
    assert shell.done("get", "ct", "-o", "wide").splitlines()[0].split()[-2:] == ["IMAGES", "SINCE"]


def test_the_columns_of_an_old_definition(shell: Shell) -> None:
    definition = crontabs()
    del definition["spec"]["versions"]
    definition["apiVersion"] = "apiextensions.k8s.io/v1beta1"
    columns = [{"name": "Cron", "type": "string", "JSONPath": ".spec.cron"}]
    definition["spec"] |= {"version": "v1", "additionalPrinterColumns": columns}
    file = shell.write("a.yaml", definition, crontab(cron="0 3 * * *"))
    shell.done("create", "-f", file, "--release", "1.15")
    assert shell.done("get", "ct").split() == ["NAME", "CRON", "night", "0", "3", "*", "*", "*"]


def test_every_kind_of_a_busy_cluster(shell: Shell) -> None:
    shell.done("cluster", "import", shell.write("dump.json", *dump()))
    kinds = {one["kind"].lower() for one in dump()}
    for kind in kinds:
        assert shell.run("get", kind, "-A", "-o", "wide") == 0, shell.err
        title, *lines = shell.out.splitlines()
        assert "NAME" in title
        assert len(lines) >= 1
        assert len({line.find("  ") > 0 for line in lines}) == 1


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_objects(shell: Shell) -> None:
    """A List is printed piece by piece: the memory of each object is freed before the next one is printed."""

    def peak(words: tuple[str, ...]) -> int:
        return allocated(lambda: shell.done("get", *words, "-o", "yaml")).most

    many = [config_map(f"m{number}", {str(key): "x" for key in range(100)}) for number in range(200)]
    shell.create(*many)
    whole = len(shell.done("get", "cm", "-o", "yaml"))
    assert peak(("cm",)) < peak(("cm", "m1")) + 4 * whole


def test_a_template_of_several_objects_of_a_file_is_laid_on_their_list(shell: Shell) -> None:
    shell.write("two.yaml", config_map("a"), config_map("b"))
    shell.done("apply", "-f", "two.yaml")
    assert shell.done("get", "-f", "two.yaml", "-o", "jsonpath={.items[*].metadata.name}") == "a b"
    shell.write("one.yaml", config_map("a"))
    assert shell.done("get", "-f", "one.yaml", "-o", "jsonpath={.metadata.name}") == "a"


def test_a_folder_with_one_file_is_one_file(shell: Shell) -> None:
    """As in kubectl: its object is no List, and if one of its objects is missing, none is printed."""
    (shell.folder / "only").mkdir()
    shell.write("only/a.yaml", config_map("a"))
    shell.done("apply", "-f", "only")
    assert json.loads(shell.done("get", "-f", "only", "-o", "json"))["kind"] == "ConfigMap"
    shell.write("only/a.yaml", config_map("a"), config_map("b"))
    assert shell.fails("get", "-f", "only", "-o", "name") == 'configmaps "b" not found'
    assert shell.out == ""
    shell.write("only/b.yaml", config_map("a"))
    assert shell.fails("get", "-f", "only", "-o", "name") == 'configmaps "b" not found'
    assert shell.out == "configmap/a\nconfigmap/a\n"


def test_without_a_cluster_it_is_told_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    nothing = "No resources found in default namespace.\n"
    assert kubemerge("get", "pods") == 0
    assert capsys.readouterr().err == (
        f"{nothing}no cluster in {native('.kubemerge/cluster.db')} yet. Create one with `kubemerge apply -f FILE`\n"
    )
    assert not list(tmp_path.iterdir())
    kubemerge("create", "configmap", "a")
    capsys.readouterr()
    kubemerge("get", "pods")
    assert capsys.readouterr().err == nothing
    kubemerge("get", "pods", "--cluster", ":memory:")
    assert capsys.readouterr().err == nothing
