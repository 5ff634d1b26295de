"""The Python programs of the documentation work as described. tests/engine runs the programs of docs/safe.md."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import engine
from tests.conftest import ROOT, require_package

from .fakes import Server, modules
from .pages import PAGES, blocks, text_of
from .shell import Shell
from .test_commands import EXIT, sessions, stand_ins

if TYPE_CHECKING:
    from pathlib import Path

POLICIES = "docs/how-to/admission-policies.md"
OPERATOR = "docs/how-to/operator.md"
TESTING = "docs/how-to/test-with-a-cluster.md"
CLIENTS = "docs/how-to/test-clients.md"
KOPF = "docs/how-to/test-an-operator.md"
PERMISSIONS = "docs/how-to/test-permissions.md"
OWNERSHIP = "docs/how-to/test-ownership.md"
PROPERTIES = "docs/how-to/property-tests.md"
WEBHOOKS = "docs/how-to/test-webhooks.md"
FLEET = "docs/how-to/fleet.md"
STRATEGIC, MERGE = "application/strategic-merge-patch+json", "application/merge-patch+json"


def test_programs_stand_where_they_are_run() -> None:
    with_programs = {page for page in PAGES if any(block.info == "python" for block in blocks(page))}
    assert with_programs == {
        "README.md",
        POLICIES,
        OPERATOR,
        TESTING,
        CLIENTS,
        KOPF,
        PERMISSIONS,
        OWNERSHIP,
        PROPERTIES,
        WEBHOOKS,
        FLEET,
        "docs/safe.md",
    }


def program(page: str) -> dict[str, Any]:
    """The names that the Python of a page comes to, its blocks run in order."""
    names: dict[str, Any] = {}
    for block in blocks(page):
        if block.info == "python":
            exec(compile("\n" * (block.line - 1) + block.text, page, "exec"), names)
    return names


def test_program_of_the_readme(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names = program("README.md")
    assert names["outcome"].patch_type == "strategic"
    printed = capsys.readouterr().out
    assert "spec.replicas kept: only in live, set by another writer\n" in printed
    assert "[name=web].image set: config differs from live\n" in printed
    assert ("storage.example.com/v1", "Backup") in names["tables"]


def test_program_with_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / POLICIES.removesuffix(".md"))
    assert "at most five replicas" in str(program(POLICIES)["rejected"].error)


def test_the_first_program_needs_nothing_but_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = next(block for block in blocks("README.md") if block.info == "python")
    names: dict[str, Any] = {}
    exec(compile(first.text, "README.md", "exec"), names)
    assert names["outcome"].merged["spec"]["replicas"] == 5


@pytest.fixture
def drift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results that the page of fleets reads, in the working directory."""
    require_package("pyarrow")
    stand_ins(FLEET, tmp_path)
    monkeypatch.chdir(tmp_path)
    (block,) = (block for block in blocks(FLEET) if "--out drift " in block.text)
    shell = Shell(tmp_path)
    shell.run(EXIT.sub("", next(sessions(block.text))[0]))


@pytest.mark.usefixtures("drift")
def test_rows_of_a_fleet_are_read_as_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    program(FLEET)
    printed = capsys.readouterr().out
    assert printed
    assert printed in [block.text for block in blocks(FLEET)]


