"""ServiceAccount tokens: JSON Web Tokens that the server signs and accepts.

They are signed with HMAC-SHA256, which the standard library can verify. A real server signs with RSA. The key is in the
cluster's file, so that a token outlives the server and is worthless for another cluster. There is no public key, and
thus no OIDC discovery.
"""

from __future__ import annotations

import binascii
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from ..deletion import TIME
from ..errors import NotFound
from ..identity import Reference
from ..unchecked import as_map, as_text
from ..user import AUTHENTICATED, USER_PREFIX, User, account_groups

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from ..cluster import EmbeddedCluster
    from ..protocol import Object

ISSUER = "https://kubernetes.default.svc.cluster.local"
"""The issuer of the tokens, and the audience of a server."""
BOUND = {"Pod": "pod", "Secret": "secret", "Node": "node"}
"""The kinds of core/v1 that a token can be bound to, with the names of their claims."""
WARN_AFTER, EXTENDED = 3607, 365 * 24 * 3600
"""The lifetime that the kubelet requests. Servers extend it to a year, and warn after the requested time."""
LEEWAY = timedelta(minutes=1)
"""Seconds that a token stays valid after the deletion time of its object."""
_HEADER = {"alg": "HS256"}
_KEYS = "authentication.kubernetes.io/"
NODE_NAME = f"{_KEYS}node-name"
"""The key of the extra value with the node of a token's Pod."""


class TokenHolder(NamedTuple):
    """The holder of a token, and the audiences that accept it."""

    user: User
    audiences: list[str]


class NotAccepted(Exception):
    """An invalid token, with the message for a TokenReview."""

    def __init__(self, why: str = "") -> None:
        super().__init__(f"[invalid bearer token, {why}]" if why else "invalid bearer token")


def is_token(given: str) -> bool:
    """Whether a text has the form of a JSON Web Token, whoever issued it."""
    header, *others = given.split(".")
    return len(others) == 2 and "alg" in _decoded(header)


# ---- issuing --------------------------------------------------------------------------------------------------------


def issue_token(cluster: EmbeddedCluster, account: Object, bound: Object | None, spec: Object) -> str:
    """Return a new token for a ServiceAccount, bound to an object. `spec` is that of the TokenRequest, with its
    defaults.
    """
    metadata = account["metadata"]
    now, lasts, audiences = cluster.origins.clock(), spec["expirationSeconds"], spec["audiences"]
    at = int(now.timestamp())
    private: Object = {"namespace": metadata["namespace"], "serviceaccount": _reference(account)}
    if bound is not None:
        private[BOUND[bound["kind"]]] = _reference(bound)
        node = as_text(as_map(bound.get("spec")).get("nodeName")) if bound["kind"] == "Pod" else ""
        if node:
            private["node"] = _node(cluster, node)
        if bound["kind"] == "Pod" and lasts == WARN_AFTER and audiences == [ISSUER]:
            private["warnafter"] = at + lasts
            lasts = EXTENDED
    claims = {
        "aud": audiences,
        "exp": at + lasts,
        "iat": at,
        "iss": ISSUER,
        "jti": cluster.origins.uid(),
        "kubernetes.io": private,
        "nbf": at,
        "sub": f"{USER_PREFIX}{metadata['namespace']}:{metadata['name']}",
    }
    signed = f"{_encoded(_HEADER)}.{_encoded(claims)}"
    return f"{signed}.{_signature(cluster, signed)}"


def _reference(one: Object) -> dict[str, str]:
    return {"name": one["metadata"]["name"], "uid": one["metadata"]["uid"]}


def _node(cluster: EmbeddedCluster, name: str) -> dict[str, str]:
    try:
        return _reference(cluster.get(Reference("v1", "Node", name)))
    except NotFound:
        return {"name": name}


def _signature(cluster: EmbeddedCluster, signed: str) -> str:
    return _base64(hmac.digest(cluster.token_key(), signed.encode(), "sha256"))


# ---- accepting ------------------------------------------------------------------------------------------------------


def verify_token(cluster: EmbeddedCluster, token: str, audiences: Sequence[str] = (ISSUER,)) -> TokenHolder:
    """Return the holder of a token. Raise NotAccepted unless this cluster issued it, it is not expired, and its objects
    exist.
    """
    signed, _, signature = token.rpartition(".")
    header, _, payload = signed.partition(".")
    claims = _decoded(payload)
    if claims.get("iss") != ISSUER or not is_token(token):
        raise NotAccepted
    expected = _signature(cluster, signed).encode()
    if _decoded(header) != _HEADER or not hmac.compare_digest(signature.encode("utf-8", "replace"), expected):
        raise NotAccepted("go-jose/go-jose: error in cryptographic primitive")
    common = [one for one in claims["aud"] if one in audiences]
    if not common:
        target = f"{_quoted(claims['aud'])} is invalid for the target audiences {_quoted(audiences)}"
        raise NotAccepted(f"token audiences {target}")
    now = cluster.origins.clock()
    if claims["exp"] <= now.timestamp():
        raise NotAccepted("service account token has expired")
    return TokenHolder(_holder(cluster, claims, now), common)


def _quoted(audiences: Sequence[str]) -> str:
    return f"[{' '.join(json.dumps(one) for one in audiences)}]"


def _holder(cluster: EmbeddedCluster, claims: Object, now: datetime) -> User:
    private = claims["kubernetes.io"]
    namespace, account = private["namespace"], private["serviceaccount"]
    _check(cluster, Reference("v1", "ServiceAccount", account["name"], namespace), account["uid"], now)
    extra = {f"{_KEYS}credential-id": [f"JTI={claims['jti']}"]}
    for kind, claim in BOUND.items():
        bound = private.get(claim)
        if bound is None:
            continue
        if kind != "Node" or "pod" not in private:  # the node of a Pod may be deleted first
            where = Reference("v1", kind, bound["name"], None if kind == "Node" else namespace)
            _check(cluster, where, bound["uid"], now)
        if kind != "Secret":
            extra |= {f"{_KEYS}{claim}-{field}": [value] for field, value in bound.items()}
    return User(claims["sub"], account["uid"], (*account_groups(namespace), AUTHENTICATED), extra)


def _check(cluster: EmbeddedCluster, where: Reference, uid: str, now: datetime) -> None:
    """Reject a token whose object is gone, or was replaced by another of the same name."""
    claim = BOUND.get(where.kind)
    try:
        found = cluster.get(where)["metadata"]
    except NotFound as error:
        raise NotAccepted("service account token has been invalidated" if claim else str(error)) from None
    if found["uid"] != uid:
        what = f"service account {claim} ref claim" if claim else "claim"
        raise NotAccepted(f"{claim or 'service account'} UID ({found['uid']}) does not match {what} ({uid})")
    gone = found.get("deletionTimestamp")
    if gone and gone < (now - LEEWAY).strftime(TIME):
        account = f"service account {where.namespace}/{where.name} has been deleted"
        raise NotAccepted("service account token has been invalidated" if claim else account)


# ---- the encoding ---------------------------------------------------------------------------------------------------


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _encoded(content: Object) -> str:
    return _base64(json.dumps(content, separators=(",", ":")).encode())


def _decoded(part: str) -> Object:
    try:
        found: Any = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
