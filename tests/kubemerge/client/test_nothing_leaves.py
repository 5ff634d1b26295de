"""Without --context and --kubeconfig no command sends requests. With them, it prints the target of writes."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

from kubemerge.cli.group import COMMANDS, cli
from kubemerge.cli.main import main
from tests.conftest import needs_posix

from .fake import Asked, Fake, Say, status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {k: v}
"""
CM = "/api/v1/namespaces/default/configmaps"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    (tmp_path / "cm.yaml").write_text(CONFIG, encoding="utf-8")

    def command(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(words))
        said = capsys.readouterr()
        return int(end.value.code or 0), said.out, said.err

    return command


LINES = [
    *(
        "get cm",
        "get all",
        "apply -f cm.yaml",
        "diff -f cm.yaml",
        "why -f cm.yaml",
        "blame cm.yaml",
        "lint cm.yaml",
        "owners cm/a",
    ),
    *("compare 1.36 1.37 -f cm.yaml", "merge -f cm.yaml", "migrate -f cm.yaml", "delete cm a", "create -f cm.yaml"),
    *("replace -f cm.yaml", "patch cm a -p {}", "label cm a x=y", "annotate cm a x=y", "scale deploy a --replicas=1"),
    *("wait cm/a --for=delete", "describe cm a", "explain cm", "kinds cm", "api-resources", "api-versions", "version"),
    *("apply view-last-applied cm a", "create cm b", "get --raw /version", "cluster info", "blame cm.yaml"),
]


