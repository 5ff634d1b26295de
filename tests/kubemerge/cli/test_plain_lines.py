"""Plain command lines are read as click would read them; all others are left to it."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kubemerge.cli.group import cli
from kubemerge.cli.plain_lines import ALL, COMMANDS, CONSOLE, FLAGS, LAST_ONE, read_plain
from kubemerge.cli.running import begun
from kubemerge.cli.runs.merge_request import MergeRequest
from kubemerge.cli.terminal.console import console

VALUES = ["a.yaml", "b", "-", "-1", "--live", "", " ", "x=y", "a://b", "http://a", "true", "json", "text", "name", "é"]
OTHERS = ["--", "-qv", "-fa", "--over", "--overwrite", "--safe=true", "--quiet=false", "--prune", "--html", "-h", "-l"]
OTHERS += [
    "--lists=schema",
    "--color",
    "--color=never",
    "--wait",
    "--context=a",
    "--server-side=false",
    "spec.replicas",
]
OPTIONS = st.sampled_from([*LAST_ONE, *ALL])
CHUNKS = st.one_of(
    st.sampled_from([*FLAGS, *CONSOLE]).map(lambda flag: (flag,)),
    st.tuples(OPTIONS, st.sampled_from(VALUES)),
    st.tuples(OPTIONS, st.sampled_from(VALUES)).map("=".join).map(lambda word: (word,)),
    st.sampled_from([*OTHERS, *VALUES]).map(lambda word: (word,)),
)
LINES = st.tuples(st.sampled_from([*COMMANDS, "lint"]), st.lists(CHUNKS, max_size=5), st.booleans()).map(
    lambda line: [line[0], *(["-f", "c.yaml"] if line[2] else []), *(word for chunk in line[1] for word in chunk)]
)


def asked_of(request: MergeRequest) -> dict[str, Any]:
    return {name: getattr(request, name) for name in MergeRequest.__slots__}


class Called(Exception):
    """What a command was called with."""


def called(name: str, run: Any) -> dict[str, Any] | None:
    """Everything that the work of a command is given, and what the console was told; None if it does not come to it."""
    module = COMMANDS[name].function
    place = import_module(f"kubemerge.cli.runs.{module}")
    work = getattr(place, module)

    def instead(*arguments: Any, **options: Any) -> int:
        bound = inspect.signature(work).bind(*arguments, **options)
        bound.apply_defaults()
        said = {**asked_of(bound.arguments.pop("asked")), **bound.arguments}
        raise Called({**said, "quiet": console().quiet, "verbose": console().verbose, "color": console().color})

    with pytest.MonkeyPatch.context() as patched, begun():
        patched.setattr(place, module, instead)
        try:
            run()
        except Called as found:
            arguments: dict[str, Any] = found.args[0]
            return arguments
        except (click.ClickException, click.exceptions.Exit):
            return None
    return None


@settings(deadline=None, max_examples=300)
@given(LINES)
def test_both_ways_read_the_same(words: list[str]) -> None:
    short = read_plain(words)
    if short is not None:
        assert called(words[0], short) == called(words[0], lambda: cli.main(list(words), standalone_mode=False))


LINE = ["merge", "-q", "-f", "a", "--filename=b", "--live", "-", "-R", "--release", "1.31", "-o", "json", "--safe"]


def test_a_plain_line_needs_no_click() -> None:
    short = read_plain(LINE)
    assert short is not None
    found = called("merge", short)
    assert found is not None
    assert found == {
        "config": ("a", "b"),
        "live": ("-",),
        "cluster": None,
        "context": None,
        "kubeconfig": None,
        "last": None,
        "recursive": True,
        "namespace": None,
        "release": "1.31",
        "schema": (),
        "overwrite": True,
        "safe": True,
        "lists": "kubectl",
        "output": "json",
        "html": None,
        "show_secrets": False,
        "raw": False,
        "by": None,
        "quiet": True,
        "verbose": False,
        "color": "auto",
    }


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["lint", "a"],
        ["merge"],
        ["merge", "-q"],
        ["merge", "-f"],
        ["merge", "-f", ""],
        ["merge", "-f", "a", "b"],
        ["merge", "-f", "a", "-o", "text"],
        ["merge", "-f", "a", "--live", "--help"],
        ["merge", "-f", "a", "--safe=false"],
        ["merge", "-f", "ftp://a"],
        ["merge", "-fa"],
        ["merge", "-f=a"],
        ["merge", "--", "-f", "a"],
        ["merge", "--help"],
        ["why", "-f", "a", "spec", "spec"],
        ["why", "-f", "a", "-"],
        ["--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_what_is_not_plain_is_left_to_click(words: list[str]) -> None:
    assert read_plain(words) is None
