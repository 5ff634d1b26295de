"""Records of writes, and the fields that they took."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kubemerge.apiserver.write_log import Write
from kubemerge.ownership.taken_fields import AllowedFields, taken_fields
from kubemerge.ownership.write_records import BadRecord, read_allowed, read_writes

WRITE = Write("operator", "update", "deployments", "", "default", "web", ("spec.replicas",), ("spec.replicas",))


def line(**fields: Any) -> bytes:
    return json.dumps({**WRITE._asdict(), **fields}).encode()


def read(data: bytes) -> tuple[list[Write], list[str]]:
    told: list[str] = []
    return read_writes("record", data, told.append), told


def test_a_record_is_read_as_it_was_written() -> None:
    write = WRITE._replace(taken_from={"spec.replicas": ("helm", "user")}, respelled=("spec.replicas",), group="apps")
    assert read(line(**write._asdict()) + b"\n") == ([write], [])


def test_an_incomplete_last_line_is_left_out_and_reported() -> None:
    whole = line() + b"\n"
    for end in (1, 20, len(line()) - 1):
        said = ["record:2: the last line is incomplete, and was left out"]
        assert read(whole + line()[:end]) == ([WRITE], said)
    assert read(whole + line()) == ([WRITE, WRITE], [])
    assert read(b"") == ([], [])


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"", "the line is not JSON"),
        (b'{"manager": ', "the line is not JSON"),
        (b"\xff", "the line is not JSON"),
        (line(name="\ud800"), "the line is not JSON"),
        (b"[" * 100_000, "the line is not JSON"),
        (b"9" * 5000, "the line is not JSON"),
        (b"[]", "the line is not a JSON object"),
        (b"{}", "manager is not a string"),
        (line(name=1), "name is not a string"),
        (line(owned="a"), "owned is not a list of strings"),
        (line(changed=[1]), "changed is not a list of strings"),
        (line(taken_from=[]), "taken_from is not a map of lists of strings"),
        (line(taken_from={"a": "b"}), "taken_from is not a map of lists of strings"),
    ],
)
def test_any_other_bad_line_is_an_error_with_its_number(bad: bytes, why: str) -> None:
    with pytest.raises(BadRecord) as error:
        read(line() + b"\n" + bad + b"\n")
    assert str(error.value) == f"record:2: {why}. Pass a file that `kubemerge serve --record` wrote"


def test_a_field_counts_as_changed_if_a_field_inside_it_changed() -> None:
    changed = ("a.b", "c[0].d", "ea", "e-f.g")
    write = WRITE._replace(owned=("a", "a.b", "c", "e", "e-f", "a.b.c"), changed=changed, respelled=("a.b",))
    found = {field.path: field.value for field in taken_fields([write], AllowedFields({}))}
    assert found == {
        "a": "changed",
        "a.b": "respelled",
        "c": "changed",
        "e": "unchanged",
        "e-f": "changed",
        "a.b.c": "unchanged",
    }


def test_managers_without_allowed_fields_may_own_all() -> None:
    allowed = AllowedFields({"operator": ["status"], "nobody": []})
    assert allowed.allows("user", "spec")
    assert [allowed.allows("operator", path) for path in ("status.a", "status[0]", "statuses")] == [True, True, False]
    assert not allowed.allows("nobody", "status")


@pytest.mark.parametrize("content", [None, [], {}, {"a": "status"}, {"a": [1]}, {1: ["status"]}])
def test_allowed_fields_are_lists_of_paths_by_manager(content: Any) -> None:
    with pytest.raises(BadRecord, match=r"^file: .*\. Write `MANAGER: \[PATH, \.\.\.\]`$"):
        read_allowed("file", content)
