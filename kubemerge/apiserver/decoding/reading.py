"""One request's way of reading objects: what is refused, what is warned of, and what is dropped without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ..errors import BadRequest, Invalid
from ..problems import Printed, unsupported
from ..text.go_text import go_text, quoted
from . import typed
from .unknown import in_words, unknown, unknown_to

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Schema

    from ..protocol import Object, Resource
    from ..resources import Kinds

STRICT, WARN, IGNORE = "Strict", "Warn", "Ignore"
"""What a request asks about unknown fields: to refuse the object, to warn, or to say nothing."""
SECRET = ("", "Secret")


class Reading:
    """How one request is read: by its `field_validation`, and telling `warn` what a server warns of.

    `repeated` is what a strict reader says of keys of a config that are in one mapping twice.
    """

    def __init__(
        self,
        kinds: Kinds,
        field_validation: str | None,
        warn: Callable[[str], None],
        repeated: Sequence[str] = (),
    ) -> None:
        self._kinds, self.warn, self._repeated = kinds, warn, repeated
        self._asked = field_validation or WARN

    def check_repeated(self) -> None:
        """Refuse or tell of keys that are in one mapping twice; a server does so once it has merged a config."""
        if self._repeated and self._asked == STRICT:
            errors = "\n  ".join(["error converting YAML to JSON: yaml: unmarshal errors:", *self._repeated])
            raise BadRequest(f"error strict decoding patch: {errors}")
        self._tell(self._repeated if self._asked == WARN else ())

    def check(self, content: Object, resource: Resource) -> None:
        """Refuse an object that is to be created or to replace another; BadRequest says why."""
        typed.check(content, resource, self._kinds)
        if self._asked == IGNORE:
            return
        fields = [*map(in_words, unknown(content, resource, self._kinds))]
        if fields and self._asked == STRICT:
            raise BadRequest(f"{typed.read_as(resource)}: {_strictly(fields)}")
        self._tell(fields)

    def check_patched(self, content: Object, resource: Resource, shown: Callable[[], str], *, strategic: bool) -> None:
        """Refuse what a patch has made of an object; Invalid shows the patch, or what it has made."""
        self._judge_patched(lambda: unknown(content, resource, self._kinds, strategic=strategic), shown)

    def check_scale(self, scale: Object, schema: Schema, shown: Callable[[], str], *, strategic: bool) -> None:
        """Refuse what a patch has made of a Scale."""
        self._judge_patched(lambda: unknown_to(scale, schema, strategic=strategic), shown)

    def _judge_patched(self, find: Callable[[], list[str]], shown: Callable[[], str]) -> None:
        fields = [] if self._asked == IGNORE else [*map(in_words, find())]
        if fields and self._asked == STRICT:
            raise unreadable(shown(), _strictly(fields))
        self._tell(fields)

    def _tell(self, fields: Sequence[str]) -> None:
        for field in dict.fromkeys(fields):
            self.warn(field)


def check_directive(options: str, field_validation: str | None) -> None:
    """Refuse a request that asks for something else about unknown fields."""
    if field_validation not in (None, "", STRICT, WARN, IGNORE):
        problem = unsupported("fieldValidation", field_validation, ["", IGNORE, STRICT, WARN])
        raise Invalid.of(f"{options}.meta.k8s.io", "", [problem])


def _strictly(fields: Sequence[str]) -> str:
    return f"strict decoding error: {', '.join(fields)}"


_ORDER, _RETAINED = "$setElementOrder/", "$retainKeys"


def _left_over(patch: Any) -> Any:
    """What is left of a strategic patch once it was made: lists with an order, and directives, are used up."""
    if not isinstance(patch, dict):
        return patch
    gone = {word for key in patch if key.startswith(_ORDER) for word in (key, key.removeprefix(_ORDER))}
    return {key: _left_over(value) for key, value in patch.items() if key not in gone and key != _RETAINED}


def unreadable(shown: str, why: str, advice: str = "") -> Invalid:
    """The refusal of a patch whose result cannot be read."""
    return Invalid.of_patch(Printed(shown), why, advice=advice)


def shown(content: Object, entries: Any, patch: Any, patch_type: str, resource: Resource) -> str:
    """What a server shows of a patch that makes this, with these managedFields, if it cannot read that.

    It shows Secrets too, which is not done here.
    """
    if (resource.group, resource.kind) == SECRET:
        return "{...}"
    if patch_type == "strategic":
        return quoted(go_text(_left_over(patch)))
    metadata = content.get("metadata")
    if entries is not None and isinstance(metadata, dict):
        content = {**content, "metadata": {**metadata, "managedFields": entries}}
    return quoted(encode(content))
