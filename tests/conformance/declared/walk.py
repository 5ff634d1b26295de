"""Every problem that a kind's declared rules can report, in the form of upstream's lists, without an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.validation.order import INLINE
from generated.index import KINDS
from kubemerge.apiserver.validation.declarative_rules import DeclarativeRule, FieldRules, rules_of, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

Declared = tuple[str, str, str]
REQUIRED, INVALID, FORBIDDEN = "Required", "Invalid", "Forbidden"
PLAIN = {
    "required": (REQUIRED, ""),
    "forbidden": (FORBIDDEN, ""),
    "enum": ("NotSupported", ""),
    "immutable": (INVALID, "immutable"),
    "minimum": (INVALID, "minimum"),
    "maximum": (INVALID, "maximum"),
    "monotonic": (INVALID, "monotonic"),
    "neq": (INVALID, "neq"),
    "maxItems": ("TooMany", "maxItems"),
    "maxLength": ("TooLong", "maxLength"),
    "maxBytes": ("TooLong", "maxBytes"),
}


def type_of(kind: str, minor: int) -> str | None:
    """The type name of an apiVersion and kind; None if the release does not have it."""
    rows = (row for row in KINDS if row[:2] == tuple(kind.split(" ")) and row[2] <= minor <= (row[3] or minor))
    return next((str(row[4]) for row in rows), None)


def declared(of: str, minor: int) -> set[str]:
    """The problems that a type's rules can report, enforced or not, as lines of `path type origin`."""
    return {" ".join(one).rstrip() for one in _of_type("", of, minor, ())}


def _of_type(at: str, of: str, minor: int, above: tuple[str, ...]) -> Iterator[Declared]:
    found = rules_of(of, minor)
    if found is None or of in above:
        return
    for rule in found.rules:
        if rule.name in PLAIN:
            yield (at, *PLAIN[rule.name])
    if found.unions():
        yield at, INVALID, "union"
    for one in found.fields.values():
        child = at if one.name == INLINE else f"{at}.{one.name}" if at else one.name
        for rule in one.rules:
            yield from _of_rule(rule, child, at, one, minor)
        if one.is_opaque:
            continue
        elements = one.shape.elements
        if elements is None:
            yield from _of_type(child, one.shape.of, minor, (*above, of))
        elif elements.of:
            yield from _of_type(f"{child}[*]", elements.of, minor, (*above, of))


def _of_rule(rule: DeclarativeRule, at: str, parent: str, field: FieldRules, minor: int) -> Iterator[Declared]:
    name, arguments = rule.name, rule.arguments
    if name in PLAIN:
        yield (at, *PLAIN[name])
    elif name == "format":
        yield at, INVALID, f"format={arguments[0]}"
    elif name == "update":
        yield {
            "NoAddItem": (f"{at}[*]", FORBIDDEN, "update"),
            "NoRemoveItem": (at, FORBIDDEN, "update"),
        }.get(arguments[0], (at, INVALID, "update"))
    elif name in ("listType", "unique"):
        if arguments[0] != "atomic" and not any(one.name == "customUnique" for one in field.rules):
            yield f"{at}[*]", "Duplicate", ""
    elif name == "item":
        yield at, INVALID, "zeroOrOneOf"
    elif name == "ifMode":
        yield at, FORBIDDEN, ""
        yield from _of_rule(rule.inner, at, parent, field, minor)
    elif name in ("dependentRequired", "dependentForbidden"):
        yield (
            f"{parent}.{arguments[0]}" if parent else arguments[0],
            REQUIRED if name.endswith("Required") else FORBIDDEN,
            name,
        )
    elif name in ("ifEnabled", "ifDisabled", "eachKey"):
        yield from _of_rule(rule.inner, at, parent, field, minor)
    elif name == "eachVal" and field.shape.elements:
        yield from _of_rule(rule.inner, f"{at}[*]", at, FieldRules("", field.shape.elements), minor)
    elif name == "subfield":
        yield from _of_rule(rule.inner, f"{at}.{arguments[0]}", at, FieldRules("", shape_of("string")), minor)
