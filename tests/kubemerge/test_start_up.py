"""The command's start-up time, the modules that it does not import for that, and its end after an interrupt."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
import yaml

from kubemerge.cli.main import main

from ..conftest import ROOT
from .objects import applied, deployment, write

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAVY = ("jinja2", "jsonschema", "requests", "sqlite3", "codegen.reading", "http", "pathlib", "decimal")
NGINX = ("-f", str(ROOT / "examples/nginx/deployment.yaml"), "--live", str(ROOT / "docs/live/nginx.yaml"))
SAME = ("-f", "config.yaml", "--live", "live.yaml")
"""Arguments without a change. A change also needs the simulated API server, which takes longer to load."""
FULL = Path("/dev/full")


def first(words: tuple[str, ...]) -> str:
    return words[0]


# ---- the start ----------------------------------------------------------------------------------------------------


def loaded_by(words: tuple[str, ...], folder: Path) -> set[str]:
    """The modules that a command imports; run without the site, whose .pth files may import more."""
    paths = [str(ROOT), *sorted({str(Path(str(module.__file__)).parent.parent) for module in (click, yaml)})]
    program = f"""
import sys
sys.path[:0] = {paths}
from kubemerge.cli.main import main
try:
    main({list(words)})
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False, cwd=folder
    )
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "kubemerge.cli.main" in loaded
    return loaded


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("merge", "--help"),
        ("merge", "--raw", *NGINX),
        *((name, *SAME) for name in ("why", "diff", "blame")),
    ],
    ids=first,
)
def test_a_command_imports_only_what_it_needs(words: tuple[str, ...], tmp_path: Path) -> None:
    write(tmp_path, "config.yaml", deployment())
    write(tmp_path, "live.yaml", applied(deployment()))
    assert not loaded_by(words, tmp_path) & set(HEAVY)


def test_a_list_imports_no_yaml_and_nothing_that_writes(tmp_path: Path) -> None:
    loaded = loaded_by(("get", "cm", "--cluster", ":memory:"), tmp_path)
    assert not {"yaml", "kubemerge.apiserver.writes", "kubemerge.apiserver.plugins.table"} & loaded


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which bytecode is cached, as after an installation."""
    there = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    there |= {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("bytecode"))}
    subprocess.run([sys.executable, "-m", "kubemerge", "--help"], env=there, check=True, capture_output=True)
    return there


def test_help_is_there_in_150_milliseconds(environment: dict[str, str]) -> None:
    """The time of a processor, which does not grow when others use the machine as well."""
    times = []
    for _ in range(5):
        before = os.times()
        subprocess.run([sys.executable, "-m", "kubemerge", "--help"], env=environment, check=True, capture_output=True)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(times) < 0.15


# ---- the end ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command in a separate process."""
    pipe = subprocess.PIPE
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "kubemerge", *words]
    # A shell starts what runs in the background with interrupts ignored, and a new process inherits that.
    with subprocess.Popen(
        command,
        env=there,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        preexec_fn=with_interrupts,  # noqa: PLW1509 - there are no threads
    ) as process:
        yield process


def with_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("command", ["merge", "lint", "diff"])
def test_an_interrupt_while_it_reads_is_130_and_no_message(command: str) -> None:
    with running(command, "-f", "-") as process:
        assert process.stdin
        process.stdin.write(b"# more than a pipe holds, so that it is being read\n" * 20_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert err.decode().split("\n", maxsplit=1)[0] == "" or b"there is no --live" in err


@pytest.mark.parametrize("module", ["engine", "click", "kubemerge.cli.main", "kubemerge.cli.argv"])
def test_an_interrupt_while_the_command_is_imported_is_130_and_no_message(module: str) -> None:
    program = f"""
import sys
class Interrupted:
    def find_spec(self, name, *others):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from kubemerge.__main__ import main
main()
"""
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program, "releases"], env=there, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


