"""The audit record of one request, and its events."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from engine.values.go_json import decode, encode

from ...audit_annotations import annotating
from ...metadata import random_uid
from ...unchecked import as_map
from ..messages import JSON
from .policy import API, COMPLETE, LEVELS, METADATA, NONE, PANIC, RECEIVED, REQUEST, RESPONSE, STARTED, AuditConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...authorization.attributes import Attributes
    from ...authorization.authorizer import Decision
    from ...protocol import Object
    from ...user import User
    from ..messages import Request, Response
    from .policy import AuditPolicy

AUDIT_ID = "Audit-ID"
LONGEST_AGENT, TRUNCATED = 1024, "...TRUNCATED"
STATUS_FIELDS = ("metadata", "status", "message", "reason", "details", "code")
WITH_OBJECTS = ("api", "apis")
"""The first words of the paths whose responses are objects."""
_current: ContextVar[AuditRecord | None] = ContextVar("audit record", default=None)


def current_record() -> AuditRecord | None:
    """Return the record of the current request, if it is audited."""
    return _current.get()


@contextmanager
def recording(record: AuditRecord | None) -> Iterator[None]:
    """Process the block as the request of this record."""
    if record is None:
        yield
        return
    before = _current.set(record)
    try:
        with annotating(record.annotations):
            yield
    finally:
        _current.reset(before)


class AuditRecord:
    """The data about one request. It begins after authentication, which the policy needs."""

    def __init__(
        self, policy: AuditPolicy, write: Callable[[str], None], request: Request, source: str, uri: str
    ) -> None:
        self._policy, self._write_line, self._request = policy, write, request
        self._config: AuditConfig | None = None
        self._received = _now()
        self.id = request.headers.get(AUDIT_ID.lower()) or random_uid()
        """The audit ID, also sent as a header."""
        self.annotations: dict[str, str] = {}
        self._verb, self._authenticated = "", True
        self._head: Object = {"requestURI": uri, "sourceIPs": _sources(request, source)}
        self._reference: Object | None = None
        self._status: Object = {}
        self._sent: Any = None
        self._returned: Any = None
        self._panic = ""

    # ---- steps of the request ------------------------------------------------------------------------------------

    def begin(self, asked: Attributes, api_version: str, *, authenticated: bool = True) -> None:
        """Apply the policy, and write the first stage. A request that is handled again has begun already."""
        if self._config is not None:
            return
        self._config = self._policy.config(asked)
        self._verb, self._authenticated = asked.verb, authenticated
        agent = self._request.headers.get("user-agent", "")
        agent = agent[:LONGEST_AGENT] + TRUNCATED if len(agent) > LONGEST_AGENT else agent
        self._head |= {"verb": asked.verb, "user": asked.user.info(), "userAgent": agent}
        if asked.is_resource:
            self._reference = {
                "resource": asked.resource,
                "namespace": asked.namespace,
                "name": asked.name,
                "apiGroup": asked.group,
                "apiVersion": api_version,
                "subresource": asked.subresource,
            }
        if authenticated:
            self._write(RECEIVED)

    def impersonated(self, user: User, constraint: str) -> None:
        """Record the user that the request acts as."""
        self._head["impersonatedUser"] = user.info()
        if constraint:
            self._head["authenticationMetadata"] = {"impersonationConstraint": constraint}

    def decided(self, decision: Decision) -> None:
        """Record the decision of the authorizer."""
        self.annotations["authorization.k8s.io/decision"] = "allow" if decision.allowed else "forbid"
        self.annotations["authorization.k8s.io/reason"] = decision.reason

    def sent(self, content: Any, decoded: Callable[[], Any]) -> None:
        """Record the object of the request. `decoded` returns it as the server decodes it."""
        if self._reference is not None:
            metadata = as_map(as_map(content).get("metadata"))
            for field in ("namespace", "name", "uid", "resourceVersion"):
                if not self._reference.get(field) and isinstance(metadata.get(field), str):
                    self._reference[field] = metadata[field]
        if self._has(REQUEST):
            self._sent = self._without_managed_fields(decoded())

    def sent_patch(self, patch: Any) -> None:
        """Record a patch."""
        if self._has(REQUEST):
            self._sent = patch

    def returned(self, document: Any) -> None:
        """Record the object of the response."""
        self._returned = document

    def panicked(self, error: Exception) -> None:
        """Record an unexpected error."""
        self._panic = f"APIServer panic'd: {error}"

    # ---- the response --------------------------------------------------------------------------------------------

    def respond(self, found: Response) -> Response:
        """Record a response, and write its stages. The last stage of a stream is written by `end`."""
        if not self._has(METADATA):
            return found
        self._note_status(found)
        if self._panic:
            message = {"status": "Failure", "message": self._panic, "reason": "InternalError", "code": 500}
            self._status, self._returned = {"metadata": {}, **message}, None
            self._write(PANIC)
        elif self._verb == "watch" or not self._authenticated:
            self._write(STARTED)
        if isinstance(found.body, bytes) and self._authenticated and not self._panic:
            self._write(COMPLETE)
        return found._replace(headers=(*found.headers, (AUDIT_ID, self.id)))

    def end(self, found: Response) -> None:
        """Write the last stage of a stream."""
        if self._has(METADATA) and not isinstance(found.body, bytes):
            self._write(COMPLETE)

    def _note_status(self, found: Response) -> None:
        self._status = {"metadata": {}, "code": found.status}
        document, self._returned = self._returned, None
        if not isinstance(found.body, bytes):
            return
        is_object = self._request.path.split("/")[1] in WITH_OBJECTS
        is_read = document is None and is_object and found.media_type.partition(";")[0] == JSON
        if is_read and (found.status >= 300 or self._has(RESPONSE) or len(found.body) < 4096):
            document = decode(found.body)
        if as_map(document).get("kind") == "Status":
            status = {field: document[field] for field in STATUS_FIELDS if field in document}
            self._status = {**status, "metadata": {}, "code": found.status}
        if is_object and self._has(RESPONSE):
            self._returned = self._without_managed_fields(document)

    # ---- events --------------------------------------------------------------------------------------------------

    def _has(self, level: str) -> bool:
        config = self._config
        return config is not None and config.level != NONE and LEVELS.index(config.level) >= LEVELS.index(level)

    def _write(self, stage: str) -> None:
        config = self._config
        if config is None or config.level == NONE or stage in config.omitted:
            return
        content: Object = {
            "kind": "Event",
            "apiVersion": API,
            "level": config.level,
            "auditID": self.id,
            "stage": stage,
            **{field: self._head[field] for field in _HEAD if self._head.get(field) or field == "user"},
            **({"objectRef": _without_empty(self._reference)} if self._reference is not None else {}),
        }
        if stage != RECEIVED:
            content["responseStatus"] = self._status
            content |= {"requestObject": self._sent} if self._sent is not None else {}
            content |= {"responseObject": self._returned} if self._returned is not None else {}
        content["requestReceivedTimestamp"] = self._received
        content["stageTimestamp"] = self._received if stage == RECEIVED else _now()
        content |= {"annotations": self.annotations} if self.annotations and stage != RECEIVED else {}
        self._write_line("{" + ",".join(f'"{field}":{encode(value)}' for field, value in content.items()) + "}")

    def _without_managed_fields(self, document: Any) -> Any:
        if self._config is None or not self._config.omits_managed_fields or not isinstance(document, dict):
            return document
        found = _bare(document)
        for field, inner in (("items", None), ("rows", "object")):
            if isinstance(found.get(field), list):
                found[field] = [
                    _bare(one) if inner is None else {**one, inner: _bare(as_map(one.get(inner)))}
                    for one in found[field]
                ]
        return found


_HEAD = (
    "requestURI",
    "verb",
    "user",
    "impersonatedUser",
    "authenticationMetadata",
    "sourceIPs",
    "userAgent",
)
"""Fields of an event in the order of the API's type."""


def _bare(content: Object) -> Object:
    metadata = content.get("metadata")
    if not isinstance(metadata, dict) or "managedFields" not in metadata:
        return dict(content)
    return {**content, "metadata": {field: one for field, one in metadata.items() if field != "managedFields"}}


def _without_empty(content: Object) -> Object:
    return {field: value for field, value in content.items() if value}


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _sources(request: Request, source: str) -> list[str]:
    """The addresses of the client and its proxies, like `SourceIPs` of upstream."""
    forwarded = request.headers.get("x-forwarded-for", "")
    found = [one for part in forwarded.split(",") if (one := part.strip())]
    real = request.headers.get("x-real-ip", "").strip()
    if real and real not in found:
        found.append(real)
    if source and (not found or found[-1] != source):
        found.append(source)
    return found
