"""kubemerge with `--context` has the output of kubectl, with the embedded cluster over a socket.

With `KUBEMERGE_REAL_RESET` and `KUBECONFIG` set, the slow test uses that API server instead: see `__main__.py`.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.http.listening.kubeconfig import kubeconfig
from kubemerge.apiserver.http.listening.running import served
from kubemerge.cluster import open_cluster

from .ours import RELEASE, Kubemerge
from .play import differences, played
from .record import reset
from .remote import Remote
from .scenarios import Scenario, own_areas, recorded, scenarios

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALL = {f"{area}: {one.name}": (area, one) for area in own_areas() for one in scenarios(area)}
PLAYED = (
    "basics: ",
    "custom: server-side",
    "fields: an unknown field",
    "fields: labels of all",
    "folders: a folder",
    "workloads: pods and server-side apply",
)
"""The name prefixes of scenarios in the fast test: apply, prune, ApplySets, server-side apply, errors."""
FAST = [name for name in ALL if name.startswith(PLAYED)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The kubeconfig of a served embedded cluster."""
    pytest.importorskip("uvicorn")
    with open_cluster(str(tmp_path / "served.db"), release=RELEASE) as cluster, served(cluster) as serving:
        file = tmp_path / "kubeconfig"
        file.write_text(json.dumps(kubeconfig(serving.url)), encoding="utf-8")
        yield str(file)


def worse(scenario: Scenario, area: str, kubeconfig: str) -> dict[str, Any]:
    """Differences from kubectl's output that are neither listed nor the same with a file."""
    steps = recorded(area)[scenario.name]["steps"]
    found = differences(played(scenario, Remote(kubeconfig)), steps)
    with_a_file = differences(played(scenario, Kubemerge()), steps)
    return {part: found[part] for part in scenario.unlisted(found) if part not in with_a_file}


@pytest.mark.parametrize("name", FAST)
def test_over_a_socket_as_in_a_file(name: str, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    area, scenario = ALL[name]
    assert worse(scenario, area, server) == {}


LIVE = "KUBEMERGE_REAL_RESET" in os.environ and "KUBECONFIG" in os.environ


@pytest.mark.slow
@pytest.mark.skipif(not LIVE, reason="needs a real API server: KUBECONFIG, and KUBEMERGE_REAL_RESET to empty it")
@pytest.mark.parametrize("name", ALL)
def test_as_kubectl_on_a_real_server(name: str) -> None:
    area, scenario = ALL[name]
    reset()
    assert worse(scenario, area, os.environ["KUBECONFIG"]) == {}
