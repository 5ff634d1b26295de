"""Scale Deployments until standard input ends, and print the replicas: a separate process, for tests."""

from __future__ import annotations

import json
import select
import sys

from kubemerge.cluster import ClusterError, Reference, open_cluster


def main(file: str, names: list[str]) -> None:
    scaled: dict[str, int] = {}
    number = 0
    with open_cluster(file) as cluster:
        while True:
            for name in names:
                number += 1
                try:
                    cluster.patch(Reference("apps/v1", "Deployment", name), {"spec": {"replicas": number}}, "merge")
                    scaled[name] = number
                except ClusterError as error:
                    if error.code != 404:  # not applied yet
                        raise
                if select.select([sys.stdin], [], [], 0.002)[0]:
                    print(json.dumps(scaled))
                    return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
