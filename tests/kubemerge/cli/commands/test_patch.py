"""`kubemerge patch`: as `kubectl patch --local`, and for custom resources too."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents
from engine import MergeError
from engine.values.go_json import decode, encode
from kubemerge.offline.patch import patched

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, ROOT, native
from ...manifests_in_files import config_map, fails, written

if TYPE_CHECKING:
    from pathlib import Path

KUBECTL = shutil.which("kubectl")
CRD = ROOT / "tests" / "data" / "specs" / "crd-v1.yaml"
POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "default", "finalizers": ["a"]},
    "spec": {"containers": [{"name": "web", "image": "a"}, {"name": "side", "image": "b", "args": ["x", "y"]}]},
}
WIDGET = {
    "apiVersion": "test.example/v1",
    "kind": "Widget",
    "metadata": {"name": "w"},
    "spec": {"parts": [{"name": "a", "side": "left", "x": 1}], "free": {"a": "1"}},
}

LIKE_KUBECTL: dict[str, tuple[str, str]] = {
    # type, patch
    "a container by its name": ("strategic", '{"spec":{"containers":[{"name":"side","image":"c"}]}}'),
    "a new container": ("strategic", '{"spec":{"containers":[{"name":"new","image":"c"}]}}'),
    "a container deleted": ("strategic", '{"spec":{"containers":[{"name":"web","$patch":"delete"}]}}'),
    "a list replaced": ("strategic", '{"spec":{"containers":[{"$patch":"replace"},{"name":"x"}]}}'),
    "a set added to": ("strategic", '{"metadata":{"finalizers":["b"]}}'),
    "a set taken from": ("strategic", '{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}'),
    "YAML": ("strategic", "spec:\n  containers:\n  - name: side\n    image: 1.10\n"),
    "nothing": ("strategic", "{}"),
    "null": ("strategic", "null"),
    "a container without its key": ("strategic", '{"spec":{"containers":[{"image":"c"}]}}'),
    "an unknown directive": ("strategic", '{"spec":{"$patch":"frob"}}'),
    "a list for a strategic patch": ("strategic", "[1]"),
    "everything replaced": ("strategic", '{"$patch":"replace","spec":{}}'),
    "lists are replaced": ("merge", '{"spec":{"containers":[{"name":"side","image":"c"}]}}'),
    "null removes": ("merge", '{"spec":{"containers":null},"metadata":{"finalizers":null}}'),
    "null in lists": ("merge", '{"spec":{"containers":[null,{"name":null}]}}'),
    "another name": ("merge", '{"metadata":{"name":"other"}}'),
    "no apiVersion": ("merge", '{"apiVersion":null}'),
    "no metadata": ("merge", '{"metadata":null}'),
    "no kind": ("merge", '{"kind":null}'),
    "another kind": ("merge", '{"kind":"Other"}'),
    "a list for a merge patch": ("merge", "[]"),
    "null for a merge patch": ("merge", "null"),
    "an empty patch": ("merge", ""),
    "no JSON and no YAML": ("merge", "a: {b"),
    "an element replaced": ("json", '[{"op":"replace","path":"/spec/containers/0/image","value":"c"}]'),
    "an element from the end": ("json", '[{"op":"remove","path":"/spec/containers/-1"}]'),
    "an element appended": ("json", '[{"op":"add","path":"/spec/containers/-","value":{"name":"x"}}]'),
    "several operations": (
        "json",
        '[{"op":"test","path":"/kind","value":"Pod"},{"op":"move","from":"/spec","path":"/metadata/x"},'
        '{"op":"copy","from":"/metadata/x","path":"/spec"}]',
    ),
    "added where it should be replaced": ("json", '[{"op":"replace","path":"/spec/x","value":1}]'),
    "an operation in flow YAML": ("json", "[{op: replace, path: /spec/containers/0/image, value: c}]"),
    "an operation in block YAML": ("json", "- op: replace\n  path: /spec/containers/0/image\n  value: c\n"),
    "a list with a comma too many": ("json", '[{"op":"remove","path":"/spec/containers/0"},]'),
    "flow YAML in braces, strategic": ("strategic", "{spec: {dnsPolicy: None}}"),
    "flow YAML in braces, merge": ("merge", "{spec: {dnsPolicy: None}}"),
    "flow YAML in braces after spaces": ("merge", " \n {spec: {dnsPolicy: None}}"),
    "flow YAML in braces behind a comment": ("merge", "# c\n{spec: {dnsPolicy: None}}"),
    "flow YAML in braces behind three dashes": ("merge", "---\n{spec: {dnsPolicy: None}}"),
    "flow YAML inside": ("merge", "spec: {dnsPolicy: None}"),
    "a comma too many": ("merge", '{"spec": {"dnsPolicy": "None",}}'),
    "a number with a zero in front": ("merge", '{"spec": {"priority": 012}}'),
    "no operations": ("json", "[]"),
    "null for a JSON patch": ("json", "null"),
    "a test that fails": ("json", '[{"op":"test","path":"/kind","value":"Service"}]'),
    "nothing to remove": ("json", '[{"op":"remove","path":"/spec/x"}]'),
    "a map for a JSON patch": ("json", "{}"),
    "an unknown operation": ("json", '[{"op":"frob","path":"/spec"}]'),
    "removes the kind": ("json", '[{"op":"remove","path":"/kind"}]'),
    "everything removed": ("json", '[{"op":"remove","path":""}]'),
    "everything added": ("json", '[{"op":"add","path":"","value":{}}]'),
    "everything replaced by a list": ("json", '[{"op":"replace","path":"","value":[1]}]'),
}
AN_ERROR = "an error"


def ours(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The patched object, or an error."""
    if kubemerge("patch", "--local", *words, "-o", "json", "-q") == 0:
        return encode(decode(capsys.readouterr().out))
    (line,) = capsys.readouterr().err.replace("\nhint: ", "; ").splitlines()
    assert line.startswith(("error: ", "Error from server"))
    assert "bug" not in line
    return AN_ERROR


