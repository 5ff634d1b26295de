"""Kinds that are sent and answered, and never stored: who somebody is, and what they may do, which is everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map

from .bodies import content_of
from .http import Answer, answer

if TYPE_CHECKING:
    from collections.abc import Callable

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


def review(request: Request, target: Virtual) -> Answer | None:
    """The answer to a review; None if there is no such kind."""
    group, _, _ = target.api_version.rpartition("/")
    found = KINDS.get((group, target.plural))
    if found is None:
        return None
    kind, status = found
    content = a_map(content_of(request, target.api_version, kind))
    spec = a_map(content.get("spec"))
    metadata = {"creationTimestamp": None, **a_map(content.get("metadata"))}
    made = {"kind": kind, "apiVersion": target.api_version, "metadata": metadata, "status": status(spec)}
    if kind != "SelfSubjectReview":
        made["spec"] = spec
    return answer(made, 201)
