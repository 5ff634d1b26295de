"""The pages that are printed from the code: `python -m tests.docs.reference` writes them.

Everything is rendered here, and nothing by click or inspect, so that every version of them prints the same bytes.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from dataclasses import is_dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import codegen
import engine
from engine import typed
from engine.values.immutable import Immutable
from kubemerge import cluster, migrate, serve
from kubemerge.actions import apply as applying
from kubemerge.apiserver import cluster as embedded
from kubemerge.apiserver.reading import OpenCluster
from kubemerge.cli.group import COMMANDS, cli
from kubemerge.cli.main import AS_KUBECTL
from tests.conftest import ROOT

from .agent_page import PAGE as AGENT
from .agent_page import page_with_tools
from .defaults import page_with_table
from .lint_page import lint_page
from .releases_page import releases_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

FOLDER = ROOT / "docs"
MADE = "<!-- Printed from the code by `python -m tests.docs.reference`; edit the code. -->"
COMMON = ("quiet", "verbose", "color")
"""Options of nearly all commands, documented only once."""

COMMANDS_HEAD = f"""# Commands

{MADE}

Data goes to standard output, everything else to standard error. Unless a command documents others, the exit codes are:

| code | meaning |
|---|---|
| 0 | success |
| 1 | differences or findings |
| 2 | error, reported in one line; other objects are still processed |
| 130 | interrupted |
| 141 | broken pipe |

As in `kubectl`, some commands exit with 1 on any error: {", ".join(f"`{name}`" for name in sorted(AS_KUBECTL))}.

Options that most commands accept:

"""

PYTHON_HEAD = f"""# Python

{MADE}

`engine` merges and `codegen` reads specifications. `import kubemerge` has the names of both. `kubemerge.cluster` keeps
objects as an API server does, `kubemerge.actions.apply` applies to it, and `kubemerge.migrate` tells what a move to
server-side apply would do. Documents are plain dicts, lists, strings,
numbers, booleans and None. No function changes what it is given, or shares a part of it with its result.

A `Document` may also be another mapping, or an object of the clients `kubernetes`, `lightkube` and `kr8s`; results are
always plain. `READ` stands for "read it from the annotation of live". `schema=None` means that no schema: then
a patch is a JSON merge patch. If `Tables` are passed instead, they supply the schema of the document's kind.

Schemas, tables, outcomes and what is in them, findings, rules and errors can be pickled, copied and compared.

