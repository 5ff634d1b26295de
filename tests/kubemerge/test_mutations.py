"""Thousands of damaged files through the whole command: each is read or rejected in one line, and nothing crashes."""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_scalars import YamlError
from codegen.documents.yaml_text import documents

from ..codegen.sample_specs import kubemerge
from ..conftest import ROOT
from .objects import applied, config_map, deployment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# ---- the files ----------------------------------------------------------------------------------------------------

BACKUP = """\
apiVersion: storage.example.com/v1
kind: Backup
metadata: {name: nightly, namespace: jobs}
spec:
  schedule: "0 3 * * *"
  keep: 3
  volumes:
    - &volume {claim: db, path: /var/lib, exclude: [tmp, "*.log"]}
    - <<: *volume
      claim: files
  steps:
    - dump
    - |
      two lines
      of text
"""
PORTS = [
    {"name": "dns", "containerPort": 53, "protocol": "UDP"},
    {"name": "dns-tcp", "containerPort": 53, "protocol": "TCP"},
]
WEB = deployment("web", {"name": "web", "image": "web:1", "ports": PORTS, "env": [{"name": "A", "value": "1"}]})
PATCH = {
    "spec": {
        "template": {"spec": {"containers": [{"name": "web", "image": "web:2"}, {"name": "old", "$patch": "delete"}]}}
    }
}
OPERATIONS = [
    {"op": "test", "path": "/kind", "value": "Deployment"},
    {"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "web:3"},
    {"op": "copy", "from": "/metadata/name", "path": "/metadata/labels"},
]
SPARSE = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3}}
LIST = {"apiVersion": "v1", "kind": "List", "items": [WEB, config_map("settings", {"a": "1", "b": "x\ny\n"})]}


def read(name: str) -> bytes:
    return (ROOT / name).read_bytes()


def text(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


FILES: dict[str, bytes] = {
    "nginx.yaml": read("examples/nginx/deployment.yaml"),
    "nginx-live.yaml": read("docs/live/nginx.yaml"),
    "crd.yaml": read("examples/crds/backups.yaml"),
    "backup.yaml": BACKUP.encode(),
    "web.json": text(WEB),
    "web-live.json": text(applied(WEB, status={"replicas": 1})),
    "list.json": text(LIST),
    "patch.json": text(PATCH),
    "operations.json": text(OPERATIONS),
    "sparse.json": text(SPARSE),
}

COMMANDS = """
merge -f {nginx.yaml} --live nginx-live.yaml
merge -f nginx.yaml --live {nginx-live.yaml} -o json
merge -f nginx.yaml --live nginx-live.yaml --last-applied {nginx.yaml}
merge -f {web.json} --live {web-live.json} --overwrite false
merge -f {web.json} --live web-live.json --safe
merge -f {backup.yaml} --live backup.yaml --schema crd.yaml --lists schema -o patch
merge -f backup.yaml --schema {crd.yaml}
why -f {list.json} --live {web-live.json}
why -f {nginx.yaml} --live nginx-live.yaml spec -o json
diff -f {list.json} --live web-live.json
diff -f web.json --live {web-live.json} -o json
lint {nginx.yaml} --live {nginx-live.yaml}
diff -f {web.json} --live {web-live.json} --lists schema --show-managed-fields
lint {list.json} -o sarif
lint {nginx.yaml} {backup.yaml} --schema {crd.yaml} -o junit
patch -f {web.json} -p {patch.json}
patch -f web.json --patch-file {patch.json}
patch -f web.json --patch-file {operations.json} --type json
patch -f {web.json} --type merge --patch-file patch.json
overlay -f {list.json} --patch-file {sparse.json}
last-applied view -f {nginx-live.yaml}
last-applied set -f {web.json} --live {web-live.json}
last-applied check -f {nginx.yaml} --live nginx-live.yaml
compare 1.12 1.30 -f {nginx.yaml} --live {nginx-live.yaml}
explain backup.spec --schema {crd.yaml}
"""
"""Every file in braces is damaged; `-p` takes the text itself."""

# ---- the damage ---------------------------------------------------------------------------------------------------

TOKENS = [
    *b"\t\0\x1b\xff\x7f[]{}&*!|>%@`,:-?#'\"~\n\r",
    *(b"--- \n", b"...\n", b"\xef\xbb\xbf", b"<<: *a\n", b"&a ", b"*a ", b"!!binary ", b"!!set ", b"{{ .x }}", b"? "),
    *(b"null", b"true", b".inf", b"NaN", b"1e999", b"0x", b"-", b"9" * 400, b"[" * 300, b"{a: " * 300, b"- " * 300),
    *(b'"$patch": "replace",', b"$patch: delete\n", b"$retainKeys: [a]\n", b"$setElementOrder/x: [1]\n"),
    *(b"\xe2\x80\xa8", b"\xc2\x85", b"\xf0\x9f\x98\x80", b"\\ud800", b"\\u0000"),
]
VALUES = [b"null", b"{}", b"[]", b'""', b"0", b"-1", b"1.5", b"true", b"[1]", b"{a: 1}", b'"x"', b"1e30", b"[[]]"]
SCALAR = re.compile(rb'(?<=[:\[,-] )[^\s{\[,][^\n,]*|"[^"\n]*"')


def insert(data: bytes, luck: random.Random) -> bytes:
    at, token = luck.randrange(len(data)), luck.choice(TOKENS)
    return data[:at] + (bytes([token]) if isinstance(token, int) else token) + data[at:]


def flip(data: bytes, luck: random.Random) -> bytes:
    at = luck.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << luck.randrange(8))]) + data[at + 1 :]


