"""The audit log. Events of a real server are in tests/conformance/audit."""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from kubemerge.apiserver.http.audit.log import AuditLog
from kubemerge.apiserver.http.audit.policy import AuditPolicy, InvalidPolicy
from kubemerge.apiserver.http.line_log import CannotLog
from kubemerge.apiserver.http.listening import running
from kubemerge.apiserver.http.verbs import reading
from tests.codegen.sample_specs import kubemerge

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

SECRETS = "/api/v1/namespaces/default/secrets"
SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"password": "hunter2"}}


def policy(*rules: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": list(rules), **fields}


def asked(server: Serving, path: str, body: Any = None, **headers: str) -> Any:
    data = None if body is None else json.dumps(body).encode()
    given = {"Content-Type": "application/json", "User-Agent": "test", **headers}
    with urlopen(Request(server.url + path, data, given), timeout=30) as response:
        return response.headers, json.load(response)


def events(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_log_without_a_policy_has_the_metadata_of_each_request(kube_server: Serving, tmp_path: Path) -> None:
    file = tmp_path / "audit.log"
    kube_server(audit_log=file)
    headers, _ = asked(kube_server, SECRETS, SECRET)
    asked(kube_server, f"{SECRETS}/s")
    created, read = events(file)
    assert list(created)[:6] == ["kind", "apiVersion", "level", "auditID", "stage", "requestURI"]
    assert (created["level"], created["stage"], created["verb"]) == ("Metadata", "ResponseComplete", "create")
    assert created["auditID"] == headers["Audit-ID"]
    assert created["user"] == {"username": "kubernetes-admin", "groups": ["system:masters", "system:authenticated"]}
    assert created["objectRef"] == {"resource": "secrets", "namespace": "default", "name": "s", "apiVersion": "v1"}
    assert created["responseStatus"] == {"metadata": {}, "code": 201}
    assert (read["verb"], read["sourceIPs"]) == ("get", ["127.0.0.1"])
    assert "hunter2" not in file.read_text(encoding="utf-8")
    assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600
    kube_server.write_audit_log(None)
    asked(kube_server, "/version")
    assert len(events(file)) == 2


def test_the_audit_id_of_a_client_and_its_proxies(kube_server: Serving, tmp_path: Path) -> None:
    file = tmp_path / "audit.log"
    kube_server(audit_log=file)
    asked(
        kube_server,
        "/version",
        **{"Audit-ID": "mine", "X-Forwarded-For": "10.1.1.1, 10.1.1.2", "X-Real-Ip": "10.2.2.2"},
    )
    (one,) = events(file)
    assert one["auditID"] == "mine"
    assert one["sourceIPs"] == ["10.1.1.1", "10.1.1.2", "10.2.2.2", "127.0.0.1"]


def test_decisions_of_rbac(kube_server: Serving, tmp_path: Path) -> None:
    file = tmp_path / "audit.log"
    kube_server(authorization="rbac", audit_log=file)
    with pytest.raises(HTTPError) as caught:
        asked(kube_server, SECRETS, **{"Impersonate-User": "jane"})
    caught.value.close()
    asked(kube_server, "/version", **{"Impersonate-User": "jane"})
    denied, allowed = events(file)
    assert denied["annotations"] == {"authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": ""}
    assert denied["impersonatedUser"] == {"username": "jane", "groups": ["system:authenticated"]}
    assert denied["authenticationMetadata"] == {"impersonationConstraint": "impersonate:user-info"}
    assert denied["responseStatus"]["code"] == 403
    assert allowed["annotations"]["authorization.k8s.io/reason"].startswith("RBAC: allowed by ClusterRoleBinding")


def test_a_failed_write_is_reported_and_the_request_goes_on(
    kube_server: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no device that is always full")
    kube_server(audit_log="/dev/full")
    with caplog.at_level(logging.ERROR, "kubemerge.serve"):
        for _ in range(3):
            asked(kube_server, "/version")
    assert [one.getMessage() for one in caplog.records] == [
        "the audit log /dev/full cannot be written (No space left on device). Events are lost"
    ]


def test_a_log_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(CannotLog, match=re.escape("cannot be written (No such file or directory)")):
        AuditLog(str(tmp_path / "none" / "audit.log"))


def test_an_unexpected_error(kube_server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("oh")

    file = tmp_path / "audit.log"
    kube_server(audit_log=file)
    monkeypatch.setattr(reading, "get", fail)
    with pytest.raises(HTTPError) as caught:
        asked(kube_server, f"{SECRETS}/s")
    caught.value.close()
    (one,) = events(file)
    assert one["stage"] == "Panic"
    assert one["responseStatus"]["message"] == "APIServer panic'd: oh"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"kind": "Policy"}, "the audit policy is not a Policy of audit.k8s.io/v1. Set its apiVersion and kind"),
        (policy(), "loaded illegal policy with 0 rules. Add a rule to the audit policy"),
        (policy({}), "rules[0].level: Required value"),
        (policy({"level": "All"}), 'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata"'),
        (policy({"level": "None"}, omitStages=["End"]), 'omitStages[0]: Invalid value: "End": allowed stages are'),
        (policy({"level": "None", "nonResourceURLs": ["x"]}), "non-resource URL rules must begin with a '/' character"),
        (policy({"level": "None", "nonResourceURLs": ["/*/x"]}), "wildcards '*' must be the final character"),
        (
            policy({"level": "None", "nonResourceURLs": ["*"], "namespaces": ["a"]}),
            "rules cannot apply to both regular resources and non-resource URLs",
        ),
        (
            policy({"level": "None", "resources": [{"group": "a/v1"}]}),
            'rules[0].resources.group: Invalid value: "a/v1"',
        ),
        (policy({"level": "None", "resources": [{"resourceNames": ["a"]}]}), "requires at least one resource"),
    ],
)
def test_an_invalid_policy(content: Any, why: str) -> None:
    with pytest.raises(InvalidPolicy, match=re.escape(why)):
        AuditPolicy.of(content)


