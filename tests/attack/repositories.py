"""Foreign repositories: no content runs a program, or reaches a file or an address outside the repository.

Each repository has a few hostile things in it: git configurations that name programs, folders that look like
repositories, links, pipes and devices. Others are settings that name files and addresses, and manifests that are made
to hang a reader. The commands that CI jobs and hooks run are run in it. An audit hook in each process notes every
program, every connection, and every file outside of the repository.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import kubemerge.review.__main__ as review
from kubemerge import __main__ as entry
from kubemerge.linting.repository import git

from ..conftest import ROOT
from ..kubemerge.linting.repository.test_git import PROGRAMS
from . import active, hostile
from .commands import BUGS, started
from .trial import Loss, insist

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from .trial import Trial, Tried

    Plant = Callable[[Random, "Place"], None]

TIMES = 200
COMMANDS_OF_EACH = 5
GIT_PATIENCE = 3.0
"""Seconds that git may take here. If one of its files is a pipe, git waits for this time."""
CANARY = "c4n4ry-outside"
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  a: b\n"
READABLE = tuple(
    map(os.path.realpath, (sys.prefix, sys.base_prefix, str(ROOT), "/usr", "/lib", "/proc/self", "/dev/null"))
)
"""Files that a command may read outside: its own program, and the files of the machine that Python reads."""
SYSTEM = frozenset(
    {"/etc/localtime", "/etc/mime.types", "/etc/os-release", "/dev/urandom", "/etc/nsswitch.conf", "/etc/passwd"}
)


def attack(trial: Trial) -> Tried:
    """Run commands in repositories of strangers."""
    times = trial.often(TIMES)
    for _ in range(times):
        with Place(trial.new_folder(), trial.random) as place:
            place.fill()
            for words in trial.random.sample(COMMANDS, COMMANDS_OF_EACH):
                place.run(words)
    yield f"repositories, {COMMANDS_OF_EACH} commands in each", times


REVIEW = ("review",)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("lint", "."),
    ("lint", "-R", "."),
    ("lint", "-R", ".", "--untracked"),
    ("lint", "deep", "odd", "x.yaml"),
    ("lint", "--since", "HEAD", "-R", "."),
    ("lint", "--since", "HEAD~1", "."),
    ("lint", "--fix", "-R", "."),
    ("lint", "--fix", "--untracked", "-R", "."),
    ("lint", "--write-baseline", "baseline.json", "-R", "."),
    ("lint", "-o", "sarif", "-R", "."),
    ("lint", "-o", "github", "-R", "."),
    ("lint", "-o", "gitlab", "deep"),
    ("blame", "-R", "."),
    ("blame", ".", "-o", "json"),
    ("diff", "-R", "-f", ".", "--live", "plain.yaml"),
    ("merge", "-R", "-f", ".", "--html", "page.html"),
    ("compare", "1.24", "1.37", "-R", "-f", ".", "--write"),
    ("compare", "1.24", "1.37", "-f", ".", "--write", "--html", "page.html"),
    ("migrate", "-R", "-f", ".", "--live", "plain.yaml", "--write"),
    ("apply", "-R", "-f", ".", "--cluster", "made.db"),
    REVIEW,
)


class Place:
    """A repository, and things outside of it that must not be reached: files, a program, and an address."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.random = random
        self.root = folder.resolve()
        self.repository, self.outside = self.root / "repository", self.root / "outside"
        self.own = self.root / "own"
        """The home, the cache and the temporary files of the person who runs the commands."""
        self._noted, self.ran = self.root / "noted", self.root / "ran"
        self.program = self.outside / "program"
        self.planted: list[str] = []

    def __enter__(self) -> Place:
        for one in (self.repository / "deep", self.repository / "odd", self.outside / "deep", self.own / "tmp"):
            one.mkdir(parents=True)
        self.program.write_text(f"#!/bin/sh\ntouch '{self.ran}'\nexit 1\n")
        self.program.chmod(0o755)
        (self.outside / "secret.yaml").write_text(MANIFEST.format(name=CANARY) + f"{CANARY}: [\n")
        (self.outside / "good.yaml").write_text(MANIFEST.format(name=CANARY).replace("v1", "extensions/v1beta1"))
        (self.outside / "deep" / "x.yaml").write_text(MANIFEST.format(name=CANARY))
        (self.outside / "secret.json").write_text(json.dumps([CANARY]))
        (self.outside / "more").write_text(f'[core]\n fsmonitor = "{self.program}"\n')
        self._before = self._state()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.setblocking(False)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}/{CANARY}.json"
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def connections(self) -> int:
        """Count the connections since the last call, and close them.

        The kernel keeps them in the socket's backlog, so no thread has to accept them. Closing a socket does not end a
        thread that is blocked in `accept`, and every command inherits that thread's address space by fork.
        """
        count = 0
        with suppress(BlockingIOError):
            while True:
                self._listening.accept()[0].close()
                count += 1
        return count

    def _state(self) -> dict[str, bytes]:
        return {str(one): one.read_bytes() for one in sorted(self.outside.rglob("*")) if one.is_file()}

    # ---- what is in it -----------------------------------------------------------------------------------------------

    def git(self, *words: str) -> None:
        """Run git as the person who made the repository."""
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgSign=false")
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.own), "GIT_CONFIG_NOSYSTEM": "1"}
        with suppress(subprocess.TimeoutExpired):  # of a pipe in the place of one of its files
            subprocess.run(
                ["git", *identity, "-C", str(self.repository), *words],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                timeout=GIT_PATIENCE,
            )

    def write(self, name: str, text: str | bytes) -> None:
        """Write a file of the repository. A file or link at its path is replaced."""
        file = self.repository / name
        with suppress(OSError, ValueError):
            if file.is_symlink() or (file.exists() and not file.is_dir()):
                file.unlink()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)

    def link(self, name: str, to: str) -> None:
        """Make a link in the repository."""
        file = self.repository / name
        with suppress(OSError, ValueError):
            if file.is_dir() and not file.is_symlink():
                shutil.rmtree(file)
            file.unlink(missing_ok=True)
            file.symlink_to(to)

    def pipe(self, name: str) -> None:
        """Make a pipe in the repository, from which a reader would wait for ever."""
        file = self.repository / name
        with suppress(OSError):
            file.unlink(missing_ok=True)
            os.mkfifo(file)

    def fill(self, plants: tuple[str, ...] = ()) -> None:
        """Make a repository with two commits, and plant these or a few hostile things before or after the second."""
        random = self.random
        for name in ("plain", "x", "deep/y", "odd/z"):
            self.write(f"{name}.yaml", MANIFEST.format(name=name.replace("/", "-")))
        self.write(".gitattributes", "* filter=x diff=x merge=x\n")
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "first")
        chosen = [*plants] or [random.choice(list(PLANTS)) for _ in range(random.choice((1, 2, 3, 5)))]
        before = random.randrange(len(chosen) + 1)
        for number, name in enumerate(chosen):
            if number == before:
                self.git("add", "-A")
                self.git("commit", "-qm", "second")
            PLANTS[name](random, self)
        self.planted = chosen
        self.write("plain.yaml", MANIFEST.format(name="changed"))
        self.ran.unlink(missing_ok=True)  # the git of whoever made the repository obeys it
        self.connections()

    # ---- commands ----------------------------------------------------------------------------------------------------

    def run(self, words: tuple[str, ...]) -> None:
        """Run a command, and check its effects."""
        environment = {
            **dict.fromkeys(("HOME", "XDG_CACHE_HOME"), str(self.own)),
            "TMPDIR": str(self.own / "tmp"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "KUBEMERGE_PATHS": ".",
            "KUBEMERGE_BASE": "HEAD~1",
            "RUNNER_TEMP": str(self.own / "tmp"),
            "GITHUB_OUTPUT": str(self.own / "output"),
            "GITHUB_STEP_SUMMARY": str(self.own / "summary"),
            "PYTHONPATH": str(ROOT),
        }
        process = started(self.repository, *words, environment=environment, prepare=lambda: self._watched(words))
        about = f"{words} with {self.planted}"
        inputs = {"planted": "\n".join(self.planted)}
        try:
            said = process.ended()
        except Loss as loss:
            raise Loss(f"{about}: {loss}", inputs) from None
        insist(not self.ran.exists(), f"a program of the repository ran: {about}", inputs)
        insist(not self._noted.exists(), f"{about} reaches outside: {self._notes()}", inputs)
        insist(not self.connections(), f"an address of the repository was asked: {about}", inputs)
        insist(self._state() == self._before, f"files outside were changed: {about}", inputs)
        insist(
            CANARY not in said.out + said.err.replace(self.address, ""),
            f"{about} prints a file outside: {said}",
            inputs,
        )
        insist(
            said.code in (0, 1, 2) and not any(bug in said.err for bug in BUGS), f"{about}: {said.err[-1000:]}", inputs
        )
        active.judge(words, said)

    def _notes(self) -> str:
        return self._noted.read_text(errors="replace")[:500] if self._noted.exists() else ""

    def _watched(self, words: tuple[str, ...]) -> None:
        """Prepare the process of a command: an audit hook, less patience with git, and the steps of the action."""
        git._TIMEOUT = GIT_PATIENCE
        if words == REVIEW:
            entry.main = _review
            sys.executable = str(self._python())
        else:
            sys.addaudithook(self._hook())

    def _python(self) -> Path:
        """A Python that runs the commands of the action with less patience with git."""
        program = self.own / "python"
        patient = f"git._TIMEOUT = {GIT_PATIENCE}"
        code = f"from kubemerge.linting.repository import git; {patient}; from kubemerge.__main__ import main; main()"
        program.write_text(f"#!/bin/sh\nshift 3  # -I -m kubemerge\nexec '{sys.executable}' -I -c '{code}' \"$@\"\n")
        program.chmod(0o755)
        return program

    def _hook(self) -> Callable[[str, tuple[Any, ...]], None]:
        allowed = (str(self.repository), str(self.own), *READABLE)
        busy = False

        def look(event: str, words: tuple[Any, ...]) -> None:
            nonlocal busy
            if busy or event not in EVENTS:
                return
            busy = True
            try:
                what = EVENTS[event](words, allowed)
                if what:
                    with os.fdopen(os.open(self._noted, os.O_CREAT | os.O_APPEND | os.O_WRONLY), "a") as stream:
                        stream.write(f"{event}: {what!a}\n")
            finally:
                busy = False

        return look


def _review() -> None:
    """Both steps of the action."""
    sys.exit(max(review.main(["lint"]), review.main(["change"])))


_LIMITS = re.compile(r"^/proc/\d+/(cgroup|mountinfo)$|/cpu\.[a-z_]+$")
"""Files by which Python and Dask find how many processors there are."""


def _file(words: tuple[Any, ...], allowed: tuple[str, ...]) -> str:
    """The opened file, or an empty string if it is allowed."""
    if not isinstance(words[0], (str, bytes)):
        return ""
    real = os.path.realpath(os.fsdecode(words[0]))
    inside = any(real == one or real.startswith(f"{one}/") for one in allowed)
    return "" if inside or real in SYSTEM or real.startswith("/sys/") or _LIMITS.search(real) else real


def _started(words: tuple[Any, ...], _: tuple[str, ...]) -> str:
    """The started program, or an empty string for git."""
    program = str(words[0])
    return "" if os.path.isabs(program) and program.endswith("/git") else f"{words[:2]}"  # noqa: PTH117


def _any(words: tuple[Any, ...], _: tuple[str, ...]) -> str:
    return f"{words}"


EVENTS: dict[str, Callable[[tuple[Any, ...], tuple[str, ...]], str]] = {
    "open": _file,
    "subprocess.Popen": _started,
    **dict.fromkeys(("os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn", "socket.connect"), _any),
    **dict.fromkeys(("socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"), _any),
}

# ---- hostile things --------------------------------------------------------------------------------------------------

BARE = '[core]\n repositoryformatversion = 0\n bare = false\n worktree = {worktree}\n fsmonitor = "{program}"\n'
MORE_PROGRAMS = (
    '[protocol "ext"]\n allow = always\n[extensions]\n partialClone = o\n'
    '[remote "o"]\n url = ext::{program} %S\n promisor = true\n',
    '[core]\n alternateRefsCommand = "{program}"\n gitProxy = "{program}"\n attributesFile = "{outside}/more"\n',
    '[url "ext::{program} "]\n insteadOf = file:\n[protocol "ext"]\n allow = always\n',
    '[uploadpack]\n packObjectsHook = "{program}"\n[receive]\n fsckObjects = true\n',
    '[includeIf "onbranch:**"]\n path = "{outside}/more"\n[include]\n path = "{outside}/more"\n',
    '[includeIf "hasconfig:remote.*.url:**"]\n path = "{outside}/more"\n[remote "o"]\n url = x\n',
    '[submodule "deep"]\n update = "!{program}"\n url = ext::{program}\n active = true\n[submodule]\n recurse = true\n',
    '[core]\n worktree = "{outside}"\n',
    "[core]\n bare = true\n",
    '[core]\n excludesFile = "{repository}/pipe"\n attributesFile = /dev/zero\n',
    "[core]\n splitIndex = true\n untrackedCache = true\n commitGraph = true\n preloadIndex = true\n",
    "[extensions]\n objectFormat = sha256\n",
    "[extensions]\n unknown = 1\n[core]\n repositoryformatversion = 99\n",
    "[trace2]\n eventTarget = {outside}/trace\n normalTarget = {outside}/trace\n",
    "[" + "x" * 100_000,
    '[alias]\n rev-parse = "!{program}"\n[help]\n autocorrect = 1\n[color]\n ui = always\n',
    "[safe]\n bareRepository = all\n directory = *\n",
)


def _config(random: Random, place: Place) -> None:
    text = random.choice((*PROGRAMS, *MORE_PROGRAMS))
    for key in ("program", "outside", "repository"):
        text = text.replace(f"{{{key}}}", str(getattr(place, key)))
    with suppress(OSError), (place.repository / ".git" / "config").open("a") as file:
        file.write(text)


HOOKS = ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc", "fsmonitor-watchman")


def _hooks(random: Random, place: Place) -> None:
    folder = place.repository / random.choice((".git/hooks", "hooks"))
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        for name in (
            "post-index-change",
            "reference-transaction",
            "post-checkout",
            "pre-auto-gc",
            "fsmonitor-watchman",
        ):
            shutil.copy(place.program, folder / name)


def _bare(random: Random, place: Place) -> None:
    """A folder that looks like a bare repository, of which every file is tracked."""
    where = random.choice(("deep", "odd", "."))
    worktree = random.choice(("wt", ".", "..", str(place.outside)))
    for name in ("objects/.keep", "refs/.keep", "wt/.keep"):
        place.write(f"{where}/{name}", "")
    place.write(f"{where}/HEAD", "ref: refs/heads/main\n")
    place.write(f"{where}/config", BARE.format(worktree=worktree, program=place.program))


def _git_file(random: Random, place: Place) -> None:
    """A file in the place of a repository, which leads to one."""
    where = random.choice(("deep", "odd"))
    _bare(random, place)
    target = random.choice(
        ("../deep", "../odd", ".", "/dev/zero", "../pipe", f"{place.outside}", "x" * 5_000, "..\0..")
    )
    place.write(f"{where}/.git", f"gitdir: {target}\n")


def _git_part(random: Random, place: Place) -> None:
    """Damage a file of the repository's git folder."""
    name = random.choice(
        (
            "HEAD",
            "index",
            "packed-refs",
            "config",
            "config.worktree",
            "commondir",
            "objects/info/alternates",
            "info/exclude",
            "info/attributes",
            "shallow",
            "refs/heads/main",
            "objects/info/commit-graph",
        )
    )
    how = random.choice(("pipe", "zero", "outside", "garbage", "text", "folder", "large"))
    at = f".git/{name}"
    if how == "pipe":
        place.pipe(at)
    elif how == "zero":
        place.link(at, "/dev/zero")
    elif how == "outside":
        place.link(at, str(place.outside / "secret.yaml"))
    elif how == "folder":
        place.link(at, str(place.outside))
    else:
        text = {"garbage": random.randbytes(400), "text": f"{place.outside}/deep\n".encode(), "large": b"x" * 3_000_000}
        place.write(at, text[how])


def _missing(random: Random, place: Place) -> None:
    """Objects that are gone, as in a partial clone."""
    text = '[extensions]\n partialClone = o\n[remote "o"]\n promisor = true\n url = {url}\n'
    text += '[protocol "ext"]\n allow = always\n'
    ssh = f"ssh://-oProxyCommand={place.program}/x"
    url = random.choice((f"ext::{place.program}", place.address, f"file://{place.outside}", ssh))
    with suppress(OSError):
        with (place.repository / ".git" / "config").open("a") as file:
            file.write(text.format(url=url))
        objects = sorted((place.repository / ".git" / "objects").glob("??/*"))
        for one in random.sample(objects, len(objects) // 2):
            one.unlink()


def _modules(random: Random, place: Place) -> None:
    text = f'[submodule "deep"]\n path = deep\n url = ext::{place.program}\n update = !{place.program}\n'
    place.write(".gitmodules", text)
    _git_file(random, place)


TARGETS = (
    "/dev/zero",
    "/dev/stdin",
    "/dev/tty",
    "/etc/passwd",
    "/proc/self/environ",
    "/proc/self/mem",
    "/nowhere",
    ".",
    "..",
    "/",
    "x.yaml",
    "loop.yaml",
    "../outside/secret.yaml",
    "../outside/good.yaml",
    "../../outside/deep/x.yaml",
    "../outside/deep",
    "../outside",
    "../outside/secret.json",
    "pipe",
)
PLACES = (
    "x.yaml",
    "loop.yaml",
    "deep/y.yaml",
    "deep/l.json",
    "odd",
    "deep",
    "kustomization.yaml",
    "kubemerge.toml",
    "pyproject.toml",
    "baseline.json",
    "page.html",
    "Chart.yaml",
    "templates",
    ".kubemerge",
    "base",
    "odd/kustomization.yaml",
    ".git",
    ".gitignore",
    ".gitattributes",
)


def _link(random: Random, place: Place) -> None:
    to = random.choice((*TARGETS, str(place.outside), str(place.outside / "secret.yaml")))
    place.link(random.choice(PLACES), to)


def _special(random: Random, place: Place) -> None:
    """A pipe, a socket or a folder in the place of a file."""
    name = random.choice(
        ("x.yaml", "deep/p.yaml", "odd/q.json", "kubemerge.toml", "kustomization.yaml", "baseline.json", "pipe")
    )
    how = random.choice(("pipe", "socket", "folder"))
    if how == "pipe":
        place.pipe(name)
    elif how == "folder":
        place.write(f"{name}.d/x.yaml", MANIFEST.format(name="in"))
        with suppress(OSError):
            (place.repository / f"{name}.d").rename(place.repository / name)
    else:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as made:
            (place.repository / name).unlink(missing_ok=True)
            made.bind(str(place.repository / name))


def _settings(random: Random, place: Place) -> None:
    values = (
        *TARGETS,
        place.address,
        f"file://{place.outside}/secret.json",
        "pypi:x==1/x.json",
        "~/x.json",
        "~root/x",
        "$HOME/x.json",
        "deep/../../outside/secret.json",
        "*",
        "**/*",
        "-",
        "--help",
        "x\0y",
        "http:",
        "//x/y",
        "a" * 5_000,
        f"{place.outside}/secret.json",
        "odd",
        "deep",
        "odd/b.json",
        "odd/b.json",
    )
    one = json.dumps(random.choice(values))
    line = random.choice(
        (
            f"schemas = [{one}]",
            f"schemas = [{one}, {json.dumps(random.choice(values))}]",
            f"baseline = {one}",
            f"exclude = [{one}]",
            f"release = {one}",
            f"select = [{one}]",
            f"per-path-ignores = {{{one} = ['KM001']}}",
            f"severity = {one}",
            "schemas = " + "[" * 5_000,
            f"x = {'9' * 6_000}",
            "schemas = [1979-05-27]",
            "untracked = 3",
        )
    )
    place.write(
        "odd/b.json", random.choice(("[" * 20_000, '{"findings":{"a":' + "9" * 6_000 + "}}", '{"findings":3}', "\0"))
    )
    if random.random() < 0.7:
        place.write(random.choice(("kubemerge.toml", "deep/kubemerge.toml")), line + "\n")
    else:
        place.write("pyproject.toml", f"[tool.kubemerge]\n{line}\n")


def _names(random: Random, place: Place) -> None:
    """Names of files, and names in manifests, that act on a terminal or a CI job."""
    for _ in range(3):
        name = random.choice(
            (active.file_name(random), "~/x.yaml", "~root/x.yaml", "-R.yaml", "--help", "a,b.yaml", "[a-z].yaml")
        )
        text = random.choice((active._text(random), ": [", "{{ x }}", MANIFEST.format(name="n")))
        place.write(random.choice(("", "deep/", "odd/")) + name, text)


def _texts(random: Random, place: Place) -> None:
    """Manifests that are made to hang or mislead a reader."""
    for _ in range(3):
        text = random.choice(list(hostile.TEXTS.values()))(random)
        place.write(f"{random.choice(('', 'deep/'))}t{random.randrange(9)}.{random.choice(('yaml', 'json'))}", text)


def _large(random: Random, place: Place) -> None:
    size = random.choice((100_000, 2_000_000))
    text = random.choice((b"a" * size, b"- " * size, b"a: b\n" * (size // 5), b"\0" * size, b"---\n" * (size // 100)))
    place.write("deep/large.yaml", text)
    place.write("/".join(["d"] * random.choice((10, 200))) + "/x.yaml", MANIFEST.format(name="far"))


KUSTOMIZE = (
    "resources",
    "patches",
    "patchesStrategicMerge",
    "patchesJson6902",
    "bases",
    "components",
    "crds",
    "configurations",
    "generators",
    "transformers",
    "helmCharts",
    "openapi",
    "replacements",
    "configMapGenerator",
)


def _kustomization(random: Random, place: Place) -> None:
    to = random.choice((*TARGETS, place.address, f"{place.outside}/secret.yaml", "github.com/x/y//z?ref=a", "x\ny"))
    content: dict[str, Any] = {"kind": "Kustomization", "commonLabels": {"a": "b"}}
    for field in random.sample(KUSTOMIZE, 4):
        content[field] = random.choice(
            ([to], [{"path": to}], to, {"path": to}, [[to]], [None], [{"name": to, "repo": to}])
        )
    place.write(random.choice(("", "deep/", "odd/")) + "kustomization.yaml", json.dumps(content))


def _chart(random: Random, place: Place) -> None:
    to = random.choice((*TARGETS, place.address))
    place.write("Chart.yaml", json.dumps({"name": to, "dependencies": [{"repository": f"file://{to}", "name": to}]}))
    place.write("values.yaml", random.choice(("{{ x }}", ": [", "a: b", "!!python/object/apply:os.system [x]")))
    place.write("templates/x.yaml", random.choice(('{{/*\nFoo: (bar)\n*/}}\n{{ .Files.Get "/etc/passwd" }}', MANIFEST)))
    place.write("rendered.yaml", f"# Source: {to}\n{MANIFEST.format(name='r')}---\n# Source: ../../{to}\na: [\n")


PATTERNS = (
    "^(a+)+$",
    "^(a|aa)+$",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(?=a)",
    "[",
    "a{1001}",
    "(a{999}){999}",
    "\\p{L}+$",
)


def _definition(random: Random, place: Place) -> None:
    """A definition whose pattern, or depth, is made for its object."""
    schema: dict[str, Any] = {"type": "string", "pattern": random.choice(PATTERNS)}
    for _ in range(random.choice((1, 1, 60))):
        schema = {"type": "object", "properties": {"s": schema}, "additionalProperties": False}
    version = {"name": "v1", "served": True, "storage": True}
    spec = {"group": "e.c", "scope": "Namespaced", "names": {"kind": "Foo", "plural": "foos"}}
    made = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "foos.e.c"},
    }
    schema = {"type": "object", "properties": {"spec": schema}}
    definition = {**made, "spec": {**spec, "versions": [{**version, "schema": {"openAPIV3Schema": schema}}]}}
    if random.random() < 0.3:
        definition = hostile.changed_anywhere(definition, random)
    text = random.choice(("a" * 40 + "!", "x" * 5_000, "aB" * 3_000))
    custom = {"apiVersion": "e.c/v1", "kind": "Foo", "metadata": {"name": "f"}, "spec": {"s": text}}
    place.write("crd.json", json.dumps(definition))
    place.write("deep/crd.yaml", json.dumps(definition))
    place.write("foo.json", json.dumps(custom))


PLANTS: dict[str, Plant] = {
    "a configuration": _config,
    "hooks": _hooks,
    "a folder that looks like a repository": _bare,
    "a .git file": _git_file,
    "a part of .git": _git_part,
    "missing objects": _missing,
    "submodules": _modules,
    "a link": _link,
    "another link": _link,
    "no regular file": _special,
    "settings": _settings,
    "more settings": _settings,
    "names": _names,
    "texts": _texts,
    "large files": _large,
    "a kustomization": _kustomization,
    "a chart": _chart,
    "a definition": _definition,
}
