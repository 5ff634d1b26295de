"""kubectl on a served cluster with RBAC, as an administrator, a user and a ServiceAccount."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.apiserver.kubectl import MISSING, program

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.http.listening.running import Serving

pytestmark = [pytest.mark.slow, pytest.mark.skipif(program() is None, reason=MISSING)]
OPERATOR = "system:serviceaccount:default:operator"
CAN_LIST = """\
selfsubjectreviews.authentication.k8s.io       []                                      []               [create]
selfsubjectaccessreviews.authorization.k8s.io  []                                      []               [create]
selfsubjectrulesreviews.authorization.k8s.io   []                                      []               [create]
configmaps                                     []                                      [a]              [get update]
pods                                           []                                      []               [list]
"""


@pytest.fixture
def kube_tls() -> bool:
    return True


def kubectl(line: str, kubeconfig: Path | None, code: int = 0) -> str:
    words = [str(program()), *line.split(), f"--kubeconfig={kubeconfig}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stdout or done.stderr


def test_kubectl_as_a_service_account(kube_server: Serving, tmp_path: Path) -> None:
    admin = kube_server(authorization="rbac").kubeconfig
    kubectl("create serviceaccount operator", admin)
    operator = kube_server.write_account_kubeconfig(tmp_path / "operator", "default/operator")
    assert OPERATOR in kubectl("auth whoami", operator)
    assert "Forbidden" in kubectl("get configmaps", operator, 1)
    kubectl("create role operator --verb=get,update --resource=configmaps --resource-name=a", admin)
    kubectl("create rolebinding operator --role=operator --serviceaccount=default:operator", admin)
    assert kubectl("auth can-i get configmaps/a", operator) == "yes\n"
    assert kubectl("auth can-i get configmaps/b", operator, 1) == "no\n"
    kubectl("create configmap a", admin)
    assert kubectl("get configmap a -o name", operator) == "configmap/a\n"
    why = kubectl("create rolebinding more --clusterrole=cluster-admin --serviceaccount=default:operator", operator, 1)
    assert 'cannot create resource "rolebindings"' in why


def test_kubectl_lists_what_a_user_may_do(kube_server: Serving) -> None:
    admin = kube_server(authorization="rbac").kubeconfig
    kubectl("create role a --verb=get,update --resource=configmaps --resource-name=a", admin)
    kubectl("create clusterrole b --verb=list --resource=pods", admin)
    kubectl("create rolebinding a --role=a --user=jane", admin)
    kubectl("create clusterrolebinding b --clusterrole=b --user=jane", admin)
    listed = kubectl("auth can-i --list --as=jane --no-headers", admin)
    assert sorted(line.split() for line in CAN_LIST.splitlines()) == sorted(
        line.split() for line in listed.splitlines() if not line.lstrip().startswith("[/")
    )
