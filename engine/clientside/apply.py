"""Client-side apply of one object: read the inputs, make the patch, return the outcome."""

from __future__ import annotations

from collections.abc import Sequence

from .. import aliases
from ..directives import ANNOTATION
from ..errors import GeneratedName, NotAnObject
from ..tables.behaviour import SENDS_NULLS
from ..tables.lookup import schema_for
from ..tables.schema import Schema
from ..tables.tables import Tables
from ..values.guard import run
from ..values.plain import copied
from .identity import identity_warnings, require_kind, require_same_object
from .last_applied import SentConfig, annotations_of, as_sent, parse_last_applied, read_last_applied
from .method import method_of, patch_by
from .outcome import ApplyInputs, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..values.plain import Object
    from .method import Method

READ: Any = type("Read", (), {"__slots__": (), "__repr__": lambda _: "READ"})()
"""The default of `last_applied`: read it from the live object. None means that the object was never applied."""


def apply(
    config: aliases.Document,
    live: aliases.Document | None,
    schema: Schema | Tables | None,
    overwrite: bool = True,
    *,
    last_applied: aliases.Document | str | None = READ,
    safe: bool = False,
    lists: aliases.Lists = "kubectl",
    warnings: Sequence[str] = (),
) -> Outcome:
    """The outcome of `kubectl apply` with a config and a live object (None if there is none).

    The schema must be the schema of the config's kind. Tables look it up. A kind that the tables lack is merged without
    a schema if it can be a custom resource, else UnknownKind is raised. A live object of another kind is an error. A
    live object with another name or namespace causes a warning.

    The last applied config is read from the live object's annotation, unless it is passed as a document or as the text
    of the annotation; None means that the object was never applied. Without a schema, and for custom resources, the
    patch is a JSON merge patch, and `overwrite` has no effect. For kinds that are not compiled into kubectl
    (CustomResourceDefinition, APIService), apply falls back to a JSON merge patch if the strategic one fails, with a
    warning.

    `safe` selects the merge that loses nothing. `lists="schema"` merges the lists of a custom resource by the keys in
    its schema, where kubectl would replace them. `warnings` are added to the warnings of the outcome.
    """
    if config is None:
        raise NotAnObject("config", config)
    if isinstance(schema, Tables):
        schema = schema_for(schema, config=config)
    method = method_of(schema, overwrite, safe, lists)
    if live is None:
        return run(lambda config: _create(config, method, warnings), config=config)
    return run(lambda config, live: _update(config, live, last_applied, method, warnings), config=config, live=live)


def _create(config: Object, method: Method, more: Sequence[str]) -> Outcome:
    """Without a live object, the config is sent as it is; without nulls since 1.31."""
    sent = _read(config, method)
    if method.lossless:
        method.patch({}, sent.annotated, _identity_fields(sent.annotated))
    plain: Object = _without_nulls(sent.annotated)
    whole = copied(sent.annotated) if SENDS_NULLS in method.behaviour else plain
    stored = plain if method.schema is None or method.schema.built_in else whole
    warnings = (*_config_warnings(sent), *more)
    return Outcome(
        "created", copied(stored), whole, "create", warnings, ApplyInputs(sent.annotated, None, None), method
    )


def _update(config: Object, live: Object, last_applied: Any, method: Method, more: Sequence[str]) -> Outcome:
    sent, live = _read(config, method), as_sent(live)
    more = (*_other_object(sent.plain, live), *more)
    last = _last_applied(live, last_applied, sent)
    inputs = ApplyInputs(sent.annotated, last, live)
    method, patch, failed = patch_by(method, last, sent.annotated, live)
    warnings = (*_config_warnings(sent), *_live_warnings(live, last_applied), *failed, *more)
    if not patch:
        return Outcome("unchanged", None, patch, "none", warnings, inputs, method)
    return Outcome("configured", method.merged(live, patch), patch, method.patch_type, warnings, inputs, method)


def _read(config: Object, method: Method) -> SentConfig:
    """The config as it is sent. A generated name is an error, because apply could never find the object again."""
    schema, metadata = method.schema, config.get("metadata")
    if schema is not None and schema.key != (config.get("apiVersion"), config.get("kind")):
        require_kind(config, schema)
    metadata = metadata if type(metadata) is dict else {}
    if metadata.get("generateName") and not metadata.get("name"):
        raise GeneratedName(metadata["generateName"])
    return SentConfig(config, method.behaviour)


def _other_object(config: Object, live: Object) -> Sequence[str]:
    """Warnings if live is another object than the config; another kind is an error."""
    ours, theirs = config["metadata"], live.get("metadata")
    if type(theirs) is dict and config.get("kind") == live.get("kind"):
        get, given = ours.get, theirs.get
        if get("name") == given("name") and get("namespace") == given("namespace"):
            return ()
    require_same_object(config, live)
    return [*identity_warnings(config, live)]


def _metadata(document: Object) -> Object:
    metadata = document.get("metadata")
    return metadata if type(metadata) is dict else {}


def _identity_fields(document: Object) -> Object:
    bare: Object = {key: document[key] for key in ("apiVersion", "kind") if key in document}
    metadata = _metadata(document)
    return {**bare, "metadata": {"name": metadata["name"]}} if "name" in metadata else bare


def _without_nulls(value: Any) -> Any:
    """A copy without null fields, in maps at any depth. List elements stay, null or not."""
    if type(value) is dict:
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if type(value) is list:
        return [_without_nulls(item) for item in value]
    return copied(value)


def _last_applied(live: Object, given: Any, sent: SentConfig) -> Object | None:
    if given is READ:
        return read_last_applied(live, sent)
    if given is None:
        return None
    if isinstance(given, str):
        return parse_last_applied(given)
    return run(as_sent, last_applied_config=given)


UNKNOWN = f"the live object has no annotation {ANNOTATION}, so fields to clear are unknown. apply writes it from now on"
DELETING = "the object is being deleted, and this change with it"


def _live_warnings(live: Object, last_applied: Any) -> list[str]:
    warnings = []
    if last_applied is READ and ANNOTATION not in annotations_of(live):
        warnings.append(UNKNOWN)
    if _metadata(live).get("deletionTimestamp"):
        warnings.append(DELETING)
    return warnings


def _config_warnings(sent: SentConfig) -> list[str]:
    if sent.dropped:
        return ["an annotation of the config is not a string, so kubectl drops all annotations. Quote the value"]
    return []
