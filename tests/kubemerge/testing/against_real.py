"""Send drawn objects of every kind to a real API server, and count those that it rejects.

    KUBECONFIG=FILE python -m tests.kubemerge.testing.against_real [--count 20] [KIND...]

Each object is created as a dry run, with strict field validation. Kinds that the server does not serve are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import Phase, given, seed, settings

from kubemerge.cluster import open_cluster
from kubemerge.testing import objects
from tests.conformance.ownership.real.server import NAMESPACE, Server, ServerUnavailable, root_of

if TYPE_CHECKING:
    from kubemerge.cluster import Resource

MISSING = (404, 405)


def drawn(api_version: str, kind: str, release: str, count: int) -> list[dict[str, Any]]:
    """Objects, always the same ones."""
    found: list[dict[str, Any]] = []

    @seed(37)
    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate])
    @given(objects(api_version, kind, release))
    def draw(content: dict[str, Any]) -> None:
        found.append(content)

    draw()
    return found


def rejections(server: Server, resource: Resource, count: int) -> tuple[int, list[str]]:
    """The number of sent objects, and the messages about rejected ones. 0 if the server does not serve the kind."""
    found: list[str] = []
    sent = 0
    for content in drawn(resource.api_version, resource.kind, server.release, count):
        namespace = content["metadata"].get("namespace", NAMESPACE)
        place = f"/namespaces/{namespace}" if resource.namespaced else ""
        path = f"{root_of(resource.api_version)}{place}/{resource.plural}"
        query = {"dryRun": "All", "fieldManager": "drawn", "fieldValidation": "Strict"}
        answer = server.ask("POST", path, content, **query)
        if answer.code in MISSING:
            return 0, []
        sent += 1
        found += [] if answer.done else [f"{answer.code} {answer.body.get('message')}"]
    return sent, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--count", type=int, default=20)
    chosen = parser.parse_args()
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    server.make_namespace()
    with open_cluster(":memory:", release=server.release) as cluster:
        resources = [one for one in cluster.resources() if not chosen.kinds or one.kind in chosen.kinds]
    tally: Counter[str] = Counter()
    for resource in resources:
        try:
            sent, rejected = rejections(server, resource, chosen.count)
        except Exception as error:
            print(f"{resource.api_version} {resource.kind}: {type(error).__name__}: {error}")
            continue
        tally.update(sent=sent, rejected=len(rejected), kinds=bool(sent))
        for message, count in Counter(rejected).most_common(3):
            print(f"{resource.api_version} {resource.kind}: {count} of {sent}: {message[:300]}")
    accepted = 1 - tally["rejected"] / max(tally["sent"], 1)
    print(f"{server.release}: {tally['sent']} objects of {tally['kinds']} kinds, {accepted:.2%} accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
