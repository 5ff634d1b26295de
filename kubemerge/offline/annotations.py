"""The last-applied annotation in files: read from live, set in live, and compared with a config."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError, last_applied_text
from engine.clientside.last_applied import annotations_of, parse_last_applied, read_last_applied
from engine.directives import ANNOTATION
from engine.paths import render
from engine.tables.identity import ElementLabels, Keys, index_unique
from engine.values.plain import ABSENT, same

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine import Schema
    from engine.paths import Steps

    from .pairs import Inputs


class NoAnnotation(MergeError):
    """A live object without a last applied config."""

    def __init__(self, advice: str) -> None:
        super().__init__(f"the live object has no annotation {ANNOTATION}. {advice}")


class NotLive(MergeError):
    """A config object without its live object."""

    def __init__(self) -> None:
        super().__init__("--live does not have this object. Pass its file, or use --namespace")


def applied_last(live: dict[str, Any]) -> dict[str, Any]:
    """The document in the annotation."""
    found = read_last_applied(live)
    if found is None:
        raise NoAnnotation("It was never applied, or not by client-side apply")
    return found


def set_patch(inputs: Inputs, *, create: bool) -> dict[str, Any]:
    """The JSON merge patch that sets live's annotation to the config; empty if it is up to date.

    The text is the one that the next apply of the same config would write.
    """
    if inputs.live is None:
        raise NotLive
    now = annotations_of(inputs.live.content).get(ANNOTATION)
    if now is None and not create:
        raise NoAnnotation("Add it with --create-annotation")
    text = last_applied_text(inputs.config)
    if now is not None and _same(now, text):
        return {}
    return {"metadata": {"annotations": {ANNOTATION: text}}}


def _same(now: object, text: str) -> bool:
    """Whether the annotation contains this document; a writer may have left out empty annotations."""
    try:
        return last_applied_text(parse_last_applied(now)) == text
    except MergeError:
        return False


class Difference(NamedTuple):
    """A field that differs between the annotation and the config; `ABSENT` on the side that lacks it."""

    path: str
    applied: Any
    config: Any


def differences(inputs: Inputs, written: dict[str, Any]) -> list[Difference]:
    """The differences between the annotation of live and the config; the whole object if there is no annotation.

    A namespace that the config only got from live, and that is not in `written`, does not count as a difference.
    """
    found = read_last_applied(inputs.live.content) if inputs.live else None
    if found is None:
        return [Difference(".", ABSENT, inputs.config)]
    applied, config = (parse_last_applied(last_applied_text(document)) for document in (found, inputs.config))
    if not any((document.get("metadata") or {}).get("namespace") for document in (applied, written)):
        config["metadata"].pop("namespace", None)
    return list(_between((), applied, config, inputs.schema))


def _between(steps: Steps, applied: Any, config: Any, schema: Schema | None) -> Iterator[Difference]:
    if isinstance(applied, dict) and isinstance(config, dict):
        for key in sorted({*applied, *config}):
            yield from _between((*steps, key), applied.get(key, ABSENT), config.get(key, ABSENT), schema)
    elif isinstance(applied, list) and isinstance(config, list):
        yield from _between_lists(steps, applied, config, schema)
    elif not same(applied, config):
        yield Difference(render(steps), applied, config)


def _between_lists(steps: Steps, applied: list[Any], config: list[Any], schema: Schema | None) -> Iterator[Difference]:
    """Compare element by element if keys or positions identify the pairs, else as a whole."""
    rule = schema.rule(_bare(steps)) if schema else None
    keys = Keys(rule, schema.types) if schema and rule and rule.merge_key else None
    left, right = (index_unique(value, keys.full) if keys else None for value in (applied, config))
    if keys and left is not None and right is not None and _in_order(left, right):
        labels = ElementLabels(keys, applied, config)
        for name, item in {**left, **right}.items():
            step = labels.of(item) or 0
            yield from _between((*steps, step), left.get(name, ABSENT), right.get(name, ABSENT), schema)
    elif len(applied) == len(config):
        for at, pair in enumerate(zip(applied, config, strict=True)):
            yield from _between((*steps, at), *pair, schema)
    else:
        yield Difference(render(steps), applied, config)


def _bare(steps: Steps) -> str:
    return render(tuple(step for step in steps if isinstance(step, str))) if steps else ""


def _in_order(applied: Mapping[Any, Any], config: Mapping[Any, Any]) -> bool:
    """Whether the common elements have the same order in both."""
    return [name for name in applied if name in config] == [name for name in config if name in applied]
