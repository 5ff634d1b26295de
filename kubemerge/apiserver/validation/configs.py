"""ConfigMaps and Secrets: keys, size, and immutability."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import decode

from ..problems import Problem, forbidden, invalid, required, too_long
from ..unchecked import as_map, as_text
from .values import formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

MOST = 2**20
"""The maximum size of all values together, in bytes."""
FIELD_IS_IMMUTABLE = "field is immutable when `immutable` is set"


def config_map(content: Object) -> Iterator[Problem]:
    """Validate a ConfigMap."""
    data, binary = as_map(content.get("data")), as_map(content.get("binaryData"))
    for key in data:
        yield from _key("data", key)
        if key in binary:
            yield invalid(f"data[{key}]", key, "duplicate of key present in binaryData")
    for key in binary:
        yield from _key("binaryData", key)
    if sum(map(_length, data.values())) + sum(map(_decoded_length, binary.values())) > MOST:
        yield too_long("[]", MOST)  # a ConfigMap as a whole has no path


def secret(content: Object) -> Iterator[Problem]:
    """Validate a Secret."""
    data = as_map(content.get("data"))
    for key in data:
        yield from _key("data", key)
    if sum(map(_decoded_length, data.values())) > MOST:
        yield too_long("data", MOST)
    yield from _typed(as_text(content.get("type")), data, as_map(as_map(content.get("metadata")).get("annotations")))


SERVICE_ACCOUNT = "kubernetes.io/service-account.name"
JSON_KEYS = {"kubernetes.io/dockercfg": ".dockercfg", "kubernetes.io/dockerconfigjson": ".dockerconfigjson"}


def _typed(type_: str, data: Object, annotations: Object) -> Iterator[Problem]:
    if type_ == "kubernetes.io/service-account-token":
        if not annotations.get(SERVICE_ACCOUNT):
            yield required(f"metadata.annotations[{SERVICE_ACCOUNT}]")
    elif type_ in JSON_KEYS:
        yield from _config(JSON_KEYS[type_], data)
    elif type_ == "kubernetes.io/basic-auth":
        if not {"username", "password"} & data.keys():
            yield required("data[username]")
            yield required("data[password]")
    elif type_ == "kubernetes.io/ssh-auth":
        if not data.get("ssh-privatekey"):
            yield required("data[ssh-privatekey]")
    elif type_ == "kubernetes.io/tls":
        yield from (required(f"data[{key}]") for key in ("tls.crt", "tls.key") if key not in data)


def _config(key: str, data: Object) -> Iterator[Problem]:
    """A registry configuration, which must be a JSON map."""
    if key not in data:
        yield required(f"data[{key}]")
        return
    try:
        found = decode(b64decode(as_text(data[key])))
    except (MergeError, ValueError):
        yield invalid(f"data[{key}]", "<secret contents redacted>", _not_json(as_text(data[key])))
        return
    if found is not None and not isinstance(found, dict):
        kind = {list: "array", str: "string", bool: "bool"}.get(type(found), "number")
        why = f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"
        yield invalid(f"data[{key}]", "<secret contents redacted>", why)


def _not_json(value: str) -> str:
    """The reason why text is not JSON, for the common mistakes with a fixed message."""
    try:
        written = b64decode(value).decode("utf-8", "replace").lstrip()
    except ValueError:
        written = ""
    if not written or written[0] in '{["' or written[0].isdigit():
        return "unexpected end of JSON input"
    return f"invalid character '{written[0]}' looking for beginning of value"


def immutable_config_map(content: Object, before: Object) -> Iterator[Problem]:
    """Reject changes of an immutable ConfigMap."""
    return _immutable(content, before, ("data", "binaryData"))


def immutable_secret(content: Object, before: Object) -> Iterator[Problem]:
    """Reject changes of an immutable Secret."""
    return _immutable(content, before, ("data",))


def _immutable(content: Object, before: Object, fields: tuple[str, ...]) -> Iterator[Problem]:
    if before.get("immutable") is not True:
        return
    if content.get("immutable") is not True:
        yield forbidden("immutable", FIELD_IS_IMMUTABLE)
    yield from (
        forbidden(field, FIELD_IS_IMMUTABLE)
        for field in fields
        if as_map(content.get(field)) != as_map(before.get(field))
    )


def _key(field: str, key: str) -> Iterator[Problem]:
    return formats.each(f"{field}[{key}]", key, formats.config_key)


def _length(value: Any) -> int:
    return len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else 0


def _decoded_length(value: Any) -> int:
    """The decoded size of a base64 value."""
    return len(value.rstrip("=")) * 3 // 4 if isinstance(value, str) else 0
