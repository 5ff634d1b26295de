"""Draw three versions of a manifest: the text of a file, with random edits on two sides."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import TYPE_CHECKING

from tests.conftest import ROOT

from .forms import after_edits, before_edits, in_brackets, in_text, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FOLDERS = ("examples", "docs", "kubemerge/demo", "tests/data", "tests/kubemerge", "tests/conformance", "tests/clients")
MOST_BYTES = 12_000
_PAIR = re.compile(r"^( *(?:- +)*)([A-Za-z][\w./-]*):( +)([^\s#|>&*!{\[].*?)( +#.*)?$")
_START = re.compile(r"^( *)(- |[A-Za-z][\w./-]*:)")
_WORDS = ("alpha", "beta", "gamma", "delta")


@cache
def sources() -> tuple[str, ...]:
    """The texts of manifests in the repository that PyYAML reads."""
    return tuple(texts_below([ROOT / folder for folder in FOLDERS]))


def texts_below(folders: list[Path], most: int = MOST_BYTES) -> Iterator[str]:
    """The texts of manifests below folders."""
    for folder in folders:
        for file in sorted([*folder.rglob("*.yaml"), *folder.rglob("*.yml")]):
            if file.stat().st_size > most:
                continue
            text = file.read_bytes().decode(errors="replace")
            if ("\nkind: " in text or text.startswith("kind: ") or "  kind: " in text) and readable(text):
                yield text


def generated(draw: random.Random) -> str:
    """A Deployment in a random style."""
    dash = draw.choice(["", "  "])
    lines = ["apiVersion: apps/v1", "kind: Deployment", "metadata:", "  name: web", "  labels:"]
    lines += [f"    {word}: {draw.choice(_WORDS)}" for word in draw.sample(_WORDS, draw.randint(1, 4))]
    lines += ["spec:", f"  replicas: {draw.randint(1, 9)}", "  template:", "    spec:"]
    for field in draw.sample(["initContainers", "containers", "volumes", "tolerations"], draw.randint(1, 4)):
        lines.append(f"      {field}:")
        for name in draw.sample(_WORDS, draw.randint(1, 4)):
            margin = "      " + dash
            lines += [margin + f"# about {name}"] * draw.randint(0, 1)
            if field == "tolerations":
                lines += [f"{margin}- key: {name}", f"{margin}  operator: Exists"]
                continue
            lines += [f"{margin}- name: {name}"]
            if field == "volumes":
                lines += [f"{margin}  emptyDir: {{}}"]
                continue
            lines += [f"{margin}  image: '{name}:{draw.randint(1, 9)}'"]
            lines += [f"{margin}  args:", *(f"{margin}  - --{word}" for word in draw.sample(_WORDS, 3))] * draw.randint(
                0, 1
            )
            lines += [f"{margin}  env:"]
            for word in draw.sample(_WORDS, 2):
                lines += [f"{margin}  {dash}- name: {word.upper()}", f"{margin}  {dash}  value: {draw.choice(_WORDS)}"]
            lines += [f"{margin}  command: |", f"{margin}    {draw.choice(_WORDS)}", "", f"{margin}    end"]
    return "\n".join(lines) + "\n"


DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"kind": "Widget", "plural": "widgets"},
        "scope": "Namespaced",
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {}}}],
    },
}
"""The definition of the kind that `generated_custom` draws."""
_TEXT = {"type": "string"}
_PARTS = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["id", "zone"],
    "items": {"type": "object", "properties": {"id": _TEXT, "zone": _TEXT, "size": {"type": "integer"}}},
}
_SPEC = {
    "parts": _PARTS,
    "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": _TEXT},
    "steps": {"type": "array", "items": _TEXT},
}
DEFINITION["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = {  # type: ignore[index]
    "type": "object",
    "properties": {"spec": {"type": "object", "properties": _SPEC}},
}


def generated_custom(draw: random.Random) -> str:
    """A custom resource with lists of three types."""
    dash = draw.choice(["", "  "])
    lines = ["apiVersion: example.com/v1", "kind: Widget", "metadata:", "  name: w", "spec:", "  parts:"]
    for word in draw.sample(_WORDS, draw.randint(1, 4)):
        lines += [
            f"  {dash}- id: {word}",
            f"  {dash}  zone: {draw.choice('ab')}",
            f"  {dash}  size: {draw.randint(1, 9)}",
        ]
    for field in ("tags", "steps"):
        lines += [f"  {field}:", *(f"  {dash}- {word}" for word in draw.sample(_WORDS, draw.randint(1, 4)))]
    return "\n".join(lines) + "\n"


def generated_kustomization(draw: random.Random) -> str:
    """A kustomization file."""
    lines = ["apiVersion: kustomize.config.k8s.io/v1beta1", "kind: Kustomization", "resources:"]
    lines += [f"- {word}.yaml" for word in draw.sample(_WORDS, draw.randint(1, 4))]
    lines.append("images:")
    for word in draw.sample(_WORDS, draw.randint(1, 3)):
        lines += [f"- name: {word}", f"  newTag: v{draw.randint(1, 9)}"]
    lines += ["configMapGenerator:", "- name: settings", "  literals:"]
    lines += [f"  - {word}={draw.randint(1, 9)}" for word in draw.sample(_WORDS, draw.randint(1, 4))]
    lines += ["patches:", *(f"- path: patch-{word}.yaml" for word in draw.sample(_WORDS, draw.randint(1, 3)))]
    return "\n".join(lines) + "\n"


# ---- edits ----------------------------------------------------------------------------------------------------------


def edited(text: str, draw: random.Random, count: int) -> str:
    """The text after some random edits that leave it readable."""
    for _ in range(count):
        for _ in range(8):
            lines = text.split("\n")
            changed = draw.choice(_EDITS)(lines, draw)
            new = "\n".join(changed) if changed is not None else text
            if new != text and readable(new):
                text = new
                break
    return text


def _span(lines: list[str], at: int) -> tuple[int, int]:
    """The lines of the entry or element that starts at a line, with the comments above it."""
    margin = len(lines[at]) - len(lines[at].lstrip(" "))
    end = at + 1
    is_dash = lines[at].lstrip().startswith("- ")
    while end < len(lines):
        line = lines[end]
        inner = len(line) - len(line.lstrip(" "))
        if (
            line.strip()
            and inner <= margin
            and not (not is_dash and inner == margin and line.lstrip().startswith("- "))
        ):
            break
        end += 1
    while end > at + 1 and not lines[end - 1].strip():
        end -= 1
    start = at
    while start and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start, end


def _starts(lines: list[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if _START.match(line)]


def _change(lines: list[str], draw: random.Random) -> list[str] | None:
    """Another value."""
    found = [(at, match) for at, line in enumerate(lines) if (match := _PAIR.match(line))]
    if not found:
        return None
    at, match = draw.choice(found)
    new = draw.choice(
        [
            draw.choice(_WORDS) if match[2] == "name" else str(draw.randint(1, 99)),
            draw.choice(_WORDS),
            f"'{draw.choice(_WORDS)}'",
            match[4],
        ]
    )
    note = draw.choice([match[5] or "", match[5] or "", f"  # {draw.choice(_WORDS)}"])
    return [*lines[:at], f"{match[1]}{match[2]}:{match[3]}{new}{note}", *lines[at + 1 :]]


def _remove(lines: list[str], draw: random.Random) -> list[str] | None:
    """One entry or element less."""
    starts = _starts(lines)
    if not starts:
        return None
    start, end = _span(lines, draw.choice(starts))
    return [*lines[:start], *lines[end:]]


def _copy(lines: list[str], draw: random.Random) -> list[str] | None:
    """A copy of an entry or element under another name."""
    starts = _starts(lines)
    if not starts:
        return None
    at = draw.choice(starts)
    start, end = _span(lines, at)
    copy = lines[start:end]
    name = f"{draw.choice(_WORDS)}{draw.randint(1, 3)}"
    first = copy[at - start]
    if first.lstrip().startswith("- "):
        copy[at - start] = re.sub(r"(- +(?:[\w./-]+: +)?)(.*)", rf"\g<1>{name}", first) if ": |" not in first else first
    else:
        copy[at - start] = re.sub(r"^( *)[\w./-]+:", rf"\g<1>{name}:", first)
    where = draw.choice([start, end])
    return [*lines[:where], *copy, *lines[where:]]


def _comment(lines: list[str], draw: random.Random) -> list[str] | None:
    """A comment above an entry."""
    starts = _starts(lines)
    if not starts:
        return None
    at = draw.choice(starts)
    margin = len(lines[at]) - len(lines[at].lstrip(" "))
    return [*lines[:at], " " * margin + f"# {draw.choice(_WORDS)} {draw.randint(1, 9)}", *lines[at:]]


def _swap(lines: list[str], draw: random.Random) -> list[str] | None:
    """Two neighbours in another order."""
    starts = _starts(lines)
    if not starts:
        return None
    start, end = _span(lines, draw.choice(starts))
    following = [at for at in starts if at >= end]
    if not following:
        return None
    begin, until = _span(lines, following[0])
    if begin != end:
        return None
    return [*lines[:start], *lines[begin:until], *lines[start:end], *lines[until:]]


_EDITS: list[Callable[[list[str], random.Random], list[str] | None]] = [
    *(_change,) * 4,
    *(_remove,) * 2,
    *(_copy,) * 2,
    _comment,
    _swap,
    *(in_text,) * 2,
    *(in_brackets,) * 2,
]


def case(number: int) -> tuple[str, str, str]:
    """The three texts of a random case."""
    draw = random.Random(f"gitmerge {number}")
    text = draw.choice((generated, generated_custom, generated_kustomization))(draw) if number % 3 == 0 else ""
    base = before_edits(text or draw.choice(sources()), draw)
    ours = edited(base, draw, draw.randint(1, 4))
    theirs = edited(base, draw, draw.randint(1, 4))
    return after_edits((base, ours, theirs), draw)
