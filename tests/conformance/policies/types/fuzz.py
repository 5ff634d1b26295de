"""Random policies, whose status a real kube-controller-manager and the embedded cluster set.

`python -m tests.conformance.policies.types.fuzz --count 200 --seed 1` prints each difference, and the number of
warnings. It needs the server of `record`.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.errors import ClusterError
from kubemerge.cluster import Reference, open_cluster

from ...ownership.real.server import Server
from ..fuzz import Draw
from ..real import _wait
from ..scenarios import place
from .policies import API, KIND, comparable

if TYPE_CHECKING:
    from kubemerge.apiserver import EmbeddedCluster

    from .policies import Object

GROUPS = {"configmaps": "", "pods": "", "services": "", "deployments": "apps"}


def policy(draw: Draw, name: str) -> Object:
    resources = [draw.of(*GROUPS)] if draw.chance(0.7) else list(GROUPS)
    rules = [
        {"operations": ["CREATE"], "apiGroups": [GROUPS[one]], "apiVersions": ["v1"], "resources": [one]}
        for one in resources
    ]
    validations = []
    for _ in range(3):
        said = {"messageExpression": draw.text(2)} if draw.chance(0.4) else {}
        validations.append({"expression": draw.truth(draw.of(1, 2, 3)), **said})
    variables = [{"name": f"v{at}", "expression": draw.of(draw.text, draw.number, draw.truth)(2)} for at in range(2)]
    spec = {"matchConstraints": {"resourceRules": rules}, "validations": validations, "variables": variables}
    return {"apiVersion": API, "kind": KIND, "metadata": {"name": name}, "spec": spec}


def is_created(cluster: EmbeddedCluster, one: Object) -> bool:
    try:
        cluster.create(one)
    except ClusterError:
        return False
    return True


def theirs(server: Server, one: Object) -> Object:
    def found() -> Any:
        return server.ask("GET", place(one, named=True)).body

    _wait(lambda: found()["status"].get("observedGeneration"))
    return comparable(found())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    server, draw, made, warnings = Server(), Draw(chosen.seed), [], 0
    with open_cluster(":memory:") as cluster:
        for at in range(chosen.count):
            one = policy(draw, f"types-{chosen.seed}-{at}")
            accepted = server.ask("POST", place(one, named=False), one).done
            if accepted != is_created(cluster, one):
                print(f"{'only accepted' if accepted else 'rejected'} by the server: {json.dumps(one)}")
            elif accepted:
                made.append(one)
        for one in made:
            real = theirs(server, one)
            mine = comparable(cluster.get(Reference(API, KIND, one["metadata"]["name"], None)))
            warnings += len((real["status"].get("typeChecking") or {}).get("expressionWarnings", ()))
            if mine != real:
                print(f"{json.dumps(one['spec'])}\n  real {json.dumps(real)}\n  ours {json.dumps(mine)}")
            server.ask("DELETE", place(one, named=True))
    print(f"{warnings} warnings about {len(made)} policies compared")


if __name__ == "__main__":
    main()
