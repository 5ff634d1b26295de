"""Commands that work offline call no webhook, and nothing of webhooks is loaded without one."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from kubemerge.apiserver.webhooks import client
from tests.conftest import ROOT
from tests.kubemerge.shell import Shell

from .conftest import config_map, configuration

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.conformance.webhooks.stub import Stub

MANIFESTS = ("-f", "hooks.yaml", "-f", "web.yaml")
COMMANDS = (
    ("lint", "hooks.yaml", "web.yaml"),
    ("merge", "-f", "web.yaml", "--live", "live.yaml"),
    ("diff", "-f", "web.yaml", "--live", "live.yaml"),
    ("why", "-f", "web.yaml", "--live", "live.yaml"),
    ("apply", *MANIFESTS),
    ("apply", "--server-side", "--force-conflicts", *MANIFESTS),
    ("apply", "--dry-run=server", *MANIFESTS),
    ("diff", *MANIFESTS),
    ("delete", "-f", "web.yaml"),
)


def test_commands_call_no_webhook(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, stub: Stub
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a webhook is called")

    monkeypatch.setattr(client, "_Exchange", fail)
    monkeypatch.chdir(tmp_path)
    stub.begin({"/denies": [{"allowed": False}]})
    shell = Shell(tmp_path, capsys)
    hooks = [configuration(kind, "denies", stub.config("/denies")) for kind in ("Validating", "Mutating")]
    shell.write("hooks.yaml", *hooks)
    shell.write("web.yaml", config_map("web", a="b"))
    shell.write("live.yaml", config_map("web", a="c"))
    for words in COMMANDS:
        assert shell.run(*words) in (0, 1), (words, shell.out, shell.err)
        assert "webhook " not in shell.out + shell.err or words[0] == "lint", (words, shell.out, shell.err)
    assert stub.reviews == []


PROGRAM = """
import sys
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.cluster import open_cluster

with open_cluster(":memory:") as cluster:
    application = Application(cluster, services={"default/hooks": "https://127.0.0.1:1"})
    body = b'{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}'
    request = Request("POST", "/api/v1/namespaces/default/configmaps", {}, {"content-type": "application/json"}, body)
    with application.deadline(request).here():
        print(application.answer(request).status)
print(*[one for one in sys.modules if one.startswith("kubemerge.apiserver.webhooks")])
"""


def test_a_write_without_webhooks_imports_nothing_of_them() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["201"]
