"""Each attack finds a fault of its kind. The faults are planted in the attacked commands."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import kubemerge.apiserver.metadata
import kubemerge.cli.main
from codegen.documents import reader
from codegen.files import Scratch
from engine.values.go_json import decode
from kubemerge import __main__ as entry
from kubemerge.apiserver.cel import programs
from kubemerge.apiserver.cel.language import parser
from kubemerge.apiserver.crd import rules
from kubemerge.apiserver.crd.definitions import rules as rules_of_definitions
from kubemerge.apiserver.storage import sqlite as store
from kubemerge.apiserver.text import text as output_text
from kubemerge.cli.commands import generate
from kubemerge.cli.terminal import console, editor
from kubemerge.linting.repository import git
from kubemerge.manifests import files as manifest_files
from kubemerge.output import secrets as output_secrets

from ..conftest import ROOT
from . import (
    active,
    clocks,
    commands,
    costs,
    damage,
    definitions,
    documents,
    generated,
    growth,
    hostile_requests,
    hostile_servers,
    interrupts,
    kills,
    outputs,
    probes,
    repositories,
    server,
    signals,
    specifications,
    threads,
)
from .shapes import SHAPES, Case, many_fields
from .trial import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Loses = Callable[[str, Callable[[], object]], None]

WORKS = {work.title: work for work in kills.WORKS}


def killed(trial: Trial, work: str) -> Callable[[], None]:
    killer = kills.Killer(trial, WORKS[work])
    return lambda: killer.kill("1")


def test_a_write_that_was_acknowledged_and_is_lost(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PUT", store.PUT.replace("REPLACE", "IGNORE"))
    loses("m0 is 0, not 1", killed(trial, "apply"))


def test_an_import_of_which_half_is_kept(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def no_transaction(_: object) -> Iterator[None]:
        yield

    put = store.SqliteStore.put

    def slowly(*words: Any) -> None:
        put(*words)
        time.sleep(0.01)

    monkeypatch.setattr(store.SqliteStore, "writing", no_transaction)
    monkeypatch.setattr(store.SqliteStore, "put", slowly)
    loses("of 20 are done", killed(trial, "import"))


def test_an_interrupt_with_another_exit_code(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    main = entry.main

    def wrong() -> None:
        try:
            main()
        except SystemExit as end:
            raise SystemExit(3 if end.code == 130 else end.code) from None

    monkeypatch.setattr(entry, "main", wrong)
    killer = kills.Killer(trial, WORKS["apply"], signal.SIGINT, signals.SIGNALS[signal.SIGINT])
    loses("the exit code is 3", lambda: killer.kill("1"))


def test_a_file_that_an_interrupt_leaves(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def left(begin: str, end: str = "") -> Iterator[Scratch]:
        found = Scratch(os.path.join(tempfile.gettempdir(), f"{begin}{os.urandom(8).hex()}{end}"))  # noqa: PTH118
        found.handle = os.open(found.name, os.O_CREAT | os.O_WRONLY)
        yield found

    monkeypatch.setattr(editor, "scratch_file", left)
    [work] = [work for work in interrupts.WORKS if work.words.startswith("edit ")]
    with interrupts.prepared(trial) as place:
        loses("is left", interrupts.Attempts(trial, work, place).make)


def test_a_definition_that_ends_in_a_trace(loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "with_large_stack", lambda function: function())
    monkeypatch.setattr(parser, "with_large_stack", lambda function: function())
    text = definitions.SHAPES[0](248)
    schema = {"type": "object", "x-kubernetes-validations": [{"rule": text}]}
    with definitions.served() as (application, records):
        body = definitions.defined(schema)
        loses("RecursionError", lambda: definitions.tried(application, records, "POST", definitions.PATH, body))


def test_rules_that_cost_more_than_a_server_allows(loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {
        "type": "object",
        "properties": {"l": {"type": "array", "maxItems": 1000, "items": {"type": "integer"}}},
        "x-kubernetes-validations": [{"rule": "self.l.all(x, self.l.exists(y, y == x))"}],
    }
    content = (
        b'{"apiVersion":"x.io/v1","kind":"A","metadata":{"name":"a"},"l":%s}' % json.dumps([*range(1000)]).encode()
    )
    with definitions.served() as (application, records):
        monkeypatch.setattr(rules_of_definitions, "MOST_OF_ONE", 10**12)
        assert definitions.tried(application, records, "POST", definitions.PATH, definitions.defined(schema)) == 201
        monkeypatch.setattr(definitions, "MAX_COST", -rules.BUDGET)
        loses("rules cost", lambda: definitions.tried(application, records, "POST", definitions.OBJECTS, content))


def test_a_damaged_cluster_that_passes_its_check(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = trial.new_folder()
    good = damage._cluster(folder)
    whole = commands.ended(folder, "cluster", "export", "--cluster", damage.FILE, "-o", "json").out
    bad = good.replace(b"xxxx0", b"xxxy0", 1)
    monkeypatch.setattr(store.SqliteStore, "_object", lambda _, row: decode(row[0]))
    loses("the check found nothing, but something is lost", lambda: damage._looked_at(folder, bad, whole, "planted"))


def test_an_import_that_fails_and_leaves_something(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    read = reader.text_of

    def writing(data: bytes) -> str:
        if os.path.exists(damage.FILE):  # noqa: PTH110
            with open(damage.FILE, "ab") as file:  # noqa: PTH123
                file.write(b"more")
        return read(data)

    monkeypatch.setattr(reader, "text_of", writing)
    loses("a bad dump changed the cluster", lambda: damage.dumps(trial, 1))


def test_a_crash_while_reading(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashing(_: bytes) -> str:
        raise KeyError("x")

    monkeypatch.setattr(reader, "text_of", crashing)
    folder = trial.new_folder()
    (folder / "good.yaml").write_text(documents.GOOD)
    loses("this is a bug in kubemerge: KeyError", lambda: documents.read(trial, folder, b"a: b"))
    (folder / "mine").mkdir()
    (folder / "good.json").write_text("{}")
    loses("this is a bug in kubemerge: KeyError", lambda: specifications.read(trial, folder, {}))
    loses(
        "this is a bug in kubemerge: KeyError", lambda: specifications.define(folder, specifications.defined(Random(1)))
    )


def test_a_name_that_paints_the_terminal(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "text_of", lambda _: print("\x1b[2J"))
    folder = trial.new_folder()
    (folder / "good.yaml").write_text(documents.GOOD)
    monkeypatch.setattr(documents, "one_sentence", lambda *_: None)
    monkeypatch.setattr(documents, "fails_well", lambda *_: None)
    loses("prints", lambda: documents.read(trial, folder, b"a: b"))


def test_a_command_that_hangs(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "main", lambda: time.sleep(60))
    loses("still runs after 0 seconds", lambda: commands.ended(trial.new_folder(), patience=0.2))


def quadratic(size: int) -> Callable[[], object]:
    elements = list(range(size))
    return lambda: [element for element in elements if -element - 1 in elements]


def test_the_growth_of_a_cost(loses: Loses) -> None:
    loses("grows with the power", lambda: costs.grows_slowly("planted", quadratic, (500, 1_000, 2_000)))
    costs.grows_slowly("a sort", lambda size: lambda: sorted(str(n) for n in range(size)), (1_000, 4_000, 16_000))


def test_a_function_that_is_quadratic_for_one_shape(loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    def function(case: Case, _: object) -> Callable[[], object]:
        return quadratic(len(case.config["data"]))

    monkeypatch.setitem(growth.FUNCTIONS, "planted", function)
    loses("planted of many_fields", lambda: growth.measured("planted", many_fields))


def test_every_shape_and_every_function_is_measured() -> None:
    assert len(SHAPES) >= 20
    assert {name for name, _ in growth.PAIRS} == set(growth.FUNCTIONS)


def test_an_output_that_is_lost_without_a_word(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kubemerge.cli.main, "_failed", lambda *_: 0)
    monkeypatch.setattr(outputs, "COMMANDS", (("releases",),))
    loses("ends with 0, with standard output to /dev/full", lambda: next(outputs.attack(trial)))


def test_a_page_that_is_lost_for_want_of_space(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    def in_place(name: str, text: str) -> None:
        with open(name, "w") as file:  # noqa: PTH123
            file.write(text)

    monkeypatch.setattr("kubemerge.cli.commands.compare.write_page", in_place)
    monkeypatch.setattr(outputs, "LIMITS", (1 << 12,))
    loses("a page is lost for want of space", lambda: outputs._no_space(trial))


def test_a_kind_in_small_letters_that_is_not_masked(
    tmp_path: Path, loses: Loses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_secrets, "is_secret", lambda one: isinstance(one, dict) and one.get("kind") == "Secret")
    folder = Trial(Random("a test"), tmp_path, times=0.02)
    loses("the value of a Secret is shown", lambda: [*probes.attack(folder)])


def test_a_value_that_slipped_and_is_not_masked(tmp_path: Path, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {**output_secrets.SHOWN, **dict.fromkeys(("type", "immutable"), output_secrets.ANY)}
    monkeypatch.setattr(output_secrets, "SHOWN", shown)
    folder = Trial(Random("a test"), tmp_path, times=0.02)
    loses("the value of a Secret is shown", lambda: [*probes.attack(folder)])


def test_a_name_that_reaches_the_terminal(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "inert", lambda text: text)
    loses("prints on", lambda: [*active.tries(trial, 1)])


def test_a_command_for_a_ci_job(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_text, "without_commands", lambda text: text)
    loses("##", lambda: [*active.tries(trial, 1)])


def hostile_repository(trial: Trial, plants: tuple[str, ...], command: tuple[str, ...]) -> Callable[[], None]:
    def run() -> None:
        with repositories.Place(trial.new_folder(), trial.random) as place:
            place.fill(plants)
            place.run(command)

    return run


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_a_program_of_a_repository_that_runs(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "_INERT", {})
    loses(
        "a program of the repository ran",
        hostile_repository(trial, ("a folder that looks like a repository",), ("lint", "deep")),
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_a_link_that_leads_out_and_is_followed(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_files, "leads_out", lambda *_: False)
    loses("reaches outside", hostile_repository(trial, ("a link", "another link"), ("lint", "-R", ".", "--untracked")))


def test_an_address_of_a_repository_that_is_asked(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    with repositories.Place(trial.new_folder(), trial.random) as place:
        port = int(place.address.split(":")[2].partition("/")[0])
        monkeypatch.setattr(entry, "main", lambda: socket.create_connection(("127.0.0.1", port)).close())
        monkeypatch.setattr(place, "_watched", lambda _: None)
        loses("an address of the repository was asked", lambda: place.run(("lint", ".")))
        monkeypatch.setattr(entry, "main", lambda: None)
        place.run(("lint", "."))


def test_a_repository_in_which_a_command_hangs(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands.Process.ended, "__defaults__", (0.2,))
    with repositories.Place(trial.new_folder(), trial.random) as place:
        monkeypatch.setattr(entry, "main", lambda: time.sleep(60))
        loses(r"\('lint', '.'\) with \[\]: a command still runs", lambda: place.run(("lint", ".")))


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_the_action_has_little_patience_with_git(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repositories, "GIT_PATIENCE", 0.5)
    monkeypatch.setattr(commands.Process.ended, "__defaults__", (50.0,))
    with repositories.Place(trial.new_folder(), trial.random) as place:
        place.fill(("names",))
        place.pipe(".git/index")
        place.run(repositories.REVIEW)


def test_a_repository_that_is_gone_takes_no_address_space(trial: Trial) -> None:
    before = threading.active_count()
    for _ in range(3):
        with repositories.Place(trial.new_folder(), trial.random):
            pass
    assert threading.active_count() <= before


def test_a_server_that_fills_the_client(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(hostile_servers.LIMITS, "LARGEST", 2**40)
    monkeypatch.setattr(hostile_servers, "MEMORY", 60 << 20)
    monkeypatch.setattr(hostile_servers, "COMMANDS", ("get --raw /version",))
    monkeypatch.setattr(hostile_servers, "KINDS", {"an endless answer": hostile_servers.KINDS["an endless answer"]})
    loses("MemoryError", lambda: [*hostile_servers.attack(trial)])


def test_a_broken_server_that_counts_as_empty(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kubemerge.client.wire.lists._page", lambda content: content if isinstance(content, dict) else {}
    )
    monkeypatch.setattr("kubemerge.client.wire.lists.require_maps", lambda *_: [])
    monkeypatch.setattr(hostile_servers, "COMMANDS", ("get configmaps",))
    monkeypatch.setattr(hostile_servers, "KINDS", {"another value": hostile_servers.KINDS["another value"]})
    loses("an empty cluster", lambda: [*hostile_servers.attack(trial)])


def test_a_request_that_ends_in_a_trace(trial: Trial, loses: Loses) -> None:
    planted = (
        "import sys; from kubemerge.apiserver.http import bodies; from kubemerge.__main__ import main;"
        "bodies.decode = lambda _: 1 / 0; sys.argv[0] = 'kubemerge'; main()"
    )
    with server.served(trial.new_folder(), start=("-c", planted)) as running:
        made = hostile_requests.Maker(trial.random)
        loses("Internal error occurred|a trace", lambda: hostile_requests.judge(running, made.request()))


def test_a_resource_version_that_follows_the_clock(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = Random(1)
    monkeypatch.setattr(store.SqliteStore, "next_version", lambda _: numbers.randrange(1, 10**6))
    loses("comes after", lambda: clocks._write(Random(1), trial.new_folder() / "c.db", 20))


def test_a_write_that_another_thread_overwrites(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kubemerge.apiserver.metadata, "requested_version", lambda _: None)
    loses("writes are left", lambda: threads._one_cluster(trial.new_folder(), 20))


def test_threads_that_come_to_another_result() -> None:
    program = (
        "import sys, threading; from tests.attack import in_threads;"
        "in_threads.WORK = {'planted': lambda: lambda: threading.get_ident()}; sys.exit(in_threads.main(1))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "planted" in done.stderr


def test_a_package_that_is_written_file_by_file(trial: Trial, loses: Loses, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(folder: Any, files: dict[str, str]) -> int:
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text)
            time.sleep(0.05)
        for left in {file.name for file in folder.glob("*.py")} - set(files):
            (folder / left).unlink()
        return len(files)

    monkeypatch.setattr(generate, "write_package", slowly, raising=False)
    monkeypatch.setattr("codegen.generating.write_package", slowly)
    target = generated.Package(trial.new_folder())
    target.make()
    loses("neither the old nor the new", lambda: generated.killed(trial, target, 0))
