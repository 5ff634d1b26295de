"""Estimates of an expression's maximum cost, checked when a definition is written."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from . import costs
from .language.checker import is_call, unwrapped
from .language.tree import CONST, FOLD, IDENT, LIST, MAP, SELECT, TEST, Expr

if TYPE_CHECKING:
    from collections.abc import Callable

    from .declarations import Declared
    from .language.checker import Checked
    from .language.types import Type

MOST = 2**64 - 1
Path = tuple[str, ...]


def _plus(one: int, other: int) -> int:
    return min(one + other, MOST)


def _times(one: int, other: int) -> int:
    return min(one * other, MOST)


def _scaled(count: int, factor: float) -> int:
    number = float(count)
    if number > 0 and factor > 0 and number > MOST / factor:
        return MOST
    found = math.ceil(number * factor)
    return MOST if found >= 2**64 else found


class Range(NamedTuple):
    """A minimum and a maximum of sizes or costs."""

    least: int
    most: int

    def plus(self, other: Range) -> Range:
        """Return the sum."""
        return Range(_plus(self.least, other.least), _plus(self.most, other.most))

    def times(self, other: Range) -> Range:
        """Return the product."""
        return Range(_times(self.least, other.least), _times(self.most, other.most))

    def scaled(self, factor: float) -> Range:
        """Return a multiple, rounded up."""
        return Range(_scaled(self.least, factor), _scaled(self.most, factor))

    def union(self, other: Range) -> Range:
        """Return the smallest range that contains both."""
        return Range(min(self.least, other.least), max(self.most, other.most))


def fixed(number: int) -> Range:
    """Return a range of one number."""
    return Range(number, number)


UNKNOWN, ONE, NONE = Range(0, MOST), fixed(1), fixed(0)
SCALARS = frozenset(("bool", "double", "duration", "int", "timestamp", "uint"))
STRING, REGEX = 0.1, 0.25


class Entries(NamedTuple):
    """The sizes of the keys and values in a list or a map."""

    kind: str
    key: Range
    value: Range

    def union(self, other: Entries | None) -> Entries | None:
        """Return the union of two entries."""
        if other is None:
            return None
        return Entries(self.kind, self.key.union(other.key), self.value.union(other.value))


class _Local(NamedTuple):
    path: Path
    size: Range | None
    entries: Entries | None


class Node(NamedTuple):
    """An argument of a call. `expr` is None for the elements of a list."""

    path: Path
    type: Type
    size: Range | None
    expr: Expr | None


class Estimate(NamedTuple):
    """The cost of a call, and the size of its result."""

    cost: Range
    size: Range | None = None


def estimate(checked: Checked, root: Declared) -> int:
    """Return the maximum cost of an expression. It recurses as deeply as the expression nests."""
    return _Estimator(checked, root).cost(checked.expr).most


class _Estimator:
    def __init__(self, checked: Checked, root: Declared) -> None:
        self.checked, self.root = checked, root
        self._paths: dict[Expr, Path] = {}
        self._sizes: dict[Expr, Range] = {}
        self._entries: dict[Expr, Entries] = {}
        self._locals: dict[str, list[_Local]] = {}

    # ---- paths and sizes -------------------------------------------------------------------------------------------

    def _local(self, expr: Expr) -> _Local | None:
        if expr.kind != IDENT:
            return None
        known = self._locals.get(expr.name)
        return known[-1] if known else None

    def _path(self, expr: Expr) -> Path:
        local = self._local(expr)
        return local.path if local is not None else self._paths.get(expr, ())

    def declared(self, path: Path) -> Range | None:
        """Return the size limits of a schema at a path."""
        if not path:
            return None
        found = self.root.at(path[1:])
        return Range(0, found) if found is not None else None

    def _size(self, expr: Expr) -> Range | None:
        known = self._sizes.get(expr)
        if known is not None:
            return known
        if expr.kind == CONST:
            return fixed(len(expr.value) if isinstance(expr.value, (str, bytes)) else 1)
        if expr.kind in (LIST, MAP):
            return fixed(len(expr.parts) // (2 if expr.kind == MAP else 1))
        found = self.declared(self._path(expr))
        if found is not None:
            self._sizes[expr] = found
            return found
        if unwrapped_scalar(self.checked.types[expr]):
            return ONE
        local = self._local(expr)
        return local.size if local is not None else None

    def size(self, expr: Expr) -> Range:
        """Return the size of a node, as far as it is known."""
        return self._size(expr) or UNKNOWN

    def entries(self, expr: Expr) -> Entries | None:
        """Return the sizes of a node's entries."""
        known = self._entries.get(expr)
        if known is not None:
            return known
        local = self._local(expr)
        return local.entries if local is not None else None

    def keep(self, expr: Expr, entries: Entries | None) -> None:
        """Store the sizes of a node's entries."""
        if entries is not None:
            self._entries[expr] = entries

    def _same_size(self, expr: Expr, other: Expr) -> None:
        size = self._size(other)
        if size is not None:
            self._sizes[expr] = size
        self.keep(expr, self.entries(other))

    def _node(self, expr: Expr) -> Node:
        path = self._path(expr)
        if path and path[0] == "@result":
            path = ()
        return Node(path, self.checked.types[expr], self._size(expr), expr)

    # ---- costs -----------------------------------------------------------------------------------------------------

    def cost(self, expr: Expr) -> Range:
        """Return the cost of a node with all nodes inside."""
        return KINDS[expr.kind](self, expr)

    def _const(self, _expr: Expr) -> Range:
        return NONE

    def _ident(self, expr: Expr) -> Range:
        local = self._local(expr)
        self._paths[expr] = local.path if local is not None else (expr.name.removeprefix("."),)
        return ONE

    def _select(self, expr: Expr) -> Range:
        if expr in self.checked.named:
            self._paths[expr] = (self.checked.named[expr],)
            return ONE
        target = expr.parts[0]
        found = self.cost(target)
        kind = self.checked.types[target].name
        if kind in ("map", "object") or kind.startswith("kubernetes."):
            found = found.plus(ONE)
        self._paths[expr] = (*self._path(target), expr.name)
        return found

    def _test(self, expr: Expr) -> Range:
        return self.cost(expr.parts[0])

    def _list(self, expr: Expr) -> Range:
        total = fixed(costs.LIST)
        inner = Range(0 if not expr.parts else MOST, 0)
        for part in expr.parts:
            total = total.plus(self.cost(part))
            inner = inner.union(self.size(part))
        self._entries[expr] = Entries("list", ONE, inner)
        return total

    def _map(self, expr: Expr) -> Range:
        total = fixed(costs.MAP)
        key = value = Range(0 if not expr.parts else MOST, 0)
        for place in range(0, len(expr.parts), 2):
            one, other = expr.parts[place : place + 2]
            total = total.plus(self.cost(one)).plus(self.cost(other))
            key, value = key.union(self.size(one)), value.union(self.size(other))
        self._entries[expr] = Entries("map", key, value)
        return total

    def _call(self, expr: Expr) -> Range:
        if is_call(expr, "dyn"):
            (part,) = expr.parts
            found = self.cost(part).plus(ONE)
            self._same_size(expr, part)
            return found
        free = self.checked.functions.get(expr)
        name = free or expr.name
        given = expr.parts[1:] if expr.member else expr.parts
        spent = []
        nodes = []
        for part in given:
            spent.append(self.cost(part))
            nodes.append(self._node(part))
        total, target = NONE, None
        if expr.member and not free:
            total = self.cost(expr.parts[0])
            target = self._node(expr.parts[0])
        best = Range(MOST, 0)
        size: Range | None = None
        for overload in self.checked.overloads[expr]:
            call = Call(self, expr, name, overload, target, nodes, spent)
            found_call = of_call(call)
            best = best.union(found_call.cost)
            if found_call.size is not None:
                size = found_call.size if size is None else size.union(found_call.size)
            if overload in ("index_list", "index_map") and given:
                entries = self.entries(given[0])
                size = entries.value if entries is not None else None
                self._paths[expr] = (*self._path(given[0]), "@items" if overload == "index_list" else "@values")
            if size is None:
                size = self._size(expr)
        if size is not None:
            self._sizes[expr] = size
        return total.plus(best)

    # ---- comprehensions ----------------------------------------------------------------------------------------------

    def _fold(self, expr: Expr) -> Range:
        over, init, condition, step, result = expr.parts
        names = expr.value
        total = self.cost(over).plus(self.cost(init))
        accumulator = _Local(self._path(init), self._size(init), self.entries(init))
        self._push(names.result, accumulator)
        if over.kind == LIST and not over.parts and condition.kind == CONST and names.result != "@result":
            total = total.plus(self.cost(result))
            self._locals[names.result].pop()
            self._same_size(expr, result)
            return total
        entries = self.entries(over)
        kind = entries.kind if entries is not None else self.checked.types[over].name
        path = self._path(over)
        is_list = kind == "list"
        key = _Local((*path, "@indices" if is_list else "@keys"), entries.key if entries is not None else None, None)
        value = _Local(
            (*path, "@items" if is_list else "@values"), entries.value if entries is not None else None, None
        )
        if names.second:
            self._push(names.first, key)
            self._push(names.second, value)
        else:
            self._push(names.first, value if is_list else key)
        loop = self.cost(condition)
        loop = self.cost(step).plus(loop)
        self._locals[names.first].pop()
        if names.second:
            self._locals[names.second].pop()
        total = total.plus(self.cost(result))
        self._locals[names.result].pop()
        count = self.size(over)
        total = total.plus(count.times(loop))
        if init.kind == CONST:
            size = self._size(init)
            if size is not None:
                self._sizes[expr] = size
        else:
            self._sizes[expr] = count
            self.keep(expr, self.entries(step))
        return total

    def _push(self, name: str, local: _Local) -> None:
        self._locals.setdefault(name, []).append(local)


