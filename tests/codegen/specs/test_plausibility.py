"""Only the specification of the whole release can become its snapshot."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from codegen.snapshots import load_sources

from ...conftest import ROOT, contents, snapshot
from ..sample_specs import bundle, components, kubemerge, whole

if TYPE_CHECKING:
    from pathlib import Path

OPENAPI = ROOT / "openapi"


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the snapshots of some releases."""
    folder = tmp_path_factory.mktemp("openapi")
    kept = {"1.9", "1.12", "1.30", "1.36", "1.37"}
    for release in kept:
        shutil.copy(OPENAPI / f"{release}.json", folder)
    lines = (OPENAPI / "SOURCES").read_text().splitlines(keepends=True)
    (folder / "SOURCES").write_text("".join(line for line in lines if line.startswith("#") or line.split()[0] in kept))
    return folder


def of_group(*prefixes: str) -> dict[str, Any]:
    """The part of 1.37 in the document of a group."""
    definitions = {
        name: node
        for name, node in snapshot("1.37")["definitions"].items()
        if name.startswith(("io.k8s.apimachinery.", *(f"io.k8s.api.{prefix}." for prefix in prefixes)))
    }
    return {"openapi": "3.0.0", "components": {"schemas": definitions}}


PARTS: dict[str, tuple[dict[str, Any], str]] = {
    "of one group": (of_group("apps", "core"), "Job"),
    "of the core group": (of_group("core"), "Deployment"),
    "without a kind of Kubernetes": (bundle(a={"type": "string"}), "Namespace"),
    "without any kind": (components({"a.B": {"type": "object"}}), "Namespace"),
}


@pytest.mark.parametrize("case", PARTS.values(), ids=PARTS)
def test_part_of_a_release_is_rejected(
    case: tuple[dict[str, Any], str], some: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, missing = case
    if "components" in document:
        text = json.dumps(document).replace("#/definitions/", "#/components/schemas/")
    else:
        text = json.dumps(document)
    spec = tmp_path / "spec.json"
    spec.write_text(text)
    for folder in (some, tmp_path / "new"):
        before = contents(some)
        assert kubemerge("spec", "add", "1.38", "--from", spec, "--openapi", folder) == 2
        said = capsys.readouterr().err
        assert f"expected the specification of a whole release; found a part of one, without the kind {missing}" in said
        assert contents(some) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("release", "document"), [("1.38", "1.30"), ("1.38", "1.36"), ("1.6", "1.37"), ("1.10", "1.30"), ("1.30", "1.37")]
)
def test_document_of_another_release_is_rejected(
    release: str, document: str, some: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(some)
    source = OPENAPI / f"{document}.json"
    if (release, document) == ("1.30", "1.37"):  # the next release may be similar, later ones may not
        source = OPENAPI / "1.9.json"
        document = "1.9"
    assert kubemerge("spec", "add", release, "--from", source, "--openapi", some) == 2
    assert f"expected a specification of {release}; found one with the fields of {document}" in capsys.readouterr().err
    assert contents(some) == before


@pytest.mark.parametrize(
    ("release", "document"), [("1.38", "1.37"), ("1.37", "1.37"), ("1.31", "1.31"), ("1.8", "1.8"), ("1.10", "1.11")]
)
def test_document_similar_to_adjacent_releases_is_accepted(
    release: str, document: str, some: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "openapi"
    shutil.copytree(some, folder)
    assert kubemerge("spec", "add", release, "--from", OPENAPI / f"{document}.json", "--openapi", folder) == 0
    assert release in {entry.release for entry in load_sources(folder)}


def test_document_of_a_server_with_fewer_apis_is_accepted(some: Path, tmp_path: Path) -> None:
    """A server has no alpha versions unless they are enabled."""
    document = snapshot("1.37")
    off = ("resource.v1alpha3", "lifecycle.v1alpha1", "storagemigration.v1beta1", "coordination.v1alpha2")
    left = {name: node for name, node in document["definitions"].items() if not any(one in name for one in off)}
    assert len(left) < len(document["definitions"]) - 20
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({"definitions": left}))
    folder = tmp_path / "openapi"
    shutil.copytree(some, folder)
    assert kubemerge("spec", "add", "1.37", "--from", spec, "--openapi", folder) == 0


def test_first_release_of_a_folder_only_has_to_be_complete(tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(whole(components({"a.B": {"type": "object"}}))))
    assert kubemerge("spec", "add", "1.38", "--from", spec, "--openapi", tmp_path / "openapi") == 0


@pytest.mark.parametrize(("release", "document"), [("1.38", "1.31"), ("1.6", "1.37"), ("1.12", "1.9")])
def test_first_release_of_a_folder_is_compared_with_the_built_in_tables(
    release: str, document: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "openapi"
    assert kubemerge("spec", "add", release, "--from", OPENAPI / f"{document}.json", "--openapi", folder) == 2
    assert f"expected a specification of {release}; found one with the fields of {document}" in capsys.readouterr().err
    assert not folder.exists()
