"""Search the output of commands for values of Secrets: `probe(2000, seed=1, folder=...)` returns the leaks.

A probe writes a Secret in some form, with values that occur nowhere else, and runs a command that promises to mask
them, or one that only prints names. Then neither output may hold a value, as it is or in base64, nor may a page.
"""

from __future__ import annotations

import base64
import io
import json
import os
import sys
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.directives import ANNOTATION
from kubemerge.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Object = dict[str, Any]


class Leak(NamedTuple):
    """A value of a Secret that was printed: the command, the stream or file, the line, and the files that were read."""

    words: tuple[str, ...]
    where: str
    line: str
    inputs: dict[str, str]


def probe(count: int, seed: int, folder: Path) -> list[Leak]:
    """Make so many probes in a folder, which may be empty, and return the leaks."""
    found: list[Leak] = []
    with _in_folder(folder):
        for number in range(count):
            found += _Probe(Random(f"{seed}/{number}")).leaks()
    return found


# ---- one probe ------------------------------------------------------------------------------------------------------


class _Probe:
    """One command with its files."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._marks: list[str] = []

    def leaks(self) -> list[Leak]:
        random = self._random
        inputs = {name: self._text() for name in ("config.yaml", "live.yaml", "last.yaml")}
        inputs["owned.yaml"] = as_yaml(self._owned())
        inputs["first.yaml"] = json.dumps(self._secret() if random.random() < 0.2 else self._plain())
        inputs["patch.json"] = random.choice(PATCHES)(self)
        for name, text in inputs.items():
            with open(name, "w", encoding="utf-8") as stream:  # noqa: PTH123 - the folder is the current one
                stream.write(text)
        for name in os.listdir("."):  # noqa: PTH208
            if name not in inputs:
                os.unlink(name)  # noqa: PTH108
        if random.random() < 0.5:
            run("apply", "-f", "first.yaml", "--cluster", "c.db")
        words, streams = self._command()
        out, err = run(*words)
        said = {"out": out if "out" in streams else "", "err": err, "page": _read("page.html")}
        return [
            Leak(words, where, line, inputs)
            for where, text in said.items()
            for line in text.splitlines()
            if any(mark in line for mark in self._marks)
        ]

    def _command(self) -> tuple[tuple[str, ...], str]:
        """A command, and its streams that must not hold a value. Any other stream is the command's purpose."""
        random = self._random
        words, streams = random.choice(COMMANDS)
        more = [one for one in MORE.get(words[0], ()) if random.random() < 0.4]
        patch = _read("patch.json")
        typed = [patch if word == "PATCH" else word for word in (*words, *(word for one in more for word in one))]
        if random.random() < 0.3:
            typed.append("-v")
        if words[0] in WITH_CLUSTER:
            typed += ["--cluster", "c.db"]
        return tuple(typed), streams

    # ---- values ------------------------------------------------------------------------------------------------------

    def mark(self) -> str:
        """A unique value, which is searched in base64 as well."""
        made = "q7" + "".join(self._random.choice("bcdfghjkmnpqrstvwxz") for _ in range(16))
        self._marks += [made, base64.b64encode(made.encode()).decode().rstrip("=")]
        return made

    def encoded(self) -> str:
        """A value in base64, as `data` has it."""
        return base64.b64encode(self.mark().encode()).decode()

    def _values(self, of: Callable[[], str]) -> Any:
        return self._random.choice(VALUES)(self, of)

    def _secret(self, depth: int = 0) -> Object:
        """A Secret in some form."""
        random = self._random
        metadata: Object = {"name": "s", "namespace": "default"}
        if depth < 2 and random.random() < 0.5:
            key = random.choice([ANNOTATION, ANNOTATION, "example.com/copy", "note"])
            metadata["annotations"] = {key: random.choice(COPIES)(self, self._secret(depth + 1))}
        version = "v1" if random.random() < 0.95 else "example.com/v1"
        kind = "Secret" if random.random() < 0.8 else random.choice(("secret", "SECRET", "secReT"))
        content: Object = {"apiVersion": version, "kind": kind, "metadata": metadata}
        if version == "v1" and random.random() < 0.3:
            random.choice(WRONG_PLACES)(self, content)
        if random.random() < 0.75:
            content["data"] = self._values(self.encoded)
        if random.random() < 0.5:
            content["stringData"] = self._values(self.mark)
        return content

    def _plain(self) -> Object:
        """A Secret that every server takes."""
        return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"a": self.encoded()}}

    def _owned(self) -> Object:
        """A Secret whose fields have owners; a set of fields may hold values, as of lists in place of a map."""
        content = self._secret()
        fields: Object = {"f:metadata": {"f:annotations": {}}}
        for name in ("data", "stringData"):
            value = content.get(name)
            inside = value if isinstance(value, dict) else {}
            fields[f"f:{name}"] = {".": {}, **{f"f:{key}": {} for key in inside}}
        if self._random.random() < 0.3:
            fields["f:data"][f'v:"{self.mark()}"'] = {}
        entries = [
            {
                "manager": manager,
                "operation": operation,
                "apiVersion": "v1",
                "fieldsType": "FieldsV1",
                "fieldsV1": fields,
            }
            for manager, operation in (("kubectl-client-side-apply", "Update"), ("you", "Apply"))
        ]
        return {**content, "metadata": {**content["metadata"], "managedFields": entries}}

    def _text(self) -> str:
        """The text of a file that holds Secrets, as YAML or JSON; some cannot be read."""
        text: str = self._random.choice(TEXTS)(self, self._secret())
        return text


