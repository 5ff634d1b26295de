"""Everything is printed by the functions that escape text that would act on a terminal or on a CI job."""

from __future__ import annotations

import ast
import io
import re
import sys
from pathlib import Path

import pytest

import kubemerge
from kubemerge.apiserver.text.text import inert, inert_annotations
from kubemerge.cli.terminal import console

PACKAGE = Path(kubemerge.__file__).parent
WRITERS = {"cli/terminal/console.py", "cli/terminal/progress.py", "review/__main__.py"}
"""The console, the line of progress (which is only on a terminal, and of escaped names), and the action."""
FORBIDDEN = ("click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write", "print", "pprint")
WORD = re.compile(r"\b(?:s?echo|p?print(?:_\w+)?|write)\b")
"""The last word of each forbidden name, and of those of `traceback`."""


def dotted(node: ast.expr) -> str:
    """A name with its dots. `ast.unparse` takes a hundred times as long."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def writes(file: Path) -> list[str]:
    """The calls in a module that print. Most modules have none of the words, and are not parsed."""
    text = file.read_text(encoding="utf-8")
    if not WORD.search(text):
        return []
    found = [dotted(node.func) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [name for name in found if name in FORBIDDEN or name.startswith("traceback.print")]


def test_nothing_else_prints() -> None:
    modules = {file.relative_to(PACKAGE).as_posix(): file for file in PACKAGE.rglob("*.py")}
    assert {name: found for name, file in modules.items() if name not in WRITERS and (found := writes(file))} == {}


def test_a_module_that_prints_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import click\nclick.echo('a')\nprint('b')\n")
    assert writes(tmp_path / "a.py") == ["click.echo", "print"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("::error::x", "\\u003a:error::x"),
        ("a\n \t::add-mask::x", "a\n \t\\u003a:add-mask::x"),
        ("a ##[error]x", "a \\u0023#[error]x"),
        ("###[error]x", "#\\u0023#[error]x"),
        ("##vso[task.complete]", "\\u0023#vso[task.complete]"),
        ("::1 localhost", "::1 localhost"),
        ("## [link](to)", "## [link](to)"),
        ("std::vector::x", "std::vector::x"),
        ("\x1b[31m\x9b\r\u202e\u200d", "\\u001b[31m\\u009b\\u000d\\u202e\\u200d"),
        ("\U000e0041", "\\udb40\\udc41"),
    ],
)
def test_what_acts_is_escaped(text: str, wanted: str) -> None:
    assert inert(text) == wanted


def test_our_own_annotations_act_and_nothing_else_in_them() -> None:
    assert (
        inert_annotations("::error file=a::##[x]\x1b\n::notice ::b")
        == "::error file=a::\\u0023#[x]\\u001b\n::notice ::b"
    )


def test_a_template_is_exact_for_a_program_and_escaped_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal, wanted in ((False, "\x1b[31m"), (True, "\\u001b[31m")):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setattr(sys, "stdout", stream)
        console.echo_value("\x1b[31m")
        assert stream.getvalue() == wanted