@pytest.mark.slow
@pytest.mark.left_out
def test_without_the_options_nothing_leaves_the_machine(
    run: Callable[..., Any], fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kubeconfig in the environment is not enough."""
    file = fake.kubeconfig(tmp_path)
    monkeypatch.setenv("KUBECONFIG", file)
    (tmp_path / ".kube").mkdir()
    Path(file).rename(tmp_path / ".kube" / "config")

    def refuse(*_: Any) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "sendto", refuse)
    for line in LINES:
        code, _, said = run(*line.split())
        assert "a connection" not in said, line
        assert code in (0, 1, 2), line
    assert fake.asked == []


def leaves(command: click.Command) -> Iterator[click.Command]:
    """A command, or its subcommands."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    for one in inner:
        yield from leaves(one)
    if not inner:
        yield command


NO_CLUSTER = {
    "completion",
    "demo",
    "fleet",
    "generate",
    "git-merge",
    "git-setup",
    "git-textconv",
    "last-applied",
    "lsp",
    "overlay",
    "releases",
    "serve",
    "spec",
    "writes",
}


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - NO_CLUSTER))
def test_every_command_about_a_cluster_has_the_options(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for one in leaves(command):
        if (name, one.name) == ("create", "token"):  # the embedded cluster has no tokens
            continue
        options = {flag for each in one.params for flag in each.opts}
        assert {"--context", "--kubeconfig"} <= options, f"{name} {one.name}"


WRITES = [
    *("apply -f cm.yaml", "create -f cm.yaml", "delete cm a --wait=false", "label cm a x=y", "annotate cm a x=y"),
    *("patch cm a -p {}", "replace -f cm.yaml", "create cm a", "apply -f cm.yaml --server-side"),
]


def with_object(fake: Fake) -> None:
    live = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default", "uid": "u"}}
    live["metadata"]["resourceVersion"] = "1"  # type: ignore[index]
    fake.answers |= {CM: [Say(201, live)], f"{CM}/a": [Say(body=live)]}


@pytest.mark.parametrize("line", WRITES)
def test_a_command_that_writes_names_the_context(
    run: Callable[..., Any], fake: Fake, tmp_path: Path, line: str
) -> None:
    with_object(fake)
    code, _, said = run(*line.split(), "--kubeconfig", fake.kubeconfig(tmp_path))
    assert code == 0, said
    assert said.splitlines().count("context: dev") == 1


@pytest.mark.parametrize("line", ["get cm a", "diff -f cm.yaml", "why -f cm.yaml", "apply -f cm.yaml --dry-run=server"])
def test_a_command_that_only_looks_does_not(run: Callable[..., Any], fake: Fake, tmp_path: Path, line: str) -> None:
    with_object(fake)
    _, _, said = run(*line.split(), "--kubeconfig", fake.kubeconfig(tmp_path), "--context", "dev")
    assert "context: dev" not in said
    assert all(one.method == "GET" or one.query.get("dryRun") == "All" for one in fake.asked)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("get cm --context nope --kubeconfig FILE", "does not have the context 'nope'. The only context is dev"),
        ("get cm --context= --kubeconfig FILE", "the name of the context is empty. The only context is dev"),
        (
            "get cm --context dev --cluster x.db --kubeconfig FILE",
            "--cluster (a file) and --context (a server) exclude each other",
        ),
        ("get cm --context dev --release 1.30 --kubeconfig FILE", "a server has its own release"),
        ("cluster reset --kubeconfig FILE", "this command requires the embedded cluster"),
        (
            "why -f cm.yaml --live cm.yaml --kubeconfig FILE",
            "--live (a file) and --context",
        ),
        (
            "lint cm.yaml --live cm.yaml --kubeconfig FILE",
            "--live (a file) and --context",
        ),
        ("diff -f cm.yaml --release 1.30 --kubeconfig FILE", "the server has its own release"),
        ("owners -f cm.yaml --kubeconfig FILE", "-f and --context exclude each other"),
        ("compare 1.36 1.37 --kubeconfig FILE", "the server is one side of the comparison"),
        ("patch --local -f cm.yaml -p {} --kubeconfig FILE", "--local uses no cluster. Omit --context"),
        ("get cm --kubeconfig none.yaml", "none.yaml: the kubeconfig does not exist"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_sentence(
    run: Callable[..., Any], fake: Fake, tmp_path: Path, line: str, said: str
) -> None:
    code, _, told = run(*line.replace("FILE", fake.kubeconfig(tmp_path)).split())
    assert code in (1, 2)
    assert said in told
    assert fake.asked == []


def test_a_server_that_is_gone_ends_a_command_at_once(run: Callable[..., Any], tmp_path: Path) -> None:
    fake = Fake()
    server = fake.start()
    server.shutdown()
    server.server_close()
    (tmp_path / "cm.yaml").write_text("---\n".join([CONFIG, CONFIG.replace("a}", "b}")]), encoding="utf-8")
    code, _, said = run("apply", "-f", "cm.yaml", "--kubeconfig", fake.kubeconfig(tmp_path))
    host = fake.url.removeprefix("http://")
    assert (code, said.splitlines()[-1]) == (
        1,
        f"The connection to the server {host} was refused - did you specify the right host or port?",
    )


def test_somebody_whom_the_server_does_not_know(run: Callable[..., Any], fake: Fake, tmp_path: Path) -> None:
    fake.answers["/version"] = [status(401, "Unauthorized", "Unauthorized")]
    code, _, said = run("get", "cm", "--kubeconfig", fake.kubeconfig(tmp_path))
    assert (code, said) == (1, "error: You must be logged in to the server (Unauthorized)\n")


def test_a_trace_has_no_secrets(run: Callable[..., Any], fake: Fake, tmp_path: Path) -> None:
    user = {
        "exec": {"apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never", "command": sys.executable}
    }
    code_of_plugin = "print('s3cret')"
    user["exec"]["args"] = ["-c", code_of_plugin]  # type: ignore[assignment]
    for one in (user, {"token": "s3cret\n"}, {"token": "s3cret", "client-certificate-data": "czNjcmV0"}):
        code, out, said = run("get", "cm", "--debug", "--kubeconfig", fake.kubeconfig(tmp_path, user=one))
        assert code in (1, 2)
        assert "s3cret" not in out + said
        assert "czNjcmV0" not in out + said


@needs_posix
def test_an_interrupt_ends_cleanly(fake: Fake, tmp_path: Path) -> None:
    reached, end = threading.Event(), threading.Event()

    def wait(_: Asked) -> Say:
        reached.set()
        end.wait(20)
        return Say(body={})

    fake.answers["/version"] = wait
    words = [sys.executable, "-m", "kubemerge", "get", "cm", "--kubeconfig", fake.kubeconfig(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert reached.wait(20)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=20)
    end.set()
    assert process.returncode == 130
    assert (out, said.strip()) == ("", "")


def test_a_list_of_a_server_as_a_table(run: Callable[..., Any], fake: Fake, tmp_path: Path) -> None:
    items = [{"metadata": {"name": name, "namespace": "default"}, "data": {"a": "b"}} for name in ("x", "y")]
    fake.answers[CM] = [Say(body={"kind": "List", "items": items})]
    code, out, _ = run("get", "cm", "-o", "name", "--kubeconfig", fake.kubeconfig(tmp_path))
    assert (code, out) == (0, "configmap/x\nconfigmap/y\n")


def test_the_first_of_several_kubeconfigs(
    run: Callable[..., Any], fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.answers[CM] = [Say(body={"kind": "List", "items": []})]
    monkeypatch.setenv("KUBECONFIG", fake.kubeconfig(tmp_path))
    code, _, said = run("get", "cm", "--context", "dev")
    assert (code, said) == (0, "No resources found in default namespace.\n")
    assert json.loads((tmp_path / "kubeconfig").read_text(encoding="utf-8"))["current-context"] == "dev"


def test_a_request_takes_no_longer_than_it_may(run: Callable[..., Any], fake: Fake, tmp_path: Path) -> None:
    end = threading.Event()

    def wait(_: Asked) -> Say:
        end.wait(20)
        return Say(body={})

    fake.answers["/version"] = wait
    begun = time.monotonic()
    code, _, said = run("get", "cm", "--kubeconfig", fake.kubeconfig(tmp_path), "--request-timeout=200ms")
    end.set()
    assert (code, said.count("\n")) == (1, 1)
    assert "sent nothing for 0.2 s" in said
    assert time.monotonic() - begun < 10
