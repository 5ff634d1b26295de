"""Client of the reference: a running oracle program, as a context manager.

with Oracle() as oracle: oracle.ask({"op": "apply", "schema": {"go": "MergeItem"}, "target": {}, "patch": {"name":
"a"}})
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .build import OracleUnavailable, binary

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Oracle", "OracleDied", "OracleUnavailable"]

HERE = Path(__file__).parent

Request = Mapping[str, Any]
Answer = dict[str, Any]


class OracleDied(Exception):
    """The program ended without a response; carries the current question and the end of its error output."""

    def __init__(self, question: str, code: int | None, words: str) -> None:
        super().__init__(question, code, words)
        self.question, self.code, self.words = question, code, words

    def __str__(self) -> str:
        return f"the oracle ended with code {self.code} at the question {self.question[:500]}\n{self.words}"


class Oracle:
    """One oracle process. Files named in a schema are relative to tests/conformance.

    `program` is that of another release, see `releases.build`.
    """

    def __init__(self, program: Path | None = None) -> None:
        self._program = program
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[str] | None = None

    def __enter__(self) -> Oracle:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def ask(self, request: Request) -> Answer:
        """One response: `result`, `error`, `panic`, `varies`, or `refused` for an invalid question."""
        return self.ask_many([request])[0]

    def ask_many(self, requests: Iterable[Request]) -> list[Answer]:
        """Responses in the order of the requests. Requests without an `id` are numbered."""
        numbered = [{"id": number, **request} for number, request in enumerate(requests)]
        answers: list[Answer] = [json.loads(line) for line in self.ask_lines(map(json.dumps, numbered))]
        for request, answer in zip(numbered, answers, strict=True):
            if answer["id"] != request["id"]:
                raise RuntimeError(f"the oracle answered {answer['id']!r} to request {request['id']!r}")
        return answers

    def ask_lines(self, lines: Iterable[str]) -> list[str]:
        """The same on raw text, one line each, where every byte of a number matters."""
        questions = list(lines)
        process = self._start()
        writer = threading.Thread(target=_feed, args=(process, questions), daemon=True)
        writer.start()
        answers = [self._read(process, question) for question in questions]
        writer.join()
        return answers

    def _read(self, process: subprocess.Popen[str], question: str) -> str:
        assert process.stdout is not None
        line = process.stdout.readline()
        if line.endswith("\n"):
            return line.rstrip("\n")
        words = self._last_words()
        code = process.wait()
        self._stop()
        raise OracleDied(question, code, words)

    def _start(self) -> subprocess.Popen[str]:
        """The running process; a new one if the last one died."""
        if self._process is None:
            program = self._program or binary()
            # A file, not a pipe: it is read only after a failure, and a full pipe would block.
            self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
            self._process = subprocess.Popen(
                [str(program)],
                cwd=HERE,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                encoding="utf-8",
                errors="surrogatepass",
            )
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                _close(pipe)
        _close(self._errors)
        self._errors = None

    def _last_words(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return self._errors.read(2000)


def _feed(process: subprocess.Popen[str], questions: Sequence[str]) -> None:
    """Write the questions while the caller reads responses, so that neither pipe can fill up."""
    assert process.stdin is not None
    try:
        for question in questions:
            process.stdin.write(question + "\n")
        process.stdin.flush()
    except (OSError, ValueError):
        pass  # the process died or was stopped, which the reader reports


def _close(stream: IO[str] | None) -> None:
    try:
        if stream is not None:
            stream.close()
    except OSError:
        pass  # unwritten questions to a dead process