"""


def commands_page() -> str:
    """All commands, with their arguments and options."""
    with click.Context(cli, info_name="kubemerge") as context:
        found = [cli.get_command(context, name) for name in COMMANDS]
    common = next(command for command in found if command and command.name == "merge")
    shared = [option for option in _options(common) if option.name in COMMON]
    parts = [COMMANDS_HEAD + _table([*shared, *_options(cli)])]
    told = {_meaning(option) for option in shared}
    for name, command in zip(COMMANDS, found, strict=True):
        assert command is not None
        parts += _command(command, f"kubemerge {name}", "##", told)
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _command(command: click.Command, name: str, level: str, told: set[str]) -> Iterator[str]:
    """A section for a command, without the options that are already documented, and for those below it."""
    yield f"{level} {name}"
    yield _usage(command, name)
    yield prose(command.help or "")
    options = [option for option in _options(command) if _meaning(option) not in told]
    if options:
        yield _table(options)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _command(inner, f"{name} {inner.name}", f"{level}#", told)


def _usage(command: click.Command, name: str) -> str:
    words = [name]
    if any(isinstance(one, click.Option) for one in command.params):
        words.append("[OPTIONS]")
    words += [_argument(one) for one in command.params if isinstance(one, click.Argument)]
    if isinstance(command, click.Group):
        words.append("[COMMAND]" if command.invoke_without_command else "COMMAND")
    return f"```text\n{' '.join(words)}\n```"


def _argument(argument: click.Argument) -> str:
    if argument.metavar:
        return argument.metavar
    name = (argument.name or "").upper()
    if isinstance(argument.type, click.Choice):
        name = f"{{{','.join(map(str, argument.type.choices))}}}"
    return f"{name if argument.required else f'[{name}]'}{'...' if argument.nargs == -1 else ''}"


def _options(command: click.Command) -> list[click.Option]:
    return [one for one in command.params if isinstance(one, click.Option) and not one.hidden and one.name != "help"]


def _table(options: list[click.Option]) -> str:
    rows = [f"| {_cell(_spelling(one))} | {_cell(_meaning(one))} |" for one in options]
    return "\n".join(["| option | meaning |", "|---|---|", *rows])


def _spelling(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if option.is_flag or option.count:
        return names
    return f"{names} `{_value(option)}`"


def _value(option: click.Option) -> str:
    """The value of an option on the command line."""
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "|".join(map(str, option.type.choices))
    return "true|false" if option.type is click.BOOL else option.type.name.upper()


def _meaning(option: click.Option) -> str:
    told = [(option.help or "").strip()]
    if option.required:
        told.append("Required.")
    default = option.default
    if isinstance(default, (str, int, float)) and not isinstance(default, bool) and not option.is_flag:
        told.append(f"Default: `{default}`.")
    if default is True and not option.is_flag:
        told.append("Default: `true`.")
    return " ".join(told)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def prose(docstring: str) -> str:
    """A docstring as Markdown: paragraphs are unchanged, and text in columns becomes a code block."""
    parts = []
    for part in re.split(r"\n\s*\n", inspect.cleandoc(docstring)):
        lines = [line for line in part.replace("\b", "").splitlines() if line.strip()]
        columns = sum(bool(re.match(r"\s*\S+(?: \S+)? {2,}\S|\s{3,}\S", line)) for line in lines)
        parts.append(f"```text\n{chr(10).join(lines)}\n```" if columns * 2 > len(lines) else "\n".join(lines))
    return "\n\n".join(part for part in parts if part)


PUBLIC: dict[ModuleType, tuple[str, ...]] = {
    engine: tuple(name for name in engine.__all__ if name != "__version__"),
    codegen: tuple(name for name in codegen.__all__ if name != "__version__"),
    cluster: (*(name for name in cluster.__all__ if name != "Object"), "EmbeddedCluster"),
    applying: ("Applied", "ApplyOptions", "apply"),
    migrate: ("plan_migration", "Migration", "MigratedField"),
    serve: ("application",),
}
"""The names that people import."""


def python_page() -> str:
    """All public names of every package."""
    parts = [PYTHON_HEAD]
    for package, names in PUBLIC.items():
        called = package.__name__
        parts += [f"## {called}", prose(package.__doc__ or "")]
        found = [(name, getattr(package, name, None) or getattr(embedded, name)) for name in names]
        words = [(name, one) for name, one in found if not (inspect.isfunction(one) or inspect.isclass(one))]
        found = [pair for pair in found if pair not in words]
        functions = [(name, one) for name, one in found if inspect.isfunction(one)]
        errors = [(name, one) for name, one in found if _is_error(one)]
        classes = [(name, one) for name, one in found if inspect.isclass(one) and not _is_error(one)]
        assert len(found) == len(functions) + len(errors) + len(classes)
        for name, function in functions:
            parts += [f"### {called}.{name}", _signature(f"{called}.{name}", function)]
            parts.append(prose(function.__doc__ or ""))
        for name, class_ in classes:
            parts += [f"### {called}.{name}", *_class(class_)]
        if words:
            parts += [f"### Types of {called}", _words(called, words)]
        if errors:
            parts += [f"### {'Errors' if len(errors) > 1 else 'The error'} of {called}", _errors(called, errors)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _is_error(one: Any) -> bool:
    return inspect.isclass(one) and issubclass(one, Exception)


def _class(class_: type) -> Iterator[str]:
    yield prose(class_.__doc__ or "")
    yield from _attributes(class_)
    for name, member in _members(class_).items():
        if name.startswith("_") or (class_ is embedded.EmbeddedCluster and name in vars(cluster.Cluster)):
            continue
        if isinstance(member, property):
            yield f"**`.{name}`**{_typed(member.fget)}: {prose(member.__doc__ or '')}"
        elif inspect.isfunction(member):
            yield _signature(f"{class_.__name__}.{name}", member, method=True)
            yield prose(member.__doc__ or "")


def _members(class_: type) -> dict[str, Any]:
    """The members of a class, including inherited members of OpenCluster."""
    bases = (one for one in reversed(class_.__mro__) if one is class_ or one is OpenCluster)
    return {name: member for one in bases for name, member in vars(one).items()}


def _attributes(class_: type) -> Iterator[str]:
    """The typed attributes of a record or of a constructor, with the text below each, if there is one."""
    # The engine's records document their fields in their docstrings.
    ours = class_.__module__.startswith("kubemerge")
    record = is_dataclass(class_) or (ours and (issubclass(class_, Immutable) or hasattr(class_, "_fields")))
    written = class_ if record else _members(class_).get("__init__")
    source = textwrap.dedent(inspect.getsource(written)) if written else "pass"
    body = getattr(ast.parse(source).body[0], "body", [])
    for statement, below in zip(body, [*body[1:], None], strict=True):
        name = _assigned(statement)
        if not name or name.startswith("_"):
            continue
        described = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        text = f": {prose(str(below.value.value))}" if described else ""
        default = f" = {ast.unparse(statement.value)}" if is_dataclass(class_) and statement.value else ""
        yield f"**`.{name}`** (`{ast.unparse(statement.annotation)}{default}`){text}"


def _assigned(statement: ast.stmt) -> str:
    """The attribute that a statement annotates."""
    if not isinstance(statement, ast.AnnAssign):
        return ""
    return statement.target.attr if isinstance(statement.target, ast.Attribute) else ast.unparse(statement.target)


def _typed(getter: Any) -> str:
    told = getter.__annotations__.get("return") if getter else None
    return f" (`{_short(told)}`)" if told else ""


def _signature(name: str, function: Callable[..., Any], *, method: bool = False) -> str:
    """A function's signature, with one parameter a line if there are many."""
    parameters = list(inspect.signature(function).parameters.values())[1 if method else 0 :]
    told: list[str] = []
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in told:
            told.append("*")
        told.append(_parameter(parameter))
    result = function.__annotations__.get("return", "Any")
    line = f"{name}({', '.join(told)}) -> {_short(result)}"
    if len(line) > 100:
        line = (
            f"{name}(\n    {', '.join(told)}\n) -> {_short(result)}".replace(", ", ",\n    ") if len(told) > 3 else line
        )
    return f"```text\n{line}\n```"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
    kind = "" if parameter.annotation is parameter.empty else f": {_short(parameter.annotation)}"
    default = "" if parameter.default is parameter.empty else f" = {_default(parameter.default)}"
    return f"{stars}{parameter.name}{kind}{default}"


