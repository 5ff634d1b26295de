"""Decoding options of one request: which errors are rejected, warned about, or ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode

from ..errors import BadRequest, Invalid
from ..problems import Printed
from ..request_options import IGNORE, STRICT, WARN, SentTypes
from ..text.go_text import go_text, quoted
from . import type_errors
from .unknown_fields import unknown_field_error, unknown_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..protocol import Object, Resource
    from ..resources import Kinds

NAMES_YAML_UNTIL = 36
"""The last minor release that names a config with repeated keys YAML, and not a patch."""
VALIDATES_SINCE = 25
"""The first minor release whose servers validate fields by default. Older ones ignore fieldValidation."""


class FieldValidation:
    """The decoding options of one request: its `field_validation`, and `warn` for warnings.

    `repeated` are a strict reader's errors about duplicate keys of the body. `types` is the result of an earlier check.
    """

    def __init__(
        self,
        kinds: Kinds,
        field_validation: str | None,
        warn: Callable[[str], None],
        repeated: Sequence[str] = (),
        types: SentTypes = SentTypes.UNCHECKED,
    ) -> None:
        self._kinds, self.warn, self._repeated, self._types = kinds, warn, repeated, types
        self._minor = kinds.minor
        self._asked = (field_validation or WARN) if self._minor >= VALIDATES_SINCE else IGNORE

    def check_repeated(self) -> None:
        """Reject or warn about duplicate keys. A server does so after it has merged a config."""
        if self._repeated and self._asked == STRICT:
            errors = "\n  ".join(["error converting YAML to JSON: yaml: unmarshal errors:", *self._repeated])
            what = "YAML" if self._minor <= NAMES_YAML_UNTIL else "patch"
            raise BadRequest(f"error strict decoding {what}: {errors}")
        self._tell(self._repeated if self._asked == WARN else ())

    def check(self, content: Object, resource: Resource) -> None:
        """Check a created or replacing object. Raise BadRequest."""
        if self._types is SentTypes.UNCHECKED:
            type_errors.check(content, resource, self._kinds)
        if self._asked == IGNORE:
            return
        unknown = [] if self._types is SentTypes.KNOWN else unknown_fields(content, resource, self._kinds)
        fields, repeated = [*map(unknown_field_error, unknown)], self._repeated
        if resource.built_in:  # decoders of Go types report an unknown field once
            known = {duplicate_field_error(one) for one in unknown}
            repeated = [one for one in repeated if one not in known]
        if (repeated or fields) and self._asked == STRICT:
            raise BadRequest(f"{type_errors.read_as(resource)}: {strict_error(repeated, fields)}")
        self._tell([*repeated, *fields])

    def check_patched(self, content: Object, resource: Resource, shown: Patched, *, strategic: bool) -> None:
        """Check a patched object. Raise Invalid, which contains the patch or the object."""
        if self._asked == IGNORE:
            return
        fields = [*map(unknown_field_error, unknown_fields(content, resource, self._kinds, strategic=strategic))]
        if (self._repeated or fields) and self._asked == STRICT:
            raise unreadable(shown(), strict_error(self._repeated, fields))
        self._tell([*self._repeated, *fields])

    def _tell(self, fields: Sequence[str]) -> None:
        for field in dict.fromkeys(fields):
            self.warn(field)


def duplicate_field_error(field: str) -> str:
    """The error for a field that occurs twice in JSON."""
    return f'duplicate field "{field}"'


def _strict_errors(repeated: Sequence[str]) -> list[str]:
    """The errors about duplicate keys without repetitions. Those of a YAML body, which have a line, are one error."""
    if repeated and repeated[0].startswith("line "):
        return ["\n  ".join(["yaml: unmarshal errors:", *repeated])]
    return [*dict.fromkeys(repeated)]


def strict_error(repeated: Sequence[str], unknown: Sequence[str]) -> str:
    """The error for duplicate keys and unknown fields in strict mode."""
    return f"strict decoding error: {', '.join([*_strict_errors(repeated), *unknown])}"


_ORDER, _RETAINED = "$setElementOrder/", "$retainKeys"


def _left_over(patch: Any) -> Any:
    """The rest of a strategic patch after its application, without list orders and directives."""
    if not isinstance(patch, dict):
        return patch
    gone = {word for key in patch if key.startswith(_ORDER) for word in (key, key.removeprefix(_ORDER))}
    return {key: _left_over(value) for key, value in patch.items() if key not in gone and key != _RETAINED}


def unreadable(shown: str, why: str, advice: str = "") -> Invalid:
    """The refusal of a patch whose result cannot be read."""
    return Invalid.of_patch(Printed(shown), why, advice=advice)


class Patched(NamedTuple):
    """The result of a patch, as a server's errors show it if it cannot be decoded."""

    content: Object
    entries: Any
    patch: Any
    patch_type: str
    resource: Resource

    def __call__(self) -> str:
        """Return the part of an error that shows the patch. A server also shows Secrets there, but this does not."""
        if type_errors.is_secret(self.resource):
            return "{...}"
        return quoted(go_text(_left_over(self.patch)) if self.patch_type == "strategic" else self.text())

    def text(self) -> str:
        """Return the result as JSON, which a server decodes."""
        content, metadata = self.content, self.content.get("metadata")
        if self.entries is not None and isinstance(metadata, dict):
            content = {**content, "metadata": {**metadata, "managedFields": self.entries}}
        return encode(content)
