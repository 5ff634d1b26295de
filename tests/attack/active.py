"""Foreign text in the output of every command: no part may act on a terminal or on a CI job.

Names, namespaces, labels, keys, values, file names, words of the command line, and messages, warnings and objects of a
server hold control characters, line ends, direction marks, invisible characters and commands for CI jobs. Each command
of the command line is run with them. Neither stream may then hold one of these, or a line that a name began.
"""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import click

from kubemerge.cli.group import cli
from kubemerge.cli.main import as_kubectl

from ..kubemerge.client.fake import DISCOVERY, Fake, Say, status
from .commands import started
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random
    from typing import TypeAlias

    from .commands import Said
    from .trial import Trial, Tried

    Words: TypeAlias = tuple[str, ...]
    """The words of a command: `apply`, `view-last-applied`."""

TIMES = 40
"""For each command, in a full attack."""
PATIENCE = 15.0
"""Seconds after which a command that waits for something is ended. Its output until then is checked."""
CLUSTER = "c.db"

# ---- what is looked for --------------------------------------------------------------------------------------------

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0001\U000e0020-\U000e007f]"
)
OBEYED = re.compile(r"^\s*::[\w-]+[^\n]*::|##\w*\[[^\n]*\]|section_(?:start|end):\d+:\w+\r", re.MULTILINE)
FORGED = re.compile(r"^FORGED", re.MULTILINE)
OUR_COLOURS = re.compile(r"\x1b\[(?:[0127]|[39][0-7])m")
"""No hostile word has one of these."""
OUR_ANNOTATIONS = {
    "github": re.compile(r"^::(?:error|warning|notice) file=", re.MULTILINE),
    "review": re.compile(r"^::(?:(?:error|warning|notice) file=|error::(?!x))", re.MULTILINE),
}
"""Beginnings of kubemerge's workflow commands, by a word of the printing command. The hostile `::error::` has an x."""


def acts(text: str) -> str:
    """Return the first text that acts on a terminal or a CI job, with its surroundings, or an empty string."""
    found = INVISIBLE.search(text) or OBEYED.search(text)
    return ascii(text[max(0, found.start() - 60) : found.end() + 40]) if found else ""


def judge(words: tuple[str, ...], said: Said) -> None:
    """Insist that no text in the output of a command acts."""
    out = said.out
    for word in {*words} & OUR_ANNOTATIONS.keys():
        out = OUR_ANNOTATIONS[word].sub("", out)
    out = OUR_COLOURS.sub("", out) if "always" in words else out
    for where, text in (("out", out), ("err", said.err)):
        insist(not acts(text), f"{words!a} prints on {where}: {acts(text)}")
        keeps = bool(KEEPS_LINES & {*words}) or (where == "err" and as_kubectl(words))
        insist(keeps or not FORGED.search(text), f"{words!a} lets a name begin a line on {where}: {text[-500:]!a}")


KEEPS_LINES = {"describe", "--html", "html"}
"""Commands that keep the line ends in every value, as `kubectl describe` does. In a page, line ends mean nothing.

Errors that are worded as kubectl's have several lines too. A command for a CI job is looked for in all of these.
"""

# ---- hostile words -------------------------------------------------------------------------------------------------

PIECES = (
    "\x1b]0;owned\x07", "\x1b[8m", "\x9b2J", "\x9d0;x\x9c", "\r", "\x08\x08", "\x7f", "\n::error::x",
    "\n  ::add-mask::x", "::stop-commands::x", " ::warning file=a::x", "##[error]x",
    "###[add-matcher]x", "##vso[task.complete]x",
    "\n##teamcity[x]", "\u202egnp", "\u2066x\u2069", "\u200b", "\u200d", "\ufeff", "\u2028::error::x", "\x85::error::x",
    "\u00ad", "\U000e0041", "section_start:1:a\r\x1b[0K", "\nFORGED", "\t", "\\", "\"", "'", "#", ":", "[", " ",
    "x" * 90,
)  # fmt: skip


def name(random: Random) -> str:
    """A hostile name. Line ends in it are looked for."""
    return "a" + "".join(random.choice(PIECES) for _ in range(random.choice((1, 1, 2, 3, 5))))


def value(random: Random) -> str:
    """A hostile value of a field, whose lines are its own."""
    return "".join(name(random).replace("\nFORGED", "\nx") for _ in range(random.choice((1, 2))))


def file_name(random: Random) -> str:
    """A hostile name of a file, which has no slash and no NUL."""
    return f"{name(random)[:60]}.{random.choice(('yaml', 'json', 'yaml'))}"


