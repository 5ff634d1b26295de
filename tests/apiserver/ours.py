"""kubemerge as a player: commands in this process, and a cluster in the folder of the scenario."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from kubemerge.apiserver.controllers.names import POLICY_STATUS, RESOURCE_QUOTA, enabled
from kubemerge.cli.main import main
from kubemerge.cluster import ClusterError, Reference, open_cluster

from .play import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kubemerge.cluster import Cluster, Resource

    from .scenarios import Step

DISABLED = re.compile(r"^.+: the API server drops .+, because the feature gate \S+ is off\n", re.MULTILINE)
"""Messages of kubemerge about dropped fields. kubectl has none."""
RELEASE = "1.37"
"""The recorded release."""


class Kubemerge:
    """Runs kubemerge commands on a new cluster."""

    def __init__(self) -> None:
        self._file = ""

    def run(self, step: Step, env: dict[str, str], folder: Path) -> Said:
        """The output of a command line."""
        self._file = str(folder / "cluster.db")
        if not (folder / "cluster.db").exists():
            open_cluster(self._file, release=RELEASE).close()
        return said_by(step.words, {**env, "KUBEMERGE_CLUSTER": self._file}, folder, step.stdin)

    def look(self, namespace: str, names: list[str]) -> list[dict[str, Any]]:
        """The existing ones of these objects."""
        return objects_in(self._file, namespace, names)


def objects_in(file: str, namespace: str, names: list[str]) -> list[dict[str, Any]]:
    """The existing ones of these objects in a cluster file."""
    with open_cluster(file, mode="rehearse") as cluster:
        known = built_in()
        return those_in(cluster, namespace, names, known if {*map(word_of, names)} <= known.keys() else None)


def _controllers(listed: str) -> frozenset[str]:
    """The controllers of the recorded server. What the others write has recorded responses of its own."""
    return enabled(listed) - {POLICY_STATUS, RESOURCE_QUOTA}


def said_by(words: Sequence[str], env: dict[str, str], folder: Path, stdin: str | None) -> Said:
    """The output of a kubemerge command line, run in this process."""
    given = (folder / stdin).read_bytes() if stdin else b""
    with _at(folder, env), _streams(given) as (out, err), patch("kubemerge.apiserver.reading.enabled", _controllers):
        try:
            main(list(words))
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        return Said(code, out.getvalue().decode(), DISABLED.sub("", err.getvalue().decode()))


@cache
def built_in() -> dict[str, Resource]:
    """The kinds of the release by the words for them. To list all kinds takes longer than most commands."""
    with open_cluster(":memory:", release=RELEASE) as cluster:
        return kinds_of(cluster)


def kinds_of(cluster: Cluster) -> dict[str, Resource]:
    """The kinds of a cluster by the words for them."""
    every = reversed(cluster.resources())  # the preferred version comes first
    return {one.title.replace(one.kind, one.kind.lower(), 1): one for one in every}


def word_of(name: str) -> str:
    """The word for a kind in the name of an object."""
    return name.partition("/")[0]


def those_in(
    cluster: Cluster, namespace: str, names: list[str], kinds: dict[str, Resource] | None = None
) -> list[dict[str, Any]]:
    """The existing ones of these objects in a cluster."""
    found = []
    kinds = kinds_of(cluster) if kinds is None else kinds
    for name in names:
        word, _, called = name.partition("/")
        if word in kinds:
            kind = kinds[word]
            at = namespace if kind.namespaced else None
            try:
                found.append(cluster.get(Reference(kind.api_version, kind.kind, called, at)))
            except ClusterError:
                continue
    return found


@contextmanager
def _at(folder: Path, env: dict[str, str]) -> Iterator[None]:
    there, before = os.getcwd(), dict(os.environ)  # noqa: PTH109 - to come back to
    os.chdir(folder)
    os.environ.update(env)
    try:
        yield
    finally:
        os.chdir(there)
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _streams(stdin: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", write_through=True)
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
