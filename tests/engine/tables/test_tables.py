"""Loading tables, looking up kinds, overlaying tables, and sharing them."""

from __future__ import annotations

import importlib
import pickle
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from engine import MergeError, Rule, TablesError, UnknownDefinition, UnknownKind, UnknownRelease
from engine.tables.tables import Tables
from engine.tables.types import TableData

from ...codegen.sample_specs import bundle, components, crd
from ...conftest import NEWEST, python

if TYPE_CHECKING:
    from pathlib import Path

DEPLOYMENT = ("apps/v1", "Deployment")
META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


def test_the_newest_release_is_the_default() -> None:
    assert engine.load().release == engine.releases()[-1] == NEWEST
    assert engine.load() is engine.load(NEWEST)


@pytest.mark.parametrize(
    "spelled",
    [
        "1.20",
        "v1.20",
        "1.20.3",
        "v1.20.15-gke.1",
        "1.20.3-gke.100",
        "v1.20.2+k3s1",
        "v1.20.0-rc.1+build.5",
        "v1.20.7-eks-d88609",
        "1.20+",
    ],
)
def test_a_release_may_be_spelled_as_kubectl_prints_it(spelled: str) -> None:
    assert engine.load(spelled).release == "1.20"


@pytest.mark.parametrize(
    "release",
    [
        "1.6",
        "1.99",
        "2.20",
        "1",
        "",
        "1.",
        ".20",
        "v",
        "latest",
        "1.x",
        "1.-20",
        "1.2_0",
        "1.٢٠",
        " 1.20",
        "1.99999999999",
        "../1.20",
        "1.20\n",
        "1.20..1.31",
        "1.20...",
        "1.20.foo",
        "1.20.3.4",
        "1.20.",
        "1.20-gke.1",
        "1.20.3-",
        "1.20.3-a..b",
        "1.20.3 ",
        "1.020",
        "V1.20",
        "vv1.20",
    ],
)
def test_unknown_release(release: str) -> None:
    with pytest.raises(UnknownRelease) as caught:
        engine.load(release)
    assert caught.value.release == release
    assert caught.value.known == engine.releases()
    assert f"supported releases are 1.7 to {NEWEST}" in str(caught.value)


@pytest.mark.parametrize("release", [37, object(), ("1", "37"), b"1.37"])
def test_release_that_is_not_a_string(release: Any) -> None:
    with pytest.raises(UnknownRelease):
        engine.load(release)


@pytest.mark.parametrize(
    "package", ["", ".", "nowhere", "os", "json.tool", "a..b", ".engine", "engine", "1", "a b", "\0", None, 3]
)
def test_package_without_tables(package: Any) -> None:
    with pytest.raises(TablesError) as caught:
        engine.load(package=package)
    assert repr(package) in str(caught.value)


BROKEN = {
    "an index without releases": {"index.py": "KINDS = ()\nPREFIXES = {}\n"},
    "an index without kinds": {"index.py": "RELEASES = {}\nPREFIXES = {}\n"},
    "an index that is no Python": {"index.py": "RELEASES = {\n"},
    "an index that imports what is not there": {"index.py": "import nowhere_at_all\n"},
    "no index": {},
}
GOOD_INDEX = "RELEASES = {}\nPREFIXES = {'a': 'a'}\nKINDS = (('v1', 'K', None, None, 'a.K'),)\n"
BROKEN_MODULES = {
    "a missing module": {},
    "a module without types": {"a.py": "X = 1\n"},
    "a module that is no Python": {"a.py": "TYPES = {\n"},
    "a module without the type": {"a.py": "TYPES = {}\n"},
    "a module that lacks a type that is referred to": {
        "a.py": "TYPES = {'K': (('f', None, None, 'map', 'a.Gone'),)}\n"
    },
}


def package_of(folder: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, name: str) -> str:
    (folder / name).mkdir()
    for file, text in {"__init__.py": "", **files}.items():
        (folder / name / file).write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    return name


