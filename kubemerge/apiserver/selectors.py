"""Label selectors, such as `app=web,tier!=test,env in (a,b),!canary`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Test = Callable[[Mapping[str, Any]], bool]

_KEY = r"(?P<key>[\w./-]+)"
_SEPARATORS = re.compile(r",(?![^(]*\))")
_FORMS: tuple[tuple[re.Pattern[str], Callable[[str, frozenset[str]], Test]], ...] = (
    (re.compile(rf"{_KEY}\s+in\s+\((?P<values>[^()]*)\)"), lambda key, values: lambda at: at.get(key) in values),
    (re.compile(rf"{_KEY}\s+notin\s+\((?P<values>[^()]*)\)"), lambda key, values: lambda at: at.get(key) not in values),
    (re.compile(rf"{_KEY}\s*!=\s*(?P<values>[\w.-]*)"), lambda key, values: lambda at: at.get(key) not in values),
    (re.compile(rf"{_KEY}\s*==?\s*(?P<values>[\w.-]*)"), lambda key, values: lambda at: at.get(key) in values),
    (re.compile(rf"!\s*{_KEY}"), lambda key, _: lambda at: key not in at),
    (re.compile(_KEY), lambda key, _: lambda at: key in at),
)
"""The patterns of requirements, each with its test. A missing label is in no set."""


def parse_selector(text: str) -> Test:
    """Return a function that tests whether labels match. An empty selector matches everything."""
    tests = [_requirement(part.strip()) for part in _SEPARATORS.split(text)] if text.strip() else []
    return lambda labels: all(test(labels) for test in tests)


def _requirement(part: str) -> Test:
    for form, make in _FORMS:
        found = form.fullmatch(part)
        if found:
            values = found.groupdict().get("values") or ""
            return make(found["key"], frozenset(value.strip() for value in values.split(",")))
    raise BadRequest(
        f"unable to parse requirement {part!r} of the label selector; "
        "write key=value, key!=value, key in (a,b), key notin (a,b), key or !key"
    )