def test_a_policy_in_a_file(kube_server: Serving, tmp_path: Path) -> None:
    file, rules = tmp_path / "audit.log", tmp_path / "policy.yaml"
    rules.write_text(
        "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- {level: None, verbs: [get]}\n- {level: Request}\n",
        encoding="utf-8",
    )
    kube_server(audit_log=file, audit_policy=rules)
    asked(kube_server, "/version")
    asked(kube_server, "/api/v1/namespaces/default/configmaps", {"metadata": {"name": "a"}, "data": {"k": "v"}})
    received, complete = events(file)
    assert (received["stage"], complete["stage"]) == ("RequestReceived", "ResponseComplete")
    assert complete["requestObject"]["data"] == {"k": "v"}
    assert "responseObject" not in complete
    with pytest.raises(InvalidPolicy, match="cannot be read"):
        kube_server(audit_log=file, audit_policy=tmp_path / "none.yaml")


WORDS = ("serve", "--cluster", ":memory:", "--port", "0", "-q")


def test_the_command_opens_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def run(self: Serving) -> None:
        assert self.application.audit is not None
        seen.append(self.application.audit.file)
        self._socket.close()

    monkeypatch.setattr(running.Serving, "run", run)
    file = tmp_path / "audit.log"
    assert kubemerge(*WORDS, "--audit-log", file) == 0
    assert seen == [str(file)]
    assert file.exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--audit-policy", "none.yaml"), "--audit-policy requires --audit-log"),
        (("--audit-log", "none/audit.log"), "the audit log none/audit.log cannot be written"),
    ],
)
def test_the_command_rejects_files(
    words: tuple[str, ...],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert kubemerge(*WORDS, *words) == 2
    assert why in capsys.readouterr().err
