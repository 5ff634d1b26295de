"""AdmissionReview: the request to a webhook, and its verified response."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, NamedTuple

from ..policies.request import fields_of
from ..unchecked import as_map
from .calls import CallError
from .responses import TYPES, VERSIONS, check_kind, review_in

if TYPE_CHECKING:
    from ..policies.request import AdmissionRequest, Match
    from ..protocol import Object
    from .client import HttpResponse

GROUP, KIND = "admission.k8s.io", "AdmissionReview"
V1_SINCE = 16
"""The first minor release with `v1` reviews."""


class Review(NamedTuple):
    """The request of a review, without its uid."""

    version: str
    request: Object

    def with_uid(self, uid: str) -> Object:
        """Return the whole object to send."""
        return {"kind": KIND, "apiVersion": f"{GROUP}/{self.version}", "request": {"uid": uid, **self.request}}


class Verdict(NamedTuple):
    """The verified response of a webhook."""

    allowed: bool
    patch: bytes
    patch_type: str
    status: Object | None
    warnings: tuple[str, ...]


def review_version(accepted: Any, minor: int) -> str:
    """Return the version of the review to send. Raise CallError if the webhook accepts no known one."""
    known = VERSIONS if minor >= V1_SINCE else VERSIONS[1:]
    if accepted is None:
        return VERSIONS[1]  # old releases do not have the field
    for one in accepted if isinstance(accepted, list) else ():
        if one in known:
            return str(one)
    said = "webhook does not accept known AdmissionReview versions (v1, v1beta1)"
    raise CallError(f"could not create admission objects: {said}")


def review_of(
    version: str,
    request: AdmissionRequest,
    match: Match,
    content: Object | None,
    before: Object | None,
) -> Review:
    """Return the review of a request, with its objects in the version of the match."""
    return Review(version, fields_of(request, match, object=content, oldObject=before))


def verdict_in(found: HttpResponse, version: str, uid: str, *, mutating: bool) -> Verdict:
    """Return the verified response. Raise CallError."""
    try:
        review = review_in(found, GROUP, KIND, version)
        response = _typed(review)
    except CallError as error:
        raise CallError(f"failed to call webhook: {error}") from None
    try:
        return _verified(review, response, version, uid, mutating=mutating)
    except CallError as error:
        raise CallError(f"received invalid webhook response: {error}") from None


FIELDS: dict[str, type] = {
    "uid": str,
    "allowed": bool,
    "status": dict,
    "patch": str,
    "patchType": str,
    "auditAnnotations": dict,
    "warnings": list,
}
GO_TYPES = {
    "uid": "types.UID",
    "allowed": "bool",
    "status": "v1.Status",
    "patch": "[]uint8",
    "patchType": "v1.PatchType",
    "auditAnnotations": "map[string]string",
    "warnings": "[]string",
}


def _typed(review: Object) -> Object | None:
    """The response with the types of its fields checked, and its patch decoded."""
    if not isinstance(review.get("request") or {}, dict):
        raise CallError(_wrong("AdmissionReview.request", review["request"], "v1.AdmissionRequest"))
    response = review.get("response")
    if response is None:
        return None
    if not isinstance(response, dict):
        raise CallError(_wrong("AdmissionReview.response", response, "v1.AdmissionResponse"))
    found = {name: value for name, value in response.items() if name in FIELDS and value is not None}
    for name, value in found.items():
        if not isinstance(value, FIELDS[name]):
            raise CallError(_wrong(f"AdmissionResponse.response.{name}", value, GO_TYPES[name]))
    if any(not isinstance(one, str) for one in found.get("warnings", ())):
        wrong = next(one for one in found["warnings"] if not isinstance(one, str))
        raise CallError(_wrong("AdmissionResponse.response.warnings", wrong, "string"))
    for one in found.get("auditAnnotations", {}).values():
        if not isinstance(one, (str, type(None))):
            raise CallError(_wrong("AdmissionResponse.response.auditAnnotations", one, "string"))
    _check_status(as_map(found.get("status")))
    return {**found, "patch": _patch(found)}


STATUS_FIELDS: dict[str, type] = {"status": str, "message": str, "reason": str, "details": dict, "code": int}
GO_STATUS_TYPES = {"code": "int32", "details": "v1.StatusDetails", "reason": "v1.StatusReason"}


def _check_status(status: Object) -> None:
    for name, shape in STATUS_FIELDS.items():
        value = status.get(name)
        if value is not None and (not isinstance(value, shape) or isinstance(value, bool)):
            raise CallError(_wrong(f"Status.response.status.{name}", value, GO_STATUS_TYPES.get(name, "string")))


def _wrong(field: str, value: Any, wanted: str) -> str:
    found = TYPES.get(type(value), "number")
    return f"json: cannot unmarshal {found} into Go struct field {field} of type {wanted}"


def _verified(review: Object, response: Object | None, version: str, uid: str, *, mutating: bool) -> Verdict:
    if response is None:
        raise CallError("webhook response was absent")
    patch, patch_type = response["patch"], response.get("patchType")
    if version == VERSIONS[0]:
        given = response.get("uid", "")
        if given != uid:
            raise CallError(f'expected response.uid="{uid}", got "{given}"')
        check_kind(review, GROUP, KIND, version)
        _check_patch(patch, patch_type, mutating=mutating)
    elif patch:
        patch_type = "JSONPatch"
    return Verdict(
        response.get("allowed") is True,
        patch if mutating else b"",
        str(patch_type or ""),
        response.get("status"),
        tuple(response.get("warnings", ())),
    )


def _patch(response: Object) -> bytes:
    try:
        return base64.b64decode(response.get("patch", ""), validate=True)
    except (binascii.Error, ValueError):
        raise CallError("illegal base64 data at input byte 0") from None


def _check_patch(patch: bytes, patch_type: Any, *, mutating: bool) -> None:
    if not mutating:
        for name, value in (("patch", patch or None), ("patchType", patch_type)):
            if value is not None:
                raise CallError(f"validating webhook may not return response.{name}")
        return
    if patch and patch_type is None:
        raise CallError("webhook returned response.patch but not response.patchType")
    if not patch and patch_type is not None:
        raise CallError("webhook returned response.patchType but not response.patch")
    if patch_type == "":
        raise CallError('webhook returned invalid response.patchType of ""')