KINDS: dict[str, Callable[[_Estimator, Expr], Range]] = {
    CONST: _Estimator._const,
    IDENT: _Estimator._ident,
    SELECT: _Estimator._select,
    TEST: _Estimator._test,
    LIST: _Estimator._list,
    MAP: _Estimator._map,
    FOLD: _Estimator._fold,
    "call": _Estimator._call,
}


def unwrapped_scalar(of: Type) -> bool:
    """Whether values of a type always have the size 1."""
    while of.name == "optional_type":
        of = unwrapped(of)
    return of.name in SCALARS


# ---- calls -----------------------------------------------------------------------------------------------------------


class Call(NamedTuple):
    """A call of one overload."""

    estimator: _Estimator
    expr: Expr
    name: str
    overload: str
    target: Node | None
    given: list[Node]
    spent: list[Range]

    def size(self, node: Node) -> Range:
        """Return the size of an argument for the Kubernetes libraries."""
        return node.size or self.estimator.declared(node.path) or UNKNOWN

    def known(self, node: Node) -> Range:
        """Return the size of an argument for cel-go."""
        return node.size or UNKNOWN

    def arguments(self) -> Range:
        """Return the cost of all arguments."""
        total = NONE
        for one in self.spent:
            total = total.plus(one)
        return total