@pytest.mark.parametrize("number", range(len(BROKEN)), ids=list(BROKEN))
def test_a_broken_package(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = package_of(tmp_path, list(BROKEN.values())[number], monkeypatch, f"broken_package_{number}")
    with pytest.raises(TablesError, match=name):
        engine.load(package=name)


@pytest.mark.parametrize("number", range(len(BROKEN_MODULES)), ids=list(BROKEN_MODULES))
def test_a_broken_module_of_a_package(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"index.py": GOOD_INDEX, **list(BROKEN_MODULES.values())[number]}
    tables = engine.load(package=package_of(tmp_path, files, monkeypatch, f"broken_module_{number}"))
    with pytest.raises(TablesError):
        tables.schema("v1", "K").rule("f.g")


UNKNOWN: list[tuple[str, str, str, list[tuple[str, str]], tuple[str, str] | None]] = [
    # (the release, apiVersion, kind, the suggested kinds, the first and the last release that serves it)
    ("1.37", "extensions/v1beta1", "Deployment", [DEPLOYMENT], ("1.7", "1.17")),
    ("1.37", "extensions/v1beta1", "Ingress", [("networking.k8s.io/v1", "Ingress")], ("1.7", "1.21")),
    ("1.8", "apps/v1", "Deployment", [("apps/v1beta1", "Deployment")], ("1.9", NEWEST)),
    ("1.37", "apps/v1", "Deploymnt", [DEPLOYMENT], None),
    ("1.37", "apps/v1", "deployment", [DEPLOYMENT], None),
    ("1.37", "app/v1", "Deployment", [DEPLOYMENT], None),
    ("1.37", "v1", "Pods", [("v1", "Pod")], None),
    ("1.37", "cert-manager.io/v1", "Certificate", [], None),
    ("1.37", "", "", [], None),
    ("1.37", "v1\n\x1b[2J", "Pod", [("v1", "Pod")], None),
]


@pytest.mark.parametrize(
    ("release", "api", "kind", "near", "span"), UNKNOWN, ids=[f"{row[1]!a} {row[2]} in {row[0]}" for row in UNKNOWN]
)
def test_an_unknown_kind(
    release: str, api: str, kind: str, near: list[tuple[str, str]], span: tuple[str, str] | None
) -> None:
    with pytest.raises(UnknownKind) as caught:
        engine.load(release).schema(api, kind)
    error = caught.value
    assert (error.api_version, error.kind, error.release) == (api, kind, release)
    assert set(near) <= set(error.near)
    assert bool(near) or not error.near
    if span is None:
        assert error.served_in == ()
    else:
        assert (error.served_in[0], error.served_in[-1]) == span
    assert str(error).isprintable()


def test_message_about_an_unknown_kind() -> None:
    with pytest.raises(UnknownKind) as caught:
        engine.load("1.37").schema("extensions/v1beta1", "Deployment")
    assert str(caught.value) == (
        "no kind 'Deployment' of apiVersion 'extensions/v1beta1' in Kubernetes 1.37. It is served in 1.7 to 1.17. "
        "Did you mean Deployment of apps/v1?"
    )


@pytest.mark.parametrize(
    ("api", "kind"), [(None, None), (3, "Pod"), ("v1", None), ("v1", []), ([], "Pod"), (("v1",), {})]
)
def test_kind_that_is_not_a_string(api: Any, kind: Any) -> None:
    with pytest.raises(UnknownKind):
        engine.load().schema(api, kind)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("io.k8s.api.core.v1.Containr", "io.k8s.api.core.v1.Container"),
        ("io.k8s.api.core.v1.ContainerPorts", "io.k8s.api.core.v1.ContainerPort"),
        ("Container", None),
        ("", None),
        (".", None),
        ("io.k8s.api.core.v1.", None),
        ("io.k8s.api.core.v1", None),
        (None, None),
        (3, None),
    ],
)
def test_an_unknown_definition(name: Any, near: str | None) -> None:
    with pytest.raises(UnknownDefinition) as caught:
        engine.load().definition(name)
    assert (near in caught.value.near) if near else True


def test_a_type_that_a_release_does_not_have_yet() -> None:
    assert engine.load("1.37").definition("io.k8s.api.core.v1.EphemeralContainer")
    with pytest.raises(UnknownDefinition):
        engine.load("1.15").definition("io.k8s.api.core.v1.EphemeralContainer")


def test_definition_is_not_a_kind() -> None:
    schema = engine.load("1.37").definition("io.k8s.api.core.v1.Container")
    assert (schema.api_version, schema.kind, schema.namespaced, schema.patch_types) == (None, None, None, None)
    assert repr(schema) == "<Schema core_v1.Container of 1.37>"
    pod = engine.load("1.37").schema("v1", "Pod")
    assert (pod.api_version, pod.kind, pod.namespaced, pod.release) == ("v1", "Pod", True, "1.37")
    assert repr(pod) == "<Schema v1 Pod of 1.37>"


def test_repr_of_tables() -> None:
    assert repr(engine.load("1.31")).startswith("<Tables of 1.31, ")


def test_swapped_kind_and_version_are_reported() -> None:
    with pytest.raises(UnknownKind, match=r"Did you mean Deployment of apps/v1\?$"):
        engine.load("1.31").schema("Deployment", "apps/v1")


def test_invalid_schema_gets_advice() -> None:
    with pytest.raises(engine.NotASchema, match=r"is a str\. Pass .* as returned by Tables\.schema \(engine\.load"):
        engine.apply({}, None, "1.31")  # type: ignore[arg-type]