def cut(data: bytes, luck: random.Random) -> bytes:
    at, end = sorted(luck.randrange(len(data) + 1) for _ in range(2))
    return data[:at] if luck.random() < 0.5 else data[:at] + data[end:]


def lines(data: bytes, luck: random.Random) -> bytes:
    """A line twice, gone, elsewhere, or indented otherwise."""
    found = data.splitlines(keepends=True)
    at, other = luck.randrange(len(found)), luck.randrange(len(found))
    line = found[at]
    changed = luck.choice(([line, line], [], [found[other]], [b"  " + line], [line.removeprefix(b" ")], [line.strip()]))
    return b"".join([*found[:at], *changed, *found[at + 1 :]])


def replace(data: bytes, luck: random.Random) -> bytes:
    """Another value, often of another type, for a scalar."""
    found = luck.choice(list(SCALAR.finditer(data)) or [re.match(b"", data)])
    assert found is not None
    return data[: found.start()] + luck.choice(VALUES) + data[found.end() :]


PARTS: list[Any] = [
    *(
        None,
        {},
        [],
        "",
        0,
        -1,
        1.5,
        1e30,
        2**63,
        True,
        "x",
        [None],
        [[1]],
        {"name": None},
        {"": {}},
        [{}, {"name": "web"}],
    ),
    *({"$patch": "replace"}, {"$patch": "delete"}, {"$patch": 1}, {"$retainKeys": ["a"]}, [{"$patch": "replace"}]),
    *(
        {"$setElementOrder/a": [1]},
        {"$deleteFromPrimitiveList/a": {}},
        "a" * 5000,
        "\x1b[2J\n\u2028",
        {"a": {"b": [{}]}},
    ),
]
KEYS = ["name", "kind", "apiVersion", "metadata", "items", "$patch", "$retainKeys", "", "a.b/c[d]", "\n", "protocol"]


def graft(data: bytes, luck: random.Random) -> bytes:
    """A valid text with other content: another part, a part less, twice, or under another key."""
    try:
        whole = list(documents(data.decode()))
    except (YamlError, UnicodeDecodeError):
        return data
    places = list(containers(whole))
    place = luck.choice(places)
    at: Any = luck.choice(list(place) if isinstance(place, dict) else range(len(place)))
    change = luck.randrange(5)
    if change == 0:
        del place[at]
    elif change == 1 and isinstance(place, list):
        place.append(copy.deepcopy(luck.choice(place)))
    elif change == 2 and isinstance(place, dict):
        place[luck.choice(KEYS)] = place.pop(at)
    elif change == 3:
        place[at] = copy.deepcopy(luck.choice(places))
    else:
        place[at] = copy.deepcopy(luck.choice(PARTS))
    return b"\n---\n".join(text(document) for document in whole)


def containers(value: Any) -> Iterator[Any]:
    """Every mapping and list that is not empty."""
    for part in (value.values() if isinstance(value, dict) else value) if isinstance(value, (dict, list)) else ():
        yield from containers(part)
    if isinstance(value, (dict, list)) and value:
        yield value


DAMAGE: tuple[Callable[[bytes, random.Random], bytes], ...] = (insert, flip, cut, lines, replace)


def damaged(data: bytes, luck: random.Random) -> bytes:
    """Damage to the text, to its content, or both."""
    for _ in range(luck.choice((0, 1, 1, 2, 3, 6))):
        data = graft(data or b"[]", luck)
    for _ in range(luck.choice((0, 0, 0, 1, 1, 2))):
        data = luck.choice(DAMAGE)(data or b"\n", luck)
    return data


# ---- the runs -----------------------------------------------------------------------------------------------------


def run(command: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command on damaged files, in the folder where the sound ones are."""
    luck = random.Random(f"{command} {seed}")
    words: list[str] = []
    seen: dict[str, bytes] = {}
    for word in command.split():
        name = word.strip("{}")
        if word != name:
            seen[name] = damaged(FILES[name], luck)
            Path(f"damaged-{name}").write_bytes(seen[name])
        inline = word != name and words[-1] == "-p"
        words.append(seen[name].decode(errors="replace") if inline else f"damaged-{name}" if word != name else word)
    code = kubemerge(*words)
    said = capsys.readouterr()
    about = f"seed {seed} of {command!r}: exit code {code}\n{said.err[:2000]}\n{seen}"
    assert code in (0, 1, 2), about
    assert "this is a bug" not in said.err, about
    assert "Traceback" not in said.err + said.out, about
    told = said.err.split("\n")
    assert told.pop() == "", about
    assert all(line.isprintable() and line for line in told), about
    assert code != 2 or any(line.startswith("kubemerge: ") or f"{name}:" in line for line in told), about


EVERY = COMMANDS.split("\n")[1:-1]


@pytest.fixture(autouse=True)
def _sound_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)


@pytest.mark.parametrize("command", EVERY)
def test_the_files_are_sound(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = command.replace("{", "").replace("}", "").split()
    if "-p" in words:
        words[words.index("-p") + 1] = FILES["patch.json"].decode()
    assert kubemerge(*words) < 2, capsys.readouterr().err


@pytest.mark.parametrize("command", EVERY)
def test_damaged_files_crash_nothing(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(6):
        run(command, seed, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("command", EVERY)
def test_5000_damaged_files_crash_nothing(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(6, 6 + 5000 // len(EVERY) + 1):
        run(command, seed, capsys)
