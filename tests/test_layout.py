"""Imports between packages and layers, and the size of functions.

Each test loops over all files and lists its violations: a test for each file and rule would be thousands.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from .conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STANDARD = sys.stdlib_module_names
ALLOWED: dict[str, set[str]] = {
    "engine": set(),
    "codegen": {"engine", "jinja2", "jsonschema", "requests", "yaml"},
    "kubemerge": {
        "engine",
        "codegen",
        "generated",
        "anyio",
        "click",
        "cryptography",
        "h11",
        "hypothesis",
        "jinja2",
        "jq",
        "lsprotocol",
        "markupsafe",
        "mcp",
        "mcp_types",
        "pygls",
        "tomli",
        "urllib3",
        "uvicorn",
        "yaml",
    },
    "generated": set(),
}
PLUGIN = "kubemerge/pytest_plugin.py"
"""The only module that imports pytest."""
HEAVY = {"jinja2", "jsonschema", "requests", "urllib3"}
"""Libraries that are imported inside functions, so that start-up stays fast."""

IMPORTED_BY = {
    "cryptography": {"kubemerge/apiserver/http/listening/certificates.py"},
    "h11": {"kubemerge/apiserver/http/listening/connections.py"},
    "hypothesis": {"kubemerge/testing/strategies.py", "kubemerge/testing/values.py"},
    "jinja2": {"codegen/printing.py", "kubemerge/html/rendering.py"},
    "jsonschema": {"codegen/shapes.py"},
    "lsprotocol": {"kubemerge/lsp/server.py"},
    "markupsafe": {"kubemerge/html/rendering.py"},
    "mcp": {"kubemerge/mcpserver/server.py"},
    "mcp_types": {"kubemerge/mcpserver/server.py"},
    "pygls": {"kubemerge/lsp/server.py"},
    "requests": {"codegen/sources/fetch.py"},
    "tomli": {"kubemerge/linting/repository/settings.py"},
    "urllib3": {"kubemerge/client/wire/transport.py"},
    "uvicorn": {"kubemerge/apiserver/http/listening/server.py", "kubemerge/apiserver/http/listening/connections.py"},
}
"""The modules that need a library. docs/decisions.md lists the cost of each. YAML and click are used in more places."""

MODULES = [file.relative_to(ROOT) for package in ALLOWED for file in sorted((ROOT / package).rglob("*.py"))]
WRITTEN = [file for file in MODULES if file.parts[0] != "generated"]
NAMES = {".".join(file.with_suffix("").parts).removesuffix(".__init__"): file for file in WRITTEN}
"""The modules that are not generated, by name. A package's name refers to its `__init__`."""
MOST_LINES_OF_A_FUNCTION = 50


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse((ROOT / file).read_bytes(), str(file))


@cache
def nodes(file: Path) -> list[ast.AST]:
    """All nodes of a module. Each test looks at all modules, so they are listed once."""
    return list(ast.walk(parsed(file)))


def is_for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def names(node: ast.AST) -> list[str]:
    """The packages that a statement imports, by absolute name."""
    if isinstance(node, ast.Import):
        return [name.name.partition(".")[0] for name in node.names]
    return [str(node.module).partition(".")[0]] if isinstance(node, ast.ImportFrom) and not node.level else []


def imported_at_start(file: Path) -> set[str]:
    """The packages that are imported with a module: outside of functions, and not for type checkers."""
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    body = [node for node in parsed(file).body if not isinstance(node, inside) and not is_for_types_only(node)]
    return {name for statement in body for node in ast.walk(statement) for name in names(node)}


@cache
def imported(file: Path) -> frozenset[str]:
    """The packages that a module imports, also in functions and for type checkers."""
    return frozenset(name for node in nodes(file) for name in names(node))


def called(file: Path) -> set[str]:
    """The names of the functions that a module calls without a dot."""
    calls = (node for node in nodes(file) if isinstance(node, ast.Call))
    return {node.func.id for node in calls if isinstance(node.func, ast.Name)}


def test_a_package_imports_only_packages_below_it() -> None:
    wrong = []
    for file in WRITTEN:
        package = file.parts[0]
        found = imported(file) - ({"pytest"} if file.as_posix() == PLUGIN else set())
        allowed = STANDARD | ALLOWED[package] | {package}
        wrong += [f"{file} imports {name}" for name in sorted(found - allowed)]
    assert wrong == []


def test_generated_modules_have_no_import_statement() -> None:
    """Their lines are searched: parsing these tables would take as long as all other tests of layout."""
    statement = re.compile(rb"^\s*(import|from)\b|;\s*(import|from)\b", re.MULTILINE)
    generated = [file for file in MODULES if file.parts[0] == "generated"]
    assert [file for file in generated if statement.search((ROOT / file).read_bytes())] == []


def test_heavy_libraries_are_imported_where_they_are_needed() -> None:
    assert [file for file in WRITTEN if imported_at_start(file) & HEAVY] == []


@pytest.mark.parametrize("library", IMPORTED_BY)
def test_a_library_is_imported_by_the_modules_that_need_it(library: str) -> None:
    found = {file.as_posix() for file in WRITTEN if library in imported(file)}
    assert found == IMPORTED_BY[library]