def test_kinds_can_be_looked_up() -> None:
    tables = engine.load()
    assert DEPLOYMENT in tables
    assert ("apps/v1", "Nothing") not in tables
    assert "Deployment" not in tables
    assert tables.kinds() == sorted(tables.kinds())
    assert all(key in tables for key in tables.kinds())


def test_a_custom_resource_on_top_keeps_the_built_in_kinds() -> None:
    base = engine.load("1.30")
    before = base.kinds()
    whole = base.overlay(codegen.read(crd()))
    assert set(whole.kinds()) == {*before, ("test.example/v1", "Thing")}
    assert base.kinds() == before
    assert whole.release == "1.30"
    assert list(whole.schema(*DEPLOYMENT).walk()) == list(base.schema(*DEPLOYMENT).walk())
    rule = whole.schema("test.example/v1", "Thing").rule("metadata.ownerReferences")
    assert rule is not None
    assert rule.merge_key == "uid"
    with pytest.raises(UnknownKind):
        base.schema("test.example/v1", "Thing")


def test_the_metadata_of_a_custom_resource_is_that_of_the_release_below() -> None:
    """`initializers` were fields of ObjectMeta up to 1.15."""
    custom = codegen.read(crd())
    key = ("test.example/v1", "Thing")
    for release, there in (("1.12", True), ("1.37", False)):
        rule = engine.load(release).overlay(custom).schema(*key).rule("metadata.initializers")
        assert (rule is not None) is there, release
    assert custom.schema(*key).rule("metadata.initializers") is None, "on its own it takes the newest"


def test_overlay_does_not_change_lower_layers() -> None:
    """Types of the same name stay separate: each kind keeps the types that it came with."""
    pod_spec = {"type": "object", "properties": {"own": {"type": "string"}}}
    document = components(
        {
            "io.k8s.api.core.v1.PodSpec": pod_spec,
            "io.k8s.api.core.v1.Pod": {
                "type": "object",
                "properties": {"spec": {"$ref": "#/components/schemas/io.k8s.api.core.v1.PodSpec"}},
                "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Pod"}],
            },
            META: {"type": "object", "properties": {"name": {"type": "integer"}}},
        }
    )
    base = engine.load("1.30")
    before = {key: list(base.schema(*key).walk()) for key in (DEPLOYMENT, ("v1", "Pod"))}
    whole = base.overlay(codegen.read(document))
    assert [path for path, _ in whole.schema("v1", "Pod").walk()] == ["spec", "spec.own"]
    assert list(whole.schema(*DEPLOYMENT).walk()) == before[DEPLOYMENT]
    assert {key: list(base.schema(*key).walk()) for key in before} == before
    assert list(whole.definition("io.k8s.api.core.v1.PodSpec").type.fields) == ["own"]


def test_the_last_layer_is_on_top() -> None:
    first, second = (codegen.read(bundle(**{name: {"type": "string"}})) for name in ("first", "second"))
    base = engine.load("1.30")
    for layers, fields in (((first, second), ["second"]), ((second, first), ["first"])):
        whole = base
        for layer in layers:
            whole = whole.overlay(layer)
        assert list(whole.schema("test/v1", "Thing").type.fields) == fields
    nested = base.overlay(first.overlay(second))
    assert list(nested.schema("test/v1", "Thing").type.fields) == ["second"]
    assert DEPLOYMENT in nested
    assert nested.release == "1.30"


def test_a_kind_on_top_of_more_layers_than_the_recursion_limit_has_all_its_types() -> None:
    tables, other = engine.load(), codegen.read(crd(group="other.example"))
    for _ in range(2 * sys.getrecursionlimit()):
        tables = tables.overlay(other)
    schema = tables.overlay(codegen.read(crd())).schema("test.example/v1", "Thing")
    assert schema.rule("metadata.ownerReferences") == tables.schema("v1", "Pod").rule("metadata.ownerReferences")
    assert schema.patch_release == engine.load().patch_release


def test_another_release_can_be_an_overlay() -> None:
    both = engine.load("1.37").overlay(engine.load("1.15"))
    assert both.schema("extensions/v1beta1", "Deployment").rule("spec.template.spec.ephemeralContainers") is None
    assert (
        both.schema("batch/v1", "CronJob").rule("spec.jobTemplate.spec.template.spec.ephemeralContainers") is not None
    )


@pytest.mark.parametrize("other", [None, {}, "crd.yaml", object(), Tables])
def test_only_tables_can_be_overlaid(other: Any) -> None:
    with pytest.raises(TablesError, match="overlay"):
        engine.load().overlay(other)


