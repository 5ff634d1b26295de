"""Manifests as kubectl reads them. Every hazard in one is read or rejected in one line with its place."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.manifests.objects import BadManifest, by_id, manifests_in

from ...codegen.sample_specs import kubemerge
from ...conftest import ROOT
from ..objects import config_map

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
JSON = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}%s}'
OTHER = JSON.replace('"a"', '"b"') % ""


def objects(text: str | bytes) -> list[dict[str, Any]]:
    data = text.encode() if isinstance(text, str) else text
    return [manifest.content for manifest in manifests_in(data, "a.yaml")]


def names(text: str | bytes) -> list[str]:
    return [one["metadata"]["name"] for one in objects(text)]


# ---- scalars ------------------------------------------------------------------------------------------------------

DIGITS = "18446744073709551616"
THE_35_SCALARS: dict[str, Any] = {
    # those on which YAML libraries differ from kubectl
    "y": True,
    "Y": True,
    "n": False,
    "0o14": 12,
    "089": 89,
    "1e3": 1000,
    "1.0": 1,
    "1.": 1,
    "2001-01-01": "2001-01-01",
    "2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
    "12:30:45": "12:30:45",
    "1:30": "1:30",
    DIGITS: float(DIGITS),
    "!!binary aGk=": "hi",
    # those on which they agree, and people do not
    "yes": True,
    "on": True,
    "off": False,
    "No": False,
    "012": 10,
    "0777": 511,
    "0b11": 3,
    "1_000": 1000,
    "0x1F": 31,
    "1.10": 1.1,
    "9007199254740993": 9007199254740993,
    "1e400": "1e400",
    "~": None,
    "null": None,
    "true": True,
    "Off": False,
    '"yes"': "yes",
    "'012'": "012",
    "=": "=",
    "1.5e3": 1500,
    "-0": 0,
}


def test_there_are_35() -> None:
    assert len(THE_35_SCALARS) == 35


@pytest.mark.parametrize("scalar", THE_35_SCALARS)
def test_a_scalar_is_what_kubectl_makes_of_it(scalar: str) -> None:
    (found,) = objects(f"{HEAD}x: {scalar}\n")
    assert json.dumps(found["x"]) == json.dumps(THE_35_SCALARS[scalar])


def test_infinity_is_refused_as_by_kubectl() -> None:
    with pytest.raises(BadManifest, match=r"^a.yaml:5:4: \.inf is not a number that JSON supports"):
        objects(f"{HEAD}x: .inf\n")


# ---- what is read -------------------------------------------------------------------------------------------------

ITEMS = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
READ: dict[str, tuple[str | bytes, Sequence[str]]] = {
    "a document": (HEAD, "a"),
    "several": (f"{HEAD}---\n{HEAD.replace('name: a', 'name: b')}", "ab"),
    "empty ones between them": (f"---\n---\n# nothing\n---\n{HEAD}---\n...\n---\n", "a"),
    "a version of YAML": (f"%YAML 1.2\n---\n{HEAD}", "a"),
    "a file without a last line end": (HEAD.rstrip(), "a"),
    "nothing": ("", ""),
    "a comment": ("# only\n", ""),
    "an end of nothing": ("---\n...\n", ""),
    "line ends of Windows": (HEAD.replace("\n", "\r\n"), "a"),
    "a byte order mark": (b"\xef\xbb\xbf" + HEAD.encode(), "a"),
    "files with marks put together": (f"\ufeff{HEAD}---\n\ufeff{HEAD}\ufeff---\n{HEAD}", "aaa"),
    "a mark in JSON": ("\ufeff" + JSON % "", "a"),
    "JSON": (JSON % "", "a"),
    "JSON one after another": (JSON % "" + "\n" + OTHER + OTHER, "abb"),
    "JSON in a stream of YAML": (f"{JSON % ''}\n---\n{OTHER}\n---\n{HEAD}", "aba"),
    "JSON with tabs": ((JSON % "").replace(",", ",\n\t"), "a"),
    "tabs between things": (f"{HEAD}data:\t{{\n\ta:\tb\n}}\n", "a"),
    "a flow mapping, which is no JSON": ("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", "a"),
    "a List": (ITEMS, "a"),
    "a List in a List": (f"apiVersion: v1\nkind: List\nitems:\n- {ITEMS.replace(chr(10), chr(10) + '  ')}", "a"),
    "a List without items": ("apiVersion: v1\nkind: List\n", ""),
    "a List of null": ("apiVersion: v1\nkind: List\nitems: null\n", ""),
    "a typed list": ("apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n", "a"),
    "anchors and merge keys": (f"{HEAD}x: &x {{a: 1}}\ny: {{<<: *x, b: 2}}\n", "a"),
    "a long line": (f"{HEAD}x: {'a' * 3_000_000}\n", "a"),
    "an apiVersion of a group": (HEAD.replace("v1", "example.com/v1"), "a"),
}


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_it_is_read(case: tuple[str | bytes, Sequence[str]]) -> None:
    text, expected = case
    assert names(text) == list(expected)


def test_items_of_a_typed_list_say_what_they_are() -> None:
    (found,) = objects("apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: a}\n")
    assert (found["apiVersion"], found["kind"]) == ("apps/v1", "Deployment")


def test_a_number_with_many_digits_is_text_as_in_kubectl() -> None:
    (found,) = objects(f"{HEAD}x: {'9' * 1_000_000}\n")
    assert found["x"] == "9" * 1_000_000


def test_places_count_from_the_line_a_document_begins_in() -> None:
    text = f"# first\n{HEAD}---\n\n# second\n{HEAD}"
    assert [manifest.place for manifest in manifests_in(text.encode(), "a.yaml")] == ["a.yaml:2", "a.yaml:9"]
    text = f"{JSON % ''}\n\n{OTHER}"
    assert [manifest.place for manifest in manifests_in(text.encode(), "a.json")] == ["a.json:1", "a.json:3"]


def test_identity_is_group_kind_namespace_and_name() -> None:
    found = list(manifests_in(f"{HEAD}---\n{HEAD.replace('v1', 'v2')}".encode(), "a.yaml"))
    assert {manifest.id for manifest in found} == {("", "ConfigMap", "default", "a")}
    with pytest.raises(BadManifest, match=r"^a.yaml:6: configmap/a is also in a.yaml:1"):
        by_id(found)


# ---- rejected manifests -------------------------------------------------------------------------------------------

TAB = "a tab is used for indentation. Indent with spaces"
DEEP = "nested deeper than 200 levels. Keep the deep part as text"
TWICE = "occurs twice in one mapping. Remove one of them"
MANY = "more than 2,000,000 values or 200 MB of text after expansion of aliases. Split the document"
PAGE = "this is an HTML or XML page. Check the address and your permissions"
TEMPLATE = "this is a template. Render it first, for example with `helm template`, and pass the result"
NEEDS = "An object requires apiVersion, kind and metadata.name"
NO_OBJECT = "is not a Kubernetes object. Write a mapping with a kind"
NEITHER = "this is not a Kubernetes object, because it has neither apiVersion nor kind. Remove it"
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)

REFUSED: dict[str, tuple[str | bytes, str]] = {
    # text
    "a tab": (f"{HEAD}data:\n\ta: b\n", f"6:1: {TAB}"),
    "a tab behind spaces": (f"{HEAD}data:\n  \ta: b\n", f"6:3: {TAB}"),
    "a tab behind a dash": ("a:\n-\tb: 1\n\tc: 2\n", f"2:2: {TAB}"),
    "UTF-16": (HEAD.encode("utf-16"), "1:1: the encoding is UTF-16 or UTF-32. Save the file as UTF-8"),
    "UTF-16 without its mark": (
        HEAD.encode("utf-16-be"),
        "1:1: the encoding is UTF-16 or UTF-32. Save the file as UTF-8",
    ),
    "UTF-32": (HEAD.encode("utf-32"), "1:1: the encoding is UTF-16 or UTF-32. Save the file as UTF-8"),
    "bytes that are no UTF-8": (f"{HEAD}x: ä".encode() + b"\xff\n", "5:5: this is not UTF-8 text. Save"),
    "a NUL": (f"{HEAD}x: \0\n", "5:4: the file contains a NUL character, so it is not text. Use a YAML or JSON file"),
    "a control character": (f"{HEAD}x: ä\x01\n", "5:5: U+0001 is a control character"),
    "a colour": (f"{HEAD}x: \x1b[31m\n", "5:4: U+001B is a control character"),
    "a web page": ("<!DOCTYPE html>\n<html></html>\n", f"1: {PAGE}"),
    "another web page": ("\n<html>\n<body>a: b</body>", f"1: {PAGE}"),
    # YAML
    "a key twice": (f"{HEAD}x: {{a: 1, a: 2}}\n", f"5:11: the key 'a' {TWICE}"),
    "a quote that is not closed": (f'{HEAD}x: "a\ny: 1\n', "5:4: a quote is not closed. Close it"),
    "a bracket that is not closed": (f"{HEAD}x: [a\ny: 1\n", "6:2: a bracket is not closed, or a comma is missing."),
    "text that needs quotes": (f"{HEAD}x: @a\n", "5:4: unquoted text cannot start with '@' in YAML. Put it in quotes"),
    "a colon too many": (f"{HEAD}x: a: b\n", "5:5: a colon is not allowed here. Compare it"),
    "wrong indentation": (f"{HEAD} x: 1\n", "5:2: the indentation is inconsistent, or quotes or brackets are missing."),
    "a line has no colon": (f"{HEAD}x\ny: 1\n", "5:1: a line has no colon. Write `key: value`"),
    "a last line without a colon": (f"{HEAD}x\n", "5:1: a line has no colon. Write `key: value`"),
    "an end before the begin": ("...\n", "1:1: a value is missing. Add a value, or put the text in quotes"),
    "an unknown version of YAML": (f"%YAML 3.0\n---\n{HEAD}", "1:1: found incompatible YAML document. Correct"),
    "an unknown tag": (
        f"{HEAD}x: !x y\n",
        "5:4: a tag (!name) has no meaning in a Kubernetes document. If it is",
    ),
    "a mapping for a key": (f"{HEAD}? {{a: b}}\n: c\n", "5:3: a key must be a scalar, and not null. Correct"),
    "many brackets": ("[" * 10_000, f"1: {DEEP}"),
    "many braces": ("{a: " * 10_000, f"1:801: {DEEP}"),
    "many dashes": ("- " * 10_000, f"1:401: {DEEP}"),
    "deep by an alias": (f"{HEAD}x: &x {'[' * 150}{']' * 150}\ny: {'[' * 150}*x{']' * 150}\n", f"1: {DEEP}"),
    "an alias bomb": (BOMB, f"7:14: {MANY}"),
    "a bomb of long texts": (f"a: &a {'x' * 100_000}\nb: [{'*a, ' * 2_000}]\n", f"2:7989: {MANY}"),
    "a wide alias bomb": (f"a: &a [{'x,' * 100_000}]\nb: [{'*a,' * 100_000}]\n", f"2:59: {MANY}"),
    "an alias in itself": ("a: &a [*a]\n", "1:8: an alias (*name) refers to an unknown anchor. If"),
    "an unknown alias": (
        f"{HEAD}x: *a\n",
        "5:4: an alias (*name) refers to an unknown anchor. If it is a string, put",
    ),
    "a merge key with a number": (f"{HEAD}<<: 3\n", "5:5: a merge key (<<) requires a mapping or a list of mappings."),
    "a merge key with a list": (f"{HEAD}<<: [3]\n", "5:5: a merge key (<<) requires a mapping or a list of mappings."),
    # JSON
    "JSON with text behind it": (
        f"{JSON % ''} }}",
        "1:64: this is not JSON: Expecting value. Correct the syntax there",
    ),
    "JSON that ends early": (JSON[:30], "1:27: this is not JSON: Unterminated string starting at. Correct"),
    "JSON without a value": (
        '{"kind"\n"A"}',
        "2:1: this is not JSON: Expecting ':' delimiter. Correct the syntax there",
    ),
    "JSON with a comma too many": ('{"kind": "A",\n,}', "this is not JSON: "),
    "JSON with a key twice": (JSON % ',\n"kind":"A"', f"2:1: the key 'kind' {TWICE}"),
    "JSON with a key twice that YAML cannot read": (
        JSON % ',"x":"\\ud83d\\ude00","kind":""',
        " the key 'kind' occurs twice in one object. Remove one of them",
    ),
    "JSON with a number that is none": (JSON % ',"x":NaN,,', "1: this is not JSON: NaN is not a JSON number"),
    "JSON with a number of many digits": (JSON % f',"x":{"9" * 1_000_000}', "1: this is not JSON: the number 9999"),
    "deep JSON": ('{"a":' * 10_000, f"1: {DEEP}"),
    "JSON a bit too deep": (JSON % f',"x":{"[" * 200}{"]" * 200}', f"1: {DEEP}"),
    # templates
    "a template": (HEAD.replace("name: a", "name: {{ .Release.Name }}-a"), f"4:10: {TEMPLATE}"),
    "a template in control": (f"{{{{- if .Values.x }}}}\n{HEAD}{{{{- end }}}}\n", f"1:3: {TEMPLATE}"),
    "a template in JSON": (JSON % ',"x":{{ .x }}', f"1:68: {TEMPLATE}"),
    "a template for a mapping": (f"{HEAD}data:\n  {{{{- toYaml .Values.x | nindent 4 }}}}\n", f"6:5: {TEMPLATE}"),
    "a template of Jinja": (f"{HEAD}{{% if x %}}\nx: 1\n{{% endif %}}\n", f"5:2: {TEMPLATE}"),
    # objects
    "text": ("hello\n", f"1: text {NO_OBJECT}"),
    "a number": ("---\n3\n", f"2: a number {NO_OBJECT}"),
    "a list": (f"{HEAD}---\n- a\n", f"6: a list {NO_OBJECT}"),
    "values of a chart": ("image:\n  tag: x\n", f"1: {NEITHER}"),
    "a kustomization without a kind": ("resources:\n- a.yaml\n", f"1: {NEITHER}"),
    "a kustomization": (
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n",
        "1: Kustomization is a kustomize file. Build it with `kubectl kustomize` and pass the result",
    ),
    "no kind": ("apiVersion: v1\nmetadata: {name: a}\n", f"1: the document has no kind. {NEEDS}"),
    "no apiVersion": ("kind: Pod\nmetadata: {name: a}\n", f"1: Pod has no apiVersion. {NEEDS}"),
    "no metadata": ("apiVersion: v1\nkind: Pod\nmetadata:\n", f"1: Pod has no metadata. {NEEDS}"),
    "no name": (HEAD.replace("name: a", "labels: {}"), "1: ConfigMap has no metadata.name. Add one"),
    "a number for a kind": (HEAD.replace("ConfigMap", "3"), f"1: the document has a number as kind. {NEEDS}"),
    "a list for a kind": (HEAD.replace("ConfigMap", "[]"), f"1: the document has a list as kind. {NEEDS}"),
    "an apiVersion with too many parts": (
        HEAD.replace("v1", "a/b/c"),
        "1: the apiVersion 'a/b/c' of ConfigMap is invalid",
    ),
    "a number for a name": (HEAD.replace(": a", ": 12"), "1: metadata.name of ConfigMap is a number. Put it in"),
    "a boolean for a namespace": (f"{HEAD}  namespace: y\n", "1: metadata.namespace of ConfigMap is a boolean. Put"),
    "a list for labels": (f"{HEAD}  labels: [a]\n", "1: metadata.labels of ConfigMap is a list. Write a mapping"),
    "a text for annotations": (f"{HEAD}  annotations: a\n", "1: metadata.annotations of ConfigMap is text. Write a"),
    "an item that is null": (f"{ITEMS}- null\n", f"1: items[1]: null {NO_OBJECT}"),
    "an item without a kind": (f"{ITEMS}- {{metadata: {{name: b}}}}\n", f"1: items[1]: {NEITHER}"),
    "an item of a typed list": (ITEMS.replace("List", "ConfigMapList") + "- 3\n", f"1: items[1]: a number {NO_OBJECT}"),
    "an item in an item": (
        "kind: List\nitems:\n- kind: List\n  items: [3]\n",
        f"1: items[0].items[0]: a number {NO_OBJECT}",
    ),
    "a mapping for items": ("kind: List\nitems: {a: 1}\n", "1: the items of List are a mapping. Write a list"),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_in_one_line(
    case: tuple[str | bytes, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text, message = case
    Path("a.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    began = time.process_time()
    assert kubemerge("merge", "-q", "-f", "a.yaml") == 2
    assert time.process_time() - began < 3
    (said,) = capsys.readouterr().err.splitlines()
    assert message in said
    assert said.startswith("kubemerge: a.yaml:")
    assert said.isprintable()


def test_objects_before_a_bad_one_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(f"{HEAD}---\nhello\n", encoding="utf-8")
    assert kubemerge("merge", "-q", "-f", "a.yaml", "-o", "name") == 2
    assert capsys.readouterr() == ("configmap/a\n", f"kubemerge: a.yaml:6: text {NO_OBJECT}\n")


# ---- much to read -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_10_000_documents() -> None:
    text = "---\n".join(HEAD.replace("name: a", f"name: a{index}") for index in range(10_000))
    assert len({manifest.id for manifest in manifests_in(text.encode(), "a.yaml")}) == 10_000
    stream = "\n".join(json.dumps(config_map(f"a{index}")) for index in range(10_000))
    assert len({manifest.id for manifest in manifests_in(stream.encode(), "a.json")}) == 10_000


A_LARGE_FILE = r"""
from kubemerge.manifests.objects import manifests_in
from tests.kubemerge.manifests.test_objects import HEAD
from tests.memory import peak
one = HEAD + "data:\n" + "".join(f"  key-{index}: some text for the value of it\n" for index in range(100))
data = (one + "---\n").encode() * (100_000_000 // (len(one) + 4))
assert sum(1 for _ in manifests_in(data, "a.yaml")) == data.count(b"---")
assert peak() < 10 * len(data), peak() / len(data)
"""


@pytest.mark.slow
def test_100_mb_in_two_minutes_and_ten_times_the_memory() -> None:
    began = time.process_time()
    subprocess.run([sys.executable, "-c", A_LARGE_FILE], check=True, cwd=ROOT)
    assert time.process_time() - began < 120
