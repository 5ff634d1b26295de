"""kubectl's own shell tests pass on a served cluster with the real controllers. Every failure has a reason."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ...conftest import read_yaml
from ..control_plane import CONTROLLERS, program
from . import scripts
from .running import WITH_RBAC, Cases

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTED: dict[str, Any] = read_yaml(Path(__file__).parent / "cases.yaml")
NEEDED = ("kubectl", CONTROLLERS)
MISSING = [name for name in NEEDED if program(name) is None]
MISSING += [name for name in ("bash", "go", "jq", "curl", "openssl") if shutil.which(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not found here (programs of Kubernetes: KUBEMERGE_REAL_API): {MISSING}"),
]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cases]:
    running = Cases(tmp_path_factory.mktemp("cases"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def cases_with_rbac(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cases]:
    running = Cases(tmp_path_factory.mktemp("rbac"), *WITH_RBAC)
    yield running
    running.close()


def logs_early(folder: Path) -> bool:
    """Whether kubectl logs while it reads its preferences, as a released kubectl does."""
    empty = folder / "kuberc"
    empty.touch()
    words = [str(program("kubectl")), "version", "--client", f"--kuberc={empty}", "-v=5"]
    return "no preferences found" in subprocess.run(words, capture_output=True, text=True, check=False).stderr


def test_every_case_is_listed() -> None:
    listed = [*LISTED["passes"], *LISTED["with_rbac"], *LISTED["fails"], *LISTED["needs"]]
    assert sorted(listed) == sorted(scripts.cases(scripts.fetched()))


@pytest.mark.parametrize("name", LISTED["passes"])
def test_case(name: str, cases: Cases, tmp_path: Path) -> None:
    """Some cases do not wait for the controllers, so that one which fails is run again."""
    if name == "run_convert_tests" and program("kubectl-convert") is None:
        pytest.skip("there is no kubectl-convert in the folder of KUBEMERGE_REAL_API")
    if name == "run_kuberc_tests" and not logs_early(tmp_path):
        pytest.skip("this kubectl was built from another main program than that of a release, and logs too late")
    result = cases.run(name)
    result = result if result.passed else cases.run(name)
    assert result.passed, result.output[-6000:]


@pytest.mark.parametrize("name", LISTED["with_rbac"])
def test_case_with_rbac(name: str, cases_with_rbac: Cases) -> None:
    result = cases_with_rbac.run(name)
    assert result.passed, result.output[-6000:]


@pytest.mark.parametrize("name", LISTED["fails"])
def test_case_that_cannot_pass(name: str, cases: Cases) -> None:
    assert not cases.run(name).passed, "it passes now; list it among those that do"
