"""Options that scripts give to kubectl: they are accepted, and ignored where they cannot have an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.cli.options.ignored import ACCEPTED

from ...objects import config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

CONNECTING = "--request-timeout=10s"
TAKEN = {
    "annotate cm a x=1": CONNECTING,
    "apply -f created.yaml": f"{CONNECTING} --server-side=false --wait",
    "apply view-last-applied deploy web": CONNECTING,
    "create -f other.yaml": CONNECTING,
    "diff -f created.yaml": f"{CONNECTING} --concurrency=4 --server-side=false",
    "delete cm a": CONNECTING,
    "get cm": f"{CONNECTING} --chunk-size=500",
    "label cm a x=1": CONNECTING,
    'patch cm a -p {"data":{"x":"1"}}': CONNECTING,
    "replace -f created.yaml": CONNECTING,
    "scale deploy web --replicas=2": f"{CONNECTING} --timeout=1m",
    "explain deploy.spec": CONNECTING,
}


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.write("created.yaml", config_map("a", {"k": "1"}, namespace="default"), deployment("web"))
    shell.write("other.yaml", config_map("b"))
    shell.done("apply", "-f", "created.yaml")
    return shell


@pytest.mark.parametrize("words", TAKEN)
def test_what_has_no_meaning_here_is_taken(filled: Shell, words: str) -> None:
    assert filled.run(*words.split(), *TAKEN[words].split(), "-v") == 0, filled.err
    flags = [word.partition("=")[0] for word in TAKEN[words].split() if word.startswith("--")]
    told = {flag for flag in flags if f"{flag} has no effect here" in filled.err}
    assert told == set(flags) - {"--server-side", "--request-timeout"}


def test_each_of_them_is_tried() -> None:
    tried = " ".join(TAKEN.values())
    assert [flag for flag in ACCEPTED if flag not in tried] == ["--cascade", "--grace-period", "--openapi-patch"]


def test_a_time_has_to_be_one(filled: Shell) -> None:
    assert "'soon' is not a duration" in filled.fails("get", "cm", "--request-timeout=soon")
    assert "'soon' is not a duration" in filled.fails("scale", "deploy", "web", "--replicas=1", "--timeout=soon")


# ---- get -------------------------------------------------------------------------------------------------------------


def test_columns_of_labels(filled: Shell) -> None:
    filled.done("label", "cm", "a", "app=web", "example.com/tier=front")
    lines = [line.split() for line in filled.done("get", "cm", "-L", "app,example.com/tier", "-L", "x").splitlines()]
    assert lines == [["NAME", "DATA", "AGE", "APP", "TIER", "X"], ["a", "1", lines[1][2], "web", "front"]]


FIELDS = {
    "metadata.name=a": ["configmap/a"],
    "metadata.name==b": ["configmap/b"],
    "metadata.name!=a": ["configmap/b"],
    "metadata.namespace=default,metadata.name=a": ["configmap/a"],
    "metadata.namespace!=default": [],
    "": ["configmap/a", "configmap/b"],
}


@pytest.mark.parametrize("fields", FIELDS)
def test_picked_by_fields(filled: Shell, fields: str) -> None:
    filled.done("create", "-f", "other.yaml")
    assert filled.done("get", "cm", "-o", "name", f"--field-selector={fields},").split() == FIELDS[fields]


def test_what_is_picked_by_fields_is_deleted(filled: Shell) -> None:
    filled.done("create", "-f", "other.yaml")
    said = filled.done("delete", "cm", "--field-selector", "metadata.name=b")
    assert said == 'configmap "b" deleted from default namespace\n'
    assert filled.done("get", "cm", "-o", "name") == "configmap/a\n"


NO_FIELDS = {
    (
        "pods",
        "--field-selector=status.food=x",
    ): 'Unable to find "/v1, Resource=pods" that match label selector "", field',
    (
        "cm",
        "--field-selector=metadata.name",
    ): 'Unable to find "/v1, Resource=configmaps" that match label selector "",',
    ("cm", "a", "--field-selector=metadata.name=a"): "object names and --field-selector exclude each other",
    ("-f", "created.yaml", "--field-selector=metadata.name=a"): "object names and --field-selector exclude each other",
}


@pytest.mark.parametrize("words", NO_FIELDS)
def test_fields_that_pick_nothing(filled: Shell, words: tuple[str, ...]) -> None:
    assert filled.fails("get", *words).startswith(NO_FIELDS[words])


def test_what_is_at_paths(filled: Shell) -> None:
    assert filled.done("get", "cm", "a", "-o", "jsonpath={.data.k}") == "1"
    assert filled.done("get", "cm,deploy", "-o", "jsonpath={.kind}: {.items[*].metadata.name}") == "List: a web"
    assert filled.done("get", "cm", "b", "--ignore-not-found", "-o", "jsonpath={.data.k}|") == ""
    asked = ("get", "cm,deploy", "-o", "custom-columns=N:.metadata.name,REPLICAS:spec.replicas")
    assert filled.done(*asked).splitlines() == ["N     REPLICAS", "a     <none>", "web   1"]
    assert filled.done(*asked, "--no-headers").splitlines() == ["a     <none>", "web   1"]


NOT_PRINTED = {
    "jsonpath": "template format specified but no template given",
    "custom-columns=": "custom-columns format specified but no custom columns given",
    "table": 'unable to match a printer suitable for the output format "table", allowed formats are: custom-columns,',
    "jsonpath={.a": "error parsing jsonpath {.a, unclosed action",
    "custom-columns=NAME": "unexpected custom-columns spec: 'NAME', expected <header>:<json-path-expr>",
}


@pytest.mark.parametrize("form", NOT_PRINTED)
def test_forms_that_there_are_not(filled: Shell, form: str) -> None:
    assert NOT_PRINTED[form] in filled.fails("get", "cm", "-o", form)


# ---- label and annotate ----------------------------------------------------------------------------------------------


def test_labels_of_objects_in_files(filled: Shell) -> None:
    filled.write("local.yaml", config_map("x", labels={"app": "web"}), config_map("y"))
    local = ("--local", "-f", "local.yaml")
    assert filled.done("label", *local, "tier=front") == "configmap/x labeled\nconfigmap/y labeled\n"
    assert filled.done("label", *local, "app-") == "configmap/x unlabeled\nconfigmap/y not labeled\n"
    assert filled.done("annotate", *local, "a=1", "-o", "name") == "configmap/x\nconfigmap/y\n"
    assert filled.run("label", *local, "app=api") == 1
    assert (filled.out, filled.err.count("'app' already has a value (web)")) == ("configmap/y labeled\n", 1)
    filled.write("one.yaml", config_map("x", labels={"app": "web"}))
    assert filled.done("label", "--local", "-f", "one.yaml", "--list") == "app=web\n"
    assert filled.done("get", "cm", "-o", "name") == "configmap/a\n"


@pytest.mark.parametrize("words", [("cm", "a", "x=1"), ("x=1",)])
def test_nothing_but_files_is_local(filled: Shell, words: tuple[str, ...]) -> None:
    said = "--local changes objects in files. Pass them with -f"
    assert filled.fails("label", "--local", *words).startswith(said)
