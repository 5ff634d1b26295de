"""The bridge's result for the page: the output of the command line, and the reasons beside the lines."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from engine import releases
from playground import bridge

from .cases import REFUSED, merged

if TYPE_CHECKING:
    from pathlib import Path

MERGED = merged()
DEPLOYMENT_TEXT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
DEPLOYMENT = "A field that was dropped, and a sidecar"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answered(part: str, case: dict[str, Any]) -> dict[str, Any]:
    """One part of the response."""
    found: dict[str, Any] = json.loads(bridge.answer(part, json.dumps(case)))
    return found


def in_a_process(words: list[str]) -> tuple[int, str, str]:
    """The output of the command itself, on the files that the bridge has left."""
    done = subprocess.run([sys.executable, "-m", "kubemerge", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", [*MERGED][:8])
def test_a_patch_is_that_of_the_command(name: str) -> None:
    found = answered("patch", MERGED[name])
    assert (found["code"], found["out"], found["err"]) == in_a_process(found["words"])


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_in_the_same_words(name: str) -> None:
    found = answered("patch", {"config": REFUSED[name]})
    assert found["code"] == 2
    assert found["err"].startswith("kubemerge: config.yaml:")
    assert (found["code"], found["out"], found["err"]) == in_a_process(found["words"])


def test_what_no_release_can_read_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, runs = bridge.ran, list[list[str]]()

    def ran(words: list[str]) -> dict[str, Any]:
        runs.append(words)
        return whole(words)

    monkeypatch.setattr(bridge, "ran", ran)
    for name, text in REFUSED.items():
        case = {"config": DEPLOYMENT_TEXT, "live": text}
        found = [answered(f"release:{release}", case) for release in ("1.30", "1.31", "1.32")]
        assert len(runs) == 1, name
        assert found[0]["problem"] == in_a_process(runs.pop())[2]
        assert found.count(found[0]) == 3


def test_each_reason_stands_beside_its_line() -> None:
    found = answered("result", MERGED[DEPLOYMENT])
    rows = {
        found["rows"][row]["path"]: found["out"].splitlines()[int(line) - 1] for line, row in found["beside"].items()
    }
    assert rows["spec.replicas"] == "  replicas: 2"
    assert rows["spec.template.spec.containers[name=nginx].image"] == "      - image: nginx:1.16.1"
    assert rows["spec.template.spec.containers[name=log-agent]"] == "      - image: log-agent:3"
    assert "spec.minReadySeconds" not in rows, "it is gone, so there is no line"


def test_a_text_that_is_emptied_leaves_no_file(tmp_path: Path) -> None:
    assert answered("patch", MERGED[DEPLOYMENT])["err"].strip().endswith("configured")
    assert answered("patch", {**MERGED[DEPLOYMENT], "live": " \n"})["err"].strip().endswith("created")
    assert {path.name for path in tmp_path.iterdir()} == {"config.yaml"}


def test_owners_of_a_server_side_apply_are_those_after_it() -> None:
    forced = {**MERGED[DEPLOYMENT], "server": True, "manager": "me", "force": True}
    found = answered("owners", forced)
    assert found["code"] == 0
    assert any(line.split("  # ")[-1].startswith("me") for line in found["out"].splitlines() if "image: nginx" in line)
    assert "no managedFields" in answered("owners", MERGED[DEPLOYMENT])["err"]
    assert answered("owners", {"config": forced["config"]})["words"] == []


def test_lint_tells_its_findings() -> None:
    found = answered("lint", MERGED["Two ports with one number"])
    assert "KM022" in {one["code"] for one in found["findings"]}


BACKUP = "apiVersion: storage.example.com/v1\nkind: Backup\nmetadata: {name: a, namespace: b}\nspec: {schedule: 5}\n"


def test_definitions_are_the_rules_of_custom_resources() -> None:
    case = {"config": BACKUP, "release": "1.31"}
    assert "no schema" in answered("patch", case)["err"]
    defined = {**case, "definitions": MERGED["A custom resource, by its definition"]["definitions"]}
    found = answered("patch", defined)
    assert (found["code"], "no schema" in found["err"]) == (0, False)
    assert (found["code"], found["out"], found["err"]) == in_a_process(found["words"])
    assert "KM104" in {one["code"] for one in answered("lint", defined)["findings"]}
    owned = answered("owners", {**defined, "config": BACKUP.replace("5", "daily"), "server": True, "manager": "me"})
    assert owned["words"][-4:] == ["--schema", "definitions.yaml", "-o", "yaml"]


def test_definitions_may_stand_beside_the_config() -> None:
    definition = MERGED["A custom resource, by its definition"]["definitions"]
    found = answered("patch", {"config": f"{definition}\n---\n{BACKUP}", "release": "1.31"})
    assert (found["code"], "no schema" in found["err"]) == (0, False)


def test_definitions_that_cannot_be_read_are_refused_by_their_name() -> None:
    found = answered("patch", {"config": BACKUP, "definitions": "a: {"})
    assert found["code"] == 2
    assert found["err"].startswith("kubemerge: definitions.yaml")


def test_releases_with_the_same_result_say_the_same() -> None:
    case = MERGED["Another strategy for a Deployment"]
    found = {release: answered(f"release:{release}", case) for release in releases()}
    assert found["1.12"]["same"] == found["1.9"]["same"] != found["1.13"]["same"] == found["1.37"]["same"]
    assert found["1.8"]["problem"].startswith("apps/v1 Deployment is not served")
    assert not found["1.9"]["problem"]


def test_a_server_side_apply_gives_the_same_at_any_time() -> None:
    case = {**MERGED[DEPLOYMENT], "server": True, "force": True}
    assert "managedFields" not in answered("release:1.37", case)["same"]
    assert "managedFields" in answered("result", case)["out"]


def test_the_page_hears_of_all_releases_when_it_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bridge, "PLACE", str(tmp_path / "case"))
    about = json.loads(bridge.begin())
    assert about["releases"] == list(releases())
    assert about["parts"] == ["patch", "result", "lint", "owners"]
