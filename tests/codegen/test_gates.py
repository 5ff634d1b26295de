"""Feature gates: Go source to a snapshot, and snapshots of several releases to rows with eras."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest

from codegen import SpecError, gates
from codegen.gates import Gate, Snapshot, fields_in, fields_of, gates_in, rows_of
from codegen.snapshots import load_sources
from codegen.sources.go_modules import GoModule
from generated.feature_gates import GATED_FIELDS, GATES

from ..conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

OLD = """
const (
	// owner: @someone
	// alpha: v1.20
	First featuregate.Feature = "First"
	second utilfeature.Feature = "TheSecond"
)

var defaultKubernetesFeatureGates = map[featuregate.Feature]featuregate.FeatureSpec{
	First:         {Default: true, PreRelease: featuregate.Beta}, // on by default in 1.22
	second:        {Default: false, PreRelease: featuregate.Alpha},
	// inherited features from generic apiserver
	genericfeatures.Third: {Default: true, PreRelease: featuregate.GA, LockToDefault: true},
}
"""
NEW = """
const Fourth featuregate.Feature = "Fourth"

var defaultVersionedKubernetesFeatureGates = map[featuregate.Feature]featuregate.VersionedSpecs{
	Fourth: {
		{Version: version.MustParse("1.31"), Default: false, PreRelease: featuregate.Alpha},
		// a comment between values
		{Version: version.MustParse("1.33"), PreRelease: featuregate.Beta, Default: true}, // and one behind
		{Version: version.MustParse("1.35"), Default: true, LockToDefault: true, PreRelease: featuregate.GA},
	},

	genericfeatures.Third: {
		{Version: version.MustParse("1.36"), Default: false, PreRelease: featuregate.Deprecated},
	},
}
"""


def source_module(text: str, name: str = "pkg/features/kube_features.go") -> GoModule:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(f"k8s.io/kubernetes@v1.33.0/{name}", text)
        archive.writestr("k8s.io/kubernetes@v1.33.0/pkg/features/other.go", 'const No featuregate.Feature = "No"')
    return GoModule("go:k8s.io/kubernetes@v1.33.0", data.getvalue())


def test_values_of_one_release() -> None:
    assert gates_in([source_module(OLD)], 22) == {
        "First": Gate("Beta", default=True),
        "TheSecond": Gate("Alpha", default=False),
        "Third": Gate("GA", default=True, locked=True),
    }


@pytest.mark.parametrize(
    ("minor", "wanted"),
    [
        (30, {}),
        (32, {"Fourth": Gate("Alpha", default=False)}),
        (33, {"Fourth": Gate("Beta", default=True)}),
        (37, {"Fourth": Gate("GA", default=True, locked=True), "Third": Gate("Deprecated", default=False)}),
    ],
)
def test_values_of_all_releases(minor: int, wanted: dict[str, Gate]) -> None:
    assert gates_in([source_module(NEW, "pkg/features/versioned_kube_features.go")], minor) == wanted


def test_a_locked_gate_may_be_off() -> None:
    row = '\tFirst: {\n\t\t{Version: version.MustParse("1.36"), Default: false, PreRelease: featuregate.Deprecated, '
    found = gates_in([source_module(f"{row}LockToDefault: true}},\n\t}},\n")], 37)
    assert found == {"First": Gate("Deprecated", default=False, locked=True)}


@pytest.mark.parametrize(("minor", "default"), [(37, False), (38, True)])
def test_a_release_is_compatible_with_the_one_before(minor: int, default: bool) -> None:
    rows = "".join(
        f'\t\t{{Version: version.MustParse("1.37"), Default: {on}, PreRelease: featuregate.Beta{compatible}}},\n'
        for on, compatible in (("false", ""), ("true", ', MinCompatibilityVersion: version.MustParse("1.37")'))
    )
    assert gates_in([source_module(f"\tFirst: {{\n{rows}\t}},\n")], minor) == {"First": Gate("Beta", default)}


def test_modules_inside_of_another() -> None:
    inside = source_module(OLD, "staging/src/k8s.io/apiserver/pkg/features/kube_features.go")
    assert gates_in([inside], 12).keys() == {"First", "TheSecond", "Third"}


TYPES = """
type PodSpec struct {
	// A comment.
	// +featureGate=First
	// +optional
	HostUsers *bool `json:"hostUsers,omitempty" protobuf:"bytes,1"`

	// No tag.
	OS *PodOS `json:"os,omitempty"`

	// Two of them, and words about +featureGate=Nothing in a sentence.
	// +featureGate=Third
	// +featureGate=Second
	Resources *ResourceRequirements `json:"resources,omitempty"`
}