def manifest(random: Random, kind: str = "") -> dict[str, Any]:
    """An object of which everything is hostile that may be."""
    kind = kind or random.choice(("ConfigMap", "ConfigMap", "Secret", "Deployment", "Service", "Thing", name(random)))
    content: dict[str, Any] = {
        "apiVersion": VERSIONS.get(kind, "example.com/v1"),
        "kind": kind,
        "metadata": {
            "name": name(random),
            "namespace": random.choice(("default", name(random))),
            "labels": {name(random): name(random)},
            "annotations": {name(random): value(random)},
        },
    }
    if kind in ("ConfigMap", "Secret"):
        content["data"] = {name(random): value(random)}
    elif kind == "Deployment":
        variables = [{"name": name(random), "value": name(random)}]
        container = {"name": name(random), "image": name(random), "env": variables}
        labels = {"app": name(random)}
        template = {"metadata": {"labels": labels}, "spec": {"containers": [container, container]}}
        content["spec"] = {"selector": {"matchLabels": labels}, "template": template, name(random): name(random)}
    else:
        content["spec"] = {name(random): name(random), "ports": [{"port": 1, "name": name(random)}]}
    return content


VERSIONS = {"ConfigMap": "v1", "Secret": "v1", "Service": "v1", "Deployment": "apps/v1"}


def _text(random: Random) -> str:
    """A file with hostile objects. Some of these files cannot be read."""
    text = json.dumps(manifest(random))
    return random.choice((text, text, text, text[:-1], f'{{"x": "{name(random)}', f"a: {name(random)}\nb: {{"))


# ---- command lines -------------------------------------------------------------------------------------------------


def commands(command: click.Command = cli, path: Words = ()) -> Iterator[tuple[Words, click.Command]]:
    """Every command that the command line has, with those below it."""
    if path:
        yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None:
                yield from commands(found, (*path, below))


ENDLESS = {"help", "watch", "watch_only", "debug"}
FORMS = (
    *("text", "json", "yaml", "kyaml", "wide", "name", "markdown", "sarif", "junit", "github", "gitlab", "patch"),
    "custom-columns=A:.metadata.name,B:.data",
)
OF_FILES = {
    *("config", "filename", "live", "last", "schema", "overlay"),
    *("spec", "specs", "files", "settings_file", "baseline"),
}


def line(path: Words, command: click.Command, random: Random, files: list[str]) -> tuple[str, ...]:
    """A command with random words and options."""
    words: list[str] = []
    for one in command.params:
        if isinstance(one, click.Argument):
            words += [_word(random, files) for _ in range(1 if one.nargs == 1 else random.choice((0, 1, 1, 2)))]
        elif isinstance(one, click.Option) and one.name not in ENDLESS:
            words += _option(one, random, files)
    return *path, *words


def _option(one: click.Option, random: Random, files: list[str]) -> list[str]:
    option = max(one.opts, key=len)
    if one.name == "cluster":
        return [option, CLUSTER] if random.random() < 0.7 else []
    if one.name == "kubeconfig":
        return [option, "kubeconfig"] if random.random() < 0.3 else []
    if one.is_flag:
        return [option] if random.random() < 0.1 else []
    if random.random() > (0.6 if one.name in OF_FILES or one.name == "output" or one.required else 0.15):
        return []
    if one.name in OF_FILES:
        return [option, random.choice(files)]
    if one.name == "output":
        return [option, random.choice((*FORMS, value(random)))]
    if isinstance(one.type, click.Choice) and random.random() < 0.9:
        return [option, str(random.choice(list(one.type.choices)))]
    if isinstance(one.type, (click.types.IntParamType, click.IntRange)):
        return [option, "1"]
    return [option, _word(random, files)]


def _word(random: Random, files: list[str]) -> str:
    made: str = random.choice((
        "configmap", "secret,deployment", "deployment/web", f"configmap/{value(random)}", value(random), value(random),
        "dump.json", files[0].replace("\n", ""), "1.36", "1.31..1.33", "-", "deployment.spec",
        f"{value(random)}={value(random)}",
        f"deployment.{value(random)}", "{}", json.dumps({"data": {value(random): value(random)}}),
    ))  # fmt: skip
    return made.replace("\0", "")


