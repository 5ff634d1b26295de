"""The functions of CEL with the libraries of Kubernetes, and the types that they take and give."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .types import DYN, NULL, Type

TEXT = """
_==_(A, A) bool;_!=_(A, A) bool;_&&_(bool, bool) bool;_||_(bool, bool) bool;!_(bool) bool;_?_:_(bool, A, A) A
_+_(int, int) int;_+_(uint, uint) uint;_+_(double, double) double;_+_(string, string) string
_+_(bytes, bytes) bytes;_+_(list(A), list(A)) list(A);_+_(timestamp, duration) timestamp
_+_(duration, timestamp) timestamp;_+_(duration, duration) duration
_-_(int, int) int;_-_(uint, uint) uint;_-_(double, double) double;_-_(timestamp, timestamp) duration
_-_(timestamp, duration) timestamp;_-_(duration, duration) duration
_*_(int, int) int;_*_(uint, uint) uint;_*_(double, double) double
_/_(int, int) int;_/_(uint, uint) uint;_/_(double, double) double;_%_(int, int) int;_%_(uint, uint) uint
-_(int) int;-_(double) double
@in(A, list(A)) bool;@in(A, map(A, B)) bool
_[_](list(A), int) A;_[_](map(A, B), A) B;_[_](optional(list(A)), int) optional(A)
_[_](optional(map(A, B)), A) optional(B);_[?_](list(A), int) optional(A);_[?_](map(A, B), A) optional(B)
_[?_](optional(list(A)), int) optional(A);_[?_](optional(map(A, B)), A) optional(B)
size(string) int;size(bytes) int;size(list(A)) int;size(map(A, B)) int
string.size() int;bytes.size() int;list(A).size() int;map(A, B).size() int
string.contains(string) bool;string.startsWith(string) bool;string.endsWith(string) bool
string.matches(string) bool;matches(string, string) bool
int(int) int;int(uint) int;int(double) int;int(string) int;int(timestamp) int;int(duration) int
uint(uint) uint;uint(int) uint;uint(double) uint;uint(string) uint
double(double) double;double(int) double;double(uint) double;double(string) double
string(string) string;string(int) string;string(uint) string;string(double) string;string(bool) string
string(bytes) string;string(timestamp) string;string(duration) string;string(ip) string;string(cidr) string
bytes(bytes) bytes;bytes(string) bytes;bool(bool) bool;bool(string) bool
timestamp(timestamp) timestamp;timestamp(string) timestamp;timestamp(int) timestamp
duration(duration) duration;duration(string) duration;duration(int) duration;dyn(A) dyn;type(A) type
timestamp.getFullYear() int;timestamp.getMonth() int;timestamp.getDayOfYear() int;timestamp.getDayOfMonth() int
timestamp.getDate() int;timestamp.getDayOfWeek() int;timestamp.getHours() int;timestamp.getMinutes() int
timestamp.getSeconds() int;timestamp.getMilliseconds() int
timestamp.getFullYear(string) int;timestamp.getMonth(string) int;timestamp.getDayOfYear(string) int
timestamp.getDayOfMonth(string) int;timestamp.getDate(string) int;timestamp.getDayOfWeek(string) int
timestamp.getHours(string) int;timestamp.getMinutes(string) int;timestamp.getSeconds(string) int
timestamp.getMilliseconds(string) int
duration.getHours() int;duration.getMinutes() int;duration.getSeconds() int;duration.getMilliseconds() int
string.charAt(int) string;string.indexOf(string) int;string.indexOf(string, int) int
string.lastIndexOf(string) int;string.lastIndexOf(string, int) int;string.lowerAscii() string
string.upperAscii() string;string.replace(string, string) string;string.replace(string, string, int) string
string.split(string) list(string);string.split(string, int) list(string);string.substring(int) string
string.substring(int, int) string;string.trim() string;string.format(list(dyn)) string
list(string).join() string;list(string).join(string) string;strings.quote(string) string
string.find(string) string;string.findAll(string) list(string);string.findAll(string, int) list(string)
list(int).isSorted() bool;list(uint).isSorted() bool;list(double).isSorted() bool;list(bool).isSorted() bool
list(string).isSorted() bool;list(timestamp).isSorted() bool;list(duration).isSorted() bool
list(bytes).isSorted() bool;list(int).sum() int;list(uint).sum() uint;list(double).sum() double
list(duration).sum() duration;list(int).max() int;list(uint).max() uint;list(double).max() double
list(bool).max() bool;list(string).max() string;list(timestamp).max() timestamp;list(duration).max() duration
list(bytes).max() bytes;list(int).min() int;list(uint).min() uint;list(double).min() double;list(bool).min() bool
list(string).min() string;list(timestamp).min() timestamp;list(duration).min() duration;list(bytes).min() bytes
list(A).indexOf(A) int;list(A).lastIndexOf(A) int;dyn.includes(dyn) bool
list(A).slice(int, int) list(A);list(A).flatten() list(dyn);list(A).flatten(int) list(dyn)
list(A).sort() list(A);list(A).distinct() list(A);list(A).reverse() list(A);lists.range(int) list(int)
list(A).first() optional(A);list(A).last() optional(A)
sets.contains(list(A), list(A)) bool;sets.equivalent(list(A), list(A)) bool;sets.intersects(list(A), list(A)) bool
url(string) url;isURL(string) bool;url.getScheme() string;url.getHost() string;url.getHostname() string
url.getPort() string;url.getEscapedPath() string;url.getQuery() map(string, list(string))
quantity(string) quantity;isQuantity(string) bool;quantity.sign() int;quantity.isGreaterThan(quantity) bool
quantity.isLessThan(quantity) bool;quantity.compareTo(quantity) int;quantity.asApproximateFloat() double
quantity.asInteger() int;quantity.isInteger() bool;quantity.add(quantity) quantity;quantity.add(int) quantity
quantity.sub(quantity) quantity;quantity.sub(int) quantity
ip(string) ip;isIP(string) bool;ip.isCanonical(string) bool;ip.family() int;ip.isUnspecified() bool
ip.isLoopback() bool;ip.isLinkLocalMulticast() bool;ip.isLinkLocalUnicast() bool;ip.isGlobalUnicast() bool
cidr(string) cidr;isCIDR(string) bool;cidr.containsIP(string) bool;cidr.containsIP(ip) bool
cidr.containsCIDR(string) bool;cidr.containsCIDR(cidr) bool;cidr.ip() ip;cidr.prefixLength() int
cidr.masked() cidr
semver(string) semver;semver(string, bool) semver;isSemver(string) bool;isSemver(string, bool) bool
semver.isGreaterThan(semver) bool;semver.isLessThan(semver) bool;semver.compareTo(semver) int
semver.major() int;semver.minor() int;semver.patch() int
format.validate(string) optional(list(string))
optional.none() optional(A);optional.of(A) optional(A);optional.ofNonZeroValue(A) optional(A)
optional(A).hasValue() bool;optional(A).value() A;optional(A).or(optional(A)) optional(A)
optional(A).orValue(A) A
"""
FREE = {"strings.quote", "lists.range", "sets.contains", "sets.equivalent", "sets.intersects", "ip.isCanonical"}
FREE |= {"optional.none", "optional.of", "optional.ofNonZeroValue", "format.named"}
"""Functions with a dot in their names."""
FORMATS = (
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
)
ORDERED = ("bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration")
NUMBERS = ("int", "uint", "double")
NAMES = {
    "timestamp": "google.protobuf.Timestamp",
    "duration": "google.protobuf.Duration",
    "optional": "optional_type",
    "url": "kubernetes.URL",
    "quantity": "kubernetes.Quantity",
    "ip": "net.IP",
    "cidr": "net.CIDR",
    "semver": "kubernetes.Semver",
    "format": "kubernetes.NamedFormat",
}


class Overload(NamedTuple):
    """One form of a function."""

    member: bool
    takes: tuple[Type, ...]
    gives: Type


@lru_cache(maxsize=1)
def overloads() -> dict[str, list[Overload]]:
    """All forms of all functions by their names."""
    found: dict[str, list[Overload]] = {}
    for line in TEXT.replace("\n", ";").split(";"):
        if line:
            name, one = _read(line)
            found.setdefault(name, []).append(one)
    for sign in ("_<_", "_<=_", "_>_", "_>=_"):
        pairs = [(one, one) for one in ORDERED] + [(a, b) for a in NUMBERS for b in NUMBERS if a != b]
        found[sign] = [Overload(False, (_type(a), _type(b)), Type("bool")) for a, b in pairs]
    for name in FORMATS:
        found[f"format.{name}"] = [Overload(False, (), _type("format"))]
    found["format.named"] = [Overload(False, (Type("string"),), _type("optional(format)"))]
    return found


def _read(line: str) -> tuple[str, Overload]:
    head, _, given = _split_call(line)
    target, dot, name = _split_target(head)
    member = bool(dot) and f"{target}.{name}" not in FREE
    inside, _, gives = given.rpartition(") ")
    takes = [*map(_type, _arguments(inside))]
    if member:
        takes.insert(0, _type(target))
    return (name if member or not dot else f"{target}.{name}"), Overload(member, tuple(takes), _type(gives))


def _split_call(line: str) -> tuple[str, str, str]:
    """The name, and what stands in the brackets of the call, which are the last that open at the outermost level."""
    depth = 0
    for at in range(line.rindex(") "), -1, -1):
        depth += {")": 1, "(": -1}.get(line[at], 0)
        if depth == 0:
            return line[:at], "(", line[at + 1 :]
    raise ValueError(line)


def _split_target(head: str) -> tuple[str, str, str]:
    if head.startswith(("_", "@", "!", "-")):
        return "", "", head
    target, dot, name = head.rpartition(".")
    return target, dot, name


def _arguments(text: str) -> list[str]:
    found, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    return [*found, text[start:].strip()] if text.strip() else []


def _type(text: str) -> Type:
    name, bracket, inside = text.partition("(")
    inner = tuple(map(_type, _arguments(inside[:-1]))) if bracket else ()
    return Type(NAMES.get(name, name), inner)


def fits(given: Type, wanted: Type, bound: dict[str, Type]) -> bool:
    """Whether a type can be given where another is wanted; the letters that stand for types are bound."""
    if len(wanted.name) == 1:
        if wanted.name not in bound:
            bound[wanted.name] = given
            return True
        before = bound[wanted.name]
        if agrees(given, before):
            if before in (DYN, NULL) or (before.name in ("list", "map") and not _is_wider(before, given)):
                bound[wanted.name] = before if before == DYN else given
            return True
        return False
    if DYN in (given, wanted):
        for inner in wanted.inner:
            fits(DYN, inner, bound)
        return True
    if given == NULL and wanted.name not in SCALARS:
        return True
    if given.name != wanted.name or len(given.inner) != len(wanted.inner):
        return False
    return all(fits(one, other, bound) for one, other in zip(given.inner, wanted.inner, strict=False))


SCALARS = frozenset({"bool", "int", "uint", "double", "string", "bytes", "list", "map", "null"})


def agrees(left: Type, right: Type) -> bool:
    """Whether two types may be those of the same value."""
    if DYN in (left, right):
        return True
    if NULL in (left, right):
        other = right if left == NULL else left
        return other == NULL or other.name not in SCALARS
    if left.name != right.name:
        return False
    if left.name == "object":
        return left.schema is right.schema or left.schema is None or right.schema is None
    return all(agrees(one, other) for one, other in zip(left.inner, right.inner, strict=False))


def _is_wider(left: Type, right: Type) -> bool:
    return any(one == DYN and other != DYN for one, other in zip(left.inner, right.inner, strict=False))


def filled(of: Type, bound: dict[str, Type]) -> Type:
    """A type with the letters in it replaced."""
    if len(of.name) == 1:
        return bound.get(of.name, DYN)
    return of._replace(inner=tuple(filled(one, bound) for one in of.inner)) if of.inner else of