def of_call(call: Call) -> Estimate:
    """Return the estimate of a call with its arguments."""
    for table, key in ((TRACKED, call.overload), (FUNCTIONS, call.name)):
        made = table.get(key)
        found = made(call) if made is not None else None
        if found is not None:
            return Estimate(found.cost.plus(call.arguments()), found.size)
    whole = WHOLE.get(call.overload)
    if whole is not None:
        return whole(call)
    made = OVERLOADS.get(call.overload)
    found = (made(call) if made is not None else None) or Estimate(ONE)
    return Estimate(found.cost.plus(call.arguments()), found.size)


# ---- cel-go ----------------------------------------------------------------------------------------------------------


def _scan(place: int, least: Callable[[int], int], most: Callable[[int], int]) -> Callable[[Call], Estimate]:
    def made(call: Call) -> Estimate:
        size = call.known(call.given[place])
        return Estimate(size.scaled(STRING), Range(least(size.least), min(most(size.most), MOST)))

    return made


def _compared(call: Call) -> Estimate:
    smallest = min(call.known(call.given[0]).most, call.known(call.given[1]).most)
    return Estimate(Range(int(smallest > 0), smallest).scaled(STRING))


def _added(call: Call) -> Estimate:
    one, other = call.given
    size = call.known(one).plus(call.known(other))
    call.estimator.keep(call.expr, _either(call, one, other))
    return Estimate(ONE if call.overload == "add_list" else size.scaled(STRING), size)


def _matched(call: Call) -> Estimate:
    text, pattern = (call.target, call.given[0]) if call.target is not None else call.given
    text_cost = call.known(text).plus(ONE).scaled(STRING)
    return Estimate(text_cost.times(call.known(pattern).scaled(REGEX)))


def _contained(call: Call) -> Estimate | None:
    if call.target is None:
        return None
    return Estimate(call.known(call.target).scaled(STRING).times(call.known(call.given[0]).scaled(STRING)))


def _formatted(call: Call) -> Estimate | None:
    return Estimate(call.known(call.target).scaled(STRING)) if call.target is not None else None