@pytest.mark.usefixtures("drift")
def test_the_query_about_a_fleet_is_one() -> None:
    duckdb: Any = require_package("duckdb")
    (query,) = (block.text for block in blocks(FLEET) if block.info == "sql")
    element = "spec.template.spec.containers[name=checkout]"
    fields = ("spec.replicas", f"{element}.env[name=DEBUG]", f"{element}.image")
    assert duckdb.sql(query).fetchall() == [(field, 2, 2) for field in fields]


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def operator(server: Server, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    for name, module in modules(server).items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.chdir(ROOT)
    return program(OPERATOR)


def shop(image: str) -> dict[str, Any]:
    body = {"apiVersion": "example.com/v1", "kind": "Shop", "metadata": {"name": "toys", "uid": "u-1"}}
    return {
        "name": "toys",
        "namespace": "default",
        "spec": {"image": image},
        "body": body,
        "logger": logging.getLogger("shop"),
        "patch": {},
    }


def test_operator_leaves_alone_what_others_set(
    operator: dict[str, Any], server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    operator["roll_out"](**shop("shop:1"))
    live = server.objects["Deployment", "toys"]
    assert live["metadata"]["ownerReferences"][0]["uid"] == "u-1"
    live["spec"]["replicas"] = 5
    live["spec"]["template"]["spec"]["containers"].append({"name": "mesh", "image": "mesh:1"})
    caplog.set_level(logging.INFO)
    operator["roll_out"](**shop("shop:2"))
    content_type, patch = server.sent[-1]
    assert content_type == STRATEGIC
    assert patch["metadata"]["resourceVersion"] == "1"
    merged = server.objects["Deployment", "toys"]["spec"]
    assert merged["replicas"] == 5
    assert [(one["name"], one["image"]) for one in merged["template"]["spec"]["containers"]] == [
        ("shop", "shop:2"),
        ("mesh", "mesh:1"),
    ]
    assert "containers[name=shop].image set: config differs from live" in caplog.text


def test_operator_is_quiet_if_nothing_changes(operator: dict[str, Any], server: Server) -> None:
    operator["roll_out"](**shop("shop:1"))
    operator["roll_out"](**shop("shop:1"))
    assert [how for how, _ in server.sent] == ["create"]


def test_operator_tries_again_if_somebody_was_faster(
    operator: dict[str, Any], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator["roll_out"](**shop("shop:1"))
    real = server.patch

    def slow(kind: str, name: str, patch: dict[str, Any], content_type: str) -> dict[str, Any]:
        server.objects[kind, name]["metadata"]["resourceVersion"] = "77"
        return real(kind, name, patch, content_type)

    monkeypatch.setattr(server, "patch", slow)
    with pytest.raises(sys.modules["kopf"].TemporaryError, match="somebody was faster"):
        operator["roll_out"](**shop("shop:2"))


def test_operator_gives_up_on_a_config_that_cannot_be_applied(operator: dict[str, Any]) -> None:
    operator["roll_out"](**shop("shop:1"))
    with pytest.raises(sys.modules["kopf"].PermanentError, match="is a patch directive"):
        operator["roll_out"](**{**shop("shop:1"), "spec": {"image": {"$patch": "delete"}}})


BACKUP: dict[str, Any] = {
    "apiVersion": "storage.example.com/v1",
    "kind": "Backup",
    "metadata": {"name": "nightly", "namespace": "default"},
    "spec": {"schedule": "@daily", "volumes": [{"claim": "data"}]},
}


def test_custom_resource_keeps_the_elements_of_others(operator: dict[str, Any], server: Server) -> None:
    asyncio.run(operator["apply_backup"](BACKUP))
    server.objects["Backup", "nightly"]["spec"]["volumes"].append({"claim": "theirs", "path": "/logs"})
    changed = {**BACKUP, "spec": {"schedule": "@hourly", "volumes": [{"claim": "data"}, {"claim": "more"}]}}
    outcome = asyncio.run(operator["apply_backup"](changed))
    assert server.sent[-1] == (MERGE, outcome.patch)
    spec = server.objects["Backup", "nightly"]["spec"]
    assert spec["schedule"] == "@hourly"
    assert {one["claim"] for one in spec["volumes"]} == {"data", "theirs", "more"}


def test_strategic_patch_by_kr8s(operator: dict[str, Any], server: Server) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"containers": [{"name": "a", "image": "a:1"}]},
    }
    server.create(pod)
    found = operator["new_class"]("Pod", "v1", plural="pods")(server.objects["Pod", "web"])
    patch = {"spec": {"containers": [{"name": "a", "image": "a:2"}]}}
    merged = asyncio.run(operator["send_strategic"](found, patch))
    assert server.sent[-1] == (STRATEGIC, patch)
    assert merged["spec"]["containers"] == [{"name": "a", "image": "a:2"}]


def test_what_to_send_to_whom(operator: dict[str, Any]) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "1"}}
    live = engine.apply({**config, "data": {"a": "2"}}, None, engine.load("1.31")).merged
    patch_type, patch, json_patch = operator["what_to_send"](config, live)
    assert (patch_type, patch["data"]) == ("strategic", {"a": "1"})
    assert {"op": "replace", "path": "/data/a", "value": "1"} in json_patch