KNOWN: tuple[str, ...] = (
    "get configmaps,secrets,deployments -A --cluster c.db",
    "get configmap -A -o yaml --cluster c.db",
    "get configmap -A -o json --cluster c.db",
    "get configmap -A -o kyaml --cluster c.db",
    "get configmap -A -o name --cluster c.db",
    "get configmap -A --show-labels --cluster c.db",
    "get configmap --kubeconfig kubeconfig",
    "get widgets --kubeconfig kubeconfig",
    "describe configmap -A --cluster c.db",
    "describe deployment -A --cluster c.db",
    "set env deployment --all --list --cluster c.db",
    "label configmap --all -A --list --cluster c.db",
    "annotate configmap --all a=b --cluster c.db",
    "cluster info --cluster c.db",
    "cluster export --cluster c.db",
    "cluster import FILE --cluster c.db",
    "diff -f FILE --live EMPTY",
    "diff -f FILE --live EMPTY --color always",
    "diff -f FILE -o json",
    "diff -f FILE --cluster c.db",
    "merge -f FILE --live EMPTY",
    "merge -f FILE -o json",
    "merge -f FILE -o name",
    "merge -f FILE --html -",
    "why -f FILE --live EMPTY",
    "why -f FILE -o json",
    "owners -f FILE",
    "migrate -f FILE --live FILE",
    "compare 1.24 1.37 -f FILE",
    "compare 1.24 1.37 -f FILE -o markdown",
    "lint FILE",
    "lint FILE -o github",
    "lint FILE -o sarif",
    "lint FILE -o gitlab",
    "lint FILE -o junit",
    "lint FILE -o json",
    "lint FILE --color always",
    "lint .",
    "apply -f FILE --cluster c.db",
    "apply -f FILE --kubeconfig kubeconfig",
    "create -f FILE --kubeconfig kubeconfig",
    "delete configmap --all -A --cluster c.db",
    "last-applied check -f FILE --cluster c.db",
    "overlay -f FILE --overlay FILE",
)
"""Commands that print much of their input. The other commands are made of their options."""

# ---- the attack ----------------------------------------------------------------------------------------------------


def attack(trial: Trial) -> Tried:
    """Run every command with hostile words."""
    yield from tries(trial, trial.often(TIMES))


def tries(trial: Trial, times: int) -> Iterator[tuple[str, int]]:
    """Run each command so many times. Yield the command and the number of runs."""
    random = trial.random
    with _Place(trial.new_folder(), random) as place:
        for path, command in commands():
            for _ in range(times):
                place.run(line(path, command, random, place.files))
            yield " ".join(path), times
        for text in KNOWN:
            for _ in range(times):
                place.run(tuple(place.word(word) for word in text.split(" ")))
        yield "commands that print much", len(KNOWN) * times


class _Place:
    """A folder with hostile files, a hostile cluster, and the kubeconfig of a hostile server."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.folder, self._random = folder, random
        self.files: list[str] = []

    def __enter__(self) -> _Place:
        self._fake = Fake()
        self._server = self._fake.start()
        self._fake.kubeconfig(self.folder)
        self._fake.answer = self._answer  # type: ignore[method-assign]
        (self.folder / "empty.yaml").write_text("apiVersion: v1\nkind: List\nitems: []\n")
        kinds = ("ConfigMap", "Secret", "Deployment", "Service")
        dump = {"apiVersion": "v1", "kind": "List", "items": [manifest(self._random, kind) for kind in kinds]}
        (self.folder / "dump.json").write_text(json.dumps(dump))
        self.run(("cluster", "import", "dump.json", "--cluster", CLUSTER))
        insist((self.folder / CLUSTER).exists(), "the hostile cluster is not there")
        self._refill()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _refill(self) -> None:
        self.files = [file_name(self._random) for _ in range(3)]
        for one in self.files:
            (self.folder / one).write_text(_text(self._random), encoding="utf-8")
        self.files.append("dump.json")

    def word(self, word: str) -> str:
        """A word of a known command."""
        return {"FILE": self._random.choice(self.files), "EMPTY": "empty.yaml"}.get(word, word)

    def run(self, words: tuple[str, ...]) -> None:
        """Run a command, and check its output."""
        if self._random.random() < 0.1:
            self._refill()
        environment = {"KUBE_EDITOR": "true", "COLUMNS": "100"}
        process = started(self.folder, *words, environment=environment)
        until = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < until:
            time.sleep(0.001)
        if process.poll() is None:
            process.signal()
        judge(words, process.ended())

    def _answer(self, asked: Any) -> Say:
        """The hostile server's response."""
        random = self._random
        warning = f'299 - "{value(random)}"'.encode().decode("latin-1").replace("\n", " ").replace("\r", " ")
        headers = (("Warning", warning),)
        if asked.path in DISCOVERY:
            return Say(body=DISCOVERY[asked.path], headers=headers)
        if asked.method == "GET" and asked.path.endswith(("configmaps", "widgets")) and random.random() < 0.8:
            items = [manifest(random, "ConfigMap") for _ in range(2)]
            found = {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {}, "items": items}
            return Say(body=found, headers=headers)
        code, reason = random.choice(((404, "NotFound"), (403, "Forbidden"), (422, "Invalid"), (400, value(random))))
        causes = [{"reason": name(random), "message": value(random), "field": name(random)}]
        said = status(code, reason, value(random), causes=causes, kind=name(random), name=name(random))
        return said._replace(headers=headers)