INTERRUPTS = {
    "a second one does not break what the first one ends": """
    try:
        interrupt()
    finally:
        interrupt()
        print("in order")
""",
    "one more after a while ends it at once": """
    entry.PATIENCE = -1
    try:
        interrupt()
    finally:
        print("in order", flush=True)
        interrupt()
        print("never")
""",
    "one that Python ignores in a destructor comes again": """
    class Thing:
        def __del__(self):
            interrupt()
    Thing()
    print("in order")
    time.sleep(20)
""",
    "what the error has held in a circle is closed": """
    class Open:
        def __del__(self):
            print("in order")
    held = [Open()]
    held.append(held)
    interrupt()
""",
    "one after all is done is no longer heard": """
    print("in order")
    atexit.register(interrupt)
    sys.exit(130)
""",
}


@pytest.mark.parametrize("name", INTERRUPTS)
def test_interrupts_of_one_command(name: str) -> None:
    program = f"""
import atexit, signal, sys, time
import kubemerge.cli.main
from kubemerge import __main__ as entry
def interrupt():
    signal.raise_signal(signal.SIGINT)
def run():
{INTERRUPTS[name]}
kubemerge.cli.main.main = run
entry.main()
"""
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=there, capture_output=True, check=False, preexec_fn=with_interrupts, timeout=15)
    assert (done.returncode, done.stdout.split(b"\n")[0], done.stderr) == (130, b"in order", b"")
    assert b"never" not in done.stdout


def test_the_installed_command_and_the_module_begin_alike() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.scripts]\nkubemerge = "kubemerge.__main__:main"\n' in text


@pytest.mark.parametrize("words", [("kinds",), ("releases",), ("--help",), ("merge", "-q", *NGINX)], ids=first)
def test_a_reader_that_has_seen_enough_is_not_an_error(words: tuple[str, ...]) -> None:
    reader, output = os.pipe()
    os.close(reader)  # before the command begins: it may be done before a test gets to it
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "kubemerge", *words]
    done = subprocess.run(command, env=there, stdout=output, stderr=subprocess.PIPE, check=False, timeout=20)
    os.close(output)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_reader_may_leave_in_the_middle() -> None:
    with running("explain", "pod", "--recursive") as process:  # more than a pipe holds
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        assert (process.wait(timeout=20), err) == (141, b"")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no full device")
@pytest.mark.parametrize("words", [("kinds",), ("--help",), ("merge", "-q", *NGINX)], ids=first)
def test_a_full_disk_is_reported_in_one_line(words: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        command = [sys.executable, "-m", "kubemerge", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    message = b"kubemerge: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_output_is_utf_8_whatever_the_machine_is_set_to(tmp_path: Path) -> None:
    config = tmp_path / "a.yaml"
    config.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: é日}\n", encoding="utf-8")
    program = f"from kubemerge.cli.main import main; main(['merge', '-q', '-f', {str(config)!r}])"
    command = [sys.executable, "-c", program]
    for encoding in ("latin-1", "ascii", "utf-8"):
        there = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
        done = subprocess.run(command, env=there, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert "  a: é日\n" in done.stdout.decode()


def test_lines_end_with_a_newline_only_whatever_the_system_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python on Windows writes `\\r\\n`, and kubectl does not."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\r\n") for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(os, "linesep", "\r\n")
    with pytest.raises(SystemExit) as end:
        main(["merge", *NGINX])
    assert end.value.code == 0
    for stream in (out, err):
        stream.flush()
        printed = stream.buffer.getvalue()
        assert printed.endswith(b"\n")
        assert b"\r" not in printed


CLOSED = {
    "input": ("<&-", 2, "kubemerge: standard input: no object in it. Pass a file with an object\n"),
    "output": (">&-", 2, "kubemerge: standard output is closed\n"),
    "complaints": ("2>&-", 0, ""),
}


@pytest.mark.parametrize("name", CLOSED)
def test_a_stream_may_be_closed_from_the_start(name: str) -> None:
    how, code, said = CLOSED[name]
    words = "-f -" if name == "input" else "-f examples/nginx/deployment.yaml"
    line = f"{shlex.quote(sys.executable)} -m kubemerge merge -q {words} {how}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (code, said)
    assert bool(done.stdout) == (name == "complaints")
