"""Quantities and resource names."""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal
from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount

from ...eras import asked_minor
from ...pod_resources import HUGE_PAGES
from ...problems import Printed, Problem, invalid, shown
from ...text.go_text import quoted
from ...unchecked import as_map
from .. import names
from ..eras import TYPED_RESOURCE_NAMES
from .formats import NOT_NEGATIVE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

NOT_WHOLE = "must be an integer"
NATIVE = "kubernetes.io/"
OF_CONTAINERS = frozenset({"cpu", "memory", "ephemeral-storage"})
NOT_OF_CONTAINERS = "must be a standard resource for containers"
COUNTED = frozenset(
    [
        "pods",
        "services",
        "replicationcontrollers",
        "resourcequotas",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    ]
)
"""Resources with integer quantities only."""
ASKED_FOR = frozenset({"requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage"})
LIMITED = frozenset({"limits.cpu", "limits.memory", "limits.ephemeral-storage"})
MAX_INT64 = 2**63 - 1
MAX_MILLI = MAX_INT64 // 1000
"""Larger quantities are not counted in thousandths."""
DIGITS_WITH_EXPONENT = 18
"""The most digits that Go stores in 64 bits with an exponent."""
_DIGITS = re.compile("[0-9]")
LONGEST_WHOLE = len(str(MAX_INT64))
_EXACT = Context(prec=2000, Emax=MAX_EMAX, Emin=MIN_EMIN)
STANDARD = OF_CONTAINERS | COUNTED | ASKED_FOR | LIMITED | {"storage"}


def size(value: Any) -> Decimal:
    """Return a quantity as a number. Zero if it is invalid."""
    return amount(value) or Decimal(0)


def rounded(value: Any, parts: int = 1) -> int:
    """Return a quantity as a number of parts, such as thousandths. A fraction is rounded away from zero.

    As in Go, a number that needs more than 64 bits is 0, or its lowest 64 bits if it has many digits.
    """
    found = _EXACT.multiply(size(value), Decimal(parts)).to_integral_value(ROUND_UP)
    if found.copy_abs() <= MAX_INT64:
        return int(found)
    if len(_DIGITS.findall(str(value).lower().partition("e")[0])) <= DIGITS_WITH_EXPONENT:
        return 0
    lowest = int(found.copy_abs()) % 2**64
    return (lowest - 2**64 if lowest > MAX_INT64 else lowest) * (-1 if found < 0 else 1)


def is_whole(value: Any) -> bool:
    """Whether a server treats a quantity as an integer.

    It counts thousandths. Plain digits may have too many of them, but not with an exponent or a suffix.
    """
    written = str(value)
    if written.isascii() and written.isdecimal():
        return len(written) <= LONGEST_WHOLE and int(written) * 1000 <= MAX_INT64
    found = size(value)
    return found == found.to_integral_value(context=_EXACT)


def remainder(value: Decimal, step: Decimal) -> Decimal:
    """The remainder of a division, for numbers of any size."""
    return _EXACT.remainder(value, step)


def not_negative(at: str, value: Any) -> Iterator[Problem]:
    """Reject a negative quantity."""
    if value is not None and size(value) < 0:
        yield invalid(at, str(value), NOT_NEGATIVE)


def is_native(name: str) -> bool:
    """Whether a resource is one of Kubernetes itself."""
    return "/" not in name or NATIVE in name


def is_extended(name: str) -> bool:
    """Whether a resource is an extended resource."""
    if is_native(name) or name.startswith("requests."):
        return False
    return not any(names.key(f"requests.{name}"))


def may_be_overcommitted(name: str) -> bool:
    """Whether the limit of a resource may exceed its request."""
    return is_native(name) and not name.startswith(HUGE_PAGES)


def is_huge_pages(name: str) -> bool:
    """Whether a resource is of huge pages, or their quota."""
    return name.startswith((HUGE_PAGES, f"requests.{HUGE_PAGES}"))