// +featureGate=First
type Other struct {
	Name string `json:"name"`
}
"""


def test_fields_with_their_gates() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("k8s.io/api@v0.33.0/core/v1/types.go", TYPES)
        archive.writestr("k8s.io/api@v0.33.0/core/v1/other.go", TYPES.replace("PodSpec", "NoSpec"))
    modules = [GoModule("go:k8s.io/api@v0.33.0", data.getvalue()), source_module(TYPES, "core/v1/types.go")]
    fields = {"core_v1.PodSpec.hostUsers": ["First"], "core_v1.PodSpec.resources": ["Second", "Third"]}
    assert fields_in(modules) == fields
    assert fields_of([fields, {"core_v1.PodSpec.hostUsers": ["Fourth"]}]) == [
        ("core_v1.PodSpec", "hostUsers", "First"),
        ("core_v1.PodSpec", "hostUsers", "Fourth"),
        ("core_v1.PodSpec", "resources", "Second"),
        ("core_v1.PodSpec", "resources", "Third"),
    ]


def test_an_unknown_stage_is_an_error() -> None:
    with pytest.raises(SpecError, match="a stage: Alpha, Beta, GA, Deprecated"):
        gates_in([source_module(OLD.replace("featuregate.Beta", "featuregate.Gamma"))], 22)


def test_rows_have_eras() -> None:
    alpha, beta = Gate("Alpha", default=False), Gate("Beta", default=True)
    releases = {20: {"A": alpha, "B": beta}, 21: {"A": alpha}, 22: {"A": beta}}
    assert rows_of(releases) == [
        ("A", 20, 21, "Alpha", False, False),
        ("A", 22, None, "Beta", True, False),
        ("B", 20, 20, "Beta", True, False),
    ]


def test_a_release_is_added_and_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "go:k8s.io/kubernetes@v1.33.0"
    monkeypatch.setattr(gates, "module", lambda _: source_module(NEW))
    entry = gates.add(tmp_path, "1.33", source)
    assert load_sources(tmp_path / "gates") == [entry]
    assert gates.load(tmp_path) == {33: Snapshot({"Fourth": Gate("Beta", default=True)}, {})}
    gates.remake(entry)
    with pytest.raises(SpecError, match=r"the sha256 0+"):
        gates.add(tmp_path, "1.33", source, "0" * 64)
    monkeypatch.setattr(gates, "module", lambda _: source_module(OLD))
    with pytest.raises(SpecError, match="of the modules that SOURCES lists"):
        gates.remake(entry)
    monkeypatch.setattr(gates, "module", lambda _: source_module("package features"))
    with pytest.raises(SpecError, match="feature gates"):
        gates.add(tmp_path, "1.33", source)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("go:k8s.io/kubernetes@v1.33.0", True),
        ("go:k8s.io/kubernetes@v1.33.0 go:k8s.io/apiserver@v0.33.0", True),
        ("go:k8s.io/kubernetes@v1.33.0 go:k8s.io/apiserver@v0.33.0 go:k8s.io/api@v0.33.0", True),
        ("go:k8s.io/kubernetes@v1.33.0 go:k8s.io/api@v0.33.0", False),
        ("go:k8s.io/apiserver@v0.33.0", False),
        ("go:k8s.io/api@v0.33.0 go:k8s.io/apimachinery@v0.33.0 go:k8s.io/kubernetes@v1.33.0", False),
        ("go:k8s.io/kubernetes@v1.33.0 dump.json", False),
    ],
)
def test_sources_of_gates(source: str, wanted: bool) -> None:
    assert gates.is_source(source) is wanted


def test_the_rows_are_those_of_the_snapshots() -> None:
    releases = gates.load(ROOT / "openapi")
    assert len(releases) >= 31
    assert [*GATES] == rows_of({minor: one.gates for minor, one in releases.items()})
    assert [*GATED_FIELDS] == fields_of(one.fields for one in releases.values())
    assert min(len(one.gates) for one in releases.values()) >= 18
    assert min(len(one.fields) for minor, one in releases.items() if minor >= 21) >= 7