def _read(name: str) -> str:
    try:
        with open(name, encoding="utf-8") as stream:  # noqa: PTH123
            return stream.read()
    except OSError:
        return ""


# ---- forms ----------------------------------------------------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    *[lambda _, of: {"a": of()}] * 6,
    lambda _, of: {"a": of(), "b": of()},
    lambda _, of: {"a": of() + "\n" + of()},
    lambda _, of: {"a": {"b": of()}},
    lambda _, of: {"a": [of()]},
    lambda _, of: {"a": [{"name": of()}]},
    lambda _, of: [of()],
    lambda _, of: [{"a": of()}],
    lambda _, of: of(),
    *[lambda _, of: {"$patch": of()}] * 2,
    lambda _, of: {"a": {"$patch": of()}},
    lambda _, of: {"$patch": {"a": of()}},
    lambda _, of: {"$retainKeys": [of()]},
    lambda _, of: {"$retainKeys": of()},
    lambda _, of: {"$setElementOrder/a": [of()], "a": of()},
    lambda _, of: {"$deleteFromPrimitiveList/a": of()},
    lambda _, of: {"a": f'{{"data":"{of()}"}}'},
    lambda _, of: {"a": f"%{of()}", "b": None},
)
"""Valid and invalid values of `data` and `stringData`."""

WRONG_PLACES: tuple[Any, ...] = (
    lambda one, content: content.update(immutable=one.mark()),
    lambda one, content: content.update(type={"a": one.mark()}),
    lambda one, content: content.update(type=[{"name": one.mark()}]),
    lambda one, content: content.update(spec={"a": one.mark()}),
    lambda one, content: content.update(status=one.mark()),
    lambda one, content: content.update(password=one._values(one.mark)),
    lambda one, content: content.update(StringData=one._values(one.mark)),
    lambda one, content: content["metadata"].update(password=one.mark()),
    lambda one, content: content["metadata"].update(data={"a": one.encoded()}),
    lambda one, content: content["metadata"].update(labels={"a": {"b": one.mark()}}),
    lambda one, content: content["metadata"].update(finalizers=[{"a": one.mark()}]),
    lambda one, content: content["metadata"].update(ownerReferences=[{"name": "x", "uid": "1", "data": one.mark()}]),
)
"""Where a value may stand by mistake in a Secret."""

COPIES: tuple[Any, ...] = (
    *[lambda _, one: json.dumps(one)] * 3,
    lambda _, one: json.dumps(one, indent=2),
    lambda _, one: json.dumps([one]),
    lambda _, one: json.dumps(json.dumps(one)),
    lambda _, one: json.dumps({"copy": json.dumps(one)}),
    lambda _, one: json.dumps({"items": [one], "kind": "List"}),
    lambda _, one: json.dumps({"object": {"spec": one}}),
    lambda _, one: json.dumps([[json.dumps([one])]]),
    lambda _, one: json.dumps(one)[:-1],
    lambda _, one: json.dumps(one) + "}",
    lambda _, one: "x" + json.dumps(one),
    lambda _, one: json.dumps(one).replace('"', "'"),
    lambda _, one: as_yaml(one),
    lambda _, one: "# a copy\n---\n" + as_yaml(one),
    lambda _, one: json.dumps({"yaml": as_yaml(one)}),
    lambda _, one: as_yaml({"spec": [one]}),
    lambda _, one: one,
    lambda _, one: [one],
)
"""Copies of a Secret in an annotation."""


def as_yaml(content: Any) -> str:
    from kubemerge.apiserver.text.yaml_out import dump

    return dump(content)