def printed_name(name: str) -> Printed | str:
    """A resource name in messages. Its Go type has a method that prints it without quotes."""
    return Printed(shown(name), name) if TYPED_RESOURCE_NAMES.has(asked_minor()) else name


def printed_quantity(value: Any, *, is_printed: bool = False) -> Printed:
    """A quantity in messages. `is_printed`: the server printed it before, so that its Go type has its text."""
    return Printed(shown(value), _go_syntax(str(value), is_printed=is_printed))


_PARTS = re.compile(r"([+-]?)([0-9]+)(?:(Ki|Mi|Gi|Ti|Pi|Ei)|([numkMGTPE]?)|[eE]([+-]?[0-9]{1,2}))$")
_SCALES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def printed_amounts(amounts: Object) -> Printed:
    """Resources with their amounts in messages."""
    ordered = {name: amounts[name] for name in sorted(amounts)}
    shown_in_go = {name: _go_syntax(str(value), is_printed=False) for name, value in ordered.items()}
    inside = ", ".join(f"{quoted(name)}:{one}" for name, one in shown_in_go.items())
    return Printed(shown(ordered), None if None in shown_in_go.values() else f"core.ResourceList{{{inside}}}")


def _go_syntax(value: str, *, is_printed: bool) -> str | None:
    """A quantity that Go stores in 64 bits. None for larger ones, whose text contains an address in memory."""
    parts = _PARTS.match(value)
    if parts is None or len(parts[2]) > DIGITS_WITH_EXPONENT:
        return None
    number, scale, form, has_text = int(f"{parts[1]}{parts[2]}"), 0, "DecimalSI", True
    if parts[3]:
        has_text = number % 8 != 0
        number, form = number << 10 * (_BINARY.index(parts[3]) + 1), "BinarySI"
    elif parts[5]:
        scale, form = int(parts[5]), "DecimalExponent"
        has_text = scale % 3 == 0
    else:
        scale = _SCALES[parts[4]]
        has_text = number == 0 or not (parts[2].endswith("000") or parts[2].startswith("0"))
    if abs(number) > MAX_INT64:
        return None
    text = value if has_text or is_printed else ""
    return (
        f"resource.Quantity{{i:resource.int64Amount{{value:{number}, scale:{scale}}}, "
        f'd:resource.infDecAmount{{Dec:(*inf.Dec)(nil)}}, s:"{text}", Format:"{form}"}}'
    )


def resource_name(at: str, name: str, *, plain_key: bool = False) -> Iterator[Problem]:
    """Validate a resource name. `plain_key`: a message about a name that is no key shows it as a plain string."""
    found = [invalid(at, name if plain_key else printed_name(name), why) for why in names.key(name)]
    yield from found
    if not found and "/" not in name and name not in STANDARD and not is_huge_pages(name):
        yield invalid(at, printed_name(name), "must be a standard resource type or fully qualified")


def container_resource(at: str, name: str, *, plain_key: bool = False) -> Iterator[Problem]:
    """Validate a container resource name."""
    yield from resource_name(at, name, plain_key=plain_key)
    if "/" not in name:
        if name not in OF_CONTAINERS and not name.startswith(HUGE_PAGES):
            yield invalid(at, printed_name(name), NOT_OF_CONTAINERS)
    elif not is_native(name) and not is_extended(name):
        yield invalid(at, printed_name(name), "doesn't follow extended resource name standard")


def quantity(at: str, name: str, value: Any) -> Iterator[Problem]:
    """Validate the quantity of a resource."""
    yield from not_negative(at, value)
    if (name in COUNTED or is_extended(name)) and not is_whole(value):
        yield invalid(at, printed_quantity(value), NOT_WHOLE)


def limits(at: str, value: Any) -> Iterator[Problem]:
    """Validate the limits of a container."""
    for name, much in as_map(value).items():
        yield from container_resource(f"{at}[{name}]", name)
        yield from quantity(f"{at}[{name}]", name, much)
