"""Request bodies, decoded by media type."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError, TooDeep, load
from engine.values.floats import whole_numbers
from engine.values.go_json import decode, stable_message

from ..decoding.field_validation import duplicate_field_error
from ..decoding.go_kinds import JSON_TYPES
from ..decoding.registered_kinds import SCHEME, wrong_kind
from ..decoding.repeated_keys import Pairs, merged, pairs_in
from ..decoding.unknown_fields import unknown_field_error
from ..errors import BadRequest
from ..text.go_text import quoted
from .negotiation import body_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema

    from ..protocol import Object, Resource
    from .messages import Request


def media_type(request: Request) -> str:
    """Return the media type of the body, without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


class ExpectedKind(NamedTuple):
    """The expected kind of object."""

    api_version: str
    kind: str
    built_in: bool = True
    versions: tuple[str, ...] = ()
    """The accepted apiVersions. Empty if the request's URL selects the version, which is checked later."""

    @classmethod
    def of(cls, resource: Resource) -> ExpectedKind:
        """Expect objects of a stored kind."""
        return cls(resource.api_version, resource.kind, resource.built_in)


def object_of(request: Request, expected: ExpectedKind) -> Object:
    """Return the object in a body. A custom resource must have a kind."""
    form = body_form(request.headers.get("content-type", ""), built_in=expected.built_in)
    if form == "protobuf":
        from .protobuf import decode_body  # its table is large

        return decode_body(request.body, expected.api_version, expected.kind)
    try:
        found = as_object(_value_in(request.body, form))
        if not expected.built_in and not found.get("kind"):
            raise NoKind(f"Object 'Kind' is missing in '{request.body.decode(errors='replace')}'")
    except (InvalidJson, NoKind) as error:
        known = f"the object provided is unrecognized (must be of type {expected.kind})"
        why = error if isinstance(error, NoKind) else f"{UNTYPED}{error}"
        raise BadRequest(f"{known}: {why} ({_shown(request.body)})") from None
    return found


def check_kind(content: Object, expected: ExpectedKind, release: str) -> None:
    """Reject an object of another kind than the expected one."""
    api_version, kind = content.get("apiVersion") or expected.api_version, content.get("kind") or expected.kind
    if kind == expected.kind and (not expected.versions or api_version in expected.versions):
        return
    version = str(api_version).rpartition("/")[2]
    why = wrong_kind(api_version, kind, expected[:2], load(release))
    raise BadRequest(f'{kind} in version "{version}" cannot be handled as a {expected.kind}: {why}')


def options_of(request: Request) -> Object:
    """Return the DeleteOptions in a body. An empty body has none."""
    if not request.body:
        return {}
    form = body_form(request.headers.get("content-type", ""))
    if form == "protobuf":
        from .protobuf import decode_options

        return decode_options(request.body)
    try:
        found = as_object(_value_in(request.body, form))
    except InvalidJson as error:
        raise BadRequest(f"{UNTYPED}{error}") from None
    except NoKind as error:
        raise BadRequest(str(error)) from None
    kind, version = found.get("kind") or DELETE_OPTIONS[1], found.get("apiVersion") or DELETE_OPTIONS[0]
    if kind != DELETE_OPTIONS[1]:
        raise BadRequest(f'no kind "{kind}" is registered for version "{version}" in scheme "{SCHEME}"')
    return found


def _value_in(body: bytes, form: str) -> Any:
    return of_json(body) if form == "json" else of_yaml(body)


def as_object(found: Any) -> Object:
    """Return a value that is an object, empty for null. Raise InvalidJson or NoKind for others."""
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise InvalidJson(f"{_not_taken(found)} {_TYPE}")
    version, kind = found.get("apiVersion"), found.get("kind")
    if type(version) is not str or type(kind) is not str:
        for field, value in found.items():
            if field in ("apiVersion", "kind") and not (value is None or isinstance(value, str)):
                given = JSON_TYPES[type(value)]
                raise InvalidJson(f"json: cannot unmarshal {given} into Go struct field .{field} of type string")
    if version and version.count("/") > 1:
        raise NoKind(f"unexpected GroupVersion string: {version}")
    return found


UNTYPED = "couldn't get version/kind; json parse error: "