def _unquoted(before: str, after: str = "") -> Any:
    """A file whose value follows some sign without quotes."""

    def text(one: _Probe, content: Object) -> str:
        return f"{as_yaml(content)}stringData2: {{}}\nstringData3:\n  a: {before}{one.mark()}{after}\n"

    return text


SIGNS = (
    *"*!&%@`|>'\"[{?,-:#~",
    "!!int ",
    "!!binary ",
    "!!bool ",
    "!!x ",
    "! ",
    "&a *",
    "<<: ",
    "\t",
    "a: b: ",
    "]",
    "}",
)
TEXTS: tuple[Any, ...] = (
    *[lambda _, content: json.dumps(content)] * 8,
    *[lambda _, content: as_yaml(content)] * 8,
    lambda _, content: as_yaml({"apiVersion": "v1", "kind": "List", "items": [content]}),
    lambda _, content: as_yaml({"apiVersion": "v1", "kind": "SecretList", "items": [content]}),
    lambda one, content: as_yaml({"apiVersion": "v1", "kind": "List", "items": [{"items": [content, one.mark()]}]}),
    lambda one, content: f"{as_yaml(content)}---\n{one.mark()}\n",
    lambda one, content: f"{as_yaml(content)}---\n- {one.mark()}\n",
    lambda one, content: f"{as_yaml(content)}data:\n  a: {one.mark()}\n",
    lambda one, content: f'{json.dumps(content)[:-1]}, "data": {{"a": "{one.mark()}"}}}}',
    lambda one, content: f"{json.dumps(content)[:-1]}, {one.mark()}",
    lambda one, content: f'{json.dumps(content)}\n{{"a": "{one.mark()}\n"}}',
    lambda one, content: f'{json.dumps(content)} "{one.mark()}',
    lambda _, content: as_yaml({**content, "metadata": {}}),
    lambda _, content: as_yaml({key: value for key, value in content.items() if key != "apiVersion"}),
    lambda _, content: as_yaml(content).replace("  ", " \t"),
    lambda _, content: as_yaml(content).replace("a:", "a"),
    lambda _, content: as_yaml(content)[:-2] + "\x07",
    *map(_unquoted, SIGNS),
    *(_unquoted(sign, sign) for sign in "*'\""),
    _unquoted("*a ", ": b"),
    _unquoted("", ": b"),
    _unquoted("", "\n b"),
)
"""The files that may contain a Secret."""

PATCHES: tuple[Any, ...] = (
    lambda one: json.dumps({"data": one._values(one.encoded)}),
    lambda one: json.dumps({"stringData": one._values(one.mark)}),
    lambda one: json.dumps([{"op": "replace", "path": "/data/a", "value": one.encoded()}]),
    lambda one: json.dumps([{"op": "test", "path": "/data/a", "value": one.encoded()}]),
    lambda one: json.dumps([{"op": "add", "path": "/stringData", "value": one._values(one.mark)}]),
    lambda one: json.dumps([{"op": "add", "path": "/data/a/b", "value": one.mark()}]),
    lambda one: f'{{"data": {{"a": {one.mark()}}}}}',
    lambda one: f"data: {{a: *{one.mark()}}}",
    lambda one: f"data:\n a: !{one.mark()}\n",
    lambda one: json.dumps(one._secret()),
)

CONFIG, LIVE, LAST = ("-f", "config.yaml"), ("--live", "live.yaml"), ("--last-applied", "last.yaml")
BOTH, ERRORS = "out err", "err"
WITH_CLUSTER = frozenset(
    ("apply", "annotate", "cluster", "create", "delete", "get", "label", "last-applied", "patch", "replace", "scale")
)
_LINT = [(("lint", *CONFIG, "-o", form), BOTH) for form in ("text", "json", "sarif", "junit", "github")]
_COMPARE = [(("compare", *CONFIG, "-o", form), BOTH) for form in ("text", "json", "markdown", "html")]
_DIFF = [(("diff", *CONFIG, "-o", form), BOTH) for form in ("text", "json")]
_WHY = [(("why", *CONFIG, *path, "-o", form), BOTH) for form in ("text", "json") for path in ((), ("data",))]
_PATCH = [
    (("patch", *what, "--type", kind, "-p", "PATCH"), streams)
    for kind in ("strategic", "merge", "json")
    for what, streams in ((("secret/s",), BOTH), (CONFIG, ERRORS))
]
_OWNED = ("-f", "owned.yaml")
_OTHER = (*CONFIG, "--live", "owned.yaml")
_SERVER_SIDE: tuple[tuple[tuple[str, ...], str], ...] = (
    (("owners", *_OWNED), BOTH),
    (("owners", *_OWNED, "-o", "yaml"), BOTH),
    (("owners", *_OWNED, "-o", "json", "--html", "page.html"), BOTH),
    (("owners", *_OWNED, "data"), BOTH),
    (("migrate", *_OTHER), BOTH),
    (("migrate", *_OTHER, "-o", "json", "--html", "page.html"), BOTH),
    (("migrate", *_OTHER, "--by", "flux", "-o", "patch"), ERRORS),
    *(
        (("plan", "--as", "kubectl", "--repair", *_OTHER, "-o", form), BOTH)
        for form in ("text", "json", "patch", "yaml")
    ),
    (("why", *_OTHER, "--server-side"), BOTH),
    (("why", *_OTHER, "--server-side", "--force-conflicts", "-o", "json"), BOTH),
    (("diff", *_OTHER, "--server-side", "--force-conflicts"), BOTH),
    (("merge", *_OTHER, "--server-side"), ERRORS),
    (("lint", *_OTHER, "--server-side", "--tool-release", "1.30"), BOTH),
    (("apply", *CONFIG, "--server-side"), BOTH),
    (("apply", *CONFIG, "--server-side", "--force-conflicts", "-o", "yaml"), ERRORS),
)

