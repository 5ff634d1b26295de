"""kubectl against a served cluster: its output and its exit codes."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import blocks
from tests.docs.test_commands import sessions

from .control_plane import serving

PAGE = "docs/how-to/kubectl.md"
FOLDER = os.environ.get("KUBEMERGE_REAL_API")
KUBECTL = shutil.which("kubectl", path=FOLDER) if FOLDER else shutil.which("kubectl")
RELEASE = "1.37"
"""The release whose kubectl prints these messages. Other releases print slightly different ones."""


def is_there() -> bool:
    """Whether there is a kubectl of that release."""
    if KUBECTL is None:
        return False
    said = subprocess.run([KUBECTL, "version", "--client"], capture_output=True, text=True, check=False).stdout
    return f"v{RELEASE}." in said


pytestmark = [pytest.mark.slow, pytest.mark.skipif(not is_there(), reason=f"there is no kubectl {RELEASE} here")]

SESSION = r"""
$ create cm a --from-literal=x=1
configmap/a created
$ create ns shop
namespace/shop created
$ auth can-i create pods
yes
$ get cm
NAME   DATA   AGE
a      1      AGE
$ get cm -A -o wide
NAMESPACE     NAME                                                   DATA   AGE
default       a                                                      1      AGE
kube-system   kube-apiserver-legacy-service-account-token-tracking   1      AGE
$ get ns shop --show-labels
NAME   STATUS   AGE     LABELS
shop   Active   AGE     kubernetes.io/metadata.name=shop
$ create deployment web --image=nginx --replicas=2
deployment.apps/web created
$ get deploy
NAME   READY   UP-TO-DATE   AVAILABLE   AGE
web    0/2     0            0           AGE
$ get deploy -o wide
NAME   READY   UP-TO-DATE   AVAILABLE   AGE   CONTAINERS   IMAGES   SELECTOR
web    0/2     0            0           AGE   nginx        nginx    app=web
$ get deploy web -o name
deployment.apps/web
$ get deploy web -o jsonpath={.spec.replicas}
2
$ get deploy web -o go-template={{.kind}}
Deployment
$ get deploy -o custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[0].image
NAME   IMAGE
web    nginx
$ get deploy,cm
NAME                  READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/web   0/2     0            0           AGE

NAME          DATA   AGE
configmap/a   1      AGE
$ get deploy -L app --no-headers
web   0/2   0     0     AGE   web
$ scale deploy web --replicas=3
deployment.apps/web scaled
$ create sa robot
serviceaccount/robot created
$ create role reader --verb=get --resource=pods
role.rbac.authorization.k8s.io/reader created
$ create rolebinding reads --role=reader --serviceaccount=default:robot
rolebinding.rbac.authorization.k8s.io/reads created
$ get rolebinding -o wide
NAME    ROLE          AGE   USERS   GROUPS   SERVICEACCOUNTS
reads   Role/reader   AGE                    default/robot
$ expose deploy web --port=80 --cluster-ip=None
service/web exposed
$ get svc web
NAME   TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE
web    ClusterIP   None         <none>        80/TCP    AGE
$ run one --image=nginx
pod/one created
$ get pod one
NAME   READY   STATUS    RESTARTS   AGE
one    0/1     Pending   0          AGE
$ delete pod one --now
pod "one" deleted from default namespace
$ get pods
No resources found in default namespace.
$ create cm a
error: failed to create configmap: configmaps "a" already exists
$ get cm none
Error from server (NotFound): configmaps "none" not found
$ get nosuch
error: the server doesn't have a resource type "nosuch"
$ delete cm a
configmap "a" deleted from default namespace
"""
STEPS = [block.split("\n", 1) for block in SESSION.strip().removeprefix("$ ").split("\n$ ")]
_AGE = re.compile(r"(?<=\s)(\d+[smh])+(?=\s|$)")


def ages_hidden(text: str) -> str:
    """The lines, with ages of all widths as one word, and without the space that they take."""
    return "\n".join(re.sub(r" {2,}", "  ", _AGE.sub("AGE", line)).rstrip() for line in text.strip().splitlines())


def kubectl(kubeconfig: Path, *words: str, seconds: float = 60) -> str:
    """The output of kubectl, on both streams. It is ended after so many seconds."""
    process = subprocess.Popen(
        [str(KUBECTL), f"--kubeconfig={kubeconfig}", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        process.terminate()
        return process.communicate()[0]


def test_a_session(served: Path) -> None:
    for command, printed in STEPS:
        said = ages_hidden(kubectl(served, *shlex.split(command)))
        assert f"$ {command}\n{said}" == f"$ {command}\n{ages_hidden(printed)}"


def test_watching(served: Path) -> None:
    kubectl(served, "create", "cm", "first")
    watching = subprocess.Popen(
        [str(KUBECTL), f"--kubeconfig={served}", "get", "cm", "-w", "--output-watch-events"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    lines = [watching.stdout.readline() for _ in range(2)]
    for words in ("create cm second --from-literal=a=1", "label cm second x=y", "delete cm second"):
        kubectl(served, *words.split())
    lines += [watching.stdout.readline() for _ in range(3)]
    watching.terminate()
    watching.communicate()
    assert [ages_hidden(line).split() for line in lines] == [
        ["EVENT", "NAME", "DATA", "AGE"],
        ["ADDED", "first", "0", "AGE"],
        ["ADDED", "second", "1", "AGE"],
        ["MODIFIED", "second", "1", "AGE"],
        ["DELETED", "second", "1", "AGE"],
    ]


def test_commands_of_the_page_that_need_tls(tmp_path: Path) -> None:
    """The other commands of docs/how-to/kubectl.md run in tests/docs, without TLS and without `$(...)`."""
    found = [one for block in blocks(PAGE) if block.info == "bash" for one in sessions(block.text)]
    assert found
    with serving(tmp_path, "--tls") as plane:
        path = f"{Path(str(KUBECTL)).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "KUBECONFIG": str(plane.kubeconfig), "PATH": path}
        for command, shown in found:
            done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
            assert (done.stdout.strip(), done.stderr) == (shown.strip(), ""), command