def test_the_engine_touches_no_files_no_network_and_no_terminal() -> None:
    calls = {"open", "print", "input", "exec", "eval", "compile"}
    libraries = {"os", "pathlib", "socket", "subprocess", "urllib", "sys", "logging"}
    modules = [file for file in WRITTEN if file.parts[0] == "engine"]
    assert [file for file in modules if called(file) & calls] == []
    assert [file for file in modules if imported(file) & libraries] == []


def test_a_function_fits_a_screen() -> None:
    long = []
    for file in WRITTEN:
        for node in nodes(file):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                long += [f"{file}: {node.name} has {lines} lines"] if lines > MOST_LINES_OF_A_FUNCTION else []
    assert long == []


def test_a_module_has_a_docstring() -> None:
    assert [file for file in WRITTEN if not ast.get_docstring(parsed(file))] == []


def ends_the_process(node: ast.AST) -> bool:
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    raised = ast.unparse(node.exc) if isinstance(node, ast.Raise) and node.exc else ""
    return called in {"exit", "quit", "sys.exit", "os._exit"} or raised.startswith("SystemExit")


def test_commands_return_their_exit_code() -> None:
    """`main` takes a SystemExit for one of click, and for success."""
    commands = [file for file in WRITTEN if file.parts[:3] == ("kubemerge", "cli", "commands")]
    found = [(file, node) for file in commands for node in nodes(file) if ends_the_process(node)]
    assert [f"{file}: {ast.unparse(node)}" for file, node in found] == []


def test_packages_are_typed() -> None:
    assert [name for name in ("engine", "codegen", "kubemerge") if not (ROOT / name / "py.typed").exists()] == []


def test_every_package_is_in_the_wheel() -> None:
    """Only folders with an `__init__` are packed."""
    assert [file for file in MODULES if not (ROOT / file.parent / "__init__.py").exists()] == []


LAYERS: dict[str, tuple[tuple[str, ...], ...]] = {
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
        ("texts",),
        ("clientside",),
        ("serverside",),
        ("linter",),
    ),
    "codegen": (
        ("credentials", "shape_tests", "trees"),
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
        ("gates", "validation"),
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
        ("blame", "gitmerge", "plan"),
        ("repair",),
        ("fleet",),
        ("demo", "html", "lsp", "review"),
        ("mcpserver", "serve"),
        ("cli",),
    ),
}
"""The layers of each package, lowest first. A module imports only layers below its own, for type checkers too."""

ENTRIES = {"__init__", "__main__", "pytest_plugin", "testing"}
"""Entry points of a package. No layer imports them."""

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
"""Modules of the engine that codegen and kubemerge may import, apart from `engine` itself."""

WITH_A_TERMINAL = "cli"
"""The only layer that prints."""


def layer(name: str) -> str:
    """The layer of a module within its package; a module beside the folders is its own."""
    return name.split(".")[1] if "." in name else "__init__"


def layers(package: str) -> set[str]:
    return {layer(name) for name in NAMES if name.partition(".")[0] == package}


@cache
def used(name: str) -> frozenset[str]:
    """The modules that a module imports, at any place in it, for type checkers too."""
    file = NAMES[name]
    package = file.parent.parts
    found: set[str] = set()
    for node in nodes(file):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join((*base, *(node.module.split(".") if node.module else ())))
            found |= {longer if (longer := f"{source}.{one.name}") in NAMES else source for one in node.names}
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
    return frozenset(found & NAMES.keys())


def test_a_layer_uses_only_layers_below_it() -> None:
    wrong = []
    for name in sorted(NAMES):
        package = name.partition(".")[0]
        if layer(name) in ENTRIES:
            continue
        below: set[str] = {layer(name)}
        for level in LAYERS[package]:
            if layer(name) in level:
                break
            below |= set(level)
        own = sorted(other for other in used(name) if other.partition(".")[0] == package)
        wrong += [f"{name} imports {other}" for other in own if other == package or layer(other) not in below]
    assert wrong == []


@pytest.mark.parametrize("package", LAYERS)
def test_every_layer_has_its_level(package: str) -> None:
    assert {*sum(LAYERS[package], ())} == layers(package) - ENTRIES


def test_others_use_only_public_modules_of_the_engine() -> None:
    others = [name for name in sorted(NAMES) if not name.startswith("engine")]
    used_by = {name: {other for other in used(name) if other.startswith("engine.")} for name in others}
    wrong = [(name, other) for name in others for other in used_by[name] if not other.startswith(PUBLIC)]
    assert wrong == []


def circles() -> list[list[str]]:
    """Import cycles of any length (Tarjan's strongly connected components)."""
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


def test_only_the_command_line_prints() -> None:
    modules = [name for name in sorted(NAMES) if name.startswith("kubemerge.") and layer(name) != WITH_A_TERMINAL]
    assert [name for name in modules if "click" in imported(NAMES[name])] == []
    assert [name for name in modules if "kubemerge.cli.terminal.console" in used(name)] == []
    assert [name for name in modules if "print" in called(NAMES[name])] == []


def test_the_api_server_is_at_most_two_folders_deep() -> None:
    deeper = [file for file in WRITTEN if file.parts[:2] == ("kubemerge", "apiserver") and len(file.parts) > 5]
    assert deeper == []
