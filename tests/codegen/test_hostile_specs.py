"""A specification is untrusted text that becomes Python files: no name in it becomes code or a path."""

from __future__ import annotations

import ast
import importlib
import itertools
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import codegen
import engine
from codegen import SpecError, names
from codegen.generating import files_of
from codegen.reading import read_facts

from ..conftest import clock, contents, needs_posix, python
from .sample_specs import crd, kubemerge, release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from engine import Tables

NASTY = {
    "a single quote": "a'b",
    "a double quote": 'a"b',
    "both quotes": "a'\"b",
    "triple quotes": "'''",
    "triple double quotes": '"""',
    "a docstring that ends": '"""\nimport os; os.system("touch hacked")\n"""',
    "a literal that ends": "')),}\n__import__('os').system('touch hacked')\n#",
    "code": "__import__('os').system('touch hacked')",
    "code without dots": "__import__('os')",
    "a newline": "a\nb",
    "a carriage return": "a\rb",
    "a form feed": "a\fb",
    "line separators": "a\u2028b\u2029c\u0085d",
    "a NUL": "a\0b",
    "an escape": "a\x1b[2Jb",
    "a backslash": "a\\",
    "a backslash and a newline": "a\\\n",
    "an escaped quote": "a\\'b",
    "an octal escape": "\\x27\\047\\N{APOSTROPHE}",
    "a path upwards": "../../x",
    "a path upwards on Windows": "..\\..\\x",
    "an absolute path": "/etc/passwd",
    "a drive": "C:\\x",
    "a stream of a file": "x:y",
    "a dot": ".",
    "two dots": "..",
    "a leading dot": ".x",
    "a trailing dot": "x.",
    "only blanks": "   ",
    "a blank": " ",
    "a tab": "\t",
    "a keyword": "class",
    "a soft keyword": "match",
    "None": "None",
    "init": "__init__",
    "main": "__main__",
    "index": "index",
    "Index": "INDEX",
    "con": "con",
    "NUL of Windows": "NUL",
    "a port": "com1",
    "types": "types",
    "TYPES": "TYPES",
    "a module of Kubernetes": "meta_v1",
    "a dunder": "__class__",
    "a number": "1",
    "minus": "-1",
    "an empty pair": "{}",
    "brackets": "[]",
    "a format": "{0.__class__} %s ${x}",
    "jinja": "{{ 7 * 7 }}",
    "a block of jinja": "{% include '/etc/passwd' %}{# x #}",
    "a bidirectional override": "a\u202eb\u2066c",
    "no width": "a\u200bb\ufeffc",
    "an emoji": "\U0001f680",
    "a lone surrogate": "\ud800",
    "a swapped pair": "\udc00\ud800",
    "umlauts": "Ünïcödé",
    "a dotless i": "ıİ",
    "a Kelvin sign": "\u212a",
    "full width": "\uff49\uff4e\uff44\uff45\uff58",
    "combining characters": "e\u0301",
    "a tilde of pointers": "a~1b~0c/d",
    "a percent": "a%2Fb",
    "a hash": "#/definitions/x",
    "the end of a page": "</script>",
    "10,000 characters": "x" * 10_000,
    "10,000 quotes": "'" * 10_000,
    "10,000 dots": "." * 10_000,
    "the name of a variant": "x~1",
    "a wildcard": "*",
}

SAFE = re.compile(r"[a-z][a-z0-9_]*\.py|__init__\.py")
numbers = itertools.count()


def hostile(name: str) -> dict[str, Any]:
    """A document that has the name in every place for names."""
    escaped = name.replace("~", "~0").replace("/", "~1")
    part = {"type": "object", "properties": {name: {"type": "string"}, "x": {"type": "string"}}}
    kind = [{"group": name, "version": name or "v1", "kind": name or "Kind"}]
    return {
        "info": {"title": name, "version": name},
        "definitions": {
            name: {**part, "description": name},
            f"{name}.x.y": {"type": "object", "additionalProperties": {"type": "array", "items": part}},
            f"io.k8s.api.{name}.v1.{name}": part,
            f"io.k8s.apimachinery.pkg.{name}.Y": part,
            f"test.{name}": {
                "type": "object",
                "x-kubernetes-group-version-kind": kind,
                "properties": {
                    name or "x": {"$ref": f"#/definitions/{escaped}"},
                    "list": {
                        "type": "array",
                        "items": part,
                        "x-kubernetes-patch-strategy": "merge",
                        "x-kubernetes-patch-merge-key": name or "x",
                        "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": [name or "x"],
                    },
                    "keyed": {
                        "type": "array",
                        "items": {"type": "object", "properties": {"k": {"type": "string", "default": name}}},
                        "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": ["k"],
                    },
                },
            },
        },
        "paths": {
            f"/apis/{name}/v1/things/{{name}}": {
                "patch": {"consumes": [name], "x-kubernetes-group-version-kind": kind[0]}
            }
        },
    }


