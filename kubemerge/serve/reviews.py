"""Kinds that are sent and answered, and never stored: who somebody is, and what they may do, which is everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import UnknownKind, load, record_update
from engine.values.unchecked import a_map

from ..cluster.errors import Invalid
from ..cluster.refusals import invalid
from .bodies import Expected, object_of
from .http import Answer, answer
from .options import writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema

    from ..cluster.embedded.cluster import EmbeddedCluster
    from .http import Request
    from .routing import Virtual

USER: dict[str, Any] = {"username": "kubernetes-admin", "groups": ["system:masters", "system:authenticated"]}
"""Everybody who gets in."""
ALL = ["*"]


def _allowed(_: Any) -> dict[str, Any]:
    return {"allowed": True}


def _rules(_: Any) -> dict[str, Any]:
    return {
        "resourceRules": [{"verbs": ALL, "apiGroups": ALL, "resources": ALL}],
        "nonResourceRules": [{"verbs": ALL, "nonResourceURLs": ALL}],
        "incomplete": False,
    }


def _identity(_: Any) -> dict[str, Any]:
    return {"userInfo": USER}


def _authenticated(spec: Any) -> dict[str, Any]:
    return {"authenticated": True, "user": USER, **({"audiences": spec["audiences"]} if spec.get("audiences") else {})}


KINDS: dict[tuple[str, str], tuple[str, Callable[[Any], dict[str, Any]]]] = {
    ("authorization.k8s.io", "selfsubjectaccessreviews"): ("SelfSubjectAccessReview", _allowed),
    ("authorization.k8s.io", "subjectaccessreviews"): ("SubjectAccessReview", _allowed),
    ("authorization.k8s.io", "localsubjectaccessreviews"): ("LocalSubjectAccessReview", _allowed),
    ("authorization.k8s.io", "selfsubjectrulesreviews"): ("SelfSubjectRulesReview", _rules),
    ("authentication.k8s.io", "tokenreviews"): ("TokenReview", _authenticated),
    ("authentication.k8s.io", "selfsubjectreviews"): ("SelfSubjectReview", _identity),
}
"""The kinds by group and the word of their path, each with the status that it is answered with."""


def is_review(target: Virtual) -> bool:
    """Whether this is a kind that can be asked for, by POST."""
    return (target.api_version.rpartition("/")[0], target.plural) in KINDS


def review(cluster: EmbeddedCluster, request: Request, target: Virtual) -> Answer | None:
    """The answer to a review; None if there is no such kind."""
    group, _, _ = target.api_version.rpartition("/")
    found = KINDS.get((group, target.plural))
    if found is None:
        return None
    kind, status = found
    content = object_of(request, Expected(target.api_version, kind))
    content = {**content, "apiVersion": target.api_version, "kind": kind, "metadata": a_map(content.get("metadata"))}
    spec = a_map(content.get("spec"))
    if len(_ATTRIBUTES & spec.keys()) != 1 and status is _allowed:
        why = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        problem = invalid("spec", None, why)
        raise Invalid(f'.authorization.k8s.io "" is invalid: {problem}', [problem])
    booked = record_update(
        None, content, _schema(cluster, target.api_version, kind), manager=writing(request, "CreateOptions")["manager"]
    )
    return answer({**booked, "status": status(spec)}, 201)


_ATTRIBUTES = {"resourceAttributes", "nonResourceAttributes"}


def _schema(cluster: EmbeddedCluster, api_version: str, kind: str) -> Schema | None:
    """The rules of a kind that is not stored."""
    try:
        return load(cluster.release).schema(api_version, kind)
    except UnknownKind:
        return None
