"""The reference matches the code: pages that are printed from it, and the keys of JSON outputs."""

from __future__ import annotations

import inspect
import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import click
import pytest

from kubemerge.cli.group import cli
from tests.conftest import ROOT, require_package
from tests.kubemerge.blame.repository import Repository

from .agent_page import PAGE as AGENT
from .agent_page import page_with_tools
from .pages import PAGES as TEXTS
from .pages import text_of
from .reference import FOLDER, PAGES, PUBLIC, prose
from .shell import Shell
from .test_commands import EXIT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

PAGE = "docs/reference/json.md"


@pytest.mark.parametrize("name", PAGES)
def test_page_is_what_the_code_says(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), "run `python -m tests.docs.reference`"


def test_the_tools_and_the_example_for_agents_are_what_the_code_says() -> None:
    page = (FOLDER / AGENT).read_text(encoding="utf-8")
    assert page == page_with_tools(page), "run `python -m tests.docs.reference`"


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in PUBLIC.items() for name in names], ids=str
)
def test_public_name_has_a_docstring(module: ModuleType, name: str) -> None:
    public = getattr(module, name, None)
    if inspect.isfunction(public):
        assert public.__doc__
    elif inspect.isclass(public):
        methods = [member for key, member in vars(public).items() if inspect.isroutine(member) and key[0] != "_"]
        assert public.__doc__
        assert [member.__qualname__ for member in methods if not member.__doc__ and member.__name__ != "<lambda>"] == []


def test_docstring_set_in_columns_stays_so() -> None:
    assert prose("One.\n\n    path    where\n    action  what\n") == "One.\n\n```text\npath    where\naction  what\n```"
    assert prose("One\ntwo.\n\nThree.") == "One\ntwo.\n\nThree."


def sections() -> Iterator[tuple[str, str]]:
    """The headings of the page, each with the text below it."""
    parts = re.split(r"^## (.+)$", text_of(PAGE), flags=re.MULTILINE)[1:]
    yield from zip(parts[::2], parts[1::2], strict=True)


def keys_told(section: str) -> set[str]:
    return {
        key for row in re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE) for key in re.findall(r"`([^`]+)`", row)
    }


def keys_of(value: Any, told: set[str], path: str = "") -> Iterator[str]:
    """The keys of a document. Inner keys are only included below keys whose inner keys the page documents."""
    if isinstance(value, list):
        for item in value:
            yield from keys_of(item, told, f"{path}[]" if path else "")
    elif isinstance(value, dict):
        for key, inner in value.items():
            place = f"{path}.{key}" if path else key
            yield place
            if any(other.startswith((f"{place}.", f"{place}[]")) for other in told):
                yield from keys_of(inner, told, place)


@pytest.mark.parametrize(("heading", "section"), list(sections()), ids=lambda text: text[:30])
def test_keys_are_those_of_the_output(heading: str, section: str, tmp_path: Path) -> None:
    told = keys_told(section)
    if not told:
        return
    if "kubemerge fleet " in section:
        require_package("pyarrow")
    for folder in ("examples", "docs/live", "docs/how-to/test-ownership"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    if "kubemerge blame " in section:
        if shutil.which("git") is None:
            pytest.skip("no git")
        Repository(tmp_path).commit("Ann")
    shell = Shell(tmp_path)
    found: set[str] = set()
    for line in re.findall(r"^kubemerge .*$", section, re.MULTILINE):
        command, wanted = EXIT.sub("", line), EXIT.search(line)
        shell.run(f"{command} > printed")
        assert shell.code == int(wanted[1] if wanted else 0), line
        if "-o json" in line:
            found |= set(keys_of(json.loads((tmp_path / "printed").read_bytes()), told))
    assert found == told


def commands(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """All commands, by the words after `kubemerge`."""
    with click.Context(group) as context:
        for word in group.list_commands(context):
            command = group.get_command(context, word)
            assert command is not None
            yield f"{name}{word}", command
            if isinstance(command, click.Group):
                yield from commands(command, f"{name}{word} ")


def reports(command: click.Command) -> bool:
    """Whether a command prints a report, as text or as JSON."""
    kinds = [option.type for option in command.params if "-o" in option.opts]
    return any(isinstance(kind, click.Choice) and {"text", "json"} <= {*kind.choices} for kind in kinds)


def test_every_report_has_a_section() -> None:
    told = {heading.strip("`").removeprefix("kubemerge ") for heading, _ in sections()}
    found = {name for name, command in commands(cli) if reports(command)} | {"compare -f"}
    assert told == {"fleet" if name.startswith("fleet ") else name for name in found}


@pytest.mark.parametrize("page", TEXTS)
def test_commands_within_sentences_are_there(page: str) -> None:
    """They are not whole, so they are not run; but their names and options are real."""
    known = dict(commands(cli))
    for words in (text.split() for text in re.findall(r"`kubemerge ([^`\n]+)`", text_of(page))):
        name = next((name for size in (2, 1) if (name := " ".join(words[:size])) in known), None)
        assert name, f"{page}: kubemerge {' '.join(words)}"
        options = {spelling for option in known[name].params for spelling in option.opts} | {"--help"}
        used = {word.partition("=")[0] for word in words if word.startswith("-")}
        assert used <= options, f"{page}: kubemerge {' '.join(words)}"
