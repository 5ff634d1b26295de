"""Selectors in the resource attributes of a review: their validation, and the parts that the authorizer ignores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import BadRequest
from ..field_selectors import parse_terms
from ..problems import Problem, invalid, required
from ..selectors import parse_selector
from ..unchecked import as_list, as_map, as_text, maps
from ..validation.selectors import ALWAYS, NO_OPERATOR, OPERATORS, requirement, values_of_operator

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..protocol import Object

SINCE = 32
"""The first minor release with selectors in reviews."""
FIELDS, LABELS = "fieldSelector", "labelSelector"
AT = "spec.resourceAttributes"
IGNORED = "{}.{} {}ignored due to parse error"


def problems(attributes: Object) -> list[Problem]:
    """Return the problems of the selectors."""
    found: list[Problem] = []
    for field, check in ((FIELDS, _field_requirement), (LABELS, _label_requirement)):
        selector, at = attributes.get(field), f"{AT}.{field}"
        if not isinstance(selector, dict):
            continue
        raw, listed = as_text(selector.get("rawSelector")), list(maps(selector, "requirements"))
        if raw and listed:
            found.append(invalid(f"{at}.rawSelector", raw, "may not specified at the same time as requirements"))
        if not raw and not listed:
            why = f"when {at} is specified, requirements or rawSelector is required"
            found.append(required(f"{at}.requirements", why))
        found += [problem for index, one in listed for problem in check(f"{at}.requirements[{index}]", one)]
    return found


def _field_requirement(at: str, one: Object) -> list[Problem]:
    return [*([] if one.get("key") else [required(f"{at}.key", "must be specified")]), *values_of_operator(at, one)]


def _label_requirement(at: str, one: Object) -> list[Problem]:
    """The problems of a requirement. Operators that are unknown to the server are allowed."""
    return [problem for problem in requirement(at, one, ALWAYS) if problem.detail != NO_OPERATOR]


def evaluation_error(attributes: Object) -> str:
    """Return the error about valid selectors that cannot be parsed, and that the authorizer therefore ignores."""
    found = []
    for field, parse, is_known in ((FIELDS, parse_terms, _is_known_field), (LABELS, parse_selector, _is_known_label)):
        selector = as_map(attributes.get(field))
        listed = [is_known(one) for _, one in maps(selector, "requirements")]
        if not all(listed):
            found.append(IGNORED.format(AT, field, "partially " if any(listed) else ""))
        elif not listed and not _is_parsed(parse, as_text(selector.get("rawSelector"))):
            found.append(IGNORED.format(AT, field, ""))
    return "; ".join(found)


def _is_parsed(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except BadRequest:
        return False
    return True


def _is_known_field(one: Object) -> bool:
    """Whether a field selector can have the expression: `=` or `!=`."""
    return one.get("operator") in ("In", "NotIn") and len(as_list(one.get("values"))) == 1


def _is_known_label(one: Object) -> bool:
    return one.get("operator") in tuple(OPERATORS)


def as_printed(attributes: Object) -> Object:
    """Return resource attributes as Go prints them: each requirement has an operator."""
    printed: Object = {}
    for field in (FIELDS, LABELS):
        selector = attributes.get(field)
        if isinstance(selector, dict) and selector.get("requirements"):
            listed = [{"key": "", "operator": "", **one} for _, one in maps(selector, "requirements")]
            printed[field] = {**selector, "requirements": listed}
    return {**attributes, **printed} if printed else attributes
