"""Whatever vanished from the source code of Kubernetes has a row in the table of hazards, or a reason to have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from kubemerge.kinds.hazards import HAZARDS
from kubemerge.kinds.removed_plugins import ADMISSION, CLOUDS, DRIVERS, PROVISIONERS

from ....conftest import read_yaml
from .recorded import read, vanished

LEFT_OUT: dict[str, dict[str, list[str]]] = read_yaml(Path(__file__).with_name("left_out.yaml"))
SORTS = sorted({*read()} - {"release"})


def rows(sort: str) -> set[tuple[str, str]]:
    """The vanished items that rows are about, each with the first release without it."""
    if sort == "volume":
        return {(one.folder, one.removed) for one in DRIVERS} | {(folder, since) for _, since, folder in PROVISIONERS}
    if sort == "cloud":
        return {(one.name, one.removed) for one in CLOUDS}
    if sort == "admission":
        return {*ADMISSION.items()}
    return {(_last_step(one.path), one.since) for one in HAZARDS} | {
        (f"kubernetes.io/{name}", since) for name, since, _ in PROVISIONERS
    }


def _last_step(path: str) -> str:
    for word in ("annotations.", "labels."):
        if word in path:
            return path.partition(word)[2]
    return path


def left_out(sort: str) -> list[str]:
    return [item for items in LEFT_OUT.values() for item in items.get(sort, ())]


def _is_in(item: str, since: str, known: set[tuple[str, str]]) -> bool:
    return any(
        (name == item or (name.endswith("*") and item.startswith(name[:-1]))) and first == since
        for name, first in known
    )


@pytest.mark.parametrize("sort", SORTS)
def test_what_vanished_is_in_a_row_or_left_out_for_a_reason(sort: str) -> None:
    known, apart = rows(sort), left_out(sort)
    sources = {f"{one.source}" for one in HAZARDS}
    missing = []
    for item, since in vanished(sort).items():
        folder = {"credentials": "pkg/credentialprovider", "scheduling": "pkg/scheduler/framework/plugins"}.get(sort)
        named = folder is not None and f"{folder}/{item}, gone in {since}" in sources
        if not named and not _is_in(item, since, known) and item not in apart:
            missing.append((item, since))
    assert missing == []


@pytest.mark.parametrize("sort", ["volume", "cloud", "admission"])
def test_rows_are_about_what_vanished(sort: str) -> None:
    gone = vanished(sort)
    assert [(item, since) for item, since in rows(sort) if gone.get(item) != since] == []


@pytest.mark.parametrize("sort", SORTS)
def test_what_is_left_out_vanished(sort: str) -> None:
    assert [item for item in left_out(sort) if item not in vanished(sort)] == []
