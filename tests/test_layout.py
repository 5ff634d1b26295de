"""The arrows between the packages, the size of what is written by hand, and what snapshots hold."""

from __future__ import annotations

import ast
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STANDARD = sys.stdlib_module_names
ALLOWED: dict[str, set[str]] = {
    "engine": set(),
    "codegen": {"engine", "jinja2", "jsonschema", "requests", "yaml"},
    "kubemerge": {"engine", "codegen", "click", "jinja2", "jsonpatch", "jsonpointer", "markupsafe", "rich", "yaml"},
    "generated": set(),
}
PLUGIN = "kubemerge/pytest_plugin.py"
"""The module that pytest loads; no other one knows of pytest."""
HEAVY = {"jinja2", "jsonpatch", "jsonpointer", "jsonschema", "requests", "rich"}
"""What is imported where it is needed, so that start-up stays fast."""

MODULES = [file.relative_to(ROOT) for package in ALLOWED for file in sorted((ROOT / package).rglob("*.py"))]
WRITTEN = [file for file in MODULES if file.parts[0] != "generated"]
MOST_LINES = 350
MOST_LINES_OF_A_FUNCTION = 50


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse((ROOT / file).read_bytes(), str(file))


def is_for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def imports(body: list[ast.stmt], *, deep: bool) -> Iterator[str]:
    """The packages that statements import, by absolute name; `deep` goes into functions."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        elif is_for_types_only(node) and not deep:
            continue
        elif deep or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            children = [child for child in ast.walk(node) if child is not node and isinstance(child, ast.stmt)]
            yield from imports(
                [child for child in children if isinstance(child, (ast.Import, ast.ImportFrom))], deep=deep
            )


@pytest.mark.parametrize("file", MODULES, ids=str)
def test_a_package_imports_only_what_lies_below_it(file: Path) -> None:
    package = file.parts[0]
    found = set(imports(parsed(file).body, deep=True))
    if package == "generated":
        assert not found
        assert not [node for node in ast.walk(parsed(file)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    found -= {"pytest"} if file.as_posix() == PLUGIN else set()
    assert found <= STANDARD | ALLOWED[package] | {package}


@pytest.mark.parametrize("file", WRITTEN, ids=str)
def test_heavy_libraries_are_imported_where_they_are_needed(file: Path) -> None:
    assert not set(imports(parsed(file).body, deep=False)) & HEAVY


@pytest.mark.parametrize("file", [file for file in WRITTEN if file.parts[0] == "engine"], ids=str)
def test_the_engine_touches_no_files_no_network_and_no_terminal(file: Path) -> None:
    called = {
        node.func.id
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"open", "print", "input", "exec", "eval", "compile"}
    assert not set(imports(parsed(file).body, deep=True)) & {
        "os",
        "pathlib",
        "socket",
        "subprocess",
        "urllib",
        "sys",
        "logging",
    }


@pytest.mark.parametrize("file", WRITTEN, ids=str)
def test_a_module_holds_one_idea(file: Path) -> None:
    lines = len((ROOT / file).read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{lines} lines: there is a second idea in it"
    for node in ast.walk(parsed(file)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MOST_LINES_OF_A_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("file", WRITTEN, ids=str)
def test_a_module_says_what_it_is(file: Path) -> None:
    assert ast.get_docstring(parsed(file))


def ends_the_process(node: ast.AST) -> bool:
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    raised = ast.unparse(node.exc) if isinstance(node, ast.Raise) and node.exc else ""
    return called in {"exit", "quit", "sys.exit", "os._exit"} or raised.startswith("SystemExit")


@pytest.mark.parametrize("file", [file for file in WRITTEN if file.parts[:2] == ("kubemerge", "commands")], ids=str)
def test_the_exit_code_of_a_command_is_what_it_returns(file: Path) -> None:
    """`main` takes a SystemExit for one of click, and for success."""
    assert not [ast.unparse(node) for node in ast.walk(parsed(file)) if ends_the_process(node)]


@pytest.mark.parametrize("package", ["engine", "codegen", "kubemerge"])
def test_a_package_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_every_package_is_in_the_wheel() -> None:
    """`packages` in pyproject.toml is a list by hand."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("packages = ")]
    listed = set(ast.literal_eval(line.partition(" = ")[2]))
    assert listed == {".".join(file.parent.parts) for file in MODULES}