def patch_of(body: bytes, kind: str, minor: int) -> Any:
    """Return a patch in JSON. Its errors are those of a minor release."""
    try:
        found = of_json(body)
    except InvalidJson as error:
        is_valid = str(error) in (TOO_DEEP, OUT_OF_RANGE)
        is_checked = kind == "merge" or (minor >= VALIDATES_PATCHES_SINCE and not is_valid)
        raise BadRequest("invalid JSON patch" if is_checked else f"error decoding patch: {error}") from None
    if kind == "json" and found is not None and not isinstance(found, list):
        raise BadRequest(f"error decoding patch: {_not_taken(found)} []handlers.jsonPatchOp")
    return found


VALIDATES_PATCHES_SINCE = 37
"""The first minor release that validates the JSON of all patches before it decodes them."""


def patch_key_errors(body: bytes, kind: str, patch: Any) -> list[str]:
    """Return a strict reader's errors about duplicate keys of a patch, and about unknown fields of a JSON patch."""
    if kind != "json":
        return [*map(duplicate_field_error, duplicate_keys(body))]
    if not _has_repeated(body) and all(not isinstance(one, dict) or one.keys() <= _OPERATION for one in patch or ()):
        return []
    return [f"json patch {error}" for error in _operation_errors(pairs_in(body, str))]


_OPERATION = frozenset(("op", "path", "from", "value"))
"""The fields of an operation of a JSON patch."""


def _operation_errors(operations: list[Any]) -> Iterator[str]:
    for index, operation in enumerate(operations):
        seen: set[str] = set()
        for key, value in operation if isinstance(operation, Pairs) else ():
            at = f"[{index}].{key}"
            if key in seen:
                yield duplicate_field_error(at)
            elif key not in _OPERATION:
                yield unknown_field_error(at)
            seen.add(key)
            yield from map(duplicate_field_error, _repeated(value, at))


def config_of(body: bytes) -> tuple[Object, list[str]]:
    """Return the config of a server-side apply, and the errors about duplicate keys. Reject one without a type."""
    found, repeated = as_yaml(body)
    if not (found is None or isinstance(found, dict)):
        why = f"{_not_taken(found)} map[string]interface {{}}"
        raise BadRequest(f"error decoding patch: error unmarshaling JSON: while decoding JSON: {why}")
    config: Object = found or {}
    version, kind = (value if isinstance(value := config.get(field), str) else "" for field in ("apiVersion", "kind"))
    if version.count("/") > 1:
        version = kind = ""
    if not version or not kind:
        said = version if "/" in version else f"/{version}"
        raise BadRequest(f"invalid object type: {said}, Kind={kind}")
    return config, repeated


class InvalidJson(ValueError):
    """A body that is not JSON, with Go's error message."""


class NoKind(ValueError):
    """An object with an apiVersion and kind that a server does not find or cannot read."""


TOO_DEEP, OUT_OF_RANGE = "exceeded max depth", "number out of range"
"""The errors of JSON with a valid syntax."""
DELETE_OPTIONS = ("v1", "DeleteOptions")
"""The default apiVersion and the kind of the options of a deletion."""
_MOST_SHOWN = 30
_TYPE = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'


def _not_taken(value: Any) -> str:
    """Go's error for a value of another type than expected, without that type."""
    return f"json: cannot unmarshal {JSON_TYPES[type(value)]} into Go value of type"


def _shown(body: bytes) -> str:
    if not body:
        return "<empty>"
    text = body.decode(errors="replace") if body[:1] == b"{" else body.hex()
    most = _MOST_SHOWN if body[:1] == b"{" else 2 * _MOST_SHOWN
    return f"{text[:most]} ..." if len(text) > most else text


_AFTER = (
    ("Expecting property name", "looking for beginning of object key string"),
    ("Expecting value", "looking for beginning of value"),
    ("Expecting ':'", "after object key"),
    ("Expecting ','", "after object key:value pair"),
    ("Extra data", "after top-level value"),
    ("Invalid control character", "in string literal"),
    ("Invalid \\", "in string escape code"),
)
"""Python's messages for invalid JSON, and Go's description of the position."""


def of_json(body: bytes) -> Any:
    """Return the value of a JSON body."""
    try:
        return decode(body)
    except TooDeep:
        raise InvalidJson(TOO_DEEP) from None
    except (MergeError, ValueError):
        raise InvalidJson(_as_go_says_it(body)) from None