def theirs(*words: object) -> str:
    """The same from kubectl."""
    line = [str(KUBECTL), "patch", "--local", "--kubeconfig", os.devnull, *map(str, words), "-o", "json"]
    said = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    return encode(decode(said.stdout)) if said.returncode == 0 else AN_ERROR


@pytest.mark.slow
@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl on the PATH")
@pytest.mark.parametrize("case", LIKE_KUBECTL.values(), ids=LIKE_KUBECTL)
def test_kubectl_does_the_same(case: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patch_type, patch = case
    words = ("-f", written(tmp_path / "pod.json", POD), "--type", patch_type, "-p", patch)
    assert ours(capsys, *words) == theirs(*words)


def drawn(random: Random, depth: int) -> Any:
    kind = random.randrange(8 if depth else 5)
    if kind < 5:
        return (None, True, random.randrange(3), 1.5, random.choice("abc"))[kind]
    if kind == 5:
        return [drawn(random, depth - 1) for _ in range(random.randrange(4))]
    return {random.choice("abc01"): drawn(random, depth - 1) for _ in range(random.randrange(4))}


def pointer(random: Random, depth: int = 3) -> str:
    return "/data" + "".join(
        f"/{random.choice(['a', 'b', 'c', '0', '1', '-1', '-'])}" for _ in range(random.randrange(depth))
    )


def operation(random: Random) -> dict[str, Any]:
    found = {"op": random.choice(["add", "remove", "replace", "move", "copy"]), "path": pointer(random)}
    return {**found, "from": pointer(random), "value": drawn(random, 1)}


@pytest.mark.slow
@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl on the PATH")
@pytest.mark.parametrize("patch_type", ["json", "merge"])
def test_kubectl_does_the_same_to_any_object(patch_type: str, tmp_path: Path) -> None:
    random = Random(f"patch {patch_type}")
    cases = []
    for number in range(100):
        target = config_map(data={key: drawn(random, 2) for key in "abc01"})
        patch = [operation(random)] if patch_type == "json" else {"data": drawn(random, 3), "more": drawn(random, 2)}
        cases.append((written(tmp_path / f"{number}.json", target), decode(encode(target)), patch))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda case: theirs("-f", case[0], "--type", patch_type, "-p", encode(case[2])), cases))
    for (_, target, patch), answer in zip(cases, answers, strict=True):
        try:
            found = encode(patched(target, patch, patch_type, None))
        except MergeError:
            found = AN_ERROR
        assert found == answer, (target, patch)
    assert sum(answer != AN_ERROR for answer in answers) > 30