def _short(annotation: Any) -> str:
    """An annotation without the modules of some names."""
    return re.sub(r"\b(?:aliases|opening|embedded)\.", "", str(annotation))


def _default(value: Any) -> str:
    if is_dataclass(value):
        return f"{type(value).__name__}()"
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _words(package: str, words: list[tuple[str, Any]]) -> str:
    statements = ast.parse(inspect.getsource(typed)).body
    spelled = {
        _assigned(one): ast.unparse(one.value) for one in statements if isinstance(one, ast.AnnAssign) and one.value
    }
    rows = [f"| `{package}.{name}` | `{_cell(spelled[name])}` |" for name, _ in words]
    return "\n".join(["| name | stands for |", "|---|---|", *rows])


def _errors(package: str, errors: list[tuple[str, Any]]) -> str:
    rows = [
        f"| `{package}.{name}` | {_cell(inspect.cleandoc(one.__doc__ or '').split(chr(10) * 2)[0])} |"
        for name, one in errors
    ]
    return "\n".join(["| error | when |", "|---|---|", *rows])


PAGES: dict[str, Callable[[], str]] = {
    "lint.md": lint_page,
    "reference/commands.md": commands_page,
    "reference/python.md": python_page,
    "reference/releases.md": partial(releases_page, MADE),
}
"""The path of each page below `docs`, and what prints its text."""


def main() -> None:
    """Write the pages."""
    for name, printed in PAGES.items():
        (FOLDER / name).write_text(printed(), encoding="utf-8")
        print(FOLDER.relative_to(ROOT) / name)
    page = ROOT / "docs" / "cluster-defaults.md"
    page.write_text(page_with_table(page.read_text(encoding="utf-8")), encoding="utf-8")
    print(page.relative_to(ROOT))
    page = FOLDER / AGENT
    page.write_text(page_with_tools(page.read_text(encoding="utf-8")), encoding="utf-8")
    print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