def test_many_objects_in_a_pool(operator: dict[str, Any]) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    with ThreadPoolExecutor(1) as pool:
        (outcome,) = operator["outcomes"](pool, [(config, None)])
    assert outcome.result == "created"


def test_patch_without_the_annotation(operator: dict[str, Any]) -> None:
    def deployment(**spec: Any) -> dict[str, Any]:
        return {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}

    patch_for, serve = operator["patch_for"], operator["serve"]
    live = deployment(replicas=3, paused=True)
    patch = patch_for(deployment(paused=True), deployment(minReadySeconds=5), live)
    assert patch == {"spec": {"paused": None, "minReadySeconds": 5}}
    schema = engine.load("1.31").schema("apps/v1", "Deployment")
    assert serve(live, patch, "strategic", schema)["spec"] == {"replicas": 3, "minReadySeconds": 5}
    assert patch_for(live, live, live) == {}


def passed(file: Path, cwd: Path) -> str:
    """The output of pytest for a file whose tests all pass, without our settings."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"--rootdir={file.parent}", "-c", os.devnull, file],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize(
    ("page", "count"), [(TESTING, 11), (CLIENTS, 7), (PERMISSIONS, 4), (OWNERSHIP, 3), (PROPERTIES, 3)]
)
def test_tests_of_a_page_pass_with_nothing_but_what_it_names(page: str, count: int, tmp_path: Path) -> None:
    if "from kubernetes import" in text_of(page):
        require_package("kubernetes")
    file = tmp_path / "test_page.py"
    named = named_programs(page).values()
    texts = [block.text for block in blocks(page) if block.info == "python" and block.text not in named]
    file.write_text("\n".join(texts), encoding="utf-8")
    assert f"{count} passed" in passed(file, ROOT)


def named_programs(page: str) -> dict[str, str]:
    """The programs of a page that have the name of a file, by that name."""
    return dict(re.findall(r"<!-- (\S+\.(?:py|go)) -->\n```(?:python|go)\n(.*?)```", text_of(page), re.DOTALL))


def write_programs(page: str, folder: Path) -> None:
    """Write the programs of a page into files with the names that it gives them."""
    for name, text in named_programs(page).items():
        (folder / name).write_text(text, encoding="utf-8")


def test_the_conversion_webhook_passes_its_test(tmp_path: Path) -> None:
    require_package("trustme")
    write_programs(WEBHOOKS, tmp_path)
    assert "2 passed" in passed(tmp_path / "test_conversion.py", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "test", "count"), [(KOPF, "operator", 1), (OWNERSHIP, "kopf_fields", 1), (WEBHOOKS, "admission", 2)]
)
def test_an_operator_of_kopf_passes_its_test(page: str, test: str, count: int, tmp_path: Path) -> None:
    for package in ("kopf", "kubernetes", "trustme"):
        require_package(package)
    write_programs(page, tmp_path)
    assert f"{count} passed" in passed(tmp_path / f"test_{test}.py", tmp_path)


@pytest.mark.slow
def test_an_operator_of_kr8s_passes_its_test(tmp_path: Path) -> None:
    require_package("kr8s")
    write_programs(OWNERSHIP, tmp_path)
    assert "1 passed" in passed(tmp_path / "test_kr8s_fields.py", tmp_path)