def _as_go_says_it(body: bytes) -> str:
    try:
        text = body.decode()
        json.loads(text, parse_int=str)  # an integer may have any number of digits
    except UnicodeDecodeError:
        return "invalid UTF-8"
    except json.JSONDecodeError as error:
        said, at = stable_message(error)
        if at >= len(text.rstrip()) or said.startswith("Unterminated"):
            return "unexpected end of JSON input"
        literal = next((one for one in ("null", "true", "false") if text[at] == one[0]), "")
        if literal and said.startswith("Expecting value"):
            wrong = next(
                place for place in range(1, len(literal)) if text[at + place : at + place + 1] != literal[place]
            )
            if at + wrong >= len(text.rstrip()):
                return "unexpected end of JSON input"
            shown = quoted(text[at + wrong]).replace('"', "'")
            return f"invalid character {shown} in literal {literal} (expecting '{literal[wrong]}')"
        where = next((where for start, where in _AFTER if said.startswith(start)), "looking for beginning of value")
        return f"invalid character {quoted(text[at])} {where}".replace('"', "'")
    except RecursionError:
        return TOO_DEEP
    return OUT_OF_RANGE


def with_number_texts(body: bytes) -> Any:
    """Return the value of a JSON body, with numbers as text."""
    return json.loads(body, parse_int=str, parse_float=str)


def duplicate_key_errors(request: Request) -> list[str]:
    """Return a strict reader's errors about duplicate keys of a valid body."""
    form = body_form(request.headers.get("content-type", ""))
    if form == "yaml":
        return as_yaml(request.body).repeated
    return [*map(duplicate_field_error, duplicate_keys(request.body))] if form == "json" else []


def merged_keys(body: bytes, schema: Schema) -> Any:
    """Return the value of a valid JSON body whose duplicate keys are decoded into the same Go values."""
    return merged(pairs_in(body, decode), schema)


def duplicate_keys(body: bytes) -> list[str]:
    """Return the duplicate fields of valid JSON."""
    if not _has_repeated(body):
        return []
    return list(_repeated(pairs_in(body, str), ""))


MOST_WHOLE = 1e18
"""The exponent from which numbers are printed in exponent notation."""


class _RepeatedKey(Exception):
    """A map with a repeated key."""


def _without_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _RepeatedKey
    return found


_UNREPEATED = json.JSONDecoder(object_pairs_hook=_without_repeated, parse_int=str)


def _has_repeated(body: bytes) -> bool:
    try:
        _UNREPEATED.decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except _RepeatedKey:
        json.loads(body, parse_int=str)  # text after the repeated key may be invalid
        return True
    return False


def _repeated(value: Any, at: str) -> Iterator[str]:
    if isinstance(value, Pairs):
        seen: set[str] = set()
        for key, one in value:
            here = f"{at}.{key}" if at else key
            if key in seen:
                yield here
            seen.add(key)
            yield from _repeated(one, here)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _repeated(one, f"{at}[{index}]")


class Yaml(NamedTuple):
    """The value of a YAML body, and a strict reader's errors about duplicate keys."""

    value: Any
    repeated: list[str]


def of_yaml(body: bytes) -> Any:
    """Return the value of a YAML body, which may be JSON."""
    return as_yaml(body).value


def as_yaml(body: bytes) -> Yaml:
    """Decode a YAML body, which may be JSON."""
    if body.lstrip()[:1] == b"{":
        try:
            if not _has_repeated(body):
                return Yaml(whole_numbers(decode(body), MOST_WHOLE), [])
        except (MergeError, ValueError, RecursionError):
            pass  # a YAML flow mapping begins like JSON
    from codegen.documents.problems import BadDocument  # slow to import, and most clients send JSON
    from codegen.documents.reader import as_server_yaml

    repeated: list[tuple[int, str]] = []
    try:
        found = next((one for _, one in as_server_yaml(body, repeated)), None)
        whole = whole_numbers(found, MOST_WHOLE)
        return Yaml(whole, [f"line {line}: key {quoted(key)} already set in map" for line, key in repeated])
    except BadDocument as error:
        raise BadRequest(f"error decoding YAML: {error.problem}") from None
