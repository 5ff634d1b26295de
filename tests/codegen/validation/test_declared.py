"""Declared validation: Go modules to a snapshot, and snapshots of several releases to rows with eras."""

from __future__ import annotations

import hashlib
import io
import zipfile
from typing import TYPE_CHECKING

import pytest

from codegen import SpecError
from codegen.snapshots import load_sources
from codegen.sources.go_modules import GoModule, module, proxies
from codegen.validation import declared
from codegen.validation.declared import DeclaredValidation, declared_in
from codegen.validation.rows import rows_of

from ..sources.serving import body, serving

if TYPE_CHECKING:
    from pathlib import Path

TYPES = """package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	other "k8s.io/api/other/v1"
)

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +k8s:supportsSubresource="/status"

// Thing is a thing.
type Thing struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	// Spec says what is wanted; +k8s:required in the middle of a line is no tag.
	Spec ThingSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
}

type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items []Thing `json:"items"`
}

type ThingSpec struct {
	Inner `json:",inline"`
	// +k8s:beta(since: "1.37")=+k8s:maxLength=63
	// +k8s:beta(since: "1.37")=+k8s:required
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// +k8s:optional
	// +default="Equal"
	Mode Mode `json:"mode,omitempty"`
	// +k8s:eachVal=+k8s:format=k8s-short-name
	// +k8s:optional
	// +k8s:maxItems=2 # the most that there may be
	Names []other.Label `json:"names,omitempty"`
	Plain string `json:"plain,omitempty"`
	// +k8s:optional
	// +default=0
	Count int32 `json:"count"`
}

type Inner struct {
	// +k8s:alpha(since: "1.37")=+k8s:minimum=0
	Size *int64 `json:"size,omitempty"`
}

// +k8s:enum
type Mode string

const (
	Equal Mode = "Equal"
	Exists = Mode("Exists")
	Also Mode = other.Renamed
)
"""
OTHER = 'package v1\n\ntype Label string\n\nconst Renamed = Label("Elsewhere")\n'
STRATEGY = """
type strategy struct {
	rest.DeclarativeValidation
}

func (strategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	thing := obj.(*core.Thing)
"""
API, MACHINERY, SERVER = "go:k8s.io/api@v0.37.1", "go:k8s.io/apimachinery@v0.37.1", "go:k8s.io/kubernetes@v1.37.1"


def zipped(source: str, **files: str) -> GoModule:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{source.removeprefix('go:')}/{name}", text)
    return GoModule(source, data.getvalue())


MODULES = [
    zipped(API, **{"core/v1/types.go": TYPES, "other/v1/types.go": OTHER, "core/v1/zz_generated.go": "+k8s:"}),
    zipped(MACHINERY, **{"pkg/apis/meta/v1/types.go": "package v1\n"}),
    zipped(SERVER, **{"pkg/registry/core/thing/strategy.go": STRATEGY, "pkg/registry/core/none/strategy.go": "x"}),
]
CORE = "io.k8s.api.core.v1"


@pytest.fixture
def found() -> DeclaredValidation:
    return declared_in(MODULES)


def test_snapshot_contains_tagged_types_and_their_parents(found: DeclaredValidation) -> None:
    assert found.enforced == ["core.Thing"]
    assert sorted(found.types) == [f"{CORE}.{name}" for name in ("Inner", "Mode", "Thing", "ThingSpec")]
    assert found.types[f"{CORE}.Thing"] == {
        "fields": [["spec", f"{CORE}.ThingSpec", []]],
        "tags": ['supportsSubresource="/status"'],
    }
    assert found.types[f"{CORE}.Mode"] == {"tags": ["enum"], "values": ["Elsewhere", "Equal", "Exists"]}
    assert found.types[f"{CORE}.ThingSpec"]["fields"][0] == ["", f"{CORE}.Inner", []]


def test_rows_are_in_the_order_of_evaluation(found: DeclaredValidation) -> None:
    rows = rows_of({37: found}, {37: {f"{CORE}.Thing", f"{CORE}.ThingSpec"}}, {CORE: "core_v1"}, [36, 37])
    assert rows.kinds == [("core", "Thing", 37, None)]
    assert rows.types["core_v1"]["ThingSpec"] == [
        (".", 37, None, None, "type", "core_v1.Inner"),
        ("name", 37, None, None, "type", "string"),
        ("name", 37, None, 37, "required"),
        ("name", 37, None, 37, "maxLength", 63),
        ("mode", 37, None, None, "type", "core_v1.Mode~string"),
        ("mode", 37, None, 37, "required"),
        ("names", 37, None, None, "type", "[]~string"),
        ("names", 37, None, 37, "maxItems", 2),
        ("names", 37, None, 37, "optional"),
        ("names", 37, None, 37, "eachVal", ("format", "k8s-short-name")),
        ("count", 37, None, None, "type", "int32"),
    ]
    assert rows.types["core_v1"]["Inner"][1] == ("size", 37, None, None, "minimum", 0)


