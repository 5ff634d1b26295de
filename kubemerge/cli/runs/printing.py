"""Printers for the forms of `-o`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.text.text import shown
from ...manifests.objects import title
from ...output.object_text import laid_out, object_text, without_managed_fields
from ..options.outputs import GO_TEMPLATE, JSONPATH, JSONPATH_AS_JSON

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ...cluster import Object
    from ..options.outputs import Form

    Printed = Callable[[Any], str]

WHOLE = ("json", "kyaml", "yaml")
"""The forms that print whole objects."""


def printer(form: Form | str, *, managed_fields: bool = True) -> Printed:
    """A function that renders an object as text. An invalid template is reported immediately."""
    if str(form) in WHOLE:
        return lambda one: _whole(one if managed_fields else _bare(one), str(form))
    if form == "name":
        return lambda one: f"{named(one)}\n"
    return _PRINTERS[str(form)](form)  # type: ignore[arg-type]


def named(one: Any) -> str:
    """The object's name as kubectl prints it. A patch of an object in a file may have removed the name."""
    metadata = one.get("metadata")
    if isinstance(metadata, dict) and metadata.get("name"):
        return title(one)
    group = str(one.get("apiVersion") or "").rpartition("/")[0]
    return shown(f"{str(one.get('kind')).lower()}{f'.{group}' if group else ''}/")


def _whole(one: Any, form: str) -> str:
    if form == "kyaml":
        from ...output.kyaml import kyaml

        return kyaml(one)
    return object_text(one, form)


def _bare(one: Object) -> Object:
    """An object, or a List of some, without managedFields."""
    if isinstance(one.get("items"), list) and one.get("kind") == "List":
        return {**one, "items": [without_managed_fields(item) for item in one["items"]]}
    return without_managed_fields(one)


def _by_jsonpath(form: Form) -> Printed:
    from ...apiserver.printers.jsonpath import template

    return template(form.text, missing_is_empty=form.missing_is_empty)


def _as_json(form: Form) -> Printed:
    from engine.values.go_json import encode

    from ...apiserver.printers.jsonpath import arrays

    found = arrays(form.text, missing_is_empty=form.missing_is_empty)
    return lambda one: "".join(f"{laid_out(encode(values))}\n" for values in found(one))


def _by_template(form: Form) -> Printed:
    from ...printers.gotemplate.evaluating import template

    return template(form.text, missing_is_empty=form.missing_is_empty)


_PRINTERS: dict[str, Callable[[Form], Printed]] = {
    JSONPATH: _by_jsonpath,
    JSONPATH_AS_JSON: _as_json,
    GO_TEMPLATE: _by_template,
}
