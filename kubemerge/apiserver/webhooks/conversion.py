"""Conversion webhooks of CustomResourceDefinitions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode

from ..errors import ConversionFailed
from ..metadata import random_uid
from ..problems import aggregate_text
from ..unchecked import as_map, as_text
from ..validation import names
from .calls import Call, CallError, results
from .client import post
from .endpoints import endpoint_of
from .responses import TYPES, VERSIONS, check_kind, review_in

if TYPE_CHECKING:
    from ..crd.deadlines import RequestDeadline
    from ..protocol import Object
    from ..reading import OpenCluster
    from .client import HttpResponse
    from .endpoints import Endpoint

GROUP, KIND = "apiextensions.k8s.io", "ConversionReview"
SECONDS = 30.0
"""The time limit of a call."""


class _Conversion(NamedTuple):
    """The conversion of one object."""

    content: Object
    api_version: str
    review_version: str
    endpoint: Endpoint

    @property
    def called(self) -> str:
        """The kind in messages."""
        return f"conversion webhook for {self.content['apiVersion']}, Kind={self.content['kind']}"


def converted(
    content: Object, definition: Object, api_version: str, request: RequestDeadline, cluster: OpenCluster
) -> Object:
    """Return an object in another version. Raise ConversionFailed if the webhook does not convert it."""
    webhook = _webhook_of(definition)
    bare, version_of_object = _without_version(content)
    version = next((one for one in webhook.get("conversionReviewVersions") or () if one in VERSIONS), "")
    if not version:
        raise ConversionFailed("no supported conversion review versions")
    config = as_map(webhook.get("clientConfig"))
    try:
        endpoint = endpoint_of(config, cluster.webhook_services or {}, cluster.service)
        wanted = _Conversion(bare, api_version, version, endpoint)
        name = f"conversion/{definition['metadata']['name']}/{api_version}/{encode([bare, *endpoint[:5], version])}"
        (found,) = results(request, [Call(name, name, partial(_called, wanted))])
        if isinstance(found, CallError):
            raise found
    except CallError as error:
        raise ConversionFailed(str(error)) from None
    return {**found, "metadata": {**found["metadata"], **version_of_object}}


def _webhook_of(definition: Object) -> Object:
    """The webhook of a definition, as v1 has it."""
    conversion = as_map(as_map(definition.get("spec")).get("conversion"))
    if "webhookClientConfig" not in conversion:  # of v1beta1
        return as_map(conversion.get("webhook"))
    versions = conversion.get("conversionReviewVersions")
    return {"clientConfig": conversion["webhookClientConfig"], "conversionReviewVersions": versions}


def _without_version(content: Object) -> tuple[Object, Object]:
    """The object without its resourceVersion, which stored objects lack, and the resourceVersion."""
    metadata = content["metadata"]
    kept = {name: value for name, value in metadata.items() if name == "resourceVersion"}
    return {**content, "metadata": {name: value for name, value in metadata.items() if name not in kept}}, kept


def _called(wanted: _Conversion, left: float) -> Object:
    uid = random_uid()
    asked = {"uid": uid, "desiredAPIVersion": wanted.api_version, "objects": [wanted.content]}
    review = {"kind": KIND, "apiVersion": f"{GROUP}/{wanted.review_version}", "request": asked}
    try:
        found = post(wanted.endpoint, encode(review).encode() + b"\n", min(SECONDS, left), "timeout=30s")
        objects = _objects(found, wanted.review_version, uid)
    except CallError as error:
        raise CallError(f"{wanted.called} failed: {error}") from None
    if len(objects) != 1:
        raise CallError(f"{wanted.called} returned {len(objects)} objects, expected 1")
    return _verified(wanted, objects[0])


def _objects(found: HttpResponse, version: str, uid: str) -> list[Any]:
    """The objects of a response. Raise CallError."""
    review = review_in(found, GROUP, KIND, version)
    if version == "v1":
        check_kind(review, GROUP, KIND, version)
    response = review.get("response")
    if response is None:
        raise CallError("no response provided")
    _require(response, dict, "ConversionReview.response", f"{version}.ConversionResponse")
    _require(response.get("result") or {}, dict, "ConversionResponse.response.result", "v1.Status")
    objects = [] if response.get("convertedObjects") is None else response["convertedObjects"]
    _require(objects, list, "ConversionResponse.response.convertedObjects", "[]runtime.RawExtension")
    if version == "v1" and response.get("uid", "") != uid:
        raise CallError(f'expected response.uid="{uid}", got "{response.get("uid", "")}"')
    result = as_map(response.get("result"))
    status = as_text(result.get("status"))
    if status != "Success":
        raise CallError(as_text(result.get("message")) or f"response.result.status was '{status}', not 'Success'")
    return list(objects)


def _require(value: Any, wanted: type, field: str, go_type: str) -> None:
    if not isinstance(value, wanted):
        kind = TYPES.get(type(value), "number")
        raise CallError(f"json: cannot unmarshal {kind} into Go struct field {field} of type {go_type}")


def _verified(wanted: _Conversion, found: Any) -> Object:
    """The object with the metadata of the original, but its own labels and annotations."""
    before = wanted.content
    invalid = f"{wanted.called} returned invalid"
    if not isinstance(found, dict):
        kind = TYPES.get(type(found), "number")
        raise CallError(f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}")
    if not found.get("kind"):
        raise CallError(f"Object 'Kind' is missing in '{encode(found)}'")
    if found.get("apiVersion") != wanted.api_version:
        given = found.get("apiVersion") or ""
        why = f"invalid groupVersion (expected {wanted.api_version}, received {given})"
        raise CallError(f"{invalid} object at index 0: {why}")
    if found["kind"] != before["kind"]:
        why = f"invalid kind (expected {before['kind']}, received {found['kind']})"
        raise CallError(f"{invalid} object at index 0: {why}")
    old, new = as_map(before.get("metadata")), as_map(found.get("metadata"))
    for field, called in (("name", "name"), ("namespace", "namespace"), ("uid", "UID")):
        one, other = as_text(old.get(field)), as_text(new.get(field))
        if one != other:
            raise CallError(f"{invalid} object: must have the same {called}: {one} != {other}")
    if "metadata" not in found:
        raise CallError(f"{invalid} metadata: missing metadata in converted object")
    try:
        return {**found, "metadata": {**_without_own(old), **_own(old, new)}}
    except CallError as error:
        raise CallError(f"{invalid} metadata: {error}") from None


OWN = ("labels", "annotations")
"""The metadata that a webhook may change."""


def _without_own(metadata: Object) -> Object:
    return {name: value for name, value in metadata.items() if name not in OWN}


def _own(before: Object, after: Object) -> Object:
    """The checked labels and annotations."""
    kept = {}
    for field in OWN:
        given = after.get(field)
        if given is None:
            continue
        if not isinstance(given, dict):
            raise CallError(f"invalid metadata.{field} of type {_go_type(given)} in converted object")
        for key, value in given.items():
            if not isinstance(value, str):
                found = f"but is {_go_type(value)} in converted object"
                raise CallError(f"metadata.{field}[{key}] must be a string, {found}")
        if given != before.get(field):
            check = names.labels if field == "labels" else names.annotation_keys
            problems = list(check("metadata.labels" if field == "labels" else "metadata.annotation", given))
            if problems:
                raise CallError(aggregate_text(problems))
        kept[field] = given
    return kept


def _go_type(value: Any) -> str:
    names = {bool: "bool", str: "string", int: "int64", float: "float64", list: "[]interface {}", type(None): "<nil>"}
    return names.get(type(value), "map[string]interface {}")
