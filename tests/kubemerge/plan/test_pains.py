"""Reported pains with the ownership of fields: what our commands print for each of them.

`pains.yaml` has the cases: files, the writes that come before, the command, and facts that its output has to state.
A pain without a command names the test that has it.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents

from .helm_secrets import release

if TYPE_CHECKING:
    from ..shell import Shell

(DATA,) = documents((Path(__file__).parent / "pains.yaml").read_text(encoding="utf-8"))
PAINS = DATA["cases"]
TESTS = Path(__file__).parents[2]
CASES = {f"{one['pain']}: {one['title']}": one for one in PAINS}
NUMBERS = range(1, 18)


def prepared(shell: Shell, case: dict[str, Any]) -> None:
    """Write the files of a case, and send the writes that come before."""
    files = {**DATA["files"], **case.get("files", {})}
    for name, content in files.items():
        if isinstance(content, list):
            shell.write(name, *content)
        else:
            manifest = "\n---\n".join([json.dumps(one) for one in files[content["of"]]])
            shell.write(name, release(manifest, content["release"], content["method"]))
    for line in ("create -f namespace.yaml", *case.get("before", ())):
        assert shell.run(*shlex.split(line)) == 0, (line, shell.err)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "command" in case])
def test_a_pain_is_stated(shell: Shell, name: str) -> None:
    case = CASES[name]
    prepared(shell, case)
    code = shell.run(*shlex.split(case["command"]))
    said = shell.out + shell.err
    assert [fact for fact in case["output"] if fact not in said] == [], said
    assert [fact for fact in case.get("absent", ()) if fact in said] == [], said
    assert code == case["exit"], said


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "test" in case])
def test_the_test_of_a_pain_exists(name: str) -> None:
    place, _, text = CASES[name]["test"].partition(" ")
    assert text in (TESTS / place).read_text(encoding="utf-8")


def test_every_pain_has_a_case_with_its_issue() -> None:
    assert {one["pain"] for one in PAINS} == {*NUMBERS}
    assert all("#" in one["issue"] for one in PAINS)
