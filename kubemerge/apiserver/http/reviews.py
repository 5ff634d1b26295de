"""Reviews: virtual objects that get a response and are never stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine import load, record_update

from ..authorization.attributes import Attributes
from ..authorization.rbac import aggregate
from ..decoding.comparison import PRINTED_UNTIL
from ..eras import minor_of
from ..errors import BadRequest, Invalid
from ..patch_identity import check_namespace
from ..problems import Printed, invalid
from ..text.go_text import quoted
from ..unchecked import as_map, maps
from ..user import User, current_user
from ..validation.metadata import FIELDS
from . import review_selectors
from .audit.objects import note_virtual
from .bodies import ExpectedKind
from .options import write_options
from .responses import virtual_form, virtual_response
from .tokens import ISSUER, NotAccepted
from .typed_objects import typed_object_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import EmbeddedCluster
    from ..problems import Problem
    from ..protocol import Object
    from .authentication import Authenticator
    from .messages import Request, Response
    from .routing import VirtualKind

MANAGED = "managedFields"
ENTRY = ("manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource")
"""The fields of an entry of managedFields in the order of the Go type."""
RESOURCE, OTHER = "resourceAttributes", "nonResourceAttributes"
UNION_SINCE = 37
"""The first minor release that validates the two kinds of attributes as a union."""
_RESOURCE_FIELDS = ("verb", "group", "resource", "subresource", "name", "namespace")


class Review(NamedTuple):
    """One review: the server, and the object with its namespace in the path."""

    cluster: EmbeddedCluster
    access: Authenticator
    content: Object
    namespace: str | None
    metadata: Object
    """The metadata with managedFields."""

    @property
    def spec(self) -> Object:
        """The spec of the object."""
        return as_map(self.content.get("spec"))

    @property
    def minor(self) -> int:
        """The minor release of the server."""
        return minor_of(self.cluster.release)


def _of_self(review: Review) -> Object:
    return _decided(review, current_user(), [*_union(review), *_selectors(review), *_metadata(review)])


def _of_subject(review: Review) -> Object:
    return _of_user(review, _metadata(review))


def _of_user(review: Review, last: list[Problem]) -> Object:
    """Decide about the user in a review. `last` are the problems after those of its spec."""
    spec = review.spec
    user = User(
        spec.get("user") or "",
        spec.get("uid") or "",
        tuple(spec.get("groups") or spec.get("group") or ()),
        as_map(spec.get("extra")),
    )
    problems = _union(review)
    if not user.name and not user.groups:
        problems.append(invalid("spec.user", "", "at least one of user or group must be specified"))
    return _decided(review, user, [*problems, *_selectors(review), *last])


def _of_local_subject(review: Review) -> Object:
    metadata, spec = as_map(review.content.get("metadata")), review.spec
    check_namespace(metadata.get("namespace"), review.namespace)
    namespace = metadata.get("namespace") or review.namespace
    asked = (spec.get(RESOURCE) or {}).get("namespace") or ""
    problems = _metadata(review, "namespace")
    if spec.get(RESOURCE) is not None and asked != namespace:
        problems.append(invalid("spec.resourceAttributes.namespace", asked, "must match metadata.namespace"))
    if spec.get(OTHER) is not None:
        said = "disallowed on this kind of request"
        problems.append(invalid("spec.nonResourceAttributes", _printed(spec[OTHER], review.minor), said))
    return _of_user(review, problems)


def _metadata(review: Review, allowed: str = "") -> list[Problem]:
    """The problem of a review with metadata. Only the allowed field may be set."""
    given = {field for field, value in review.metadata.items() if value not in (None, "", {}, [])}
    if given <= {allowed, MANAGED}:
        return []
    entries = [{field: one[field] for field in ENTRY if field in one} for _, one in maps(review.metadata, MANAGED)]
    shown = {field: review.metadata[field] for field in FIELDS if field in given} | {MANAGED: entries}
    return [invalid("metadata", shown, f"must be empty except for {allowed}" if allowed else "must be empty")]


def _selectors(review: Review) -> list[Problem]:
    return review_selectors.problems(as_map(review.spec.get(RESOURCE))) if _has_selectors(review) else []


def _has_selectors(review: Review) -> bool:
    return review.minor >= review_selectors.SINCE


def _union(review: Review) -> list[Problem]:
    other = review.spec.get(OTHER)
    if len([name for name in (RESOURCE, OTHER) if review.spec.get(name) is not None]) == 1:
        return []
    why = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
    if review.minor >= UNION_SINCE:
        return [invalid("spec", other and _printed(other, review.minor), why)]
    if other is None:
        return [invalid("spec.resourceAttributes", Printed('"null"') if review.minor <= PRINTED_UNTIL else None, why)]
    why = "cannot be specified in combination with resourceAttributes"
    return [invalid("spec.nonResourceAttributes", _printed(other, review.minor), why)]


def _printed(other: Object, minor: int) -> Object | Printed:
    """Attributes of another request as Go prints them."""
    path, verb = other.get("path") or "", other.get("verb") or ""
    if minor <= PRINTED_UNTIL:
        return Printed(f"authorization.NonResourceAttributes{{Path:{quoted(path)}, Verb:{quoted(verb)}}}")
    return {"Path": path, "Verb": verb}


def _decided(review: Review, user: User, problems: list[Problem]) -> Object:
    if problems:
        raise Invalid.of(".authorization.k8s.io", "", problems)
    if review.spec.get(RESOURCE) is None:
        other = review.spec[OTHER]
        asked = Attributes(user, other.get("verb") or "", path=other.get("path") or "", is_resource=False)
    else:
        found = review.spec[RESOURCE]
        verb, group, resource, part, name, namespace = (found.get(field) or "" for field in _RESOURCE_FIELDS)
        asked = Attributes(user, verb, group, resource, part, name, namespace)
    decision = review.cluster.authorizer.authorize(asked)
    found = as_map(review.spec.get(RESOURCE)) if _has_selectors(review) else {}
    texts = {"reason": decision.reason, "evaluationError": review_selectors.evaluation_error(found)}
    return {"allowed": decision.allowed, **{field: text for field, text in texts.items() if text}}


def _rules(review: Review) -> Object:
    namespace = review.spec.get("namespace")
    if not namespace:
        raise BadRequest("no namespace on request")
    held = review.cluster.authorizer.held_rules(current_user(), namespace)
    rules = [rule.content() for rule in held.rules]
    return {
        "resourceRules": [
            {field: value for field, value in rule.items() if field != "nonResourceURLs"}
            for rule in rules
            if "resources" in rule
        ],
        "nonResourceRules": [
            {field: rule[field] for field in ("verbs", "nonResourceURLs") if field in rule}
            for rule in rules
            if "nonResourceURLs" in rule
        ],
        "incomplete": False,
        **({"evaluationError": aggregate(held.errors)} if held.errors else {}),
    }


def _self(_: Review) -> Object:
    return {"userInfo": current_user().info()}


def _authenticated(review: Review) -> Object:
    spec = review.spec
    if not spec.get("token"):
        raise BadRequest("token is required for TokenReview in authentication")
    try:
        user, audiences = review.access.holder(spec["token"], spec.get("audiences") or [ISSUER])
    except NotAccepted as error:
        return {"user": {}, "error": str(error)}
    return {"authenticated": True, "user": user.info(), "audiences": audiences}


KINDS: dict[tuple[str, str], tuple[str, Callable[[Review], Object]]] = {
    ("authorization.k8s.io", "selfsubjectaccessreviews"): ("SelfSubjectAccessReview", _of_self),
    ("authorization.k8s.io", "subjectaccessreviews"): ("SubjectAccessReview", _of_subject),
    ("authorization.k8s.io", "localsubjectaccessreviews"): ("LocalSubjectAccessReview", _of_local_subject),
    ("authorization.k8s.io", "selfsubjectrulesreviews"): ("SelfSubjectRulesReview", _rules),
    ("authentication.k8s.io", "tokenreviews"): ("TokenReview", _authenticated),
    ("authentication.k8s.io", "selfsubjectreviews"): ("SelfSubjectReview", _self),
}
"""The kinds by group and plural, each with the function that makes its status."""


def is_review(cluster: EmbeddedCluster, target: VirtualKind) -> bool:
    """Whether this is a kind of review that the release has, sent by POST."""
    found = KINDS.get((target.api_version.rpartition("/")[0], target.plural))
    if found is None or (found[1] is _of_local_subject) is (target.namespace is None):
        return False
    return (target.api_version, found[0]) in load(cluster.release)


def review(cluster: EmbeddedCluster, access: Authenticator, request: Request, target: VirtualKind) -> Response | None:
    """Return the response to a review, or None for an unknown kind."""
    if not is_review(cluster, target):
        return None
    form = virtual_form(request)
    kind, status = KINDS[target.api_version.rpartition("/")[0], target.plural]
    head = {"kind": kind, "apiVersion": target.api_version}
    content = typed_object_of(cluster, request, ExpectedKind(target.api_version, kind))
    note_virtual(
        request, content, target.api_version, kind, {"allowed": False} if kind.endswith("AccessReview") else None
    )
    asked = Review(cluster, access, content, target.namespace, {})
    if status is _self:
        metadata = {"creationTimestamp": cluster.origins.now()}
        return virtual_response(form, {**head, "metadata": metadata, "status": status(asked)})
    printed: Object = {"creationTimestamp": None} if asked.minor <= PRINTED_UNTIL else {}
    if status is _rules:
        return virtual_response(form, {**head, "metadata": printed, "spec": {}, "status": status(asked)})
    booked = _booked(cluster, {**content, **head}, request, target)
    booked["metadata"] = {**printed, **booked["metadata"]}
    asked = asked._replace(metadata=booked["metadata"])
    return virtual_response(form, {**booked, "status": status(asked)})


def _booked(cluster: EmbeddedCluster, content: Object, request: Request, target: VirtualKind) -> Object:
    """Return a review with managedFields and the namespace of its path, if there is one."""
    metadata = dict(content["metadata"])
    given = metadata.pop("namespace", None)
    content["metadata"] = {**metadata, **({"namespace": given or target.namespace} if target.namespace else {})}
    if "spec" in content:
        spec = _without_empty(as_map(content["spec"]))
        attributes = as_map(spec.get(RESOURCE))
        content["spec"] = {**spec, RESOURCE: review_selectors.as_printed(attributes)} if attributes else spec
    return record_update(
        None,
        content,
        load(cluster.release).schema(content["apiVersion"], content["kind"]),
        manager=write_options(request, "CreateOptions")["manager"],
        time=cluster.origins.now(),
    )


def _without_empty(content: Object) -> Object:
    """Return the spec of a review without empty texts and lists, as Go prints it."""
    found = {key: _without_empty(value) if isinstance(value, dict) else value for key, value in content.items()}
    return {key: value for key, value in found.items() if isinstance(value, (bool, dict)) or value}