def _logical(call: Call) -> Estimate:
    one, other = call.spent
    return Estimate(Range(one.least, one.plus(other).most))


def _conditional(call: Call) -> Estimate:
    _, yes, no = call.given
    call.estimator.keep(call.expr, _either(call, yes, no))
    question, one, other = call.spent
    return Estimate(question.plus(one.union(other)), call.known(yes).union(call.known(no)))


def _either(call: Call, one: Node, other: Node) -> Entries | None:
    if one.expr is None or other.expr is None:
        return None
    entries = call.estimator.entries(one.expr)
    return entries.union(call.estimator.entries(other.expr)) if entries is not None else None


WHOLE: dict[str, Callable[[Call], Estimate]] = {
    "logical_and": _logical,
    "logical_or": _logical,
    "conditional": _conditional,
}
"""Operators that do not always evaluate all arguments."""
OVERLOADS: dict[str, Callable[[Call], Estimate | None]] = {
    "string_format": _formatted,
    "string_to_bytes": _scan(0, lambda least: least, lambda most: (most * 4) & MOST),
    "bytes_to_string": _scan(0, lambda least: least // 4, lambda most: most),
    "strings_quote": _scan(0, lambda least: least + 2, lambda most: (most * 2 + 2) & MOST),
    "starts_with_string": lambda call: Estimate(call.known(call.given[0]).scaled(STRING)),
    "ends_with_string": lambda call: Estimate(call.known(call.given[0]).scaled(STRING)),
    "in_list": lambda call: Estimate(call.known(call.given[1]).scaled(1)),
    "matches": _matched,
    "matches_string": _matched,
    "contains_string": _contained,
    "add_string": _added,
    "add_bytes": _added,
    "add_list": _added,
    "equals": _compared,
    "not_equals": _compared,
    **{
        f"{order}_{kind}": _compared
        for order in ("less", "less_equals", "greater", "greater_equals")
        for kind in ("string", "bytes")
    },
}


# ---- the libraries of cel-go -----------------------------------------------------------------------------------------


def _allocated(factor: float, size: Range) -> Estimate:
    return Estimate(size.scaled(factor).plus(ONE).plus(fixed(costs.LIST)), size)


def _number(node: Node, otherwise: int) -> int:
    if node.expr is None or node.expr.kind != CONST or type(node.expr.value) is not int:
        return otherwise
    return max(0, node.expr.value)


def _target(call: Call) -> Range:
    return call.size(call.target) if call.target is not None else UNKNOWN


def _sliced(call: Call) -> Estimate:
    start = _number(call.given[0], 0)
    end = _number(call.given[1], _target(call).most)
    return _allocated(1, fixed((end - start) & MOST))


def _flattened(call: Call) -> Estimate:
    return _allocated(float(_number(call.given[0], MOST)) if call.given else 1.0, _target(call))


def _sorted(call: Call) -> Estimate:
    size = call.size(call.given[0]) if call.given else _target(call)
    factor = 2.1 if call.overload.startswith(("list_string_", "list_bytes_")) else 2.0
    return _allocated(factor, size.times(size))


def _sets(factor: float) -> Callable[[Call], Estimate]:
    return lambda call: Estimate(call.size(call.given[0]).times(call.size(call.given[1])).scaled(factor).plus(ONE))


TRACKED: dict[str, Callable[[Call], Estimate | None]] = {
    "list_slice": _sliced,
    "list_flatten": _flattened,
    "list_flatten_int": _flattened,
    "lists_range": lambda call: _allocated(1, fixed(_number(call.given[0], MOST))),
    "list_reverse": lambda call: _allocated(1, _target(call)),
    "list_distinct": lambda call: _allocated(2, _target(call).times(_target(call))),
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
    **{
        f"list_{kind}_{name}": _sorted
        for kind in ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
        for name in ("sort", "sortByAssociatedKeys")
    },
}


# ---- the libraries of Kubernetes -------------------------------------------------------------------------------------


def _elements(of: Node) -> Node | None:
    if not of.type.inner:
        return None
    return Node((*of.path, "@items") if of.path else (), of.type.inner[0], None, None)


def _walked(call: Call) -> Estimate | None:
    if call.target is None:
        return None
    size = call.size(call.target)
    elements = _elements(call.target)
    if elements is None:
        return Estimate(size.scaled(STRING))
    cost = ONE
    if elements.type.name in ("string", "bytes"):
        cost = cost.plus(call.size(elements).scaled(STRING))
    return Estimate(size.times(cost))


def _parsed(factor: float, *, sized: bool = False) -> Callable[[Call], Estimate | None]:
    def made(call: Call) -> Estimate | None:
        if not call.given:
            return None
        size = call.size(call.given[0])
        return Estimate(size.scaled(factor * STRING), size if sized else None)

    return made


def _rewritten(call: Call) -> Estimate | None:
    if call.target is None:
        return None
    size = call.size(call.target)
    return Estimate(size.scaled(STRING), size)


def _replaced(call: Call) -> Estimate | None:
    if call.target is None or len(call.given) < 2:
        return None
    size, old, new = call.size(call.target), call.size(call.given[0]), call.size(call.given[1])
    most = most_kept = least = least_kept = 0
    if old.least == 0:
        most, most_kept = _plus(size.most, 1), size.most
    elif new.most <= old.least:
        most_kept = size.most
    else:
        most = _go_uint(math.ceil(float(size.most) / float(old.least)))
    if old.most == 0:
        least, least_kept = _plus(size.least, 1), size.least
    elif old.most <= new.least:
        least_kept = size.least
    else:
        least = _go_uint(math.ceil(float(size.least) / float(old.most)))
    made = Range(least, most).times(new).plus(Range(least_kept, most_kept))
    return Estimate(size.scaled(2 * STRING), made)


def _go_uint(number: int) -> int:
    """A float as Go converts it to an unsigned integer on amd64."""
    return number if number < 2**64 else 2**63


def _split(call: Call) -> Estimate | None:
    if call.target is None:
        return None
    size = call.size(call.target)
    most = size.most
    if len(call.given) > 1:
        part = call.given[1].expr
        if part is not None and part.kind == CONST and type(part.value) is int:
            most = part.value & MOST
    return Estimate(size.scaled(2 * STRING), Range(0, most))


def _joined(call: Call) -> Estimate | None:
    if call.target is None:
        return None
    count, size = call.size(call.target), NONE
    elements = _elements(call.target)
    if elements is not None:
        size = count.times(call.size(elements))
    if call.given:
        between = Range(max(0, count.least - 1), max(0, count.most - 1))
        size = size.plus(call.size(call.given[0]).times(between))
    return Estimate(size.scaled(STRING), size)


def _found(call: Call) -> Estimate | None:
    if call.target is None or not call.given:
        return None
    size = call.size(call.target)
    cost = size.plus(ONE).scaled(STRING).times(call.size(call.given[0]).scaled(REGEX))
    return Estimate(cost, Range(0, size.most))


ADDRESS = Range(4, 16)
"""The size of an address in bytes."""


def _contains_ip(call: Call) -> Estimate:
    cost = ADDRESS.plus(ADDRESS).scaled(STRING)
    if call.overload.endswith("_string"):
        cost = cost.plus(call.size(call.given[0]).scaled(STRING))
    return Estimate(cost)


def _contains_cidr(call: Call) -> Estimate:
    return Estimate(_contains_ip(call).cost.plus(ADDRESS.scaled(STRING)).plus(ONE))


def _validated(call: Call) -> Estimate:
    return Estimate(call.size(call.given[0]).scaled(STRING).scaled(128 * REGEX))


def _equal(call: Call) -> Estimate | None:
    one, other = call.given
    if one.type != other.type:
        return None
    if one.type.name in ("net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"):
        return Estimate(ONE)
    if one.type.name == "kubernetes.NamedFormat":
        return Estimate(Range(1, 64).scaled(STRING))
    if one.type.name == "kubernetes.URL":
        return Estimate(Range(1, other.size.most if other.size is not None else 1).scaled(STRING))
    return None


FUNCTIONS: dict[str, Callable[[Call], Estimate | None]] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"), _walked),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _rewritten),
    **dict.fromkeys(("cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"), _parsed(1)),
    "url": _parsed(1, sized=True),
    "replace": _replaced,
    "split": _split,
    "join": _joined,
    "find": _found,
    "findAll": _found,
    "ip": lambda call: Estimate(ONE) if call.overload == "cidr_ip" else _parsed(1)(call),
    "ip.isCanonical": _parsed(2),
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "validate": _validated,
    "check": lambda _: Estimate(fixed(costs.AUTHORIZATION_CHECK)),
    **dict.fromkeys(("fieldSelector", "labelSelector"), lambda call: Estimate(call.size(call.given[0]).scaled(STRING))),
    "_==_": _equal,
}
