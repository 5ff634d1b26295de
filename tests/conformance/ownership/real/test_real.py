"""Random writes to a real API server have the engine's results; without a server, only helpers are tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from . import judge
from .__main__ import main
from .server import Server, ServerUnavailable

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_random_writes_to_a_real_server(capsys: pytest.CaptureFixture[str]) -> None:
    if main(["--count", "60", "--seed", "7"]) == 2:
        pytest.skip(capsys.readouterr().out)
    assert "60 sequences, 0 differences" in capsys.readouterr().out


def test_missing_server_is_reported_with_a_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    assert main(["--count", "1"]) == 2
    assert "set KUBECONFIG" in capsys.readouterr().out
    file = tmp_path / "kubeconfig"
    file.write_text("{current-context: a, contexts: []}")
    with pytest.raises(ServerUnavailable, match="no context 'a'"):
        Server(str(file))
    parts = "contexts: [{name: a, context: {cluster: c, user: u}}], clusters: [{name: c, cluster: {server: x}}]"
    file.write_text(f"{{current-context: a, {parts}, users: [{{name: u, user: {{}}}}]}}")
    with pytest.raises(ServerUnavailable, match="certificate-authority"):
        Server(str(file))


def test_later_server_changes_are_reverted() -> None:
    body = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}}
    stored = {**body, "spec": {"clusterIP": "10.0.0.1", "ports": [{"port": 80, "nodePort": 30000, "protocol": "TCP"}]}}
    write = {"kind": "Service", "version": "v1", "do": "create", "subresource": "", "before": None, "body": body}
    assert judge.booked({**write, "after": stored})["spec"] == {"ports": [{"port": 80, "protocol": "TCP"}]}


def test_conflict_is_distinguished_from_other_rejections() -> None:
    cause = {"reason": "FieldManagerConflict", "message": 'conflict with "a"', "field": ".data.a"}
    said = {"message": "Apply failed", "details": {"causes": [cause]}}
    assert judge.theirs({"code": 409, "said": said})["conflicts"] == [
        {"field": ".data.a", "message": 'conflict with "a"'}
    ]
    refusal: judge.Answer = {"refused": "500 no"}
    stored: judge.Answer = {"managers": []}
    assert judge.agree({"code": 422}, stored, refusal)
    assert not judge.agree({"code": 500}, stored, refusal)
    assert not judge.agree({"code": 422}, {"conflicts": []}, refusal)
    assert not judge.agree({"code": 200}, stored, {"managers": [1]})
    assert judge.theirs({"code": 422, "said": {"message": "no"}}) == {"refused": "422 no"}


def test_a_listed_difference_is_about_some_writes_only() -> None:
    hpa: dict[str, object] = {"kind": "HorizontalPodAutoscaler", "version": "autoscaling/v1", "subresource": ""}
    entries = [{"apiVersion": "autoscaling/v2"}]
    assert judge.listed({**hpa, "before": None}, {}, {}) is None
    assert judge.listed({**hpa, "before": {"metadata": {"managedFields": entries}}}, {}, {}) is not None
    status = {"kind": "CertificateSigningRequest", "subresource": "status"}
    assert judge.listed(status, {"managers": [1], "object": 1}, {"managers": [1], "object": 2}) is not None
    assert judge.listed(status, {"managers": [1]}, {"managers": [2]}) is None