def test_rule_counts_since_its_enforcing_release(found: DeclaredValidation) -> None:
    name = f"{CORE}.ThingSpec"

    def release(*tags: str, enforced: bool = True) -> DeclaredValidation:
        return DeclaredValidation(["core.Thing"] if enforced else [], {name: {"fields": [["name", "string", [*tags]]]}})

    releases = {
        34: release("required", enforced=False),
        35: release("required", enforced=False),
        36: release('alpha(since: "1.36")=+k8s:required', "minimum=1"),
        37: release('beta(since: "1.37")=+k8s:required'),
    }
    rows = rows_of(releases, dict.fromkeys(releases, (name,)), {CORE: "core_v1"}, [33, 34, 35, 36, 37])
    expected = [
        ("name", 34, None, None, "type", "string"),
        ("name", 34, None, 37, "required"),
        ("name", 36, 36, 36, "minimum", 1),
    ]
    assert rows.types["core_v1"]["ThingSpec"] == expected
    later = rows_of(releases, dict.fromkeys(releases, (name,)), {CORE: "core_v1"}, [33, 34, 35, 36, 37, 38])
    assert later == rows, "a newer release without a snapshot has the same rules"


def test_modules_come_from_the_proxy_and_are_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        monkeypatch.setenv("GOPROXY", f"{server.address}/empty,{server.address}|direct,https://never.invalid")
        for one in MODULES:
            name, _, version = one.source.removeprefix("go:").partition("@")
            server.at(f"/{name}/@v/{version}.zip", body(one.data))
        entry = declared.add(tmp_path, "1.37", f"{API} {MACHINERY} {SERVER}")
        assert load_sources(tmp_path / "validation") == [entry]
        assert declared.load(tmp_path)[37] == declared_in(MODULES)
        declared.remake(entry)
        other = zipped(API, **{"core/v1/types.go": TYPES.replace("63", "64"), "other/v1/types.go": OTHER})
        server.at("/k8s.io/api/@v/v0.37.1.zip", body(other.data))
        with pytest.raises(SpecError, match=f"expected the sha256 {entry.source_sha256} of the modules"):
            declared.remake(entry)
    pinned = "\n".join(hashlib.sha256(one.data).hexdigest() for one in MODULES)
    assert entry.source_sha256 == hashlib.sha256(pinned.encode()).hexdigest()


def test_edited_snapshot_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declared, "module", dict(zip((API, MACHINERY, SERVER), MODULES, strict=True)).__getitem__)
    declared.add(tmp_path, "1.37", f"{API} {MACHINERY} {SERVER}")
    file = tmp_path / "validation/1.37.json"
    file.write_text(file.read_text().replace("63", "64"))
    with pytest.raises(SpecError, match=r"1\.37\.json: expected the sha256"):
        declared.load(tmp_path)


def test_proxies_come_from_goproxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOPROXY", raising=False)
    assert proxies() == []
    with pytest.raises(SpecError, match="expected a module proxy in GOPROXY"):
        module(API)
    monkeypatch.setenv("GOPROXY", "https://a.example/,https://b.example|off,https://c.example")
    assert proxies() == ["https://a.example", "https://b.example"]


@pytest.mark.parametrize("source", ["go:k8s.io/api", "go:@v1", "go:k8s.io/api@latest", "go:k8s.io/a b@v1.0.0"])
def test_a_module_needs_a_path_and_a_version(source: str) -> None:
    with pytest.raises(SpecError, match="expected go:MODULE@VERSION"):
        module(source)


def test_a_broken_zip_file_names_its_module() -> None:
    with pytest.raises(SpecError, match="go:a@v1: expected a zip file that can be read"):
        list(GoModule("go:a@v1", b"PK but no more").files(lambda _: True))


def test_upper_case_letters_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        monkeypatch.setenv("GOPROXY", server.address)
        server.at("/github.com/!azure/x/@v/v1.0.0.zip", body(b"data"))
        assert module("go:github.com/Azure/x@v1.0.0").data == b"data"