COMMANDS: tuple[tuple[tuple[str, ...], str], ...] = (
    *_LINT,
    *_COMPARE * 2,
    *_DIFF * 4,
    *_WHY * 2,
    *_PATCH,
    *_SERVER_SIDE,
    (("diff", *CONFIG, "--html", "page.html"), BOTH),
    (("diff", *CONFIG, "--cluster", "c.db"), BOTH),
    (("diff", *CONFIG, "--cluster", "c.db", "--prune", "--prune-allowlist", "core/v1/Secret"), BOTH),
    (("why", *CONFIG, "--cluster", "c.db", "-o", "json"), BOTH),
    (("compare", *CONFIG, "--html", "page.html", "-q"), BOTH),
    (("merge", *CONFIG, "--html", "page.html"), ERRORS),
    (("merge", *CONFIG, "-o", "name"), BOTH),
    (("merge", *CONFIG, "--schema", "live.yaml"), ERRORS),
    (("overlay", *CONFIG, "--overlay", "live.yaml"), ERRORS),
    (("last-applied", "check", *CONFIG), BOTH),
    (("last-applied", "check", *CONFIG, "-o", "json"), BOTH),
    (("last-applied", "set", *CONFIG, "--create-annotation"), BOTH),
    (("last-applied", "view", *CONFIG), ERRORS),
    *[(("apply", *CONFIG), BOTH)] * 3,
    (("apply", *CONFIG, "-o", "yaml"), ERRORS),
    (("create", *CONFIG), BOTH),
    (("replace", *CONFIG), BOTH),
    (("delete", *CONFIG, "--timeout", "1ms"), BOTH),
    (("label", *CONFIG, "a=b"), BOTH),
    (("scale", *CONFIG, "--replicas", "2"), BOTH),
    (("get", "secret", "-A"), BOTH),
    (("get", "secret", "-o", "wide", "--show-labels"), BOTH),
    (("get", "secret", "-o", "name"), BOTH),
    (("cluster", "import", "config.yaml"), BOTH),
    (("cluster", "info"), BOTH),
    (("kinds", "--schema", "config.yaml"), BOTH),
    (("compare", "--left", "config.yaml", "--right", "1.31"), BOTH),
)
MORE: dict[str, tuple[tuple[str, ...], ...]] = {
    "lint": (LIVE, LAST),
    "diff": (LIVE, LAST, ("--safe",), ("--overwrite=false",), ("--color", "always")),
    "why": (LIVE, LAST, ("--safe",), ("--overwrite=false",)),
    "compare": (LIVE, LAST),
    "merge": (LIVE, LAST, ("--safe",), ("--overwrite=false",)),
    "apply": (("--dry-run=server",), ("--safe",), ("--force",), ("--overwrite=false",)),
}
"""Additional options of a command."""


# ---- running --------------------------------------------------------------------------------------------------------


def run(*words: str) -> tuple[str, str]:
    """The output of a command on both streams."""
    before = sys.stdout, sys.stderr, sys.stdin
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace") for _ in range(3)]
    sys.stdout, sys.stderr, sys.stdin = streams
    try:
        main(list(words))
    except SystemExit:
        pass
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
    for stream in streams:
        stream.flush()
    out, err, _ = (stream.buffer.getvalue().decode() for stream in streams)
    return out, err


@contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    before = os.getcwd()  # noqa: PTH109
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
