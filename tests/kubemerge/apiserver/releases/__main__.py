"""Compare what API servers of each release make of every field.

    KUBECONFIG=FILE python -m tests.kubemerge.apiserver.releases find     search requests for fields that have none
    KUBECONFIG=FILE python -m tests.kubemerge.apiserver.releases record   record the fates that a real server gives
    python -m tests.kubemerge.apiserver.releases compare [RELEASE...]     compare our server with the recorded fates

A request sets one field of a new object, as a dry run. `find` begins with a valid object, and mends what the server
rejects (`search.py`); fields that stay rejected are kept, because a rejection is a fate, too. Ask the newest release
first: older ones then add the kinds and fields that only they have. Use a server with default settings.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.cluster import open_cluster
from kubemerge.testing.field_paths import fields_of
from tests.conformance.ownership.real.server import Server, ServerUnavailable

from .fates import (
    ACCEPTED,
    MISSING,
    NOT_SERVED,
    REQUESTS,
    UNKNOWN,
    FieldRequest,
    fate_of,
    ours,
    recorded,
    recorded_releases,
    requests,
    url_of,
    write_recorded,
    write_requests,
)
from .search import bases, searched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubemerge.cluster import Resource


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("find", "record", "compare"))
    parser.add_argument("releases", nargs="*")
    parser.add_argument("--show", type=int, default=30, help="number of differences to print for each release")
    chosen = parser.parse_args()
    if chosen.action == "compare":
        return max([compare(release, chosen.show) for release in chosen.releases or recorded_releases()], default=2)
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    server.make_namespace()
    return find(server) if chosen.action == "find" else record(server)


def _resources(release: str) -> list[Resource]:
    with open_cluster(":memory:", release=release) as cluster:
        return cluster.resources()


def _sender(server: Server, resource: Resource) -> Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]:
    def send(content: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        answer = server.ask("POST", url_of(resource), content, dryRun="All")
        return answer.code, answer.body

    return send


def find(server: Server) -> int:
    """Add requests for the fields of the server's release that have none."""
    known = {(one.api_version, one.kind, one.path): one for one in (requests() if REQUESTS.exists() else ())}
    tally: Counter[str] = Counter()
    for resource in _resources(server.release):
        send = _sender(server, resource)
        paths = {
            path for api_version, kind, path in known if (api_version, kind) == (resource.api_version, resource.kind)
        }
        for one, code in _found(server.release, resource, send, paths):
            known[one[:3]] = one
            tally["accepted" if code < ACCEPTED else "rejected"] += 1
    write_requests(known.values())
    print(f"{server.release}: {dict(tally)} added, {len(known)} requests")
    return 0


def _found(
    release: str, resource: Resource, send: Callable[[dict[str, Any]], tuple[int, dict[str, Any]]], known: set[Any]
) -> Iterator[tuple[FieldRequest, int]]:
    api_version, kind = resource.api_version, resource.kind
    schema = engine.load(release).schema(api_version, kind)
    missing = [field for field in fields_of(schema) if field.path not in known]
    tried = [(base, send(base)[0]) for base in bases(api_version, kind)] if missing else []
    if any(code in MISSING for _, code in tried):
        return
    start = [base for base, code in tried if code < ACCEPTED] or [base for base, _ in tried]
    for field in missing:
        body, code = searched(schema, field, send, start)
        yield FieldRequest(api_version, kind, field.path, body), code


def record(server: Server) -> int:
    """Record the fates that the server gives."""
    served = {(one.api_version, one.kind): one for one in _resources(server.release)}
    fates = {}
    for one in requests():
        resource = served.get(one[:2])
        if resource is not None:
            fates[one.called, one.place] = fate_of(one, *_sender(server, resource)(one.body))
    version = server.ask("GET", "/version").body["gitVersion"]
    write_recorded(server.release, f"{version}, asked on {datetime.now(timezone.utc).date()}", fates)
    print(f"{version}: {dict(Counter(fates.values()))}")
    return 0


def compare(release: str, show: int) -> int:
    """Print how many fates are equal, and differences."""
    real = recorded(release)
    asked = [one for one in requests() if real.fates.get((one.called, one.place), UNKNOWN) not in UNKNOWN + NOT_SERVED]
    wrong = [
        (one, letter, wanted)
        for one, letter in ours(release, asked)
        if letter != (wanted := real.fates[one.called, one.place])
    ]
    equal = 1 - len(wrong) / len(asked) if asked else 0
    print(f"{release} ({real.version}): {len(asked)} fields, {len(wrong)} differ, {equal:.2%} are equal")
    for one, letter, wanted in wrong[:show]:
        print(f"    {one.called} {one.place}: ours {letter}, real {wanted}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
