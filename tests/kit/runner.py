"""Runs the steps of a composite action as GitHub's runner does, with an API of GitHub on this machine."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from ..conftest import ROOT
from .repositories import Repository, load, programs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

ACTION: dict[str, Any] = load("action.yml")
TOKEN = "a-token-that-nobody-may-see"
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


class Api:
    """GitHub's API for comments. Its requests are recorded."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.may_write = True
        self.address = ""

    def add(self, body: str, kind: str = "Bot") -> None:
        self.comments.append(
            {"id": 1000 + len(self.comments), "body": body, "user": {"type": kind, "login": "somebody"}}
        )

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        self.asked.append(f"{method} {path}")
        where = urlsplit(path)
        if method == "GET" and where.path == "/repos/o/r/issues/7/comments":
            page = int(parse_qs(where.query)["page"][0])
            return 200, self.comments[(page - 1) * 100 : page * 100]
        if not self.may_write:
            return 403, {"message": "Resource not accessible by integration"}
        if len(body["body"]) > 65536:
            return 422, {"message": "body is too long (maximum is 65536 characters)"}
        if method == "POST" and where.path == "/repos/o/r/issues/7/comments":
            self.add(body["body"])
            return 201, self.comments[-1]
        (found,) = (one for one in self.comments if where.path == f"/repos/o/r/issues/comments/{one['id']}")
        found["body"] = body["body"]
        return 200, found


@contextmanager
def serving(api: Api) -> Iterator[Api]:
    """The API on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            allowed = self.headers["Authorization"] == f"Bearer {TOKEN}"
            code, answer = api.answer(self.command, self.path, body) if allowed else (401, {})
            data = json.dumps(answer).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_PATCH = do_GET  # noqa: N815 - the names that the class looks for

        def log_message(self, *words: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        api.address = f"http://127.0.0.1:{server.server_port}"
        try:
            yield api
        finally:
            server.shutdown()
            thread.join()


class Job:
    """A job on a separate machine: a checkout, a temporary folder, files for outputs and the summary."""

    def __init__(self, repository: Repository, folder: Path, api: Api, *, installs: bool = False) -> None:
        self.repository, self.folder, self.api, self.installs = repository, folder, api, installs
        self.temp = folder / "temp"
        self.temp.mkdir(parents=True)
        self.log = ""
        self.outputs: dict[str, dict[str, str]] = {}
        if not installs:
            (self.temp / "kubemerge").mkdir()
            programs(self.temp / "kubemerge" / "bin")

    @property
    def summary(self) -> str:
        file = self.folder / "summary"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def run(self, event: Mapping[str, Any], **inputs: str) -> int:
        """Run the steps until one fails, and return its exit code, or 0."""
        (self.folder / "event.json").write_text(json.dumps(event))
        assert {*inputs} <= {*ACTION["inputs"]}
        given = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()} | inputs
        for step in ACTION["runs"]["steps"]:
            if step["id"] == "install" and not self.installs:
                continue
            code = self._step(step, given)
            if code:
                return code
        return 0

    def _step(self, step: Mapping[str, Any], inputs: Mapping[str, str]) -> int:
        assert step["shell"] == "bash"
        assert {*step} <= {"name", "id", "shell", "env", "run"}, "the runner of this test knows nothing else"
        script, output = self.folder / "script.sh", self.folder / f"{step['id']}.output"
        script.write_text(step["run"])
        output.touch()
        env = {
            **self.repository.env,
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_API_URL": self.api.address,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_WORKSPACE": str(self.repository.folder),
            "RUNNER_TEMP": str(self.temp),
            **{name: self._value(text, inputs) for name, text in step.get("env", {}).items()},
        }
        words = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
        done = subprocess.run(words, cwd=self.repository.folder, env=env, capture_output=True, text=True, check=False)
        self.log += done.stdout + done.stderr
        lines = output.read_text().splitlines()
        self.outputs[step["id"]] = dict(line.partition("=")[::2] for line in lines)
        return done.returncode

    def _value(self, text: str, inputs: Mapping[str, str]) -> str:
        """A text with its expressions replaced, as often as they lead to others: the token is one by default."""

        def found(match: re.Match[str]) -> str:
            words = match[1].split(".")
            if words[0] == "inputs":
                return self._value(inputs[words[1]], {})
            if words[0] == "steps":
                return self.outputs[words[1]].get(words[3], "")
            assert words == ["github", "token"], match[0]
            return TOKEN

        return _EXPRESSION.sub(found, text)
