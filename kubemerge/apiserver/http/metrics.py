"""Server metrics in Prometheus text format, with the names, labels and help texts of kube-apiserver."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ..errors import MEDIA_TYPES
from ..kinds.builtin_kinds import stored_in
from .bodies import media_type
from .discovery import CHECKS, version
from .messages import READS, Response
from .routing import Target

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

    from ..cluster import EmbeddedCluster
    from .messages import Request
    from .routing import VirtualKind

    Sample = tuple[Mapping[str, str], float]

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_RUNNING = """\
# HELP apiserver_longrunning_requests [STABLE] Gauge of all active long-running apiserver requests broken out by verb, \
group, version, resource, scope and component. Not all requests are tracked this way.
# TYPE apiserver_longrunning_requests gauge"""
_REQUESTS = """\
# HELP apiserver_request_total [STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, \
version, resource, scope, component, and HTTP response code.
# TYPE apiserver_request_total counter"""
_OBJECTS = """\
# HELP apiserver_resource_objects [ALPHA] Number of stored objects at the time of last check split by kind. In case of \
a fetching error, the value will be -1.
# TYPE apiserver_resource_objects gauge"""
_BUILD = """\
# HELP kubernetes_build_info [BETA] A metric with a constant '1' value labeled by major, minor, git version, git \
commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it \
is running.
# TYPE kubernetes_build_info gauge"""
_PROCESSOR = """\
# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.
# TYPE process_cpu_seconds_total counter"""
_STARTED = """\
# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.
# TYPE process_start_time_seconds gauge"""


class Labels(NamedTuple):
    """The labels of a request, without the status."""

    verb: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    scope: str = ""
    component: str = ""
    dry_run: str = ""


class Metrics:
    """The counters of one server."""

    def __init__(self, cluster: EmbeddedCluster) -> None:
        self._cluster = cluster
        self._started = time.time()
        self._requests: Counter[tuple[Labels, int]] = Counter()
        self._running: Counter[Labels] = Counter()

    def counted(self, request: Request, target: Target | VirtualKind | None, found: Response) -> Response:
        """Count a response, now or at the end of a watch, and return it."""
        labels = _labels(request, target)
        if labels is None:
            return found
        if isinstance(found.body, bytes):
            self._requests[labels, found.status] += 1
            return found
        return found._replace(body=self._counted_at_end(labels, found.status, found.body))

    async def _counted_at_end(self, labels: Labels, status: int, body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        self._running[labels] += 1
        try:
            async for piece in body:
                yield piece
        finally:
            self._running[labels] -= 1
            self._requests[labels, status] += 1

    def answer(self) -> Response:
        """Return the response of `/metrics`."""
        running = [(_without_dry_run(one), count) for one, count in self._running.items()]
        requests = [({"code": str(code), **one._asdict()}, count) for (one, code), count in self._requests.items()]
        families: Iterable[tuple[str, Iterable[Sample]]] = (
            (_RUNNING, running),
            (_REQUESTS, requests),
            (_OBJECTS, self._objects()),
            (_BUILD, [(_build(self._cluster.patch_release), 1)]),
            (_PROCESSOR, [({}, round(time.process_time(), 2))]),
            (_STARTED, [({}, round(self._started, 2))]),
        )
        return Response("".join(_family(*one) for one in families).encode(), 200, MEDIA_TYPE)

    def _objects(self) -> Iterator[Sample]:
        counts = self._cluster.counts()
        kinds = {
            (one.group, one.plural): (stored_in(one.group, one.kind), one.kind) for one in self._cluster.resources()
        }
        return (({"group": group, "resource": plural}, counts.get(kind, 0)) for (group, plural), kind in kinds.items())


def _without_dry_run(labels: Labels) -> dict[str, str]:
    return {name: value for name, value in labels._asdict().items() if name != "dry_run"}


def _build(release: str) -> dict[str, str]:
    facts = {re.sub("(?=[A-Z])", "_", name).lower(): value for name, value in version(release).items()}
    return {name: value for name, value in facts.items() if not name.startswith(("emulation", "min_"))}


def _labels(request: Request, target: Target | VirtualKind | None) -> Labels | None:
    if target is None:
        path = request.path.strip("/")
        return Labels("GET", subresource=f"/{path}") if path.partition("/")[0] in CHECKS else None
    method = request.method
    if isinstance(target, Target):
        resource = target.resource
        kind = (resource.group, resource.version, resource.plural, target.part)
        watched = (
            method in READS and not target.part and (target.watched or (request.flag("watch") and not target.name))
        )
        name = target.name
    else:
        group, _, of_group = target.api_version.rpartition("/")
        kind, watched, name = (group, of_group, target.plural, ""), False, ""
    scope = "resource" if name or method == "POST" else "namespace" if target.namespace else "cluster"
    if watched:
        verb = "WATCH"
    elif method in READS:
        verb = "GET" if name else "LIST"
    elif method == "PATCH" and media_type(request) == MEDIA_TYPES["apply"]:
        verb = "APPLY"
    else:
        verb = method
    return Labels(verb, *kind, scope, "apiserver", "All" if request.asked("dryRun") == "All" else "")


def _family(head: str, samples: Iterable[Sample]) -> str:
    name = head.split(" ", 3)[2]
    lines = sorted(f"{name}{_in_braces(labels)} {value}" for labels, value in samples)
    return "\n".join((head, *lines, "")) if lines else ""


def _in_braces(labels: Mapping[str, str]) -> str:
    found = ",".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in sorted(labels.items()))
    return f"{{{found}}}" if found else ""
