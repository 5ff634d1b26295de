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
    "kubemerge": {
        "engine",
        "codegen",
        "generated",
        "click",
        "cryptography",
        "h11",
        "jinja2",
        "markupsafe",
        "tomli",
        "urllib3",
        "uvicorn",
        "yaml",
    },
    "generated": set(),
}
PLUGIN = "kubemerge/pytest_plugin.py"
"""The module that pytest loads; no other one knows of pytest."""
HEAVY = {"jinja2", "jsonschema", "requests", "urllib3"}
"""What is imported where it is needed, so that start-up stays fast."""

IMPORTED_BY = {
    "cryptography": {"kubemerge/apiserver/http/listening/certificates.py"},
    "h11": {"kubemerge/apiserver/http/listening/connections.py"},
    "jinja2": {"codegen/printing.py", "kubemerge/html/rendering.py"},
    "jsonschema": {"codegen/shapes.py"},
    "markupsafe": {"kubemerge/html/rendering.py"},
    "requests": {"codegen/sources/fetch.py"},
    "tomli": {"kubemerge/linting/repository/settings.py"},
    "urllib3": {"kubemerge/client/wire/transport.py"},
    "uvicorn": {"kubemerge/apiserver/http/listening/running.py", "kubemerge/apiserver/http/listening/connections.py"},
}
"""The modules that need a library; docs/decisions.md says what each costs. YAML and click are used in more places."""

MODULES = [file.relative_to(ROOT) for package in ALLOWED for file in sorted((ROOT / package).rglob("*.py"))]
WRITTEN = [file for file in MODULES if file.parts[0] != "generated"]
NAMES = {".".join(file.with_suffix("").parts).removesuffix(".__init__"): file for file in WRITTEN}
"""Every module that is written by hand, by its name; a package stands for its `__init__`."""
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


@pytest.mark.parametrize("library", IMPORTED_BY)
def test_a_library_is_imported_by_the_modules_that_need_it(library: str) -> None:
    found = {file.as_posix() for file in WRITTEN if library in set(imports(parsed(file).body, deep=True))}
    assert found == IMPORTED_BY[library]


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
def test_a_function_fits_a_screen(file: Path) -> None:
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


@pytest.mark.parametrize(
    "file", [file for file in WRITTEN if file.parts[:3] == ("kubemerge", "cli", "commands")], ids=str
)
def test_the_exit_code_of_a_command_is_what_it_returns(file: Path) -> None:
    """`main` takes a SystemExit for one of click, and for success."""
    assert not [ast.unparse(node) for node in ast.walk(parsed(file)) if ends_the_process(node)]


@pytest.mark.parametrize("package", ["engine", "codegen", "kubemerge"])
def test_a_package_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_every_package_is_in_the_wheel() -> None:
    """What is packed are the folders with an `__init__`."""
    assert [file for file in MODULES if not (ROOT / file.parent / "__init__.py").exists()] == []


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


FLOORS: dict[str, tuple[tuple[str, ...], ...]] = {
    "engine": (
        ("typed", "version"),
        ("aliases",),
        ("paths", "directives"),
        ("conflict", "failures"),
        ("errors",),
        ("values",),
        ("tables",),
        ("json_merge", "strategic"),
        ("lossless",),
        ("custom",),
        ("patches",),
        ("clientside",),
        ("serverside",),
        ("linter",),
    ),
    "codegen": (
        ("credentials", "trees"),
        ("errors", "files"),
        ("documents", "shapes"),
        ("sources",),
        ("specs",),
        ("key_defaults", "names"),
        ("rules",),
        ("rows",),
        ("eras",),
        ("printing",),
        ("reading",),
        ("snapshots",),
        ("validation",),
        ("generating",),
    ),
    "kubemerge": (
        ("apiserver",),
        ("output",),
        ("client", "kinds", "manifests"),
        ("cluster",),
        ("actions",),
        ("offline", "printers"),
        ("compare", "diff", "linting", "migrate", "ownership"),
        ("fleet",),
        ("demo", "html", "review"),
        ("serve",),
        ("cli",),
    ),
}
"""The rooms of each package from the ground up: each uses only what lies below it, for type checkers too."""

DOORS = {"__init__", "__main__", "pytest_plugin"}
"""Modules beside the rooms that others come in by, and that no room imports."""

PUBLIC = (
    "engine.aliases",
    "engine.clientside.",
    "engine.custom.patches",
    "engine.directives",
    "engine.errors",
    "engine.json_merge",
    "engine.linter",
    "engine.paths",
    "engine.serverside.",
    "engine.tables.",
    "engine.values.",
    "engine.version",
)
"""What of the engine codegen and kubemerge may import besides `engine` itself: whole rooms, or modules of them."""

WITH_A_TERMINAL = "cli"
"""The room of kubemerge that knows of a command line, and prints."""


def room(name: str) -> str:
    """The room of a module within its package; a module beside the rooms is its own."""
    return name.split(".")[1] if "." in name else "__init__"


def rooms(package: str) -> set[str]:
    return {room(name) for name in NAMES if name.partition(".")[0] == package}


@cache
def used(name: str) -> frozenset[str]:
    """The modules written by hand that a module imports, wherever in it, for type checkers too."""
    file = NAMES[name]
    package = file.parent.parts
    found: set[str] = set()
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join((*base, *(node.module.split(".") if node.module else ())))
            found |= {longer if (longer := f"{source}.{one.name}") in NAMES else source for one in node.names}
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
    return frozenset(found & NAMES.keys())


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_room_uses_only_rooms_below_it(name: str) -> None:
    package = name.partition(".")[0]
    if room(name) in DOORS:
        return
    own = {other: room(other) for other in used(name) if other.partition(".")[0] == package}
    assert package not in own, "a room knows nothing of the door"
    below: set[str] = set()
    for floor in FLOORS[package]:
        if room(name) in floor:
            break
        below |= set(floor)
    assert {other for other, there in own.items() if there != room(name) and there not in below} == set()


@pytest.mark.parametrize("package", FLOORS)
def test_every_room_stands_on_a_floor(package: str) -> None:
    assert {*sum(FLOORS[package], ())} == rooms(package) - DOORS


@pytest.mark.parametrize("name", sorted(name for name in NAMES if not name.startswith("engine")))
def test_others_use_what_is_public_of_the_engine(name: str) -> None:
    of_engine = {other for other in used(name) if other.startswith("engine.")}
    assert {other for other in of_engine if not other.startswith(PUBLIC)} == set()


def circles() -> list[list[str]]:
    """Modules that import each other, however long the way round is (Tarjan's components)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in used(name):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            one = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            found.append(sorted(one))

    for name in NAMES:
        if name not in order:
            visit(name)
    return [one for one in found if len(one) > 1]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles() == []


@pytest.mark.parametrize("name", sorted(name for name in NAMES if name.startswith("kubemerge.")))
def test_only_the_command_line_knows_of_a_terminal(name: str) -> None:
    if room(name) == WITH_A_TERMINAL:
        return
    file = NAMES[name]
    assert "click" not in set(imports(parsed(file).body, deep=True))
    assert "kubemerge.cli.terminal.console" not in used(name)
    called = {
        node.func.id
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "print" not in called


def test_the_api_server_is_at_most_two_folders_deep() -> None:
    deeper = [file for file in WRITTEN if file.parts[:2] == ("kubemerge", "apiserver") and len(file.parts) > 5]
    assert deeper == []