def test_tables_of_one_document_have_no_release() -> None:
    tables = codegen.read(bundle())
    assert tables.release is None
    assert tables.schema("test/v1", "Thing").release is None
    with pytest.raises(UnknownKind) as caught:
        tables.schema("test/v1", "Thign")
    assert "Kubernetes" not in str(caught.value)
    assert caught.value.near == (("test/v1", "Thing"),)


def test_rule_is_immutable() -> None:
    rule = engine.load().schema(*DEPLOYMENT).rule("spec.template.spec.containers")
    assert rule is not None
    with pytest.raises(AttributeError):
        rule.merge_key = "x"
    with pytest.raises(AttributeError):
        del rule.kind
    with pytest.raises(AttributeError):
        setattr(rule, "more", 1)  # noqa: B010 - mypy knows that there is no such field
    assert isinstance(rule.strategies, tuple)
    assert isinstance(rule.map_keys, tuple)


EVERY_COLUMN = Rule("list", "a.B", "merge,retainKeys", "name", "map", ("name", "x"), 1, "granular", False, 1, 1)


@pytest.mark.parametrize("rule", [Rule("any"), EVERY_COLUMN, Rule("primitive", "string", default="TCP")])
def test_a_rule_can_be_pickled_compared_and_hashed(rule: Rule) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(rule, protocol))
        assert again == rule
        assert hash(again) == hash(rule)
        assert repr(again) == repr(rule)
    assert rule != Rule("list")
    assert rule != "Rule"


def test_all_rules_of_a_kind_survive_a_pickle() -> None:
    fields = list(engine.load().schema(*DEPLOYMENT).walk())
    assert pickle.loads(pickle.dumps(fields)) == fields


def test_threads_may_create_the_same_types_concurrently() -> None:
    """With new tables, so that no type was made before."""
    shared = engine.load("1.29")
    expected = list(shared.schema(*DEPLOYMENT).walk())
    for _ in range(5):
        fresh = Tables(shared._types.data, 29)
        barrier = threading.Barrier(8)
        results: list[Any] = []

        def work(tables: Tables = fresh, barrier: threading.Barrier = barrier, results: list[Any] = results) -> None:
            barrier.wait()
            results.append((list(tables.schema(*DEPLOYMENT).walk()), tables.schema("v1", "Pod").type))

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            threads = [threading.Thread(target=work) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        assert len(results) == 8
        assert all(fields == expected for fields, _ in results)
        assert len({id(type_) for _, type_ in results}) == 1


def test_type_is_made_on_first_use() -> None:
    touched: list[str] = []
    types = {"a": {"A": (("b", None, None, "map", "b.B"),)}, "b": {"B": (("c", None, None, "primitive", "string"),)}}

    def types_of(module: str) -> dict[str, Any]:
        touched.append(module)
        return types[module]

    tables = Tables(TableData([("v1", "A", None, None, "a.A")], {"a": "a", "b": "b"}, types_of))
    assert tables.kinds() == [("v1", "A")]
    assert touched == []
    schema = tables.schema("v1", "A")
    assert set(touched) == {"a"}
    assert schema.rule("b.c") is not None
    assert set(touched) == {"a", "b"}


def test_import_engine_imports_only_light_standard_modules(tmp_path: Path) -> None:
    program = (
        "import sys\nbefore = set(sys.modules)\nimport engine\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - {'engine'}))\n"
    )
    new = set(python(program, cwd=tmp_path).split())
    assert new <= sys.stdlib_module_names
    heavy = {"typing", "re", "json", "dataclasses", "inspect", "difflib", "logging", "email", "asyncio", "generated"}
    assert not new & heavy


def test_loading_and_walking_imports_only_tables(tmp_path: Path) -> None:
    program = (
        "import sys, engine\nlist(engine.load().schema('apps/v1', 'Deployment').walk())\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    found = set(python(program, cwd=tmp_path).split())
    assert found - {"generated", "engine", "sitecustomize"} - {name for name in found if name.startswith("__")} <= {
        *sys.stdlib_module_names,
        *sys.builtin_module_names,
        *(name for name in found if name.startswith(("_distutils", "_virtualenv", "distutils"))),
    }
    assert not found & {"yaml", "jinja2", "requests", "jsonschema", "click", "codegen", "kubemerge"}


def test_all_errors_have_one_base() -> None:
    for error in (TablesError, UnknownDefinition, UnknownKind, UnknownRelease, engine.BadFieldPath, codegen.SpecError):
        assert issubclass(error, MergeError)


@pytest.mark.parametrize(
    "kind", [[], {}, [[]], (), ("v1",), ("v1", []), (["v1"], "Pod"), None, 3, "v1 Pod", ["v1", "Pod"]]
)
def test_non_kinds_are_not_in_the_tables(kind: Any) -> None:
    assert kind not in engine.load()
    assert ("v1", "Pod") in engine.load()
