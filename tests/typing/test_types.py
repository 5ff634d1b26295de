"""Types: consumers' view through type checkers, and `typing.get_type_hints` of everything public."""

from __future__ import annotations

import importlib.util
import inspect
import json
import subprocess
import sys
import typing
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
import kubemerge
from engine.linter import LintRule
from kubemerge import cluster
from tests.conftest import ROOT

from . import consumer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONSUMER = ROOT / "tests" / "typing" / "consumer.py"


def public() -> Iterator[tuple[str, Any]]:
    """Every public function and class, and the public methods and properties of the classes."""
    named = [
        (f"{one.__name__}.{name}", getattr(one, name)) for one in (engine, codegen, cluster) for name in one.__all__
    ]
    for name, one in (*named, ("engine.linter.LintRule", LintRule)):
        if inspect.isfunction(one) or inspect.isclass(one):
            yield name, one
        if inspect.isclass(one):
            yield from _members(name, one)


def _members(name: str, one: type) -> Iterator[tuple[str, Any]]:
    for kind in one.__mro__:
        if kind.__module__.startswith(("engine", "codegen", "kubemerge")):
            for member, found in vars(kind).items():
                inner = getattr(found, "fget", None) or getattr(found, "__func__", found)
                if inspect.isfunction(inner) and (member == "__init__" or not member.startswith("_")):
                    yield f"{name}.{member}", inner


PUBLIC = dict(public())


@pytest.mark.parametrize("name", PUBLIC)
def test_type_hints_are_found(name: str) -> None:
    typing.get_type_hints(PUBLIC[name])


def test_words_are_literals() -> None:
    hints = typing.get_type_hints(engine.apply)
    assert hints["lists"] == typing.Literal["kubectl", "schema"] == engine.Lists
    assert hints["config"] == engine.Document
    assert typing.get_type_hints(engine.Outcome)["patch_type"] == engine.PatchType
    assert typing.get_type_hints(engine.Finding)["severity"] == engine.Severity
    assert typing.get_type_hints(engine.Change)["action"] == engine.Action
    assert engine.Object == dict[str, Any]


def test_there_is_one_version() -> None:
    versions = {engine.__version__, codegen.__version__, kubemerge.__version__}
    assert len(versions) == 1
    assert all(part.isdigit() for part in versions.pop().split("."))


def test_the_import_stays_small() -> None:
    program = "import sys, engine; engine.__version__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "engine.tables.tables" in loaded
    assert not loaded & {"typing", "re", "json", "pickle", "dataclasses", "inspect", "engine.typed"}


class InMemory:
    """A server that applies every object sent to it."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str], engine.Object] = {}
        self.types: list[str] = []

    def get(self, api_version: str, kind: str, name: str) -> engine.Object | None:
        return self.objects.get((kind, name))

    def send(self, name: str, body: Any, content_type: str) -> None:
        self.types.append(content_type)
        if content_type == "application/json":
            body["metadata"]["resourceVersion"] = "1"
            self.objects[body["kind"], name] = json.loads(json.dumps(body))
            return
        kind = "Deployment" if "spec" in body else "ConfigMap"
        self.objects[kind, name] = engine.apply_patch(self.objects[kind, name], body, engine.load("1.31"))


def test_the_consumer_works() -> None:
    tables, server = consumer.rules("1.31", str(ROOT / "examples" / "crds")), InMemory()
    shop = consumer.Shop("toys", "shop:1", {"a": "1"})
    assert [one.result for one in consumer.reconcile(shop, server, tables)] == ["created", "created"]
    assert [one.result for one in consumer.reconcile(shop, server, tables)] == ["unchanged", "unchanged"]
    first, second = consumer.reconcile(consumer.Shop("toys", "shop:2", {"a": "1"}), server, tables)
    assert "spec.template.spec.containers[name=shop].image set: config differs from live" in consumer.told(first)
    assert second.patch == {}
    assert server.types[-1] == "application/strategic-merge-patch+json"
    assert consumer.kept(first) == first
    deployment, config_map = shop.objects()
    assert consumer.problems(deployment, tables, None) == []
    schema = tables.schema("apps/v1", "Deployment")
    assert consumer.refused(config_map, schema) == "config: ('apps/v1', 'Deployment')"
    assert consumer.merge_keys(schema)["spec.template.spec.containers"] == "name"
    with ThreadPoolExecutor(1) as pool:
        assert [one[0]["op"] for one in consumer.plan(pool, [deployment], tables)] == ["replace"]


@pytest.mark.slow
def test_the_consumer_is_clean_under_mypy() -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy, of the extra dev, is not installed")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(CONSUMER)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_the_consumer_is_clean_under_pyright(tmp_path: Path) -> None:
    if importlib.util.find_spec("basedpyright") is None:
        pytest.skip("basedpyright, of the extra dev, is not installed")
    settings = {
        "include": [str(CONSUMER)],
        "extraPaths": [str(ROOT)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.10",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--project", str(tmp_path), "--pythonpath", sys.executable]
    done = subprocess.run([*command, "--outputjson"], capture_output=True, text=True, check=False, timeout=300)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    assert [f"{one['range']['start']['line'] + 1}: {one['message']}" for one in found["generalDiagnostics"]] == []
