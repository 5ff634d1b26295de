"""Output for people fits their terminal: no line is wider, nothing is lost, and pipes get whole lines."""

from __future__ import annotations

import io
import os
import re
import struct
import sys
import warnings
from contextlib import suppress
from functools import cache

import pytest

from kubemerge.cli.group import COMMANDS
from kubemerge.cli.main import main
from kubemerge.cli.terminal import progress
from kubemerge.output.wrapping import wide

from ....conftest import ROOT

fcntl, pty, termios = (
    pytest.importorskip(name, reason="Windows has no terminals of POSIX") for name in ("fcntl", "pty", "termios")
)
COLOURED = [
    "why -f examples/nginx/deployment.yaml --live docs/live/nginx.yaml",
    "diff -f examples/nginx/deployment.yaml --live docs/live/nginx.yaml",
    "lint examples/dns/service.yaml --live docs/live/dns.yaml",
    "lint -R examples --statistics",
    "compare 1.24 1.31 --kind pod",
    "compare 1.8..1.37 -f examples/strategy/config.yaml --live docs/live/strategy.yaml",
    "compare 1.20..1.26 -f examples -R --severity info",
    "explain deployment.spec --release 1.37",
    "explain deployment.spec.strategy --history",
    "migrate -f examples/nginx/deployment.yaml --live docs/live/nginx.yaml",
    "migrate -f examples/shop -R --live docs/live/shop.yaml",
]
"""Command lines with coloured output on a terminal."""
LINES = [
    *COLOURED,
    "why -f examples/nginx/deployment.yaml --live docs/live/nginx.yaml spec.no.such.field.anywhere.in.this.object",
    "lint --list",
    "lint --explain KM002",
    "lint no/such/folder/of/manifests/that/anybody/has/ever/seen/deployment-of-nothing-at-all.yaml",
    "explain deploymnet.spec",
    "owners -f docs/live/shop.yaml",
    "owners -f docs/live/checkout.yaml",
    "last-applied check -f examples/nginx/deployment.yaml --live docs/live/nginx.yaml",
    "kinds",
    "kinds --history",
    "releases",
    "spec list",
    "apply -f no/such/folder/of/manifests/that/anybody/has/ever/seen/deployment-of-nothing-at-all.yaml",
    "no-such-command",
]
WIDTHS = (60, 80, 200)
COLOUR = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")
"""A colour, or an end of a link."""


def run(lines: list[str], width: int | None, **env: str) -> dict[str, str]:
    """The output of each command line on a terminal of this width, or into a pipe."""
    _warm()
    ours, theirs = pty.openpty()
    if width:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    source, out = (ours, theirs) if width else os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of a test run wait, and hold no locks
        process = os.fork()
    if not process:
        _become(lines, (theirs, out, out), env)
    for one in {theirs, out}:
        os.close(one)
    said = _read(source)
    for one in {ours, source}:
        os.close(one)
    assert os.waitpid(process, 0)[1] == 0
    parts = said.decode().replace("\r\n", "\n").split("== ")[1:]
    return {name: rest for name, _, rest in (part.partition("\n") for part in parts)}


@cache
def _warm() -> None:
    """Run all lines in this process, so that no fork has to import and read the same again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name in ("stdout", "stderr"):
            patch.setattr(sys, name, io.StringIO())
        for line in LINES:
            with suppress(SystemExit):
                main(line.split())


def _become(lines: list[str], streams: tuple[int, int, int], env: dict[str, str]) -> None:
    """Run the command lines in this process, a fork, and end it. A new process would import everything again."""
    try:
        for at, stream in enumerate(streams):
            os.dup2(stream, at)
        sys.stdin, sys.stdout, sys.stderr = (open(at, "w" if at else "r", encoding="utf-8") for at in range(3))  # noqa: PTH123, SIM115
        for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
            os.environ.pop(name, None)
        os.environ |= {"TERM": "xterm", **env}
        os.chdir(ROOT)
        progress.PATIENCE = 1000
        for line in lines:
            print(f"== {line}", flush=True)
            with suppress(SystemExit):
                main(line.split())
            sys.stdout.flush()
            sys.stderr.flush()
    except BaseException:
        os._exit(1)
    os._exit(0)


def _read(terminal: int) -> bytes:
    said = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # on Linux, this means that the other end is closed
            return said
        if not piece:
            return said
        said += piece


@cache
def printed(width: int | None) -> dict[str, str]:
    return run(LINES, width)


def bare(text: str) -> str:
    """The text without colours, and without the parts that folding adds to a line."""
    return re.sub(r" \\$|\s", "", COLOUR.sub("", text), flags=re.MULTILINE)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("line", LINES)
def test_no_line_is_wider_than_the_terminal(line: str, width: int) -> None:
    found = printed(width)[line]
    assert found
    assert [one for one in found.split("\n") if wide(one) > width] == []
    if not line.startswith("owners"):  # it prints only the managers' names on a narrow terminal
        assert bare(found) == bare(printed(None)[line]), "nothing is lost"


@pytest.mark.parametrize("line", LINES)
def test_a_pipe_gets_whole_lines_without_colours(line: str) -> None:
    assert "\x1b" not in printed(None)[line]
    widest = max(map(len, printed(None)[line].split("\n")))
    if widest <= min(WIDTHS):
        return
    assert len(printed(60)[line].split("\n")) > len(printed(None)[line].split("\n"))


@pytest.mark.parametrize("width", WIDTHS)
def test_help_fits(width: int) -> None:
    found = run(["--help", *(f"{name} --help" for name in COMMANDS)], width)
    assert len(found) == len(COMMANDS) + 1
    wrong = {name: [one for one in text.split("\n") if wide(one) > width] for name, text in found.items()}
    assert {name: lines for name, lines in wrong.items() if lines} == {}


@pytest.mark.parametrize(
    ("env", "terminal", "wanted"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"CLICOLOR": "0"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"CLICOLOR_FORCE": "1"}, False, True),
        ({"CLICOLOR_FORCE": "0"}, False, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
    ids=str,
)
def test_colours_are_decided_in_one_place(env: dict[str, str], terminal: bool, wanted: bool) -> None:
    lines = COLOURED if wanted and terminal and not env else COLOURED[:2]
    found = run(lines, 80 if terminal else None, **env)
    assert {line: "\x1b" in text for line, text in found.items()} == dict.fromkeys(lines, wanted)


def test_the_option_goes_before_the_environment() -> None:
    never = run([f"{line} --color never" for line in COLOURED], 80, FORCE_COLOR="1")
    always = run([f"{line} --color always" for line in COLOURED], None, NO_COLOR="1")
    assert not any("\x1b" in text for text in never.values())
    assert all("\x1b" in text for text in always.values())
