"""Bad input is a `SpecError` with the source, the place and the expected content, and nothing is written."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

import codegen
from codegen import SpecError
from codegen.documents import limits, yaml_scalars, yaml_text
from codegen.generating import files_of, write_package
from codegen.reading import read_facts
from codegen.sources.unpacked import unpack

from ..conftest import contents
from ..memory import allocated
from .sample_specs import bundle, changed, components, crd, kubemerge, release

if TYPE_CHECKING:
    from pathlib import Path

GOOD = json.dumps(bundle()).encode()

STRATEGIES = "merge, replace, retainKeys, or retainKeys beside one of the others, with a comma and no space"
SPECIFICATION = "an OpenAPI v2 or v3 document, a bundle of JSON Schemas, or a CustomResourceDefinition"

FILES: dict[str, tuple[str, bytes, str, str]] = {
    # by description: file name, its bytes, the expected content, a part of the actual content
    "an empty file": ("a.json", b"", "a specification", "nothing"),
    "only blanks": ("a.yaml", b" \n\t\n", "a specification", "nothing"),
    "only a byte order mark": ("a.json", b"\xef\xbb\xbf", "a specification", "nothing"),
    "HTML instead of JSON": ("a.json", b"<!DOCTYPE html><html>Sign in</html>", "JSON or YAML", "HTML"),
    "HTML behind blanks": ("a.json", b"\n\n  <html></html>", "JSON or YAML", "HTML"),
    "a text": ("a.json", b"404 page not found\n", SPECIFICATION, "a string"),
    "JSON that ends early": ("a.json", GOOD[:-5], "JSON", "line 1, column"),
    "two JSON documents": ("a.json", GOOD + GOOD, "JSON", "Extra data"),
    "JSON with a comma too many": ("a.json", b'{"definitions": {},}', "JSON", "line 1, column"),
    "JSON with NaN": ("a.json", b'{"definitions": NaN}', "JSON", "NaN"),
    "JSON with Infinity": ("a.json", b'{"definitions": -Infinity}', "JSON", "-Infinity"),
    "JSON with a number of 5,000 digits": ("a.json", b'{"a": ' + b"9" * 5000 + b"}", "JSON", "digits"),
    "YAML that is none": ("a.yaml", b"a: [1\nb: 2\n", "JSON or YAML", "line 2"),
    "YAML with a key twice": ("a.yaml", b"a: 1\nb: 2\na: 3\n", "JSON or YAML", "line 3, column 1: the key 'a'"),
    "YAML with a tab": ("a.yaml", b"a:\n\t- b\n", "JSON or YAML", "line 2, column 1"),
    "YAML with a control character": ("a.yaml", b"a: \x01\n", "JSON or YAML", "a control character"),
    "YAML that wants to run code": (
        "a.yaml",
        b"a: !!python/name:os.system x\n",
        "JSON or YAML",
        "line 1, column 4: a tag (!name)",
    ),
    "YAML with .inf": ("a.yaml", b"a: .inf\n", "JSON or YAML", ".inf"),
    "YAML with an unknown anchor": ("a.yaml", b"a: *b\n", "JSON or YAML", "an unknown anchor"),
    "YAML with an anchor inside of itself": ("a.yaml", b"a: &b [*b]\n", "JSON or YAML", "an unknown anchor"),
    "YAML with a mapping as a key": ("a.yaml", b"? {a: 1}\n: 2\n", "JSON or YAML", "key must be a scalar"),
    "YAML with null as a key": ("a.yaml", b"~: 2\n", "JSON or YAML", "key must be a scalar"),
    "YAML of an unknown version": ("a.yaml", b"%YAML 7.0\n---\na: 1\n", "JSON or YAML", "YAML document"),
    "no UTF-8": ("a.json", b'{"a": "\xff"}', "text in UTF-8", "offset 7"),
    "UTF-16": ("a.json", GOOD.decode().encode("utf-16"), "text in UTF-8", "offset 0"),
    "a NUL": ("a.json", b'{"a": "\0"}', "text", "a NUL character at offset 7"),
    "gzip that ends too early": ("a.json.gz", gzip.compress(GOOD)[:-9], "a whole gzip file", "a truncated file"),
    "gzip without its body": ("a.json.gz", gzip.compress(GOOD)[:10], "a whole gzip file", "a truncated file"),
    "damaged gzip": ("a.json.gz", gzip.compress(GOOD)[:10] + b"\xff" * 20, "gzip data", "damaged"),
    "gzip with a wrong checksum": ("a.json.gz", gzip.compress(GOOD)[:-8] + bytes(8), "gzip data", "damaged"),
    "two gzip files in one": ("a.json.gz", gzip.compress(GOOD) * 2, "one gzip file", "more data"),
    "gzip in gzip": ("a.json.gz", gzip.compress(gzip.compress(GOOD)), "text in UTF-8", "offset 1"),
    "HTML in gzip": ("a.json.gz", gzip.compress(b"<html>"), "JSON or YAML", "HTML"),
    "5,000 nested JSON objects": ("a.json", b'{"a":' * 5000 + b"1" + b"}" * 5000, "at most 200 nested levels", "more"),
    "100,000 nested JSON lists": ("a.json", b"[" * 100_000 + b"]" * 100_000, "at most 200 nested levels", "more"),
    "201 nested JSON lists": ("a.json", b"[" * 201 + b"]" * 201, "at most 200 nested levels", "more"),
    "5,000 nested YAML lists": ("a.yaml", b"a: " + b"[" * 5000, "at most 200 nested levels", "more"),
    "5,000 nested YAML sequences": ("a.yaml", b"- " * 5000 + b"1", "at most 200 nested levels", "more"),
    "5,000 nested YAML mappings": (
        "a.yaml",
        b"".join(b" " * n + b"a:\n" for n in range(5000)),
        "at most 200 nested levels",
        "more",
    ),
    "a YAML alias bomb": (
        "a.yaml",
        b"a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
        + b"".join(b"a%d: &a%d [%s]\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 9)),
        "JSON or YAML",
        "more than 2,000,000 values",
    ),
    "a YAML bomb of merge keys": (
        "a.yaml",
        b"a0: &a0 {k0: 1}\n"
        + b"".join(b"a%d: &a%d {k%d: [%s]}\n" % (n, n, n, b",".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 9)),
        "JSON or YAML",
        "more than 2,000,000 values",
    ),
    "a manifest": ("a.yaml", b"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", SPECIFICATION, "a 'Pod' object"),
    "an object of another kind": ("a.json", b'{"foo": 1, "bar": 2}', SPECIFICATION, "an object with 'foo', 'bar'"),
    "an empty object": ("a.json", b"{}", SPECIFICATION, "an object with no"),
    "a list": ("a.json", b"[{}]", SPECIFICATION, "a list"),
    "a number": ("a.json", b"1", SPECIFICATION, "an integer"),
    "nothing but comments": ("a.yaml", b"# nothing\n---\n# here\n", SPECIFICATION, "nothing"),
    "an empty List": ("a.yaml", b"kind: List\nitems: []\n", SPECIFICATION, "a 'List' object"),
    "the index of a server": (
        "a.json",
        b'{"paths": {"api/v1": {"serverRelativeURL": "/openapi/v3/api/v1"}}}',
        SPECIFICATION,
        "only the index",
    ),
}


@pytest.mark.parametrize("case", FILES.values(), ids=FILES)
def test_file_that_is_not_a_specification(case: tuple[str, bytes, str, str], tmp_path: Path) -> None:
    name, data, expected, found = case
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        codegen.read(file)
    error = caught.value
    assert (error.source, error.expected) == (str(file), expected)
    assert found in error.found
    assert str(file) in str(error)
    assert len(str(error).splitlines()) == 1


PATCHED = bundle(field={"type": "array", "items": {"type": "string"}})
FIELD = "/definitions/test.v1.Thing/properties/field"
V3 = components({"a.B": {"type": "object", "properties": {"field": {"type": "string"}}}})
GVK = "/definitions/test.v1.Thing/x-kubernetes-group-version-kind"
CRD = crd({"type": "object", "properties": {"spec": {"type": "object"}}})
OLD_CRD = {
    "apiVersion": "apiextensions.k8s.io/v1beta1",
    "kind": "CustomResourceDefinition",
    "spec": {
        "group": "test.example",
        "version": "v1",
        "names": {"kind": "Thing"},
        "validation": {"openAPIV3Schema": {"type": "object"}},
    },
}
CRD_LIST = {"kind": "List", "apiVersion": "v1", "items": [{"kind": "ConfigMap"}, CRD]}
THING_KIND = {"group": "test", "version": "v1", "kind": "Thing"}
PATHS = {
    **bundle(),
    "paths": {
        "/apis/test/v1/things/{name}": {"patch": {"consumes": [], "x-kubernetes-group-version-kind": THING_KIND}}
    },
}
PATCH = "/paths/~1apis~1test~1v1~1things~1{name}/patch"
TYPES = "the name of a JSON type, or a list of them"

SHAPES: list[tuple[dict[str, Any], str, Any, str, str]] = [
    # (a valid document, the changed pointer, the new value, the pointer of the error if different, the expected
    # content)
    (PATCHED, "/definitions", [], "", "an object"),
    (PATCHED, "/definitions", None, "", "an object"),
    (PATCHED, "/definitions/test.v1.Thing", 3, "", "a schema"),
    (PATCHED, "/definitions/test.v1.Thing", None, "", "a schema"),
    (PATCHED, "/definitions/test.v1.Thing/properties", [], "", "an object"),
    (PATCHED, "/definitions/test.v1.Thing/type", 7, "", TYPES),
    (PATCHED, "/definitions/test.v1.Thing/type", "struct", "", TYPES),
    (PATCHED, "/definitions/test.v1.Thing/type", ["object", "map"], "", TYPES),
    (PATCHED, FIELD, [], "", "a schema"),
    (PATCHED, FIELD + "/items", [], "", "a schema"),
    (PATCHED, FIELD + "/items", {"$ref": 3}, FIELD + "/items/$ref", "a string"),
    (PATCHED, FIELD + "/items", {"allOf": {}}, FIELD + "/items/allOf", "a list of schemas"),
    (PATCHED, FIELD + "/allOf", [3], FIELD + "/allOf/0", "a schema"),
    (PATCHED, FIELD + "/anyOf", [{"type": 3}], FIELD + "/anyOf/0/type", TYPES),
    (PATCHED, FIELD + "/oneOf", "x", "", "a list of schemas"),
    (PATCHED, FIELD + "/additionalProperties", [], "", "a schema"),
    (PATCHED, FIELD + "/additionalProperties", {"items": 3}, FIELD + "/additionalProperties/items", "a schema"),
    (PATCHED, FIELD + "/x-kubernetes-patch-strategy", 3, "", STRATEGIES),
    (PATCHED, FIELD + "/x-kubernetes-patch-strategy", "merge, retainKeys", "", STRATEGIES),
    (PATCHED, FIELD + "/x-kubernetes-patch-strategy", "", "", STRATEGIES),
    (PATCHED, FIELD + "/x-kubernetes-patch-strategy", "Merge", "", STRATEGIES),
    (PATCHED, FIELD + "/x-kubernetes-patch-strategy", ["merge"], "", STRATEGIES),
    (PATCHED, FIELD + "/x-kubernetes-patch-strategy", "merge,merge", "", STRATEGIES),
    (PATCHED, FIELD + "/x-kubernetes-patch-strategy", "merge,replace", "", STRATEGIES),
    (PATCHED, FIELD + "/x-kubernetes-patch-merge-key", 3, "", "the name of a field"),
    (PATCHED, FIELD + "/x-kubernetes-patch-merge-key", "", "", "the name of a field"),
    (PATCHED, FIELD + "/x-kubernetes-list-type", "unknown", "", "atomic, map or set"),
    (PATCHED, FIELD + "/x-kubernetes-list-type", True, "", "atomic, map or set"),
    (PATCHED, FIELD + "/x-kubernetes-list-map-keys", "name", "", "a list of names of fields"),
    (PATCHED, FIELD + "/x-kubernetes-list-map-keys", [], "", "a list of names of fields"),
    (PATCHED, FIELD + "/x-kubernetes-list-map-keys", ["a", 3], FIELD + "/x-kubernetes-list-map-keys/1", "a name"),
    (PATCHED, FIELD + "/x-kubernetes-list-map-keys", [""], FIELD + "/x-kubernetes-list-map-keys/0", "a name"),
    (PATCHED, FIELD + "/x-kubernetes-map-type", "struct", "", "atomic or granular"),
    (PATCHED, GVK, "Thing", "", "a list of group, version and kind"),
    (PATCHED, GVK, [{"group": "test", "kind": "Thing"}], "", "a list of group, version and kind"),
    (PATCHED, GVK, [{"group": 3, "version": "v1", "kind": "Thing"}], "", "a list of group, version and kind"),
    (PATCHED, GVK, [{"group": "test", "version": "v1", "kind": ""}], "", "a list of group, version and kind"),
    (V3, "/components", [], "", "an object"),
    (V3, "/components/schemas", [], "", "an object"),
    (V3, "/components/schemas/a.B/properties/field", "string", "", "a schema"),
    (V3, "/components/schemas/a.B/properties/field/x-kubernetes-list-type", "bag", "", "atomic, map or set"),
    (V3, "/paths", [], "", "an object"),
    (PATHS, "/paths", [], "", "an object"),
    (PATHS, PATCH, [], "", "an operation"),
    (PATHS, PATCH + "/consumes", "application/json", "", "a list of media types"),
    (PATHS, PATCH + "/consumes", [3], PATCH + "/consumes/0", "a string"),
    (PATHS, PATCH + "/requestBody", [], "", "an object"),
    (PATHS, PATCH + "/requestBody", {"content": []}, PATCH + "/requestBody/content", "an object"),
    (PATHS, PATCH + "/x-kubernetes-group-version-kind", "Thing", "", "a group, version and kind"),
    (CRD, "/spec", None, "", "an object with group and names"),
    (CRD, "/spec", {}, "/spec", "a field 'group'"),
    (CRD, "/spec/group", "", "", "a name"),
    (CRD, "/spec/group", 3, "", "a name"),
    (CRD, "/spec/names", {}, "/spec/names", "a field 'kind'"),
    (CRD, "/spec/names/kind", None, "", "a name"),
    (CRD, "/spec/scope", "namespaced", "", "Namespaced or Cluster"),
    (CRD, "/spec/scope", True, "", "Namespaced or Cluster"),
    (CRD, "/spec/versions", {}, "", "a list of versions"),
    (CRD, "/spec/versions", [], "/spec", "at least one version"),
    (CRD, "/spec/versions/0", "v1", "", "an object with a name"),
    (CRD, "/spec/versions/0/name", 1, "", "a name"),
    (CRD, "/spec/versions/0/schema", [], "", "an object with openAPIV3Schema"),
    (CRD, "/spec/versions/0/schema/openAPIV3Schema", [], "", "a schema"),
    (CRD, "/spec/versions/0/schema/openAPIV3Schema/properties/spec", 1, "", "a schema"),
    (CRD, "/spec/versions/0/schema/openAPIV3Schema/properties/spec/type", 1, "", TYPES),
    (CRD, "/spec/preserveUnknownFields", "no", "", "true or false"),
    (OLD_CRD, "/spec/version", 1, "", "a name"),
    (OLD_CRD, "/spec/validation", [], "", "an object with openAPIV3Schema"),
    (OLD_CRD, "/spec/validation/openAPIV3Schema/properties", [], "", "an object"),
    (CRD_LIST, "/items", {}, "", "a list"),
    (CRD_LIST, "/items/1/spec/group", 3, "", "a name"),
    (CRD_LIST, "/items/1/spec/versions/0/schema/openAPIV3Schema/properties", 3, "", "an object"),
]


@pytest.mark.parametrize(
    ("document", "pointer", "value", "at", "expected"), SHAPES, ids=[f"{row[1]}={row[2]!r}"[-70:] for row in SHAPES]
)
def test_a_document_of_the_wrong_shape(
    document: dict[str, Any], pointer: str, value: Any, at: str, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(changed(document, pointer, value)))
    with pytest.raises(SpecError) as caught:
        codegen.read(file)
    assert (caught.value.source, caught.value.pointer) == (str(file), at or pointer)
    assert caught.value.expected == expected
    assert f"{file}#{at or pointer}: expected {expected}" in str(caught.value)


@pytest.mark.parametrize("document", [PATCHED, V3, CRD, OLD_CRD, CRD_LIST], ids=["v2", "v3", "crd", "v1beta1", "list"])
def test_the_documents_that_are_changed_above_are_good(document: dict[str, Any]) -> None:
    assert codegen.read(document).kinds() is not None


THING = "/definitions/test.v1.Thing"
LOOP = {
    "definitions": {
        "a.A": {"$ref": "#/definitions/a.B"},
        "a.B": {"allOf": [{"$ref": "#/definitions/a.C"}]},
        "a.C": {"$ref": "#/definitions/a.A"},
    }
}
TWICE = bundle()
TWICE["definitions"]["test.v1.Other"] = TWICE["definitions"]["test.v1.Thing"]

MEANINGS: dict[str, tuple[dict[str, Any], str, str, str]] = {
    # by description: document, pointer, the expected content, a part of the actual content
    "a missing target of $ref": (
        bundle(a={"$ref": "#/definitions/test.v1.Missing"}),
        THING,
        "a definition 'test.v1.Missing', as in its $ref",
        "none",
    ),
    "a missing target inside of a list": (
        bundle(a={"type": "array", "items": {"$ref": "#/definitions/test.v1.Missing"}}),
        THING,
        "a definition 'test.v1.Missing', as in its $ref",
        "none",
    ),
    "a missing target inside of a map": (
        bundle(a={"type": "object", "additionalProperties": {"$ref": "#/definitions/test.v1.Missing"}}),
        THING,
        "a definition 'test.v1.Missing', as in its $ref",
        "none",
    ),
    "a reference into another file": (
        bundle(a={"$ref": "other.json#/definitions/test.v1.Thing"}),
        THING,
        "a definition 'other.json#/definitions/test.v1.Thing', as in its $ref",
        "none",
    ),
    "a reference into the file system": (
        bundle(a={"$ref": "file:///etc/passwd"}),
        THING,
        "a definition 'file:///etc/passwd', as in its $ref",
        "none",
    ),
    "a reference of a CRD": (
        crd({"type": "object", "properties": {"a": {"$ref": "#/definitions/A"}}}),
        "/spec/versions/0/schema/openAPIV3Schema",
        "a definition 'definitions/A', as in its $ref",
        "none",
    ),
    "references that lead in a circle": (LOOP, "/definitions/a.A", "a definition", "only lead to each other"),
    "a reference to itself": (
        {"definitions": {"a.A": {"$ref": "#/definitions/a.A"}}},
        "/definitions/a.A",
        "a definition",
        "only lead to each other",
    ),
    "two definitions that claim one kind": (
        TWICE,
        "/definitions/test.v1.Other",
        "one definition of test/v1 Thing",
        "two: test.v1.Thing and test.v1.Other",
    ),
    "a field without a name": (bundle(**{"": {"type": "string"}}), THING, "fields with names", "a field without"),
}


@pytest.mark.parametrize("case", MEANINGS.values(), ids=MEANINGS)
def test_a_document_that_contradicts_itself(case: tuple[dict[str, Any], str, str, str]) -> None:
    document, pointer, expected, found = case
    with pytest.raises(SpecError) as caught:
        codegen.read(document)
    assert (caught.value.source, caught.value.pointer, caught.value.expected) == ("document", pointer, expected)
    assert found in caught.value.found


def test_two_unequal_crds_of_a_folder_that_claim_one_kind(tmp_path: Path) -> None:
    """The remains of an update, which are ambiguous."""
    (tmp_path / "a.json").write_text(json.dumps(CRD))
    (tmp_path / "b.json").write_text(json.dumps(crd({"type": "object", "properties": {"other": {"type": "string"}}})))
    with pytest.raises(SpecError) as caught:
        codegen.read(tmp_path)
    assert caught.value.source == str(tmp_path / "b.json")
    assert caught.value.expected == "one definition of test.example/v1 Thing"
    (tmp_path / "b.json").write_text(json.dumps(CRD))
    assert codegen.read(tmp_path).kinds() == [("test.example/v1", "Thing")]


def test_an_error_in_a_folder_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(CRD))
    (tmp_path / "b.json").write_text(json.dumps(bundle(a={"$ref": "#/definitions/test.v1.Missing"})))
    with pytest.raises(SpecError) as caught:
        codegen.read(tmp_path)
    assert (caught.value.source, caught.value.pointer) == (str(tmp_path / "b.json"), THING)


PARSED: dict[str, tuple[Any, str, str]] = {
    "a number": (3, "int", "a path, an address"),
    "None": (None, "NoneType", "a path, an address"),
    "bytes": (b"{}", "bytes", "a path, an address"),
    "a set": ({"definitions"}, "set", "a path, an address"),
    "a list of nothing": ([], "", SPECIFICATION),
    "a list of a number": ([3], "document", SPECIFICATION),
    "a key that is a number": ({"definitions": {1: {}}}, "document", "keys that are strings"),
    "a field that is a number": (bundle(a={"properties": {1: {}}}), "document", "keys that are strings"),
    "a key that is None": ({None: {}}, "document", "keys that are strings"),
    "a schema that is a date": (bundle(a=datetime.date(2020, 1, 1)), "document", "a schema"),
    "a mark that is a tuple": (bundle(a={"x-kubernetes-list-map-keys": ("a",)}), "document", "a list of names"),
}


@pytest.mark.parametrize("case", PARSED.values(), ids=PARSED)
def test_parsed_document_that_is_not_json(case: tuple[Any, str, str]) -> None:
    document, source, expected = case
    with pytest.raises(SpecError) as caught:
        codegen.read(document)
    assert caught.value.source == source or not source
    assert caught.value.expected.startswith(expected)


def test_parsed_document_with_a_cycle() -> None:
    document: dict[str, Any] = {"definitions": {}}
    document["definitions"]["self"] = document
    with pytest.raises(SpecError, match="nested levels"):
        codegen.read(document)


def test_a_parsed_document_whose_parts_repeat_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """An alias bomb after `yaml.safe_load`: small in memory, but endless to walk."""
    monkeypatch.setattr("codegen.documents.limits.MAX_COLLECTIONS", 100_000)
    bomb: list[Any] = []
    for _ in range(100):
        bomb = [bomb, bomb]
    with pytest.raises(SpecError, match="objects and lists"):
        codegen.read({"definitions": {}, "x": bomb})


def test_a_document_as_deep_as_the_limit_is_read(tmp_path: Path) -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(95):
        schema = {"type": "object", "properties": {"a": schema}}
    tables = codegen.read(bundle(a=schema))
    assert tables.schema("test/v1", "Thing").rule("a" + ".a" * 95) is not None


def test_a_file_of_200_megabytes_is_refused_without_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as stream:
        stream.truncate(200 * 2**20)
    monkeypatch.setattr("codegen.sources.opening.read_at_most", lambda *_: pytest.fail("the file was read"))
    with pytest.raises(SpecError) as caught:
        codegen.read(file)
    assert (caught.value.source, caught.value.expected) == (str(file), "at most 128 MiB")


class Endless(io.RawIOBase):
    """Standard input that never ends; records the number of requested bytes."""

    asked = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        assert 0 < size <= limits.MAX_BYTES + 1
        Endless.asked += size
        return bytes(size)


def test_standard_input_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = Endless()

    monkeypatch.setattr("codegen.sources.opening.MAX_BYTES", 1000)
    monkeypatch.setattr("codegen.sources.unpacked.MAX_BYTES", 1000)
    monkeypatch.setattr(sys, "stdin", Stdin())
    with pytest.raises(SpecError, match="standard input: expected at most"):
        codegen.read("-")
    assert Endless.asked == 1001


def test_a_gzip_bomb_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    file = tmp_path / "bomb.json.gz"
    pack = gzip.compress(bytes(2**20), 9)
    file.write_bytes(gzip.compress(pack * 200, 9))  # small itself, with small contents
    with pytest.raises(SpecError):
        codegen.read(file)
    with gzip.open(file, "wb", 9) as stream:
        for _ in range(130):
            stream.write(bytes(2**20))
    assert file.stat().st_size < 2**18
    with pytest.raises(SpecError) as caught:
        codegen.read(file)
    assert caught.value.expected == "at most 128 MiB"


def test_no_more_of_a_gzip_bomb_is_unpacked_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.sources.unpacked.MAX_BYTES", 2**16)
    bomb = gzip.compress(bytes(2**24))

    def refuse() -> None:
        with pytest.raises(SpecError, match="expected at most"):
            unpack(bomb, "bomb")

    assert allocated(refuse).most < 2**20


PATHS_THAT_CANNOT_BE_READ = {
    "a missing file": "missing.json",
    "a name that is too long": "x" * 5000,
    "a lone surrogate": "\ud800.json",
    "a NUL": "a\0b.json",
    "a file as a folder": "file/below.json",
    "an empty name": "",
    "a folder without specifications": "empty",
}


@pytest.mark.parametrize("name", PATHS_THAT_CANNOT_BE_READ.values(), ids=PATHS_THAT_CANNOT_BE_READ)
def test_invalid_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "README.md").write_text("x")
    monkeypatch.chdir(tmp_path / "empty" if not name else tmp_path)
    with pytest.raises(SpecError) as caught:
        codegen.read(name)
    assert caught.value.pointer == ""


def test_names_of_a_specification_cannot_send_terminal_codes() -> None:
    name = "a.\x1b[2J\n\u202e\ud800"
    with pytest.raises(SpecError) as caught:
        codegen.read({"definitions": {name: {"properties": 3}}})
    assert caught.value.pointer == f"/definitions/{name}/properties"
    assert str(caught.value).isprintable()
    assert "\\x1b[2J\\n\\u202e\\ud800" in str(caught.value)


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize("text", ["a: \x01", "a: [", "\t- a", "a: b: c", "&a *a", "%X", "'", "? [a]\n: b", "[" * 999])
def test_bad_yaml_is_one_error_with_either_parser(loader: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    yaml = pytest.importorskip("yaml")
    if not hasattr(yaml, loader):
        pytest.skip("PyYAML was built without libyaml here")
    monkeypatch.setattr(yaml_text, "Loader", getattr(yaml, loader))
    with pytest.raises(yaml_scalars.YamlError) as caught:
        list(yaml_text.documents(text))
    assert "\n" not in str(caught.value)


BAD_FILES = {"no JSON": "{", "a wrong mark": json.dumps(changed(PATCHED, FIELD + "/x-kubernetes-patch-strategy", 3))}


@pytest.mark.parametrize("text", [*BAD_FILES.values(), json.dumps(LOOP), json.dumps(TWICE)])
def test_generate_leaves_the_old_tables_when_the_specification_is_bad(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "mine"
    write_package(package, files_of(read_facts(bundle(old={"type": "string"}))))
    before = contents(tmp_path / "mine")
    spec = tmp_path / "spec.json"
    spec.write_text(text)
    good = tmp_path / "good.json"
    good.write_bytes(GOOD)
    assert kubemerge("generate", "--spec", good, "--spec", spec, "--out", package) == 2
    assert contents(tmp_path / "mine") == before
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"kubemerge: {spec}")
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("text", [*BAD_FILES.values(), "", "<html>"])
def test_spec_add_leaves_the_snapshots_when_the_specification_is_bad(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "openapi"
    good = tmp_path / "good.json"
    good.write_text(json.dumps(release()))
    assert kubemerge("spec", "add", "1.37", "--from", good, "--openapi", folder) == 0
    before = contents(folder)
    bad = tmp_path / "bad.json"
    bad.write_text(text)
    for name in ("1.37", "1.38"):
        assert kubemerge("spec", "add", name, "--from", bad, "--openapi", folder) == 2
    assert contents(folder) == before
