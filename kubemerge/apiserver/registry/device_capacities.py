"""Request policies of shared device capacities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import BadQuantity, canonical

from ..problems import Problem, duplicate, forbidden, invalid, required, too_many
from ..unchecked import as_list, as_map
from ..validation.values.formats import NOT_NEGATIVE
from ..validation.values.quantities import MAX_INT64, rounded, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

MOST_OPTIONS = 10
BOTH = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'


def request_policy(at: str, capacity: Any, policy: Object) -> Iterator[Problem]:
    """Validate the request policy of a capacity."""
    options, bounds, default = as_list(policy.get("validValues")), policy.get("validRange"), policy.get("default")
    field = "validValues" if options else "validRange"
    if options and bounds is not None:
        yield forbidden(at, BOTH)
    elif not options and bounds is None:
        return
    elif default is None:
        yield required(f"{at}.default", f"required when {field} is defined")
    elif options:
        yield from _options(f"{at}.validValues", default, capacity, options)
    else:
        yield from _range(f"{at}.validRange", default, capacity, as_map(bounds))


def _options(at: str, default: Any, capacity: Any, options: list[Any]) -> Iterator[Problem]:
    for index in range(1, len(options)):
        if size(options[index - 1]) > size(options[index]):
            yield invalid(f"{at}[{index}]", _shown(options[index]), "values must be sorted in ascending order")
    known = False
    if len(options) > MOST_OPTIONS:
        yield too_many(at, len(options), MOST_OPTIONS)
    else:
        for index, one in enumerate(options):
            if size(one) > size(capacity):
                yield invalid(
                    f"{at}[{index}]", _shown(one), f"option is larger than capacity value: {_shown(capacity)}"
                )
            known = known or size(one) == size(default)
        numbers = [*map(rounded, options)]
        for index, one in enumerate(numbers):
            if one in numbers[:index]:
                yield duplicate(f"{at}[{index}]", str(one))
    if not known:
        yield invalid(at, _shown(default), "default value is not valid according to the requestPolicy")


def _range(at: str, default: Any, capacity: Any, bounds: Object) -> Iterator[Problem]:
    low, high, step = (bounds.get(field) for field in ("min", "max", "step"))
    if low is None:
        yield required(f"{at}.min", "required when validRange is defined")
        return
    limits = [
        ("min", low, size(low) > size(capacity), f"min is larger than capacity value: {_shown(capacity)}"),
        ("default", default, size(default) < size(low), f"default is less than min: {_shown(low)}"),
    ]
    if high is not None:
        limits += [
            ("max", low, size(low) > size(high), f"min is larger than max: {_shown(high)}"),
            ("max", high, size(high) > size(capacity), f"max is larger than capacity value: {_shown(capacity)}"),
            ("default", default, size(default) > size(high), f"default is more than max: {_shown(high)}"),
        ]
    yield from (invalid(f"{at}.{field}", _shown(value), why) for field, value, wrong, why in limits if wrong)
    values = {"default": default, "min": low, "max": high, "step": step}
    given = {field: value for field, value in values.items() if value is not None}
    if step is not None:
        yield from _step(at, given, capacity)


def _step(at: str, given: Object, capacity: Any) -> Iterator[Problem]:
    step, low = given["step"], given["min"]
    if size(step) <= 0:
        yield invalid(f"{at}.step", _shown(step), "must be greater than zero")
        return
    after = size(low) + size(step)
    if after > size(capacity):
        why = f"one step {_sum(low, step)} is larger than capacity value: {_shown(capacity)}"
        yield invalid(f"{at}.step", _shown(step), why)
    unsafe = [field for field, value in given.items() if not 0 <= size(value) <= MAX_INT64]
    for field in unsafe:
        why = NOT_NEGATIVE if size(given[field]) < 0 else f"must not be larger than {MAX_INT64}"
        yield invalid(f"{at}.{field}", _shown(given[field]), why)
    if unsafe:
        return
    for field in ("default", "max"):
        if field in given and (rounded(given[field]) - rounded(low)) % rounded(step):
            why = f"value is not a multiple of a given step ({_shown(step)}) from ({_shown(low)})"
            yield invalid(f"{at}.step", _shown(given[field]), why)


def _sum(low: Any, step: Any) -> str:
    """The sum of two quantities, in the format of the first."""
    suffix = "Ki" if _shown(low).endswith("i") else ""
    total = size(low) + size(step)
    return canonical(f"{total / 1024 if suffix else total:f}{suffix}")


def _shown(value: Any) -> str:
    try:
        return canonical(value)
    except BadQuantity:
        return str(value)
