"""A definition among the linted files is parsed and validated once, however often it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import MergeError
from kubemerge.apiserver.crd.definitions import check
from kubemerge.linting import definitions
from kubemerge.linting.definitions import DefinitionFiles, kinds_in

from ...codegen.sample_specs import kubemerge
from ...conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

CRD = (ROOT / "examples" / "crds" / "backups.yaml").read_text(encoding="utf-8")
OBJECT = "apiVersion: storage.example.com/v1\nkind: Backup\nmetadata: {name: NAME, namespace: x}\nspec: {}\n"


def _counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[object]:
    calls: list[object] = []
    real: Callable[..., Any] = getattr(module, name)

    def call(*given: Any) -> Any:
        calls.append(given)
        return real(*given)

    monkeypatch.setattr(module, name, call)
    return calls


def test_a_definition_is_parsed_and_validated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text(CRD)
    for name in ("b", "c"):
        (tmp_path / f"{name}.yaml").write_text(OBJECT.replace("NAME", name))
    monkeypatch.setenv("KUBEMERGE_NO_CACHE", "1")
    parsed = _counted(monkeypatch, definitions, "read_documents")
    validated = _counted(monkeypatch, check, "problems")
    kubemerge("lint", str(tmp_path), "--no-config")
    assert (len(validated), len([one for one in parsed if b"CustomResourceDefinition" in one[0]])) == (1, 1)  # type: ignore[index]


def test_the_error_of_a_damaged_file_follows_its_documents() -> None:
    data = f"{CRD}\n---\na: [\n".encode()
    files = DefinitionFiles([("a.yaml", data)])
    assert len(files.definitions) == 1
    for _ in range(2):  # parsed ahead, and parsed again
        found = files.documents(data, "a.yaml")
        assert next(found)[1]["kind"] == "CustomResourceDefinition"
        with pytest.raises(MergeError, match=r"^a\.yaml:"):
            next(found)


def test_kinds_are_found_in_yaml_and_json() -> None:
    assert kinds_in([("a", b"kind: A\n"), ("b", b'{"kind":"B"}'), ("c", b"kind: 'C'\nkinds: D\n")]) == {"A", "B", "C"}
