"""Edits that users make to the manifests of a project: images, replicas, labels, variables, arguments, resources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codegen.documents.problems import BadDocument

from .judge import documents_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    Lines = list[str]
_DASH = re.compile(r"^( *)(- +)?")


def changed(text: str, draw: random.Random, count: int) -> str:
    """The text after some edits."""
    for _ in range(count):
        for _ in range(12):
            new = "\n".join(draw.choice(_EDITS)(text.split("\n"), draw))
            if new != text and has_unique_keys(new):
                text = new
                break
    return text


def has_unique_keys(text: str) -> bool:
    """Whether the text has documents without repeated keys."""
    try:
        return bool(documents_of(text))
    except BadDocument:
        return False


def _at(lines: Lines, draw: random.Random, pattern: str) -> int | None:
    """A random line that matches."""
    found = [at for at, line in enumerate(lines) if re.match(pattern, line)]
    return draw.choice(found) if found else None


def _margin(line: str) -> str:
    """The indentation of the keys in the entry or element on a line."""
    match = _DASH.match(line)
    return " " * match.end() if match else ""


def _below(lines: Lines, at: int | None, *new: str) -> Lines:
    """The lines with new ones below one, with its indentation."""
    return lines if at is None else [*lines[: at + 1], *(_margin(lines[at]) + one for one in new), *lines[at + 1 :]]


def _registry(lines: Lines, draw: random.Random) -> Lines:
    return [re.sub(r"(image: *[\"']?)(?=\w)", r"\1mirror.example.com/", line) for line in lines]


def _replicas(lines: Lines, draw: random.Random) -> Lines:
    at = _at(lines, draw, r" *replicas: \d+")
    if at is None:
        return lines
    return [*lines[:at], re.sub(r"\d+", str(draw.randint(2, 9)), lines[at]), *lines[at + 1 :]]


def _label(lines: Lines, draw: random.Random) -> Lines:
    at = _at(lines, draw, r" *(labels|annotations): *$")
    return _below(lines, at, f"  example.com/{draw.choice(('team', 'tier', 'owner'))}: shop")


def _pull_policy(lines: Lines, draw: random.Random) -> Lines:
    return _below(lines, _at(lines, draw, r" *(- +)?image: *\S"), "terminationMessagePolicy: FallbackToLogsOnError")


def _resources(lines: Lines, draw: random.Random) -> Lines:
    at = _at(lines, draw, r" *(- +)?image: *\S")
    return _below(lines, at, "resources:", "  requests:", f"    cpu: {draw.randint(1, 9)}00m  # measured")


def _number(lines: Lines, draw: random.Random) -> Lines:
    """Another limit, port, period or threshold."""
    at = _at(lines, draw, r" *(- +)?[A-Za-z]\w*: \d+ *$")
    if at is None:
        return lines
    return [*lines[:at], re.sub(r"\d+ *$", str(draw.randint(1, 999)), lines[at]), *lines[at + 1 :]]


def _element(lines: Lines, draw: random.Random, field: str, *new: str) -> Lines:
    """An element at the beginning of a list."""
    at = _at(lines, draw, rf" *(- +)?{field}: *$")
    if at is None or at + 1 == len(lines) or not lines[at + 1].lstrip().startswith("- "):
        return lines
    margin = lines[at + 1][: len(lines[at + 1]) - len(lines[at + 1].lstrip())]
    end = at + 1
    while end < len(lines) and lines[end].startswith((f"{margin}-", f"{margin} ")):
        end += 1
    where = draw.choice((at + 1, end, end))
    return [*lines[:where], *(margin + one for one in new), *lines[where:]]


def _variable(lines: Lines, draw: random.Random) -> Lines:
    return _element(lines, draw, "env", "- name: HTTPS_PROXY", f"  value: proxy{draw.randint(1, 9)}.example.com")


def _argument(lines: Lines, draw: random.Random) -> Lines:
    return _element(lines, draw, "args", f"- --v={draw.randint(1, 9)}")


def _verb(lines: Lines, draw: random.Random) -> Lines:
    return _element(lines, draw, draw.choice(("verbs", "resources")), f"- {draw.choice(('patch', 'watch', 'leases'))}")


def _mount(lines: Lines, draw: random.Random) -> Lines:
    lines = _element(lines, draw, "volumeMounts", "- name: trust", "  mountPath: /etc/trust")
    return _element(lines, draw, "volumes", "- name: trust", "  configMap:", "    name: trust")


def _comment(lines: Lines, draw: random.Random) -> Lines:
    at = _at(lines, draw, r" *(- +)?[A-Za-z][\w./-]*:")
    return lines if at is None else [*lines[:at], f"{_DASH.match(lines[at])[1]}# ours", *lines[at:]]  # type: ignore[index]


_EDITS: list[Callable[[Lines, random.Random], Lines]] = [
    *(_registry, _replicas, _label, _label, _pull_policy, _resources, _number, _number, _variable, _argument, _verb),
    *(_mount, _comment),
]