def literals(text: str) -> None:
    """Raise an error for a module with anything but a docstring and names of literals."""
    text.encode("ascii")
    first, *rest = ast.parse(text).body
    assert isinstance(first, ast.Expr)
    assert isinstance(first.value, ast.Constant)
    for statement in rest:
        assert isinstance(statement, ast.Assign)
        assert all(isinstance(target, ast.Name) for target in statement.targets)
        ast.literal_eval(statement.value)


def facts_of_tables(tables: Tables) -> dict[str, Any]:
    """All facts of tables, to compare those in memory with printed ones."""
    kinds = {key: tables.schema(*key) for key in tables.kinds()}
    types = {name: tables.definition(name) for name in tables.definitions()}
    return {
        "kinds": {key: (one.type.name, one.namespaced, one.patch_types) for key, one in kinds.items()},
        "types": {name: (one.type.rule, dict(one.type.fields)) for name, one in types.items()},
        "walks": {name: list(one.walk()) for name, one in types.items()},
    }


def printed(document: Any, folder: Path) -> Tables:
    """The tables of a generated package, which is checked too."""
    spec = folder / "spec.json"
    spec.write_text(json.dumps(document))
    package = folder / f"printed{next(numbers)}"
    before = contents(folder)
    assert kubemerge("generate", "--spec", spec, "--out", package) == 0
    files = {name.partition("/")[2]: data for name, data in contents(folder).items() if name not in before}
    assert all(SAFE.fullmatch(name) for name in files)
    assert len({name.lower() for name in files}) == len(files)
    assert not {name.partition(".")[0] for name in files} & {"con", "nul", "aux", "prn", "com1"}
    for data in files.values():
        literals(data.decode("ascii"))
    importlib.invalidate_caches()
    return engine.load(package=package.name)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder that packages can be imported from."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in [module for module in sys.modules if module.startswith("printed")]:
        del sys.modules[module]


@pytest.mark.parametrize("name", NASTY.values(), ids=NASTY)
def test_a_nasty_name_stays_a_name(name: str, here: Path) -> None:
    document = hostile(name)
    found = printed(document, here)
    assert facts_of_tables(found) == facts_of_tables(codegen.read(document))
    schema = found.schema(f"{name}/{name}" if name else "v1", name)
    assert schema.type.fields["list"].merge_key == name
    assert schema.type.fields["list"].map_keys == (name,)
    assert name in schema.type.fields
    # A leading dot is not part of a name: `.x` and `x` are one type, and an error if they differ.
    assert {definition for definition in document["definitions"] if definition[0] != "."} <= {*found.definitions()}
    assert sorted(file.name for file in here.iterdir() if not file.name.startswith("printed")) == ["spec.json"]


def test_a_name_of_any_length_is_shortened() -> None:
    with pytest.raises(SpecError) as caught:
        codegen.read({"definitions": {"a" * 50_000: {"properties": {"b": {"$ref": []}}}}})
    assert len(str(caught.value)) < 600
    assert str(caught.value).endswith("/properties/b/$ref: expected a string; found []")


def test_an_empty_name(here: Path) -> None:
    document = hostile("")
    del document["definitions"][""]["properties"][""]
    for part in document["definitions"].values():
        for node in (part, part.get("additionalProperties", {}).get("items", {})):
            node.get("properties", {}).pop("", None)
    document["definitions"]["test."]["properties"]["list"]["items"]["properties"].pop("", None)
    found = printed(document, here)
    assert facts_of_tables(found) == facts_of_tables(codegen.read(document))
    assert set(document["definitions"]) <= {*found.definitions()}


@pytest.mark.parametrize("name", NASTY.values(), ids=NASTY)
def test_a_nasty_custom_resource(name: str, here: Path) -> None:
    document = crd(
        {"type": "object", "properties": {name: {"type": "string"}}},
        group=name,
        names={"kind": name},
        versions=[{"name": name, "schema": {"openAPIV3Schema": {"type": "object", "properties": {name: {}}}}}],
    )
    found = printed(document, here)
    assert facts_of_tables(found) == facts_of_tables(codegen.read(document))
    schema = found.schema(f"{name}/{name}", name)
    assert name in schema.type.fields
    metadata = schema.rule("metadata.finalizers")
    assert metadata is not None
    assert metadata.strategies == ("merge",)


PREFIXES = ["a.b", "a-b", "A.B", "a_b", "a__b", "_a.b_", "a b", "á.b", "a.b.", "..a.b", "1a.b", "types_1a.b", "index"]


def test_names_that_fold_to_one_file_get_files_of_their_own(here: Path) -> None:
    document = {
        "definitions": {
            f"{prefix}.Same": {"type": "object", "properties": {f"f{number}": {"type": "string"}}}
            for number, prefix in enumerate([*PREFIXES, *NASTY.values()])
        }
    }
    found = printed(document, here)
    for name, node in document["definitions"].items():
        assert list(found.definition(name).type.fields) == list(node["properties"])


@pytest.mark.parametrize("word", ["index", "con", "class", "nul", "import", "aux"])
def test_a_package_of_kubernetes_cannot_be_called_like_a_file_that_we_need(word: str, here: Path) -> None:
    document = {
        "definitions": {
            f"io.k8s.apimachinery.pkg.{word}.Thing": {"type": "object", "properties": {"a": {"type": "string"}}}
        }
    }
    found = printed(document, here)
    assert list(found.definition(f"io.k8s.apimachinery.pkg.{word}.Thing").type.fields) == ["a"]


