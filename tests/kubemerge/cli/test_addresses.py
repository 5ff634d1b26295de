"""Passwords and tokens in the addresses given to a command never appear in its output or files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ...codegen.sample_specs import kubemerge
from ...codegen.sources.serving import body, serving
from ...conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = (ROOT / "examples" / "nginx" / "deployment.yaml").read_bytes()
ODD = b"{apiVersion: v1, kind: ConfigMap, metadata: {name: odd}, spec: {}}"
CRD = (ROOT / "examples" / "crds" / "backups.yaml").read_bytes()

REPORTS = ("json", "sarif", "junit", "github", "gitlab")
COMMANDS = {
    "merge": ("merge", "-v", "-f", "{config}"),
    "merge with live": ("merge", "-v", "-f", "{config}", "--live", "{config}", "--html", "{page}"),
    "why": ("why", "-v", "-f", "{config}", "--live", "{config}"),
    "diff": ("diff", "-v", "-f", "{config}", "--live", "{config}"),
    "lint": ("lint", "-v", "-f", "{config}"),
    "lint as JSON": ("lint", "-v", "-f", "{broken}", "-f", "{config}", "-o", "json"),
    "lint as SARIF": ("lint", "-f", "{odd}", "-o", "sarif"),
    "lint as JUnit": ("lint", "-f", "{odd}", "-o", "junit"),
    "lint as code quality": ("lint", "-f", "{odd}", "-o", "gitlab"),
    "lint as annotations": ("lint", "-f", "{odd}", "-o", "github"),
    "explain": ("explain", "-v", "backup", "--schema", "{crd}"),
    "compare": ("compare", "-v", "--left", "{crd}", "--right", "1.37", "--html", "{page}"),
    "compare as JSON": ("compare", "--left", "{crd}", "--right", "1.37", "-o", "json"),
    "a replay": ("compare", "1.30", "1.37", "-f", "{config}", "--html", "{page}"),
    "generate": ("generate", "--spec", "{crd}", "--out", "{out}"),
    "generate from what is not there": ("generate", "--spec", "{missing}", "--out", "{out}"),
    "a missing file": ("merge", "-f", "{missing}"),
    "a broken file": ("merge", "-f", "{broken}"),
    **{
        f"a broken file, {form}": ("lint", "-f", "{broken}", "-o", form)
        for form in ("json", "sarif", "junit", "github", "gitlab")
    },
    "an odd file": ("lint", "-f", "{odd}", "-o", "sarif"),
    "a missing schema": ("explain", "backup", "--schema", "{missing}"),
    "a side that is none": ("compare", "1.37", "nonsense@{crd}"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_what_is_secret_in_an_address_is_not_shown(
    words: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with serving() as served:
        secret = "?access_token=s3cret&sig=s3cret"
        given = {
            name: served.at(f"/{name}{secret}", *([body(data)] if data else [body(b"", 404)])).replace(
                "http://", "http://you:s3cret@"
            )
            for name, data in {"config": CONFIG, "crd": CRD, "missing": b"", "broken": b"a: [\n", "odd": ODD}.items()
        }
        files = {"page": str(tmp_path / "page.html"), "out": str(tmp_path / "mine")}
        kubemerge(*(word.format(**given, **files) for word in words))
        assert served.requests
    said = capfd.readouterr()
    written = [file.read_text() for file in tmp_path.rglob("*") if file.suffix in {".html", ".py"}]
    for text in (said.out, said.err, *written):
        assert "s3cret" not in text
    assert len(written) > ("{page}" in words) - 1
