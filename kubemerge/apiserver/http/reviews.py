"""Reviews: virtual objects that get a response and are never stored. Every user has all permissions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import load, record_update

from ..errors import BadRequest, Invalid
from ..problems import invalid
from ..unchecked import as_map
from ..user import current_user
from .bodies import ExpectedKind, typed_object_of
from .messages import Response, json_response
from .options import write_options
from .tokens import ISSUER, NotAccepted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .authentication import Authenticator
    from .messages import Request
    from .routing import VirtualKind

ALL = ["*"]


def _allowed(_: Authenticator, spec: Object) -> Object:
    if len(_ATTRIBUTES & spec.keys()) != 1:
        why = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        raise Invalid.of(".authorization.k8s.io", "", [invalid("spec", None, why)])
    return {"allowed": True}


_ATTRIBUTES = {"resourceAttributes", "nonResourceAttributes"}


def _rules(_: Authenticator, __: Object) -> Object:
    return {
        "resourceRules": [{"verbs": ALL, "apiGroups": ALL, "resources": ALL}],
        "nonResourceRules": [{"verbs": ALL, "nonResourceURLs": ALL}],
        "incomplete": False,
    }


def _self(_: Authenticator, __: Object) -> Object:
    return {"userInfo": current_user().info()}


def _authenticated(access: Authenticator, spec: Object) -> Object:
    if not spec.get("token"):
        raise BadRequest("token is required for TokenReview in authentication")
    try:
        user, audiences = access.holder(spec["token"], spec.get("audiences") or [ISSUER])
    except NotAccepted as error:
        return {"user": {}, "error": str(error)}
    return {"authenticated": True, "user": user.info(), "audiences": audiences}


KINDS: dict[tuple[str, str], tuple[str, Callable[[Authenticator, Object], Object]]] = {
    ("authorization.k8s.io", "selfsubjectaccessreviews"): ("SelfSubjectAccessReview", _allowed),
    ("authorization.k8s.io", "subjectaccessreviews"): ("SubjectAccessReview", _allowed),
    ("authorization.k8s.io", "localsubjectaccessreviews"): ("LocalSubjectAccessReview", _allowed),
    ("authorization.k8s.io", "selfsubjectrulesreviews"): ("SelfSubjectRulesReview", _rules),
    ("authentication.k8s.io", "tokenreviews"): ("TokenReview", _authenticated),
    ("authentication.k8s.io", "selfsubjectreviews"): ("SelfSubjectReview", _self),
}
"""The kinds by group and plural, each with the function that makes its status."""


def is_review(target: VirtualKind) -> bool:
    """Whether this is a kind of review, sent by POST."""
    return (target.api_version.rpartition("/")[0], target.plural) in KINDS


def review(cluster: EmbeddedCluster, access: Authenticator, request: Request, target: VirtualKind) -> Response | None:
    """Return the response to a review, or None for an unknown kind."""
    group, _, _ = target.api_version.rpartition("/")
    found = KINDS.get((group, target.plural))
    if found is None or (target.api_version, found[0]) not in load(cluster.release):
        return None
    kind, status = found
    head = {"kind": kind, "apiVersion": target.api_version}
    content = typed_object_of(request, ExpectedKind(target.api_version, kind), cluster.release)
    if status is _self:
        metadata = {"creationTimestamp": cluster.origins.now()}
        return json_response({**head, "metadata": metadata, "status": status(access, {})}, 201)
    spec = as_map(content.get("spec"))
    if status is _rules:
        return json_response({**head, "metadata": {}, "spec": {}, "status": status(access, spec)}, 201)
    booked = record_update(
        None,
        {**content, **head},
        load(cluster.release).schema(target.api_version, kind),
        manager=write_options(request, "CreateOptions")["manager"],
    )
    return json_response({**booked, "status": status(access, spec)}, 201)