PATCHED: dict[str, tuple[dict[str, Any], str]] = {
    # what the changed part of the pod is
    "a container by its name": (
        {"containers": [POD["spec"]["containers"][0], {**POD["spec"]["containers"][1], "image": "c"}]},
        "strategic",
    ),
    "lists are replaced": ({"containers": [{"name": "side", "image": "c"}]}, "merge"),
    "an element replaced": ({"containers": [{"name": "web", "image": "c"}, POD["spec"]["containers"][1]]}, "json"),
}


@pytest.mark.parametrize("name", PATCHED)
def test_patches(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec, patch_type = PATCHED[name]
    found = ours(capsys, "-f", written(tmp_path / "pod.json", POD), "--type", patch_type, "-p", LIKE_KUBECTL[name][1])
    assert decode(found) == {**POD, "spec": spec}


IN_BRACES = "A patch that begins with a brace must be JSON"


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("an operation in flow YAML", "c"),
        ("an operation in block YAML", "c"),
        ("a list with a comma too many", "b"),
        ("flow YAML in braces behind a comment", "a"),
        ("flow YAML in braces behind three dashes", "a"),
        ("flow YAML inside", "a"),
        ("flow YAML in braces, strategic", None),
        ("flow YAML in braces, merge", None),
        ("flow YAML in braces after spaces", None),
        ("a comma too many", None),
        ("a number with a zero in front", None),
    ],
)
@pytest.mark.parametrize("option", ["-p", "--patch-file"])
def test_what_begins_with_a_brace_is_json_and_all_else_is_yaml(
    name: str, image: str | None, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patch_type, patch = LIKE_KUBECTL[name]
    if option == "--patch-file":
        patch = str(written(tmp_path / "patch", patch))
    words = ("-f", written(tmp_path / "pod.json", POD), "--type", patch_type, option, patch)
    if image is None:
        assert IN_BRACES in fails(capsys, "patch", *words)
    else:
        assert json.loads(ours(capsys, *words))["spec"]["containers"][0]["image"] == image


def test_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("patch", "--local", "-f", written(tmp_path / "pod.json", config_map()), "-p", "data: {b: '2'}")
    assert kubemerge(*words) == 0
    assert capsys.readouterr() == ("configmap/settings patched\n", "")
    assert kubemerge(*words, "-o", "yaml") == 0
    said = capsys.readouterr()
    assert said.out == 'apiVersion: v1\ndata:\n  a: "1"\n  b: "2"\nkind: ConfigMap\nmetadata:\n  name: settings\n'
    assert kubemerge(*words, "-o", "name", "-v") == 0
    said = capsys.readouterr()
    assert said.out == "configmap/settings\n"
    assert "strategic patch from" in said.err
    assert "by the rules of Kubernetes 1." in said.err


def test_a_patch_without_change_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "pod.json", config_map())
    assert kubemerge("patch", "--local", "-f", file, "-p", "{}") == 0
    assert capsys.readouterr().out == "configmap/settings patched (no change)\n"


@pytest.mark.parametrize(
    ("patch", "name"),
    [
        ('{"metadata": {"name": "other"}, "apiVersion": "a/v1"}', "configmap.a/other"),
        ('{"metadata": null, "apiVersion": null}', "configmap/"),
        ("metadata: 5", "configmap/"),
    ],
)
def test_the_name_is_that_of_what_came_out(
    patch: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "pod.json", config_map())
    assert kubemerge("patch", "--local", "-f", file, "--type", "merge", "-p", patch, "-o", "name") == 0
    assert capsys.readouterr().out == f"{name}\n"