def test_names_that_differ_only_by_a_leading_dot_are_rejected() -> None:
    fields = {"type": "object", "properties": {"a": {"type": "string"}}}
    with pytest.raises(SpecError, match="one description of a type"):
        codegen.read({"definitions": {"x": fields, ".x": {"type": "object"}}})


def test_group_named_meta_does_not_replace_object_meta(here: Path) -> None:
    schema = {"type": "object", "properties": {"mine": {"type": "string"}}}
    document = crd(group="meta", names={"kind": "ObjectMeta"})
    document["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema
    for tables in (codegen.read(document), printed(document, here)):
        rule = tables.schema("meta/v1", "ObjectMeta").rule("metadata.ownerReferences")
        assert rule is not None
        assert rule.merge_key == "uid"


@pytest.mark.parametrize("prefix", ["a.b", "A", "", "..", "x" * 500, "\ud800", "io.k8s.api.apps.v1", "\u212a"])
def test_module_name_does_not_depend_on_other_modules(prefix: str) -> None:
    alone = names.modules([prefix])[prefix]
    assert names.modules([prefix, "zzz.other", "io.k8s.api.core.v1"])[prefix] == alone
    assert SAFE.fullmatch(f"{alone}.py")
    assert len(alone) < 100


@given(some.lists(some.text(max_size=12), min_size=1, max_size=8))
def test_every_prefix_gets_a_safe_module(prefixes: list[str]) -> None:
    found = names.modules(prefixes)
    assert set(found) == set(prefixes)
    assert all(SAFE.fullmatch(f"{module}.py") and len(module) < 110 for module in found.values())
    assert found == names.modules(reversed(prefixes))


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60, deadline=None)
@given(some.text(alphabet=some.characters(), min_size=1, max_size=20))
def test_any_name_is_printed_as_a_literal(name: str) -> None:
    try:
        files = files_of(read_facts(hostile(name)))
    except SpecError:
        return
    for file, text in files.items():
        assert SAFE.fullmatch(file)
        literals(text)


def test_importing_a_generated_package_has_no_side_effects(tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    whole: dict[str, Any] = {"definitions": {}, "paths": {}}
    for number, name in enumerate(NASTY.values()):
        document = hostile(name)
        whole["paths"].update(document["paths"])
        for key, node in document["definitions"].items():
            if key.startswith("test."):
                node["x-kubernetes-group-version-kind"][0]["group"] += str(number)
            if not key.startswith("io.k8s."):
                whole["definitions"][key] = node
    spec.write_text(json.dumps(whole))
    assert kubemerge("generate", "--spec", spec, "--out", tmp_path / "mine") == 0
    before = contents(tmp_path)
    program = (
        "import sys, pathlib, importlib, os, builtins\n"
        "files = [*pathlib.Path('mine').glob('*.py')]\n"
        "before = set(sys.modules)\n"
        "for file in files: importlib.import_module('mine.' + file.stem)\n"
        "new = {name for name in set(sys.modules) - before if not name.startswith('mine')}\n"
        "print(sorted(new), len([name for name in sys.modules if name.startswith('mine.')]))\n"
    )
    said = python(program, cwd=tmp_path)
    assert re.fullmatch(r"\[\] [0-9]{2,}\n", said)
    assert contents(tmp_path) == before


@needs_posix
def test_a_snapshot_cannot_be_listed_as_another_release(tmp_path: Path) -> None:
    """The name of a file is written to SOURCES, in which each line is a snapshot."""
    spec = tmp_path / "a.json\n1.38 0 0 x.json"
    spec.write_text(json.dumps(release()))
    assert kubemerge("spec", "add", "1.37", "--from", spec, "--openapi", tmp_path / "openapi") == 2
    assert not (tmp_path / "openapi").exists()


@pytest.mark.parametrize(
    "name", ["../../x", "1.38/../../x", "1.38\n", "1.٣٨", "1.038", "2.1", "1.38.0", "v1.38", "", "1."]
)
def test_release_is_not_a_path(name: str, tmp_path: Path) -> None:
    spec = tmp_path / "a.json"
    spec.write_text(json.dumps(release()))
    assert kubemerge("spec", "add", name, "--from", spec, "--openapi", tmp_path / "openapi") == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.json"]


def a_chain_of_references(count: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {f"D{at}": {"$ref": f"#/definitions/D{at + 1}"} for at in range(count)}
    definitions[f"D{count}"] = {"type": "string"}
    return {"swagger": "2.0", "info": {"title": "x", "version": "1"}, "paths": {}, "definitions": definitions}


def test_a_chain_of_references_takes_time_by_its_length() -> None:
    def taken(count: int) -> float:
        document = a_chain_of_references(count)
        started = clock()
        codegen.read(document)
        return clock() - started

    short = min(taken(500) for _ in range(2))
    assert any(taken(4000) < 24 * short for _ in range(3))  # quadratic would be 64 times