@pytest.mark.parametrize("file", sorted((ROOT / "openapi").glob("*.json")), ids=lambda file: file.name)
def test_a_snapshot_holds_facts_only(file: Path) -> None:
    text = file.read_text(encoding="ascii")
    assert '"description"' not in text.replace('"description":{', "").replace('"description"]', "")
    assert '"summary"' not in text
    assert text.endswith("}}\n")
    assert max(map(len, text.splitlines())) < 20_000


def test_sources_lists_every_snapshot() -> None:
    lines = (ROOT / "openapi" / "SOURCES").read_text(encoding="ascii").splitlines()
    listed = [f"{line.split()[0]}.json" for line in lines if not line.startswith("#")]
    assert sorted(listed) == sorted(file.name for file in (ROOT / "openapi").glob("*.json"))
    assert all(line.split()[3].startswith(("pypi:", "npm:")) for line in lines if not line.startswith("#"))


FLOORS = (
    ("kind_names", "showing"),
    ("cluster", "reading"),
    ("actions", "patching"),
    ("asking", "tabling"),
    ("running",),
    ("merging",),
    ("comparing", "differing", "linting"),
    ("pages",),
    ("commands",),
)
"""The rooms of kubemerge from the ground up: each uses only what lies below it."""


def room(file: Path) -> str:
    return file.parts[1].removesuffix(".py")


ROOMS = {room(file) for file in WRITTEN if file.parts[0] == "kubemerge"}
"""The packages of kubemerge, and the modules beside them."""


def used_names(file: Path, *, types: bool = True) -> Iterator[tuple[str, ...]]:
    """What a module of kubemerge imports from kubemerge, by absolute name; without `types` only when it is run."""
    package = ("kubemerge", *file.parent.parts[1:])
    for_types = {inner for node in ast.walk(parsed(file)) if _for_types(node) for inner in ast.walk(node)}
    for node in ast.walk(parsed(file)):
        if node in for_types and not types:
            continue
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            parts = (*base, *(node.module.split(".") if node.module else ()))
            yield from ((*parts, name.name) for name in node.names if parts[0] == "kubemerge")
        elif isinstance(node, ast.Import):
            names = (tuple(name.name.split(".")) for name in node.names)
            yield from (name for name in names if name[0] == "kubemerge")


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt) and is_for_types_only(node)


def used_rooms(file: Path) -> set[str]:
    """The other rooms that a module of kubemerge imports from."""
    return {name[1] for name in used_names(file) if len(name) > 1 and name[1] in ROOMS} - {room(file)}


@cache
def used_modules(file: Path) -> set[str]:
    """The modules of kubemerge that a module imports when it is run."""
    named = {path for name in used_names(file, types=False) for path in ("/".join(name), "/".join(name[:-1]))}
    return {f"{path}.py" for path in named}


@pytest.mark.parametrize("file", [file for file in WRITTEN if file.parts[0] == "kubemerge"], ids=str)
def test_no_two_modules_import_each_other(file: Path) -> None:
    others = [other for other in WRITTEN if other.as_posix() in used_modules(file)]
    assert [other for other in others if file.as_posix() in used_modules(other)] == []


@pytest.mark.parametrize("file", [file for file in WRITTEN if room(file) in sum(FLOORS, ())], ids=str)
def test_a_room_uses_only_rooms_below_it(file: Path) -> None:
    below: set[str] = set()
    for floor in FLOORS:
        if room(file) in floor:
            break
        below |= set(floor)
    assert used_rooms(file) <= below


def test_every_room_stands_on_a_floor() -> None:
    assert {*sum(FLOORS, ()), "__init__", "__main__", "main", "pytest_plugin"} == ROOMS