def test_every_object_is_patched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    written(tmp_path / "in" / "a.yaml", config_map("a"), config_map("b"))
    written(tmp_path / "in" / "deep" / "c.yaml", config_map("c"))
    words = ("patch", "--local", "-f", tmp_path / "in", "-p", '{"data":{"b":"2"}}', "-o", "yaml", "-n", "prod", "-q")
    assert kubemerge(*words) == 0
    assert [one["metadata"]["name"] for one in documents(capsys.readouterr().out)] == ["a", "b"]
    assert kubemerge(*words, "-R") == 0
    items = list(documents(capsys.readouterr().out))
    assert [one["metadata"] for one in items] == [{"name": name} for name in "abc"]
    assert {one["data"]["b"] for one in items} == {"2"}


OF_KUBECTL = """\
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
  - name: s
    port: 443
  - port: 80
"""
"""Printed by kubectl 1.37.1 with a kubeconfig that does not exist."""


def test_kubectl_adds_no_default_values_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --local, kubectl sends no request: it decodes the object, merges the patch and prints the result."""
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}
    words = ("-f", written(tmp_path / "service.json", service), "-p", '{"spec":{"ports":[{"name":"s","port":443}]}}')
    assert kubemerge("patch", "--local", *words, "-o", "yaml") == 0
    assert capsys.readouterr().out == OF_KUBECTL


def test_the_patch_from_a_file_and_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "pod.json", config_map())
    patch = written(tmp_path / "patch.yaml", "data: {b: '2'}")
    assert kubemerge("patch", "--local", "-f", file, "--patch-file", patch, "-o", "yaml") == 0
    shown = capsys.readouterr().out
    assert '  b: "2"\n' in shown
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(patch.read_bytes())))
    assert kubemerge("patch", "--local", "-f", file, "--patch-file", "-", "-o", "yaml") == 0
    assert capsys.readouterr().out == shown


def test_what_kubectl_is_lenient_about_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "pod.json", config_map())
    patch = '[{"op":"replace","path":"/data/b","value":"2"}]'
    assert kubemerge("patch", "--local", "-f", file, "--type", "json", "-p", patch) == 0
    assert "configmap/settings: operation 1 (replace /data/b): there is nothing to replace" in capsys.readouterr().err


CLUSTER_ROLE: dict[str, Any] = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRole",
    "metadata": {"name": "x", "namespace": "kube-system"},
    "rules": [],
}


@pytest.mark.parametrize(
    "words",
    [("patch", "--local", "-p", '{"metadata":{"labels":{"a":"b"}}}'), ("label", "--local", "a=b")],
    ids=["patch", "label"],
)
def test_without_a_cluster_an_object_keeps_its_namespace_whatever_its_kind(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "role.json", CLUSTER_ROLE)
    assert kubemerge(*words, "-f", file, "-o", "json") == 0
    assert json.loads(capsys.readouterr().out)["metadata"] == {**CLUSTER_ROLE["metadata"], "labels": {"a": "b"}}
    assert kubemerge(*words, "-f", file, "-n", "other") != 0
    assert "--namespace=kube-system" in capsys.readouterr().err


CUSTOM: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    # options, and the spec after {parts: [{name: a, side: left, y: 2}], free: {$patch: replace, b: "1"}}
    "lists are replaced": ((), {"parts": [{"name": "a", "side": "left", "y": 2}], "free": {"b": "1"}}),
    "lists merge by their keys": (
        ("--lists", "schema"),
        {"parts": [{"name": "a", "side": "left", "x": 1, "y": 2}], "free": {"b": "1"}},
    ),
}


@pytest.mark.parametrize("case", CUSTOM.values(), ids=CUSTOM)
def test_custom_resources(
    case: tuple[tuple[str, ...], dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, spec = case
    patch = '{"spec":{"parts":[{"name":"a","side":"left","y":2}],"free":{"$patch":"replace","b":"1"}}}'
    file = written(tmp_path / "widget.json", WIDGET)
    assert json.loads(ours(capsys, "-f", file, "-p", patch, "--schema", CRD, *options))["spec"] == spec


def test_the_lists_of_a_custom_resource_merge_by_all_keys_of_its_definition(capsys: pytest.CaptureFixture[str]) -> None:
    volume = {"claim": "orders", "path": "/archive", "exclude": ["x"]}
    words = ("-f", ROOT / "examples" / "nightly.yaml", "--schema", ROOT / "examples" / "crds", "--lists", "schema")
    found = json.loads(ours(capsys, *words, "-p", json.dumps({"spec": {"volumes": [volume]}})))
    assert found["spec"]["volumes"] == [{"claim": "orders", "path": "/", "exclude": ["tmp", "cache"]}, volume]


def test_a_custom_resource_without_a_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "widget.json", WIDGET)
    said = fails(capsys, "patch", "--local", "-f", file, "-p", "{}")
    assert "no schema" in said
    assert said.endswith(f"; {file}:1: widget.test.example/w")
    assert "--type merge" in said
    assert "--schema" in said
    assert json.loads(ours(capsys, "-f", file, "--type", "merge", "-p", '{"spec":null}')).keys() == {
        "apiVersion",
        "kind",
        "metadata",
    }


def test_an_object_that_fails_is_reported_and_the_others_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "all.yaml", WIDGET, config_map())
    assert kubemerge("patch", "--local", "-f", file, "-p", "{}", "-o", "name", "-q") == 1
    said = capsys.readouterr()
    assert said.out == "configmap/settings\n"
    assert said.err.count("\n") == 2


WRONG: dict[str, tuple[tuple[object, ...], str]] = {
    "unsupported patch type": ((), "must specify --patch or --patch-file containing the contents of the patch"),
    "two patches": (("-p", "{}", "--patch-file", "x"), "cannot specify --patch and --patch-file together"),
    "an empty patch": (("-p", ""), "the patch after -p is empty. Pass a value"),
    "only a comment": (("-p", "# nothing"), "the patch is empty"),
    "two documents": (("-p", "a: 1\n---\nb: 1"), "--patch:3: a second document"),
    "no YAML": (("-p", "a: {b"), "--patch:2:1: "),
    "a patch file that there is not": (("--patch-file", "/no/such/file"), "No such file"),
    "a folder of patches": (
        ("--patch-file", ROOT / "examples" / "shop" / "manifests"),
        "--patch-file requires exactly one",
    ),
    "a type that there is not": (("-p", "{}", "--type", "frob"), 'not "frob"'),
    "a release that there is not": (("-p", "{}", "--release", "1.99"), f"1.7 to {NEWEST}"),
    "a schema that there is not": (("-p", "{}", "--schema", "/no/such/file"), native("/no/such/file")),
    "a list": (("-p", "[]"), "a strategic patch is a mapping, not a list. For a list of operations, use --type json"),
    "a text": (("-p", "x", "--type", "merge"), "a merge patch is a mapping, not a string"),
    "a JSON patch that is none": (("-p", "x", "--type", "json"), "a JSON patch is a list of operations, not a string"),
    "a directive that there is not": (("-p", '{"data":{"$patch":"frob"}}'), "data: $patch"),
    "nothing of a kind": (("-p", "kind: null", "--type", "merge"), "removes the kind"),
    "another namespace": (("-p", "{}", "-n", "other"), "You must pass '--namespace=default'"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_a_mistake_is_one_sentence(
    case: tuple[tuple[object, ...], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, message = case
    file = written(tmp_path / "pod.json", config_map(metadata={"name": "settings", "namespace": "default"}))
    assert message in fails(capsys, "patch", "--local", "-f", file, *words)


def test_an_object_file_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert "No such file" in fails(capsys, "patch", "--local", "-f", "/no/such/file", "-p", "{}")
    assert kubemerge("patch", "-p", "{}") == 1
    assert "You must provide one or more resources by argument or filename." in capsys.readouterr().err
