"""Benchmark of lint in a repository of 5,000 files: `python -m benchmarks.lint`.

The files are Deployments, Services, Ingresses, ConfigMaps and ServiceAccounts. They are linted without a cache, with an
empty cache, and with a filled one. With `--compiled`, also in the compiled build, without a cache, which needs a C
compiler. kubeconform runs beside it, if KUBEMERGE_KUBECONFORM is its program and
KUBEMERGE_KUBECONFORM_SCHEMAS the folder of its schemas (see CONTRIBUTING.md). It prints the median of the rounds, as
wall time and as CPU time, which is more reliable on a busy machine. It exits with 1 if both miss a target.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.compiled import built, put_in_place
from tests.kubemerge.linting.test_beside_kubeconform import usable
from tests.newer import copy_files

from .command_line import InstalledCopy

PROGRAM, SCHEMAS = os.environ.get("KUBEMERGE_KUBECONFORM"), os.environ.get("KUBEMERGE_KUBECONFORM_SCHEMAS")
ROUNDS = 3
COLD, WARM = 2.0, 0.5
"""The allowed fraction of kubeconform's time: without a cache, and with a filled one."""
SECONDS = 1.0
"""The seconds allowed for lint with a filled cache, in any case."""
APP = {
    "config": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: app-NUMBER, namespace: team-TEAM, labels: {app: app-NUMBER}}
data:
  app.conf: |
    workers = 4
    log = info
  mode: "production"
""",
    "account": """\
apiVersion: v1
kind: ServiceAccount
metadata: {name: app-NUMBER, namespace: team-TEAM, labels: {app: app-NUMBER}}
automountServiceAccountToken: false
""",
    "service": """\
apiVersion: v1
kind: Service
metadata:
  name: app-NUMBER
  namespace: team-TEAM
  labels: {app: app-NUMBER}
spec:
  selector: {app: app-NUMBER}
  ports:
  - {name: http, port: 80, targetPort: http}
  - {name: metrics, port: 9090, targetPort: metrics}
""",
    "ingress": """\
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: app-NUMBER
  namespace: team-TEAM
  annotations: {example.com/timeout: "30"}
spec:
  ingressClassName: public
  tls: [{hosts: [app-NUMBER.example.com], secretName: app-NUMBER-tls}]
  rules:
  - host: app-NUMBER.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend: {service: {name: app-NUMBER, port: {name: http}}}
""",
    "deployment": """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-NUMBER
  namespace: team-TEAM
  labels: {app: app-NUMBER}
spec:
  replicas: 2
  selector:
    matchLabels: {app: app-NUMBER}
  template:
    metadata:
      labels: {app: app-NUMBER}
    spec:
      serviceAccountName: app-NUMBER
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: app
        image: registry.example.com/app:1.NUMBER
        args: ["--config=/etc/app/app.conf"]
        ports:
        - {name: http, containerPort: 8080}
        - {name: metrics, containerPort: 9090}
        env:
        - {name: MODE, valueFrom: {configMapKeyRef: {name: app-NUMBER, key: mode}}}
        - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
        resources:
          requests: {cpu: 100m, memory: 128Mi}
          limits: {memory: 256Mi}
        readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 5}
        livenessProbe: {httpGet: {path: /live, port: http}, initialDelaySeconds: 10}
        volumeMounts: [{name: config, mountPath: /etc/app, readOnly: true}]
      volumes: [{name: config, configMap: {name: app-NUMBER}}]
""",
}


class Timing(NamedTuple):
    """Seconds of wall time and of CPU time."""

    clock: float
    work: float

    def of(self, other: Timing) -> Timing:
        """The ratios to another time."""
        return Timing(self.clock / other.clock, self.work / other.work)


def write(folder: Path, count: int) -> None:
    """Write the files, one fifth of them for each kind."""
    folder.mkdir()
    for number in range(count // len(APP)):
        for name, text in APP.items():
            content = text.replace("NUMBER", str(number)).replace("TEAM", str(number % 40))
            (folder / f"app-{number}-{name}.yaml").write_text(content)


def measure(words: list[str], env: dict[str, str], codes: tuple[int, ...] = (0,)) -> Timing:
    """The cost of a program. Any other exit code than these ends the benchmark."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(words, env={**os.environ, **env}, capture_output=True, text=True, check=False)
    clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in codes:
        sys.exit(f"{words[0]} ends with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return Timing(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _compiled_copy(place: Path) -> InstalledCopy:
    copy_files(place / "source")
    found = InstalledCopy(place / "compiled")
    put_in_place(built(place / "source", place / "wheel"), place / "compiled")
    return found


def measured(place: Path, files: Path, rounds: int, *, compiled: bool) -> dict[str, Timing]:
    """The median of each program; they take turns."""
    words = ("lint", "-q", "--no-config", "--release=1.37", str(files))
    lint = InstalledCopy(place / "packages").command(*words)
    lint_compiled = _compiled_copy(place).command(*words) if compiled else None
    found: dict[str, list[Timing]] = {}
    schemas = usable(Path(SCHEMAS), place / "schemas") if PROGRAM and SCHEMAS else None
    for number in range(rounds):
        kept = {"XDG_CACHE_HOME": str(place / f"cache-{number}")}
        Path(kept["XDG_CACHE_HOME"]).mkdir(mode=0o700)
        if PROGRAM and schemas:
            where = f"{schemas}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"
            theirs = [PROGRAM, "-strict", "-schema-location", where, str(files)]
            found.setdefault("kubeconform", []).append(measure(theirs, {}))
        found.setdefault("without a cache", []).append(measure(lint, {"KUBEMERGE_NO_CACHE": "1"}))
        if lint_compiled:
            found.setdefault("compiled", []).append(measure(lint_compiled, {"KUBEMERGE_NO_CACHE": "1"}))
        found.setdefault("with an empty cache", []).append(measure(lint, kept))
        found.setdefault("with a filled cache", []).append(measure(lint, kept))
    return {
        name: Timing(median(one.clock for one in times), median(one.work for one in times))
        for name, times in found.items()
    }


def missed(found: dict[str, Timing]) -> list[str]:
    """The targets missed in wall time and in CPU time."""
    warm = found["with a filled cache"]
    said = [f"with a filled cache: more than {SECONDS} s"] if min(warm) > SECONDS else []
    theirs = found.get("kubeconform")
    for name, most in (("without a cache", COLD), ("with a filled cache", WARM)) if theirs else ():
        if theirs and min(found[name].of(theirs)) > most:
            said.append(f"{name}: more than {most} times kubeconform")
    return said


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="how many files there are")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--compiled", action="store_true", help="also measure the compiled build")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "files"), given.count)
        found = measured(Path(folder), Path(folder, "files"), given.rounds, compiled=given.compiled)
    theirs = found.get("kubeconform")
    print(f"{given.count} files, the median of {given.rounds} rounds")
    print(f"{'':22} {'clock':>8} {'work':>8}")
    for name, one in found.items():
        beside = "{:6.2f} and {:.2f} times kubeconform".format(*one.of(theirs)) if theirs and one is not theirs else ""
        print(f"{name:22} {one.clock:6.2f} s {one.work:6.2f} s {beside}")
    if theirs is None:
        print("kubeconform: KUBEMERGE_KUBECONFORM and KUBEMERGE_KUBECONFORM_SCHEMAS are not set")
    wrong = missed(found) if given.count >= 5000 else []
    for text in wrong:
        print(f"missed: {text}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
