"""`kubemerge writes`: new owners of fields, in recorded writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.write_log import Write

if TYPE_CHECKING:
    from ...shell import Shell

PLACE = ("deployments", "", "default", "web")
REPLICAS, AGE = "spec.replicas", "spec.age"
WRITES = (
    Write("helm", "create", *PLACE, (AGE, REPLICAS), (AGE, REPLICAS), group="apps"),
    Write(
        *("operator", "update", *PLACE, (AGE, REPLICAS, "status"), (AGE, REPLICAS), (AGE,)),
        taken_from={AGE: ("helm",), REPLICAS: ("helm", "user")},
        group="apps",
    ),
)


def text(shell: Shell, name: str, content: str) -> str:
    (shell.folder / name).write_text(content, encoding="utf-8")
    return name


def record(shell: Shell, *more: Write, end: str = "\n") -> str:
    lines = [json.dumps(one._asdict()) for one in (*WRITES, *more)]
    return text(shell, "writes.jsonl", "\n".join(lines) + end)


def test_a_table_for_each_manager(shell: Shell) -> None:
    assert [line.rstrip() for line in shell.done("writes", record(shell)).splitlines()] == [
        "helm: 2 fields in 1 write",
        "OBJECT                           FIELD          VERB    TAKEN FROM  VALUE",
        "deployments.apps web in default  spec.age       create              changed",
        "deployments.apps web in default  spec.replicas  create              changed",
        "",
        "operator: 3 fields in 1 write",
        "OBJECT                           FIELD          VERB    TAKEN FROM  VALUE",
        "deployments.apps web in default  spec.age       update  helm        respelled",
        "deployments.apps web in default  spec.replicas  update  helm, user  changed",
        "deployments.apps web in default  status         update              unchanged",
    ]


def test_fields_that_a_manager_may_not_own_are_marked(shell: Shell) -> None:
    words = ("writes", record(shell), "--manager", "operator", "--allow", "status")
    assert shell.run(*words, "--allow", "spec.age") == 1
    marked = [line.split()[4:] for line in shell.out.splitlines() if line.endswith("NOT ALLOWED")]
    assert marked == [[REPLICAS, "update", "helm,", "user", "changed", "NOT", "ALLOWED"]]
    assert "operator: 3 fields in 1 write, 1 not allowed\n" in shell.out
    assert shell.run(*words, "--allow", "spec") == 0


def test_the_allowed_fields_of_each_manager_are_in_a_file(shell: Shell) -> None:
    allowed = text(shell, "allowed.yaml", "helm: [spec]\noperator:\n- status\n")
    assert shell.run("writes", record(shell), "--allowed-fields", allowed) == 1
    assert shell.out.count("NOT ALLOWED") == 2
    assert shell.run("writes", record(shell), "--allowed-fields", allowed, "--manager", "helm") == 0
    more = ("--manager", "operator", "--allow", "spec")
    assert shell.run("writes", record(shell), "--allowed-fields", allowed, *more) == 0


def test_json_has_each_field(shell: Shell) -> None:
    assert shell.run("writes", record(shell), "--manager", "operator", "--allow", "spec", "-o", "json") == 1
    found: list[dict[str, Any]] = json.loads(shell.out)
    assert [(one["path"], one["allowed"], one["line"]) for one in found] == [
        (AGE, True, 2),
        (REPLICAS, True, 2),
        ("status", False, 2),
    ]
    assert found[1] == {
        "manager": "operator",
        "group": "apps",
        "resource": "deployments",
        "subresource": "",
        "namespace": "default",
        "name": "web",
        "path": REPLICAS,
        "verb": "update",
        "takenFrom": ["helm", "user"],
        "value": "changed",
        "allowed": True,
        "line": 2,
    }


def test_sarif_has_the_fields_that_are_not_allowed(shell: Shell) -> None:
    assert shell.run("writes", record(shell), "--manager", "operator", "--allow", "status", "-o", "sarif") == 1
    (run,) = json.loads(shell.out)["runs"]
    assert [one["message"]["text"] for one in run["results"]] == [
        "operator may not own this field. deployments.apps web in default: spec.age, taken from helm by update; the "
        "value is the same in other words. Do not write the field, or allow it.",
        "operator may not own this field. deployments.apps web in default: spec.replicas, taken from helm, user by "
        "update; its value changed. Do not write the field, or allow it.",
    ]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "writes.jsonl"}
    assert place["region"]["startLine"] == 2
    assert len({one["partialFingerprints"]["kubemerge/v1"] for one in run["results"]}) == 2
    assert run["tool"]["driver"]["rules"][0]["id"] == run["results"][0]["ruleId"]


def test_a_wrong_call_is_an_error(shell: Shell) -> None:
    assert "--allow requires --manager" in shell.fails("writes", record(shell), "--allow", "spec")
    nobody = "operators has written nothing. Managers with writes: helm, operator"
    assert shell.fails("writes", record(shell), "--manager", "operators") == nobody
    allowed = text(shell, "allowed.yaml", "operators: [spec]\n")
    assert shell.fails("writes", record(shell), "--allowed-fields", allowed) == nobody
    damaged = text(shell, "damaged.jsonl", "{\n")
    assert shell.fails("writes", damaged).startswith("damaged.jsonl:1: the line is not JSON. ")


def test_a_record_of_a_killed_server_is_read(shell: Shell) -> None:
    assert shell.run("writes", record(shell, end='\n{"manager": "op')) == 0
    assert "writes.jsonl:3: the last line is incomplete, and was left out" in shell.err


def test_names_do_not_act_on_a_terminal(shell: Shell) -> None:
    hostile = WRITES[0]._replace(manager="a\x1b[31m\nb", name="\u202e")
    for form in ("text", "json", "sarif"):
        assert shell.run("writes", record(shell, hostile), "-o", form) == 0
        assert not {"\x1b", "\u202e"} & {*shell.out}
