"""For objects that no server would store, a fleet reports and fails as the commands do for each object."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest

import engine
from engine import last_applied_text
from engine.directives import ANNOTATION
from kubemerge.fleet import partitions
from kubemerge.fleet.rows import UNREADABLE, UNTRACKED

from ...conformance.custom.objects import changed
from ...conformance.kinds.bodies import bodies, document
from .fleets import config, tables
from .test_partitions import config_file, rows, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubemerge.fleet.rows import Row

    from ..shell import Shell

Object = dict[str, Any]
COUNT = 90
ENTRY = {"manager": "edit", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1"}
FIELDS: tuple[Any, ...] = (
    None,
    [],
    "x",
    {"x": {}},
    {"f:spec": 5},
    {"f:spec": {"k:{": {}}},
    {"v:1": {}},
    {"f:gone": {"f:a": {}}},
    {".": {}},
)
LAST: tuple[Any, ...] = ("", "{", "[]", "null", "{}", '{"spec": null}', 5, None)


def drawn(number: int) -> tuple[Object, Object]:
    """An object of the config, and its live object. Each is made slightly invalid, in a different way."""
    random = Random(number)
    body = random.choice(bodies())
    wanted = config(3, number) if number % 3 else document(body, body.a, "one")
    wanted["metadata"] = {**wanted["metadata"], "name": f"odd-{number}", "namespace": "team"}
    schema = tables().schema(wanted["apiVersion"], wanted["kind"]) if _is_known(wanted) else None
    live = deepcopy(wanted)
    with suppress(engine.MergeError):
        live = engine.server_side_apply(wanted, None, schema, manager="edit", time="2026-01-01T00:00:00Z").merged
    metadata = live["metadata"]
    if number % 4 == 1:
        metadata["annotations"] = {ANNOTATION: random.choice((*LAST, last_applied_text(wanted)))}
    if number % 5 == 1:
        metadata["managedFields"] = [{**ENTRY, "fieldsV1": deepcopy(random.choice(FIELDS))}]
    if number % 7 == 1:
        metadata |= {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["a/b"], "generateName": "odd-"}
    return (changed(wanted, random) if number % 2 else wanted), changed(live, random)


def _is_known(wanted: Object) -> bool:
    return (wanted["apiVersion"], wanted["kind"]) in tables()


DRAWN = [drawn(number) for number in range(COUNT)]
CONFIG, LIVE = [one for one, _ in DRAWN], [one for _, one in DRAWN]


def batches() -> Iterable[Any]:
    return iter([pyarrow.record_batch({"object": [json.dumps(one) for one in LIVE]})])


def parted(found: list[Row]) -> tuple[list[Row], set[str]]:
    """The rows, and the names of the objects that could not be looked at."""
    failed = {one.name for one in found if one.what in (UNREADABLE, UNTRACKED) and one.severity == "error"}
    return [one for one in found if one.name not in failed], failed


def counted(found: Iterable[tuple[Any, ...]]) -> Counter[str]:
    return Counter(json.dumps(one, sort_keys=True) for one in found)


def name(one: Object) -> str:
    return str(one["object"].partition("/")[2])


def failing(shell: Shell) -> set[str]:
    """The objects that a command has failed on."""
    complaints = [line for line in shell.err.splitlines() if line.startswith("kubemerge: ")]
    return {one for one in (f"odd-{number}" for number in range(COUNT)) if any(f"/{one}:" in it for it in complaints)}


@pytest.fixture
def files(shell: Shell) -> tuple[str, ...]:
    shell.write("config.json", *CONFIG)
    shell.write("live.json", *LIVE)
    return ("-f", "config.json", "--live", "live.json", "-o", "json", "--release", "1.31")


def test_lint(shell: Shell, files: tuple[str, ...]) -> None:
    shell.run("lint", files[3], *files[4:])
    found, failed = parted(rows(partitions.lint(batches(), "1.31")))
    wanted = [(name(one), one["path"], one["code"], one["severity"], one["message"]) for one in json.loads(shell.out)]
    assert counted((one.name, one.path, one.what, one.severity, one.text) for one in found) == counted(wanted)
    assert not failed
    assert shell.code == 1


def test_upgrade(shell: Shell, files: tuple[str, ...]) -> None:
    shell.run("compare", "1.24..1.26", "-f", files[3], "-o", "json", "--severity", "info")
    found, failed = parted(rows(partitions.upgrade(batches(), "1.24..1.26", severity="info")))
    keys = ("path", "sort", "severity", "before", "after")
    wanted = [(name(one), *(it[key] for key in keys)) for one in json.loads(shell.out) for it in one["findings"]]
    assert wanted
    told = [(one.name, one.path, one.what, one.severity, value(one.before), value(one.after)) for one in found]
    assert counted(told) == counted(wanted)
    assert not failed


def test_owners(shell: Shell, files: tuple[str, ...]) -> None:
    shell.run("owners", "-f", *files[3:])
    found, failed = parted(rows(partitions.owners(batches(), "1.31")))
    wanted = [
        (name(one), it["path"], owner["manager"], it.get("value"))
        for one in json.loads(shell.out)
        for it in one["fields"]
        for owner in it["owners"] or [{"manager": "nobody"}]
    ]
    assert counted((one.name, one.path, one.what, value(one.after)) for one in found) == counted(wanted)
    assert failed == failing(shell)
    assert failed


def test_drift(shell: Shell, files: tuple[str, ...]) -> None:
    shell.run("diff", *files)
    found, failed = parted(rows(partitions.drift(batches(), [config_file(*CONFIG)], "1.31")))
    keys = ("path", "action", "before", "after", "reason")
    wanted = [(name(one), *(one[key] for key in keys)) for one in json.loads(shell.out)]
    told = [(one.name, one.path, one.what, value(one.before), value(one.after), one.text) for one in found]
    assert counted(told) == counted(wanted)
    assert failed == failing(shell)
    assert failed


def test_migrate(shell: Shell, files: tuple[str, ...]) -> None:
    shell.run("migrate", *files)
    found, failed = parted(rows(partitions.migrate(batches(), [config_file(*CONFIG)], "1.31")))
    wanted = [
        (name(one), section, place["path"], place["live"], place["config"])
        for one in json.loads(shell.out)
        for section in ("conflicts", "taken", "left", "shared", "removed", "changed")
        for place in one[section]
    ]
    told = [(one.name, one.what, one.path, value(one.before), value(one.after)) for one in found]
    assert counted(one for one in told if one[1] != "refused") == counted(wanted)
    assert failed == failing(shell)
    assert failed


def test_nothing_is_a_bug_in_kubemerge() -> None:
    for work in (partitions.lint, partitions.owners, partitions.migrate):
        assert [one for one in rows(work(batches())) if "bug" in one.text] == []
