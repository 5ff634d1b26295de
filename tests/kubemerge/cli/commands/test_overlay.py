"""`kubemerge overlay`: partial manifests change the objects that they name, in order, or cause an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, ROOT, native
from ...manifests_in_files import config_map, fails, written

if TYPE_CHECKING:
    from pathlib import Path

CRD = ROOT / "tests" / "data" / "specs" / "crd-v1.yaml"


def deployment(name: str = "web", namespace: str | None = None, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, **({"spec": spec} if spec else {})}


def containers(*names: str, **fields: Any) -> dict[str, Any]:
    return {"template": {"spec": {"containers": [{"name": name, **fields} for name in names]}}}


def widget(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "test.example/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}


WEB = deployment(replicas=1, **containers("web", "side", image="a"))
PARTS = widget(parts=[{"name": "a", "side": "left", "x": 1}], free={"a": "1"})


def overlaid(capsys: pytest.CaptureFixture[str], *words: object) -> list[Any]:
    """The resulting objects."""
    code = kubemerge("overlay", *words, "-o", "json", "-q")
    said = capsys.readouterr()
    assert (code, said.err) == (0, "")
    found = json.loads(said.out)
    return list(found["items"]) if found["kind"] == "List" else [found]


LAID: dict[str, tuple[list[Any], list[Any], list[Any]]] = {
    # objects, patches, and the objects afterwards
    "elements merge by their key": (
        [WEB],
        [deployment(**containers("side", image="b"))],
        [
            {
                **WEB,
                "spec": {
                    "replicas": 1,
                    "template": {
                        "spec": {"containers": [{"name": "web", "image": "a"}, {"name": "side", "image": "b"}]}
                    },
                },
            }
        ],
    ),
    "in order": (
        [WEB],
        [deployment(replicas=2, paused=True), deployment(replicas=3)],
        [{**WEB, "spec": {**WEB["spec"], "replicas": 3, "paused": True}}],
    ),
    "the others stay where they are": (
        [config_map("a"), WEB, config_map("b")],
        [config_map("b", data={"a": "2"})],
        [config_map("a"), WEB, config_map("b", data={"a": "2"})],
    ),
    "null removes": ([config_map()], [config_map(data={"a": None})], [config_map(data={})]),
    "an object is deleted": ([config_map(), WEB], [config_map(**{"$patch": "delete"})], [WEB]),
    "an element is deleted": (
        [deployment(**containers("web", "side"))],
        [deployment(**containers("side", **{"$patch": "delete"}))],
        [deployment(**containers("web"))],
    ),
    "by its namespace": (
        [deployment(namespace="a", replicas=1), deployment(namespace="b", replicas=1)],
        [deployment(namespace="b", replicas=2)],
        [deployment(namespace="a", replicas=1), deployment(namespace="b", replicas=2)],
    ),
    "without a namespace, if there is only one": (
        [deployment(namespace="a", replicas=1)],
        [deployment(replicas=2)],
        [deployment(namespace="a", replicas=2)],
    ),
    "no namespace is the namespace default": (
        [deployment(replicas=1), deployment(namespace="b", replicas=1)],
        [deployment(replicas=2)],
        [deployment(replicas=2), deployment(namespace="b", replicas=1)],
    ),
    "by its version": (
        [{**WEB, "apiVersion": "apps/v1beta1"}, WEB],
        [deployment(replicas=2)],
        [{**WEB, "apiVersion": "apps/v1beta1"}, {**WEB, "spec": {**WEB["spec"], "replicas": 2}}],
    ),
    "no schema: lists are replaced": (
        [PARTS],
        [widget(parts=[{"name": "b"}], free={"a": None, "b": "2"})],
        [widget(parts=[{"name": "b"}], free={"b": "2"})],
    ),
}


@pytest.mark.parametrize("case", LAID.values(), ids=LAID)
def test_sparse_configs(
    case: tuple[list[Any], list[Any], list[Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    objects, patches, expected = case
    base, patch = written(tmp_path / "base.yaml", *objects), written(tmp_path / "patch.yaml", *patches)
    assert overlaid(capsys, "-f", base, "--patch-file", patch) == expected


def test_patches_come_from_folders_files_and_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "patches").mkdir()
    for number in (2, 1):
        written(tmp_path / "patches" / f"{number}.yaml", config_map(data={"a": str(number), str(number): "x"}))
    base = written(tmp_path / "base.yaml", config_map())
    inline = json.dumps(config_map(data={"last": "x"}))
    words = ("-p", inline, "-f", base, "--patch-file", tmp_path / "patches")
    assert overlaid(capsys, *words) == [config_map(data={"a": "2", "1": "x", "2": "x", "last": "x"})]


def test_a_list_holds_several_patches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = written(tmp_path / "base.yaml", config_map("a"), config_map("b"))
    items = [config_map(name, data={"a": name}) for name in "ab"]
    patch = written(tmp_path / "patch.yaml", {"apiVersion": "v1", "kind": "List", "items": items})
    assert overlaid(capsys, "-f", base, "--patch-file", patch) == items


def test_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = written(tmp_path / "base.yaml", config_map(), WEB)
    words = ("overlay", "-f", base, "-p", "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: x}}")
    assert kubemerge(*words) == 0
    said = capsys.readouterr()
    assert said.out.startswith("apiVersion: v1\ndata:\n  a: x\nkind: ConfigMap\nmetadata:\n  name: settings\n---\n")
    assert said.err == "1 of 2 objects changed by 1 patch\n"
    assert kubemerge(*words, "-o", "name", "-v") == 0
    said = capsys.readouterr()
    assert said.out == "configmap/settings\ndeployment.apps/web\n"
    assert said.err == "configmap/settings patched by --patch:1\n1 of 2 objects changed by 1 patch\n"


def test_deleting_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patch = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, $patch: delete}"
    assert kubemerge("overlay", "-f", written(tmp_path / "base.yaml", config_map()), "-p", patch, "-v") == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "configmap/settings deleted by --patch:1\n1 of 1 object changed by 1 patch\n"


def test_a_patch_that_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = written(tmp_path / "base.yaml", config_map())
    assert kubemerge("overlay", "-f", base, "--patch-file", base) == 0
    assert capsys.readouterr().err == "0 of 1 object changed by 1 patch\n"


def test_the_namespace_of_those_that_name_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = written(tmp_path / "base.yaml", deployment(replicas=1))
    patch = written(tmp_path / "patch.yaml", deployment(replicas=2))
    expected = [deployment(namespace="prod", replicas=2)]
    assert overlaid(capsys, "-f", base, "--patch-file", patch, "-n", "prod") == expected


CUSTOM: dict[str, tuple[tuple[object, ...], dict[str, Any]]] = {
    "lists are replaced": ((), {"parts": [{"name": "a", "side": "left", "y": 2}], "free": {"b": "1"}}),
    "lists merge by their keys": (
        ("--lists", "schema"),
        {"parts": [{"name": "a", "side": "left", "x": 1, "y": 2}], "free": {"b": "1"}},
    ),
}


@pytest.mark.parametrize("case", CUSTOM.values(), ids=CUSTOM)
def test_custom_resources_with_a_schema_know_directives(
    case: tuple[tuple[object, ...], dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, spec = case
    patch = widget(parts=[{"name": "a", "side": "left", "y": 2}], free={"$patch": "replace", "b": "1"})
    words = ("-f", written(tmp_path / "base.yaml", PARTS), "--patch-file", written(tmp_path / "patch.yaml", patch))
    assert overlaid(capsys, *words, "--schema", CRD, *options) == [widget(**spec)]


def test_lists_merge_by_all_keys_of_the_definition(capsys: pytest.CaptureFixture[str]) -> None:
    volume = {"claim": "orders", "path": "/archive", "exclude": ["x"]}
    kind = {"apiVersion": "storage.example.com/v1", "kind": "Backup"}
    patch = json.dumps({**kind, "metadata": {"name": "nightly"}, "spec": {"volumes": [volume]}})
    examples = ROOT / "examples"
    words = ("-f", examples / "nightly.yaml", "--schema", examples / "crds", "-p", patch)
    (found,) = overlaid(capsys, *words, "--lists", "schema")
    assert found["spec"]["volumes"] == [{"claim": "orders", "path": "/", "exclude": ["tmp", "cache"]}, volume]


WRONG: dict[str, tuple[list[Any], list[Any], str]] = {
    # objects, patches, and the error message; the files are called base and patch
    "another name": (
        [WEB],
        [deployment("webb")],
        "patch:1: the patch of deployment.apps/webb: no target. Did you mean web?",
    ),
    "no name like it": ([WEB], [config_map()], "no target. No object is named 'settings'. Check its name"),
    "no name like it of that kind": ([config_map("webb")], [deployment("web")], "No object is named 'web'"),
    "another namespace": (
        [deployment(namespace="a")],
        [deployment(namespace="b")],
        "patch:1: the patch of deployment.apps/web in b: no target. "
        "Objects with that name: Deployment of apps/v1 in a (base:1)",
    ),
    "another version": (
        [WEB],
        [{**deployment(), "apiVersion": "apps/v1beta1"}],
        "Objects with that name: Deployment of apps/v1 in no namespace (base:1)",
    ),
    "another kind": ([WEB], [config_map("web")], "Objects with that name: Deployment of apps/v1"),
    "two targets": (
        [deployment(namespace="a"), deployment(namespace="b")],
        [deployment(replicas=2)],
        "patch:1: the patch of deployment.apps/web: 2 targets, Deployment of apps/v1 in a (base:1) and "
        "Deployment of apps/v1 in b (base:10). Add metadata.namespace",
    ),
    "the same object twice": (
        [config_map(), config_map()],
        [config_map()],
        "2 targets, ConfigMap of v1 in no namespace (base:1) and "
        "ConfigMap of v1 in no namespace (base:12). Remove one of them",
    ),
    "many targets": ([deployment(namespace=f"n{at}") for at in range(9)], [deployment()], " and 5 more"),
    "the second patch": ([WEB], [deployment(replicas=2), config_map()], "patch:12: the patch of configmap/settings: "),
    "a target that is deleted": (
        [config_map()],
        [config_map(**{"$patch": "delete"}), config_map()],
        "the patch of configmap/settings: an earlier patch deletes the object",
    ),
    "no name": (
        [config_map(metadata={"generateName": "a"})],
        [config_map(metadata={"generateName": "a"})],
        "no metadata.name",
    ),
    "an element without its key": (
        [WEB],
        [deployment(template={"spec": {"containers": [{"image": "b"}]}})],
        "patch:1: the patch of deployment.apps/web, applied to base:1: spec.template.spec.containers",
    ),
    "an unknown directive": ([config_map()], [config_map(data={"$patch": "frob"})], "data: $patch"),
    "a directive without a schema": (
        [PARTS],
        [widget(parts=[{"name": "a", "$patch": "delete"}])],
        "$patch requires the schema of the kind. Pass it with --schema",
    ),
    "no object": ([config_map()], ["- 1"], "is not a Kubernetes object"),
    "no YAML": ([config_map()], ["a: {b"], "patch:"),
    "no kind": ([config_map()], [{"apiVersion": "v1", "metadata": {"name": "settings"}}], "has no kind"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_a_mistake_is_one_sentence_that_says_where(
    case: tuple[list[Any], list[Any], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    objects, patches, message = case
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "base", *objects)
    written(tmp_path / "patch", *patches)
    assert message in fails(capsys, "overlay", "-f", "base", "--patch-file", "patch")
    assert capsys.readouterr().out == ""


MISUSED: dict[str, tuple[tuple[object, ...], str]] = {
    "no patches": ((), "pass partial manifests with --patch-file or -p"),
    "a patch file that there is not": (("--patch-file", "/no/such/file"), "No such file"),
    "a release that there is not": (("-p", "x", "--release", "1.99"), f"1.7 to {NEWEST}"),
    "a schema that there is not": (("-p", "x", "--schema", "/no/such/file"), native("/no/such/file")),
    "an option that there is not": (("-p", "x", "--frobnicate"), "No such option"),
}


@pytest.mark.parametrize("case", MISUSED.values(), ids=MISUSED)
def test_a_misused_option(
    case: tuple[tuple[object, ...], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, message = case
    assert message in fails(capsys, "overlay", "-f", written(tmp_path / "base.yaml", config_map()), *words)
